#define _GNU_SOURCE
#include "conformance/cli/split_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/process/artefacts.h"
#include "conformance/process/interrupt.h"
#include "conformance/process/shell.h"
#include "conformance/runner/pool.h"
#include "conformance/runner/worker.h"
#include "conformance/selection/selection.h"

enum { LINE_SHOWN_MAX = 300, TOLD_MAX = 5 };

/* What a client reported in one session; shared with the worker. */
struct seen {
    struct text text;
    char data[SPLIT_SEEN_MAX];
};

struct split_run {
    const struct run_options *options;
    const struct splits *splits;
    size_t count;   /* of the ways that are taken */
    size_t *way_of; /* each one's number */
    struct case_script **scripts;
    struct buffer *texts;
    struct worker_slot *slots;
    struct worker_job *jobs;
    struct seen *seen;
};

static void observed(void *context, const struct observation *list, size_t count)
{
    struct seen *seen = context;
    seen->text = text_of(seen->data, sizeof seen->data);
    split_seen_add(&seen->text, list, count);
}

static bool is_taken(const struct split_run *run, const struct split_way *way)
{
    return way->is_reference || run->options->run.count == 0 || patterns_hold(&run->options->run, way->name);
}

static bool parse(struct split_run *run, size_t i)
{
    char error[SCRIPT_ERROR_MAX] = "out of memory";
    buffer_init(&run->texts[i], SPLIT_SCRIPT_MAX);
    if (splits_script(run->splits, run->way_of[i], &run->texts[i]))
        run->scripts[i] = case_script_parse("splits", buffer_bytes(&run->texts[i]),
                                            case_family_by_name(run->options->family->name), error);
    if (run->scripts[i] == NULL)
        fprintf(stderr, "ojin-conform: %s\n", error);
    return run->scripts[i] != NULL;
}

static void set_job(struct split_run *run, size_t i)
{
    run->slots[i].run_case.script = run->scripts[i];
    run->slots[i].run_case.profile = run->options->profile;
    run->jobs[i] = (struct worker_job){.run = worker_run,
                                       .options = run->options,
                                       .script = run->scripts[i],
                                       .script_text = buffer_bytes(&run->texts[i]),
                                       .profile = run->options->profile,
                                       .tier = run->options->tier,
                                       .attempt = 1,
                                       .observed = observed,
                                       .observed_context = &run->seen[i],
                                       .slot = &run->slots[i]};
}

