#include "conformance/fuzz/host/findings_out.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "codec/rules/requirements.h"
#include "codec/wire/crc32.h"
#include "conformance/fuzz/reading.h"
#include "conformance/process/artefacts.h"
#include "conformance/process/shell.h"

enum { CHECK_LINES_MAX = 4096, CHECKED_MAX = 16, HOW_CHARACTERS_MAX = 300 };

/* ---- files ---- */

static bool make_folders(char *path)
{
    for (char *at = path + 1; *at != '\0'; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        const bool good = mkdir(path, 0777) == 0 || errno == EEXIST;
        *at = '/';
        if (!good)
            return false;
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

static bool write_file(const char *folder, const char *name, struct bytes data)
{
    char path[FOLDER_PATH_MAX];
    snprintf(path, sizeof path, "%s", folder);
    if (make_folders(path) && artefacts_write(path, name, data))
        return true;
    fprintf(stderr, "ojin-conform fuzz: cannot write %s/%s: %s\n", folder, name, strerror(errno));
    return false;
}

static bool is_reported(const struct fuzz_options *options, const char *name)
{
    const char *const *seen = case_family_by_name(options->run.family->name).words->seen;
    while (*seen != NULL && strcmp(*seen, name) != 0)
        seen++;
    return *seen != NULL;
}

static void add_check(struct text *text, const char *name, size_t n, const char *expect)
{
    text_add(text, "check reads-");
    text_add(text, name);
    text_add(text, "-");
    text_add_u64(text, n);
    text_add(text, " MUST ");
    text_add(text, expect);
    text_add(text, " seen:");
    text_add(text, name);
}

static void add_count(struct text *text, const struct fuzz_reading *right, enum observation_kind kind)
{
    size_t due = 0, most = 0;
    for (size_t i = 0; i < right->count; i++) {
        most += right->of[i].kind == kind ? 1 : 0;
        due += right->of[i].kind == kind && i < right->due ? 1 : 0;
    }
    if (due == 0 && !right->closed)
        return;
    add_check(text, observation_kind_name(kind), 0, "count");
    text_add(text, " min=");
    text_add_u64(text, due);
    text_add(text, right->closed ? " max=" : "");
    if (right->closed)
        text_add_u64(text, most);
    text_add(text, "\n");
}

static void add_flag(struct text *text, const char *name, bool flag)
{
    text_add(text, name);
    text_add(text, flag ? "yes" : "no");
}

/* What not every client reports is asked for only where it is what differs. */
static void add_one(struct text *text, const struct observation *seen, size_t n, const char *place)
{
    add_check(text, observation_kind_name(seen->kind), n + 1, "some");
    if (seen->kind == OBSERVED_FRAME) {
        text_add(text, " index=");
        text_add_i64(text, seen->index);
    }
    if (seen->has_interaction) {
        text_add(text, " interaction=");
        text_add_uuid(text, seen->interaction);
    }
    if (seen->has_samples) {
        text_add(text, " samples=");
        text_add_u64(text, seen->samples);
    }
    if (seen->has_position) {
        text_add(text, " position=");
        text_add_u64(text, seen->position);
    }
    if (strstr(place, ": cache") != NULL && seen->has_cache) {
        text_add(text, " cache=");
        text_add_u64(text, seen->cache);
    }
    if (strstr(place, ": final") != NULL && !seen->is_final_odd)
        add_flag(text, " final=", seen->is_final);
    if (strstr(place, ": timestamp") != NULL) {
        text_add(text, " timestamp=");
        text_add(text, seen->timestamp);
    }
    text_add(text, "\n");
}

/* What a client that reads otherwise is judged by when the case is run: what there is to read. */
static void write_checks(const struct fuzz_options *options, const char *place,
                         const struct fuzz_session *smallest, char lines[CHECK_LINES_MAX])
{
    struct fuzz_reading *right = calloc(1, sizeof *right);
    struct text text = text_of(lines, CHECK_LINES_MAX);
    if (right != NULL && fuzz_reading_make(smallest, options->run.profile, false, right)) {
        for (unsigned kind = 0; kind < OBSERVATION_KIND_COUNT; kind++)
            if ((fuzz_reading_kinds() & 1U << kind) != 0 && is_reported(options, observation_kind_name(kind)))
                add_count(&text, right, kind);
        for (size_t i = 0; i < right->due && i < CHECKED_MAX; i++)
            add_one(&text, &right->of[i], i, place);
    }
    free(right);
}

/* Does the language of cases have a word for it? */
static bool is_checked(const struct fuzz_outcome *outcome)
{
    static const char *const CHECKED[] = {": missing",  ": too many", ": index", ": interaction", ": samples",
                                          ": position", ": cache",    ": final", ": timestamp"};
    for (size_t i = 0; i < sizeof CHECKED / sizeof CHECKED[0]; i++)
        if (strstr(outcome->place, CHECKED[i]) != NULL)
            return true;
    return outcome->kind != FUZZ_MISREAD && outcome->kind != FUZZ_UNUSABLE && outcome->kind != FUZZ_SLOW;
}

/* The message that does it: the last that is not as a right server sends it, or the last of all. */
static struct bytes message_of(const struct fuzz_session *session)
{
    struct bytes found = bytes_of(NULL, 0);
    bool changed = false;
    for (size_t i = 0; i < session->step_count; i++) {
        const struct fuzz_step *step = &session->steps[i];
        if (step->kind > FUZZ_RAW || (changed && !step->changed && !step->wrong))
            continue;
        found = bytes_of(step->data, step->len);
        changed = changed || step->changed || step->wrong;
    }
    return found;
}

static bool write_corpus(const struct fuzz_options *options, const struct fuzz_session *smallest)
{
    char name[32];
    const struct bytes message = message_of(smallest);
    snprintf(name, sizeof name, "%s-%08x", options->run.family->name, crc32_of(message));
    return options->corpus == NULL || write_file(options->corpus, name, message);
}

bool findings_write(const struct fuzz_options *options, const struct fuzz_finding *finding,
                    const struct fuzz_session *smallest)
{
    char folder[FOLDER_PATH_MAX], name[FUZZ_NAME_MAX + 16], lines[CHECK_LINES_MAX] = "";
    struct buffer text;
    buffer_init(&text, SCRIPT_BYTES_MAX);
    if (finding->outcome.kind == FUZZ_MISREAD)
        write_checks(options, finding->outcome.place, smallest, lines);
    snprintf(folder, sizeof folder, "%s/%s/fuzz", options->run.out_folder, options->run.family->name);
    snprintf(name, sizeof name, "%llu-%llu.session", (unsigned long long)finding->seed,
             (unsigned long long)finding->number);
    const bool good = fuzz_session_write(smallest, finding->clause, lines, &text) &&
                      write_file(folder, name, buffer_bytes(&text)) && write_corpus(options, smallest);
    buffer_free(&text);
    return good;
}

/* ---- for people ---- */

/* A client's own words: nothing in them steers the terminal. */
static void printable(const char *from, char out[FUZZ_HOW_MAX])
{
    struct text text = text_of(out, FUZZ_HOW_MAX);
    text_add_printable(&text, bytes_of_text(from), HOW_CHARACTERS_MAX);
}

/* The option with which a run fails for the requirement: --strict of a SHOULD, --inferred of a MUST that the
 * document only implies. */
static const char *weighed(const struct fuzz_finding *finding, const struct profile *profile)
{
    const struct requirement *requirement =
        finding->clause == NULL ? NULL : requirement_by_id(finding->clause);
    if (requirement == NULL)
        return "";
    const bool inferred = requirement_basis_in(requirement, profile) == BASIS_INFERRED;
    if (requirement->level == REQUIREMENT_MUST)
        return inferred ? " --inferred" : "";
    return inferred ? " --strict --inferred" : " --strict";
}

static void again_line(const struct fuzz_options *options, const struct fuzz_finding *finding, char *out,
                       size_t capacity)
{
    char command[FINDING_LINE_MAX / 2], own[1024], cases[FOLDER_PATH_MAX];
    const struct run_options *run = &options->run;
    char name[FUZZ_NAME_MAX];
    char *const words[] = {(char *)(uintptr_t)run->program, NULL}, *const folder[] = {cases, NULL};
    snprintf(cases, sizeof cases, "%s", run->out_folder);
    shell_line(run->command, command, sizeof command);
    shell_line(words, own, sizeof own);
    snprintf(name, sizeof name, "%s/fuzz/%llu-%llu", run->family->name, (unsigned long long)finding->seed,
             (unsigned long long)finding->number);
    char folder_word[FOLDER_PATH_MAX];
    shell_line(folder, folder_word, sizeof folder_word);
    /* The memory of one case can only be told of a process of its own. */
    const bool steady = finding->standing == FINDING_STEADY;
    const bool persists = run->persistent && (finding->outcome.kind != FUZZ_MEMORY || !steady);
    const char *persistent = persists ? " --persistent" : "";
    if (!steady || !finding->follows_plans || !is_checked(&finding->outcome))
        snprintf(out, capacity, "%s fuzz --family %s --profile %s --seed %llu --first %llu --cases 1%s -- %s",
                 own, run->family->name, run->profile->name, (unsigned long long)finding->seed,
                 (unsigned long long)finding->number, persistent, command);
    else
        snprintf(out, capacity, "%s run --profile %s --cases %s --run %s%s%s -- %s", own, run->profile->name,
                 folder_word, name, weighed(finding, run->profile), persistent, command);
}

void said_tell(const char *said, FILE *out)
{
    for (const char *at = said; *at != '\0';) {
        char line[FUZZ_SAID_MAX];
        const size_t len = strcspn(at, "\n");
        struct text text = text_of(line, sizeof line);
        text_add_printable(&text, bytes_of(at, len), len);
        fprintf(out, len > 0 ? "   | %s\n" : "%s", line);
        at += len + (at[len] == '\n' ? 1 : 0);
    }
}

void findings_tell(const struct fuzz_options *options, size_t n, const struct fuzz_finding *finding)
{
    char how[FUZZ_HOW_MAX], line[FINDING_LINE_MAX];
    printable(finding->outcome.how, how);
    again_line(options, finding, line, sizeof line);
    printf("%zu. %s: %s\n", n, fuzz_kind_name(finding->outcome.kind), how);
    if (finding->clause != NULL)
        printf("   breaks %s (ojin-conform explain %s)\n", finding->clause, finding->clause);
    printf("   session %llu of seed %llu", (unsigned long long)finding->number,
           (unsigned long long)finding->seed);
    if (finding->standing == FINDING_ONCE)
        printf(", which did it once and not again\n");
    else if (finding->standing == FINDING_UNTRIED)
        printf(", which was not tried again: the time was over\n");
    else
        printf(", shrunk from %zu bytes to %zu in %zu %s of its script\n", finding->bytes_at_first,
               finding->bytes, finding->steps, finding->steps == 1 ? "step" : "steps");
    printf("   rerun: %s\n", line);
    if (n == 1) /* the first; --json has those of all */
        said_tell(finding->said, stdout);
    fflush(stdout);
}

/* ---- for programs ---- */

static void add_string(struct text *text, const char *name, const char *value)
{
    char clean[FUZZ_HOW_MAX];
    printable(value, clean);
    text_add_json_text_member(text, name, clean);
}

static void add_finding(struct text *text, const struct fuzz_options *options,
                        const struct fuzz_finding *finding)
{
    char line[FINDING_LINE_MAX];
    again_line(options, finding, line, sizeof line);
    text_add(text, "{\"kind\":\"");
    text_add(text, fuzz_kind_name(finding->outcome.kind));
    text_add(text, "\"");
    add_string(text, "place", finding->outcome.place);
    add_string(text, "how", finding->outcome.how);
    if (finding->clause != NULL)
        text_add_json_text_member(text, "requirement", finding->clause);
    text_add_json_number_member(text, "times", finding->times);
    text_add(text, finding->standing == FINDING_STEADY ? ",\"steady\":true" : ",\"steady\":false");
    text_add_json_number_member(text, "found_ms", finding->found_us / 1000);
    text_add_json_number_member(text, "seed", finding->seed);
    text_add_json_number_member(text, "session", finding->number);
    text_add_json_number_member(text, "bytes_at_first", finding->bytes_at_first);
    text_add_json_number_member(text, "bytes", finding->bytes);
    text_add_json_number_member(text, "steps", finding->steps);
    text_add_json_number_member(text, "tries", finding->tries);
    text_add_json_text_member(text, "rerun", line);
    text_add_json_text_member(text, "output", finding->said);
    text_add(text, "}");
}

bool findings_json(const struct fuzz_options *options, const struct fuzzer_result *result, const char *path)
{
    const size_t capacity = (result->book.count + 1) * 8 * (size_t)FINDING_LINE_MAX;
    char *data = malloc(capacity);
    if (data == NULL)
        return false;
    struct text text = text_of(data, capacity);
    text_add(&text, "{\"family\":\"");
    text_add(&text, options->run.family->name);
    text_add(&text, "\",\"profile\":\"");
    text_add(&text, options->run.profile->name);
    text_add(&text, "\"");
    text_add_json_number_member(&text, "seed", options->run.seed);
    text_add_json_number_member(&text, "sessions", result->sessions);
    text_add_json_number_member(&text, "right_sessions", result->good);
    text_add_json_number_member(&text, "tried_again", result->again);
    text_add_json_number_member(&text, "late", result->late);
    text_add_json_number_member(&text, "took_ms", result->took_us / 1000);
    text_add_json_number_member(&text, "situations", result->situations);
    text_add(&text, result->compared ? ",\"compared\":true" : ",\"compared\":false");
    add_string(&text, "error", result->error);
    text_add(&text, ",\"findings\":[");
    for (size_t i = 0; i < result->book.count; i++) {
        text_add(&text, i > 0 ? ",\n" : "\n");
        add_finding(&text, options, &result->book.of[i]);
    }
    text_add(&text, "]}\n");
    FILE *file = fopen(path, "we");
    bool good = file != NULL && !text.cut && fwrite(text.data, 1, text.len, file) == text.len;
    good = file != NULL && fclose(file) == 0 && good;
    free(data);
    return good;
}
