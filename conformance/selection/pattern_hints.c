#include "conformance/selection/pattern_hints.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "codec/rules/requirements.h"
#include "codec/wire/nearest.h"
#include "conformance/selection/name_pattern.h"

enum { NAMED_MAX = 6, WORD_MIN = 3, BEGINNING_MIN = 2, PATTERN_TEXT_MAX = SCRIPT_NAME_MAX + 3 };

static const char WILDCARDS[] = "*?[", RUN[] = "--run";

/* ---- a pattern with a slip in it ---- */

/* The pattern with each part between slashes that is no wildcard in place of the case's own:
 * "ojin/cancle/" and an asterisk become "ojin/cancel/" and one. False when the case would not match. */
static bool pattern_mend(const char *pattern, const struct case_script *script, char out[SCRIPT_NAME_MAX])
{
    struct text text = text_of(out, SCRIPT_NAME_MAX);
    const char *at = pattern, *own = script->name;
    while (true) {
        const size_t len = strcspn(at, "/"), own_len = strcspn(own, "/[");
        const bool wild = strcspn(at, WILDCARDS) < len;
        text_add_bytes(&text, wild ? bytes_of(at, len) : bytes_of(own, own_len));
        at += len;
        own += own_len;
        if ((*at == '/') != (*own == '/'))
            return false;
        if (*at == '\0')
            return !text.cut && case_name_matches(script->name, out);
        text_add_char(&text, '/');
        at++;
        own++;
    }
}

/* ---- what is said ---- */

static const struct requirement *requirement_named(const char *id)
{
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        if (strcasecmp(REQUIREMENTS[i].id, id) == 0)
            return &REQUIREMENTS[i];
    return NULL;
}

static bool is_about(const struct case_script *script, const struct requirement *requirement)
{
    for (size_t k = 0; k < script->clause_count; k++)
        if (script->clauses[k].requirement == requirement)
            return true;
    return false;
}

/* A requirement is no name of a case: those that are about it. */
static void say_cases_about(const struct case_set *set, const struct requirement *requirement)
{
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++) {
        const char *name = set->scripts[i]->name;
        const size_t len = strcspn(name, "[");
        const bool is_variant =
            i > 0 && strncmp(set->scripts[i - 1]->name, name, len) == 0 && name[len] == '[';
        if (is_variant || !is_about(set->scripts[i], requirement))
            continue;
        if (++count <= NAMED_MAX)
            fprintf(stderr, "%s %.*s", count == 1 ? ": it is a requirement, not a case; about it:" : ",",
                    (int)len, name);
    }
    if (count > NAMED_MAX)
        fprintf(stderr, " and %zu more", count - NAMED_MAX);
    if (count == 0)
        fputs(": it is a requirement, and none of these cases is about it", stderr);
}

/* Is each part between slashes the beginning of the other's, as in "duplex/play/x" and "duplex/playing/x"? */
static bool begins_alike(const char *a, const char *b)
{
    while (true) {
        const size_t a_len = strcspn(a, "/"), b_len = strcspn(b, "/");
        const size_t len = a_len < b_len ? a_len : b_len;
        if (strncmp(a, b, len) != 0 || (a_len != b_len && len < BEGINNING_MIN))
            return false;
        a += a_len;
        b += b_len;
        if (*a == '\0' || *b == '\0')
            return *a == *b;
        a++;
        b++;
    }
}

/* The shortest name whose parts begin alike; else the nearest with a slip in it. */
static bool say_near(const struct case_set *set, const char *pattern)
{
    char mended[SCRIPT_NAME_MAX], best[SCRIPT_NAME_MAX], begun[SCRIPT_NAME_MAX] = "";
    struct nearest nearest = nearest_to(bytes_of_text(pattern));
    for (size_t i = 0; i < set->count; i++) {
        if (!pattern_mend(pattern, set->scripts[i], mended))
            continue;
        if (begins_alike(pattern, mended) && (begun[0] == '\0' || strlen(mended) < strlen(begun)))
            memcpy(begun, mended, sizeof begun);
        nearest_offer(&nearest, mended);
        if (nearest.name != mended)
            continue;
        memcpy(best, mended, sizeof best);
        nearest.name = best;
    }
    if (begun[0] != '\0' || nearest.name != NULL)
        fprintf(stderr, "; did you mean \"%s\"?", begun[0] != '\0' ? begun : nearest.name);
    return begun[0] != '\0' || nearest.name != NULL;
}

/* "ojin/cancl" means a folder, as often as not: with all that is in it. */
static bool say_near_folder(const struct case_set *set, const char *pattern)
{
    char whole[SCRIPT_NAME_MAX];
    struct text text = text_of(whole, sizeof whole);
    text_add(&text, pattern);
    text_add(&text, "/*");
    return !text.cut && strchr(pattern, '/') != NULL && say_near(set, whole);
}