static bool reserve(struct split_run *run, size_t all)
{
    run->way_of = calloc(all, sizeof *run->way_of);
    run->scripts = calloc(all, sizeof(struct case_script *));
    run->texts = calloc(all, sizeof *run->texts);
    run->jobs = calloc(all, sizeof *run->jobs);
    run->slots = pool_slots_new(all);
    run->seen =
        mmap(NULL, all * sizeof *run->seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (run->seen == MAP_FAILED)
        run->seen = NULL;
    return run->way_of != NULL && run->scripts != NULL && run->texts != NULL && run->jobs != NULL &&
           run->slots != NULL && run->seen != NULL;
}

struct split_run *split_run_new(const struct run_options *options, const struct splits *splits)
{
    struct split_run *run = calloc(1, sizeof *run);
    const size_t all = splits_count(splits);
    if (run == NULL)
        return NULL;
    *run = (struct split_run){.options = options, .splits = splits};
    bool good = reserve(run, all);
    if (!good)
        fputs("ojin-conform: out of memory\n", stderr);
    for (size_t n = 0; good && n < all; n++) {
        if (!is_taken(run, splits_way(splits, n)))
            continue;
        const size_t i = run->count++;
        run->way_of[i] = n;
        good = parse(run, i);
        if (good)
            set_job(run, i);
    }
    if (good)
        return run;
    split_run_free(run);
    return NULL;
}

void split_run_free(struct split_run *run)
{
    const size_t all = splits_count(run->splits);
    for (size_t i = 0; i < run->count; i++) {
        case_script_free(run->scripts[i]);
        buffer_free(&run->texts[i]);
    }
    if (run->slots != NULL)
        pool_slots_free(run->slots, all);
    if (run->seen != NULL)
        munmap(run->seen, all * sizeof *run->seen);
    free(run->way_of);
    free(run->scripts);
    free(run->texts);
    free(run->jobs);
    free(run);
}

static struct bytes seen_in(const struct split_run *run, size_t i)
{
    return bytes_of(run->seen[i].data, run->seen[i].text.len);
}

/* The references are the first ways, and always taken. */
static struct bytes expected_of(const struct split_run *run, size_t i)
{
    return seen_in(run, splits_way(run->splits, run->way_of[i])->reference);
}

static bool ended_well(const struct worker_slot *slot)
{
    return slot->finished && slot->run_case.result.end == CLIENT_ENDED;
}

static bool is_the_same(const struct split_run *run, size_t i)
{
    struct split_difference difference;
    return ended_well(&run->slots[i]) &&
           !split_seen_compare(expected_of(run, i), seen_in(run, i), &difference);
}

static void ended(void *context, size_t done, size_t count, const struct worker_slot *slot)
{
    const struct split_run *run = context;
    if (run->options->progress && done < count)
        fprintf(stderr, "\r%zu of %zu sessions, %-40s", done, count, slot->run_case.script->name);
    else if (run->options->progress)
        fputs("\r\033[K", stderr);
}

/* Which ended badly, and was one of many at a time, is asked once more alone: it may have been for want of
 * time. */
bool split_run_all(struct split_run *run)
{
    if (!pool_run(run->jobs, run->count, run->options->jobs, &interrupted, ended, run))
        return false;
    for (size_t i = 0; i < run->count; i++) {
        if (ended_well(&run->slots[i]) || run->slots[i].run_case.result.end != CLIENT_TIMED_OUT)
            continue;
        worker_slot_reset(&run->slots[i]);
        run->jobs[i].attempt = 2;
        if (!pool_run(&run->jobs[i], 1, 1, &interrupted, ended, run))
            return false;
    }
    return true;
}

/* --- telling --- */

static void say_line(const char *label, struct bytes line)
{
    char shown[LINE_SHOWN_MAX + 8];
    struct text text = text_of(shown, sizeof shown);
    text_add_printable(&text, line, LINE_SHOWN_MAX);
    printf("  %s %s\n", label, line.len == 0 ? "nothing more" : shown);
}

static void tell_end(const struct worker_slot *slot)
{
    const struct case_result *result = &slot->run_case.result;
    const char *name = client_end_name(result->end);
    printf("  %s%s%s\n", name, name[0] != '\0' && result->note[0] != '\0' ? ": " : "", result->note);
}

static void leave(const struct split_run *run, size_t i)
{
    const struct run_case *one = &run->slots[i].run_case;
    char repro[RUN_PATH_MAX + 16];
    if (one->folder[0] == '\0')
        return;
    snprintf(repro, sizeof repro, "%s/repro.sh", one->folder); /* it repeats a case of the suite */
    unlink(repro);
    (void)artefacts_write(one->folder, "expected.txt", expected_of(run, i));
    (void)artefacts_write(one->folder, "found.txt", seen_in(run, i));
    printf("  kept in  %s\n", one->folder);
}

static void tell(const struct split_run *run, size_t i, const char *command)
{
    const struct split_way *way = splits_way(run->splits, run->way_of[i]);
    struct split_difference difference;
    char own[OPTIONS_PATH_MAX], *const words[] = {(char *)(uintptr_t)run->options->program, NULL};
    shell_line(words, own, sizeof own);
    printf("%s: %s\n", way->name, way->title);
    if (!ended_well(&run->slots[i]))
        tell_end(&run->slots[i]);
    if (split_seen_compare(expected_of(run, i), seen_in(run, i), &difference)) {
        printf("  in report %zu of the messages it reads\n", difference.line);
        say_line("expected", difference.expected);
        say_line("found   ", difference.found);
    }
    leave(run, i);
    printf("  rerun: %s splits --family %s --run %s%s%s -- %s\n", own, run->options->family->name, way->name,
           run->options->persistent ? " --persistent" : "", run->options->tls ? " --tls" : "", command);
}

/* A client that says nothing of what it reads reports the same of anything. */
static bool is_told_well(const struct split_run *run, size_t i)
{
    size_t lines = 0;
    for (struct bytes left = seen_in(run, i); left.len > 0; lines++) {
        const size_t end = bytes_find_byte(left, '\n');
        left = bytes_behind(left, end < left.len ? end + 1 : end);
    }
    return ended_well(&run->slots[i]) && lines > (i == 0 ? SPLIT_REPEATS : 1);
}

void split_run_tell(struct split_run *run, const char *command, struct split_outcome *out)
{
    *out = (struct split_outcome){.compared = true, .sessions = run->count};
    for (size_t i = 0; i < run->count; i++) {
        const struct split_way *way = splits_way(run->splits, run->way_of[i]);
        const bool good = way->is_reference ? is_told_well(run, i) : out->compared && is_the_same(run, i);
        out->points += way->points;
        if (good && run->slots[i].run_case.folder[0] != '\0')
            artefacts_remove(run->slots[i].run_case.folder);
        if (good || !out->compared)
            continue;
        if (way->is_reference) {
            out->compared = false;
            out->fails_whole = !ended_well(&run->slots[i]);
        }
        if (out->failed++ < TOLD_MAX)
            tell(run, i, command);
    }
    if (out->failed > TOLD_MAX)
        printf("and %zu more ways\n", out->failed - TOLD_MAX);
}
