#include "conformance/judge/check_words.h"

/* ---- a place in the script ---- */

/* Blocks included; scripts nest SCRIPT_DEPTH_MAX deep at most. */
static const struct server_step *step_named(const struct server_step *steps, size_t count, bool mark,
                                            const char *name, unsigned depth)
{
    for (size_t i = 0; i < count; i++) {
        const bool is_mark = steps[i].kind == STEP_MARK;
        if (is_mark == mark && strcmp(mark ? steps[i].word : steps[i].as, name) == 0)
            return &steps[i];
        const struct server_step *child =
            depth == 0 ? NULL : step_named(steps[i].children, steps[i].child_count, mark, name, depth - 1);
        if (child != NULL)
            return child;
    }
    return NULL;
}

void check_words_place(struct text *out, const struct case_script *script, bool mark, const char *name)
{
    const struct server_step *step =
        step_named(script->played.steps, script->played.step_count, mark, name, SCRIPT_DEPTH_MAX);
    text_add(out, mark ? "the mark called " : "the step called ");
    text_add(out, name);
    if (step == NULL)
        return;
    text_add(out, " in line ");
    text_add_u64(out, step->line);
    text_add(out, " of the case");
}

void check_words_step(struct text *out, const struct case_script *script, const struct journal_entry *entry)
{
    if (entry->step[0] == '\0')
        return;
    text_add(out, " (of ");
    check_words_place(out, script, false, entry->step);
    text_add(out, ")");
}

/* ---- an event ---- */

struct noun {
    const char *type, *words;
};

/* What is not just "TYPE message" on the wire. */
static const struct noun WIRE_NOUNS[] = {
    {"any", "message of any kind"},
    {"upgrade", "upgrade request"},
    {"silence", "silence frame"},
    {"speech", "speech frame"},
    {"fade", "fade frame"},
    {"final", "final frame"},
    {"frame", "frame"},
    {"refusal", "refusal"},
    {"ping", "ping"},
    {"pong", "pong"},
    {"close", "close frame"},
    {"end", "end of the connection"},
};

/* What is not just "TYPE report" of what the client says. */
static const struct noun SEEN_NOUNS[] = {
    {"any", "report of any kind"},
    {"played", "played frame"},
};

static const struct noun *noun_of(const struct event_pattern *pattern, size_t n)
{
    const bool seen = side_is_seen(pattern->side);
    const struct noun *nouns = seen ? SEEN_NOUNS : WIRE_NOUNS;
    const size_t count =
        seen ? sizeof SEEN_NOUNS / sizeof SEEN_NOUNS[0] : sizeof WIRE_NOUNS / sizeof WIRE_NOUNS[0];
    for (size_t i = 0; i < count; i++)
        if (strcmp(nouns[i].type, pattern->types[n]) == 0)
            return &nouns[i];
    return NULL;
}

/* "speech " of a pattern with kind=speech */
static void kind_add(struct text *out, const struct event_pattern *pattern)
{
    for (size_t i = 0; i < pattern->filter_count; i++)
        if (pattern->filters[i].kind == FILTER_KIND) {
            text_add(out, pattern->filters[i].value);
            text_add(out, " ");
        }
}

static void plural_add(struct text *out, const char *words, bool plural)
{
    const char *end = strstr(words, " of ");
    end = end == NULL ? words + strlen(words) : end;
    text_add_bytes(out, bytes_of(words, (size_t)(end - words)));
    text_add(out, plural ? "s" : "");
    text_add(out, end);
}

/* Of frames "played by the client", and of nothing else. */
static bool is_of_playback(const struct event_pattern *pattern)
{
    return side_is_seen(pattern->side) && pattern->type_count == 1 &&
           strcmp(pattern->types[0], "played") == 0;
}

/* "close frame or end of the connection", "session.update or session.close message" */
static void types_add(struct text *out, const struct event_pattern *pattern, bool plural)
{
    for (size_t i = 0; i < pattern->type_count; i++) {
        const struct noun *noun = noun_of(pattern, i);
        const bool last = i + 1 == pattern->type_count;
        if (i > 0)
            text_add(out, last ? " or " : ", ");
        kind_add(out, pattern);
        if (noun != NULL)
            plural_add(out, is_of_playback(pattern) ? "frame" : noun->words, plural);
        else
            text_add(out, pattern->types[i]);
        if (noun == NULL && (last || noun_of(pattern, i + 1) != NULL))
            plural_add(out, side_is_seen(pattern->side) ? " report" : " message", plural);
    }
}