/* A pattern is matched with whole names, which "late-speech" or "cancel" is none of. */
static bool say_holding(const struct case_set *set, const char *pattern)
{
    char wide[PATTERN_TEXT_MAX];
    struct text text = text_of(wide, sizeof wide);
    size_t count = 0;
    text_add(&text, "*");
    text_add(&text, pattern + strspn(pattern, "*"));
    text_add(&text, wide[text.len - 1] == '*' ? "" : "*");
    for (size_t i = 0; !text.cut && strlen(pattern) >= WORD_MIN && i < set->count; i++)
        count += name_pattern_matches(wide, set->scripts[i]->name) ? 1 : 0;
    if (count == 0)
        return false;
    fprintf(stderr, "; did you mean \"%s\" (%zu %s)?", wide, count, count == 1 ? "case" : "cases");
    return true;
}

static void say_no_such_case(const char *command, const char *option, const struct case_set *set,
                             const char *pattern)
{
    const struct requirement *requirement = requirement_named(pattern);
    fprintf(stderr, "ojin-conform %s: no case matches %s '%s'", command, option, pattern);
    if (requirement != NULL)
        say_cases_about(set, requirement);
    else if (!say_near(set, pattern) && !say_near_folder(set, pattern) && !say_holding(set, pattern))
        fputs(": 'ojin-conform list' shows the names", stderr);
    fputc('\n', stderr);
}

/* The row of the first case that matches, of any family with NULL; set->count: none does. */
static size_t first_match(const struct case_set *set, const struct family *family, const char *pattern)
{
    size_t row = 0;
    while (row < set->count && !((family == NULL || set->scripts[row]->class->family == family) &&
                                 case_name_matches(set->scripts[row]->name, pattern)))
        row++;
    return row;
}

static void say_other_family(const char *command, const char *pattern, const struct case_script *script)
{
    fprintf(stderr, "ojin-conform %s: --run '%s' takes no case: %s is of another family: add --family %s\n",
            command, pattern, script->name, script->class->family->name);
}

bool run_patterns_match(const char *command, const struct family *family, const struct case_set *set,
                        const struct patterns *patterns)
{
    bool good = true;
    for (size_t i = 0; i < patterns->count; i++) {
        const size_t other = first_match(set, NULL, patterns->of[i]);
        if (first_match(set, family, patterns->of[i]) < set->count)
            continue;
        good = false;
        if (other == set->count)
            say_no_such_case(command, RUN, set, patterns->of[i]);
        else
            say_other_family(command, patterns->of[i], set->scripts[other]);
    }
    return good;
}

/* ---- what other options leave out ---- */

static void say_left_out(const struct run_options *options, const struct case_script *script,
                         const char *pattern)
{
    static const char *const SETS[] = {"smoke", "default", "slow"}; /* as enum script_set */
    const enum left_out reason = selection_reason(script, options);
    fprintf(stderr, "ojin-conform %s: --run '%s' takes no case: %s ", options->subcommand, pattern,
            script->name);
    switch (reason) {
    case LEFT_OUT_PROFILE:
        fprintf(stderr, "is not for the profile %s: try --profile all\n", options->profile->name);
        return;
    case LEFT_OUT_SET:
        fprintf(stderr, "is of the set '%s': add --set %s\n", SETS[script->set], SETS[script->set]);
        return;
    case LEFT_OUT_SHARD:
        fprintf(stderr, "is in another part than --shard %u/%u\n", options->shard_index,
                options->shard_count);
        return;
    case LEFT_OUT_SKIPPED:
        fputs("is left out by --skip\n", stderr);
        return;
    case LEFT_OUT_FAMILY:
    case LEFT_OUT_NOT_ASKED_FOR:
    case LEFT_OUT_NOT:
        break;
    }
    fputs("is left out\n", stderr);
}

static bool takes_a_case(const struct run_options *options, const struct case_set *set, const char *pattern)
{
    for (size_t i = 0; i < set->count; i++)
        if (case_name_matches(set->scripts[i]->name, pattern) &&
            selection_reason(set->scripts[i], options) == LEFT_OUT_NOT)
            return true;
    return false;
}

bool skip_patterns_match(const char *command, const struct case_set *set, const struct patterns *patterns)
{
    bool good = true;
    for (size_t i = 0; i < patterns->count; i++)
        if (first_match(set, NULL, patterns->of[i]) == set->count) {
            say_no_such_case(command, "--skip", set, patterns->of[i]);
            good = false;
        }
    return good;
}

bool patterns_match(const struct run_options *options, const struct case_set *set)
{
    const char *command = options->subcommand;
    const bool taken = run_patterns_match(command, options->family, set, &options->run);
    const bool left_out = skip_patterns_match(command, set, &options->skip);
    for (size_t i = 0; taken && i < options->run.count; i++) {
        const char *pattern = options->run.of[i];
        if (!takes_a_case(options, set, pattern))
            say_left_out(options, set->scripts[first_match(set, options->family, pattern)], pattern);
    }
    return taken && left_out;
}