/* "$orphan.interaction" */
static void interaction_add(struct text *out, const struct case_script *script, const char *value)
{
    const char *suffix = strchr(value, '.');
    char name[SCRIPT_NAME_MAX];
    struct text step = text_of(name, sizeof name);
    if (strcmp(value, "nil") == 0) {
        text_add(out, " of no interaction");
    } else if (value[0] == '$' && suffix != NULL) {
        text_add_bytes(&step, bytes_of(&value[1], (size_t)(suffix - value) - 1));
        text_add(out, " of the interaction of ");
        check_words_place(out, script, false, name);
    } else {
        text_add(out, " of interaction ");
        text_add(out, value);
    }
}

/* "a+b+c": a, b or c */
static void words_add(struct text *out, const char *words)
{
    text_add(out, " that says ");
    while (*words != '\0') {
        const size_t len = strcspn(words, "+");
        const char *rest = words + len + (words[len] == '+' ? 1 : 0);
        text_add(out, "\"");
        text_add_bytes(out, bytes_of(words, len));
        text_add(out, *rest == '\0' ? "\"" : strchr(rest, '+') != NULL ? "\", " : "\" or ");
        words = rest;
    }
}

static void value_add(struct text *out, const char *before, const char *value, const char *behind)
{
    text_add(out, before);
    text_add(out, value);
    text_add(out, behind);
}

static void filter_add(struct text *out, const struct case_script *script, const struct event_filter *filter)
{
    const char *value = filter->value;
    const bool yes = strcmp(value, "yes") == 0 || strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
    switch (filter->kind) {
    case FILTER_KIND: /* it stands before the noun */
        break;
    case FILTER_INDEX:
        value_add(out, " with index ", value, "");
        break;
    case FILTER_INTERACTION:
        interaction_add(out, script, value);
        break;
    case FILTER_CODE:
        value_add(out, " with code ", value, "");
        break;
    case FILTER_TEXT:
        value_add(out, " with the text \"", value, "\"");
        break;
    case FILTER_TELLS:
        words_add(out, value);
        break;
    case FILTER_STEP:
        text_add(out, " of ");
        check_words_place(out, script, false, value);
        break;
    case FILTER_FINAL:
        text_add(out, yes ? " marked as the last" : " not marked as the last");
        break;
    case FILTER_CLEAN:
        text_add(out, yes ? " with code 1000 or 1001" : " with a code other than 1000 and 1001");
        break;
    case FILTER_BYTES:
        value_add(out, " of ", value, " bytes");
        break;
    case FILTER_HEARD:
        text_add(out, yes ? " with sound that is not silence" : " with silence for sound");
        break;
    case FILTER_PICTURED:
        text_add(out, yes ? " with a picture" : " without a picture");
        break;
    case FILTER_LOAD:
        value_add(out, " with load ", value, "");
        break;
    case FILTER_POSITION:
        value_add(out, " with position ", value, "");
        break;
    case FILTER_SAMPLES:
        value_add(out, " of ", value, " samples");
        break;
    case FILTER_CACHE:
        value_add(out, " with kv_cache_length ", value, "");
        break;
    case FILTER_INTERRUPTS:
        text_add(out, yes ? " that interrupts" : " that does not interrupt");
        break;
    case FILTER_TIMESTAMP:
        value_add(out, " with timestamp ", value, "");
        break;
    case FILTER_OWN:
        text_add(out, yes ? " with its own picture" : " with the picture of another frame");
        break;
    }
}

static void event_add(struct text *out, const struct case_script *script, const struct event_pattern *pattern,
                      bool plural)
{
    types_add(out, pattern, plural);
    for (size_t i = 0; i < pattern->filter_count; i++)
        filter_add(out, script, &pattern->filters[i]);
}

static const char *origin_of(const struct event_pattern *pattern)
{
    if (is_of_playback(pattern))
        return " played by the client";
    switch (pattern->side) {
    case EVENT_RECEIVED:
    case EVENT_SEEN:
        return " from the client";
    case EVENT_SENT:
        return " from the mock";
    case EVENT_MARK:
    case EVENT_STEP:
        break;
    }
    return "";
}

static bool is_of_script(const struct event_pattern *pattern)
{
    return pattern->side == EVENT_MARK || pattern->side == EVENT_STEP;
}

static void place_add(struct text *out, const struct case_script *script, const struct event_pattern *pattern)
{
    for (size_t i = 0; i < pattern->type_count; i++) {
        text_add(out, i == 0 ? "" : " or ");
        check_words_place(out, script, pattern->side == EVENT_MARK, pattern->types[i]);
    }
}

static void ordinal_add(struct text *out, uint64_t n, const char *first)
{
    if (n < 2) {
        text_add(out, first);
        return;
    }
    text_add_u64(out, n);
    text_add(out, n == 2 ? "nd " : n == 3 ? "rd " : "th ");
}

static void came_add(struct text *out, const struct case_script *script, const struct event_pattern *pattern,
                     bool plural)
{
    event_add(out, script, pattern, plural);
    if (is_of_playback(pattern))
        text_add(out, plural ? " were" : " was");
    else
        text_add(out, " came");
    text_add(out, origin_of(pattern));
}

void check_words_never(struct text *out, const struct case_script *script,
                       const struct event_pattern *pattern)
{
    if (is_of_script(pattern)) {
        text_add(out, "the case never reached ");
        place_add(out, script, pattern);
        return;
    }
    text_add(out, "no ");
    ordinal_add(out, pattern->occurrence, "");
    came_add(out, script, pattern, false);
}

void check_words_came(struct text *out, const struct case_script *script, const struct event_pattern *pattern,
                      uint64_t count)
{
    if (count == 0) {
        check_words_never(out, script, pattern);
        return;
    }
    text_add_u64(out, count);
    text_add(out, " ");
    if (is_of_script(pattern)) {
        text_add(out, "times the case reached ");
        place_add(out, script, pattern);
        return;
    }
    came_add(out, script, pattern, count != 1);
}

/* ---- what it depends on ---- */

/* ", after the first …" */
static void edge_add(struct text *out, const struct case_script *script, const char *word, const char *first,
                     const struct event_pattern *pattern)
{
    if (!pattern->set)
        return;
    text_add(out, word);
    if (is_of_script(pattern)) {
        place_add(out, script, pattern);
        return;
    }
    text_add(out, "the ");
    ordinal_add(out, pattern->occurrence, first);
    event_add(out, script, pattern, false);
    text_add(out, origin_of(pattern));
}

/* ", if a … came" */
static void condition_add(struct text *out, const struct case_script *script, const char *word,
                          const struct event_pattern *pattern)
{
    if (!pattern->set)
        return;
    text_add(out, word);
    if (is_of_script(pattern)) {
        text_add(out, "the case reached ");
        place_add(out, script, pattern);
        return;
    }
    text_add(out, pattern->occurrence < 2 ? "any " : "a ");
    ordinal_add(out, pattern->occurrence, "");
    came_add(out, script, pattern, false);
}

/* ---- what is expected ---- */

void check_words_samples(struct text *out, uint64_t samples, unsigned rate)
{
    text_add_u64(out, samples);
    text_add(out, samples == 1 ? " sample" : " samples");
    if (rate == 0)
        return;
    text_add(out, " (");
    text_add_u64(out, samples * 1000 / rate);
    text_add(out, " ms)");
}

static void number_add(struct text *out, uint64_t number, const char *unit, unsigned rate)
{
    if (unit == NULL) {
        check_words_samples(out, number, rate);
        return;
    }
    text_add_u64(out, number);
    text_add(out, unit);
}

/* "at least 2", "26 to 90", "exactly 1", "at most 4", "no": of samples without a unit of their own. */
static void range_add(struct text *out, const struct script_check *check, const char *unit, unsigned rate)
{
    const bool open = check->max == UINT64_MAX;
    if (!open && check->min != check->max && check->min > 0) {
        number_add(out, check->min, "", rate);
        text_add(out, " to ");
    } else {
        text_add(out, open ? "at least " : check->min == check->max ? "exactly " : "at most ");
    }
    number_add(out, open ? check->min : check->max, unit, rate);
}

static void counted_add(struct text *out, const struct case_script *script, const struct script_check *check)
{
    const bool one = check->max == 1 || (check->max == UINT64_MAX && check->min == 1);
    if (check->max == 0)
        text_add(out, "no ");
    else
        range_add(out, check, " ", 0);
    event_add(out, script, &check->pattern, check->max != 0 && !one);
    text_add(out, origin_of(&check->pattern));
}

static void all_add(struct text *out, const struct case_script *script, const char *before,
                    const struct event_pattern *pattern, const char *behind)
{
    text_add(out, before);
    event_add(out, script, pattern, false);
    text_add(out, origin_of(pattern));
    text_add(out, behind);
}

static void samples_add(struct text *out, const struct case_script *script, const struct script_check *check)
{
    const bool input = check_counts_input(check);
    if (check->max == 0)
        text_add(out, "no sample");
    else
        range_add(out, check, NULL,
                  input ? script->class->messages->input_rate : script->class->messages->output_rate);
    text_add(out, input ? " of audio in the " : " played of the ");
    event_add(out, script, &check->pattern, true);
    text_add(out, origin_of(&check->pattern));
}

static void expected_add(struct text *out, const struct case_script *script, const struct script_check *check)
{
    const struct event_pattern *pattern = &check->pattern;
    switch (check->expect) {
    case CHECK_NONE:
        all_add(out, script, "no ", pattern, "");
        break;
    case CHECK_SOME:
        all_add(out, script, "at least one ", pattern, "");
        break;
    case CHECK_COUNT:
        counted_add(out, script, check);
        break;
    case CHECK_BYTES:
        range_add(out, check, " bytes in all of the ", 0);
        event_add(out, script, pattern, true);
        text_add(out, origin_of(pattern));
        break;
    case CHECK_DELIVERED:
        all_add(out, script, "every ", pattern, " reported whole and in order");
        break;
    case CHECK_SHOWN:
        all_add(out, script, "every ", pattern, " played with its picture, in order");
        break;
    case CHECK_HEARD:
        if (check_is_sound(script->class, check))
            all_add(out, script, "every sample of every ", pattern, " played");
        else
            all_add(out, script, "every ", pattern, " played with its picture and its sound, in order");
        break;
    case CHECK_SOUNDED:
        all_add(out, script, "the sound of every ", pattern, " played whole and in order");
        break;
    case CHECK_TOGETHER:
        all_add(out, script, "every ", pattern, " played with its picture and a sound at most one frame off");
        break;
    case CHECK_SEAMLESS:
        all_add(out, script, "every ", pattern, " played in order, without gap, overlap or repeat");
        break;
    case CHECK_SAMPLES:
        samples_add(out, script, check);
        break;
    case CHECK_ONLY:
        text_add(out, "nothing played but samples of the ");
        event_add(out, script, pattern, true);
        text_add(out, origin_of(pattern));
        break;
    case CHECK_TIMED:
        all_add(out, script, "the text of every ", pattern, " told where its sound is played");
        break;
    case CHECK_GROWING:
        all_add(out, script, "a longer time before each further ", pattern, "");
        break;
    case CHECK_SLOWER:
        all_add(out, script, "a longer wait than ever before for the next ", pattern, "");
        break;
    }
}

void check_words_expected(struct text *out, const struct case_script *script,
                          const struct script_check *check)
{
    expected_add(out, script, check);
    edge_add(out, script, ", after ", "first ", &check->after);
    edge_add(out, script, ", until ", check->after.set ? "next " : "first ", &check->until);
    condition_add(out, script, ", unless ", &check->unless);
}

void check_describe(struct text *out, const struct case_script *script, const struct script_check *check)
{
    check_words_expected(out, script, check);
    condition_add(out, script, ", if ", &check->only_if);
    if (check->given.set && !(check->after.set && strcmp(check->given.text, check->after.text) == 0))
        condition_add(out, script, check->only_if.set ? " and " : ", if ", &check->given);
}
