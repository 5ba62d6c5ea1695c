#include "conformance/judge/check_words.h"

/* ---- dependencies ---- */

static enum check_status status_of(enum pattern_status status)
{
    switch (status) {
    case PATTERN_READY:
        return CHECK_HOLDS;
    case PATTERN_UNRESOLVED:
        return CHECK_UNMET;
    case PATTERN_WRONG:
        return CHECK_WRONG;
    }
    return CHECK_WRONG;
}

/* Where the pattern matches for as many times as its source asks for; `end` when it does not. */
static size_t occurrence_at(const struct pattern *pattern, size_t from, size_t end)
{
    size_t at = pattern_find(pattern, from, end);
    for (uint64_t n = 1; n < pattern->source->occurrence && at < end; n++)
        at = pattern_find(pattern, at + 1, end);
    return at;
}

/* The occurrence of `source` that it asks for, from `from` on; CHECK_UNMET when there is none. */
static enum check_status occurrence_find(const struct judge_input *input, const struct event_pattern *source,
                                         size_t from, size_t *position, struct text *actual)
{
    struct pattern pattern;
    enum check_status status = status_of(pattern_resolve(source, input, &pattern, actual));
    if (status != CHECK_HOLDS)
        return status;
    size_t end = stream_length(input, source->side);
    *position = occurrence_at(&pattern, from, end);
    if (*position < end)
        return CHECK_HOLDS;
    check_words_never(actual, input->script, source);
    return CHECK_UNMET;
}

static enum check_status connection_check(const struct judge_input *input, struct text *actual)
{
    for (size_t i = 0; i < journal_count(input->journal); i++) {
        const struct journal_entry *entry = journal_at(input->journal, i);
        if (entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_CLIENT &&
            entry->wire.kind == WIRE_EVENT_REQUEST)
            return CHECK_HOLDS;
    }
    /* A client that does not trust the certificate, good or bad, asks for nothing: it is known to have come.
     */
    if (input->script->tls[0] != '\0' && input->end != CLIENT_NEVER_CAME)
        return CHECK_HOLDS;
    text_add(actual, "no connection was made");
    return CHECK_UNMET;
}

/* Where on the loudspeaker's clock that was. */
static enum check_status heard_at(const struct judge_input *input, const struct event_pattern *source,
                                  size_t position, uint64_t *at, struct text *actual)
{
    const struct observation *observation = &input->observations[position];
    if (observation->has_at) {
        *at = observation->at;
        return CHECK_HOLDS;
    }
    check_words_came(actual, input->script, source, 1);
    text_add(actual, " that does not say at which sample (at)");
    return CHECK_UNMET;
}

static enum check_status window_after(const struct judge_input *input, const struct script_check *check,
                                      struct check_window *window, struct text *actual)
{
    if (!check->after.set)
        return CHECK_HOLDS;
    const bool sound = side_is_seen(check->after.side) && check_is_sound(input->script->class, check);
    if (!sound && side_is_seen(check->after.side) != side_is_seen(check->pattern.side)) {
        text_add(actual, "after= names an event on the other clock");
        return CHECK_WRONG;
    }
    size_t position = 0;
    enum check_status status = occurrence_find(input, &check->after, 0, &position, actual);
    if (status != CHECK_HOLDS)
        return status;
    if (sound)
        return heard_at(input, &check->after, position, &window->heard_from, actual);
    window->from = position + 1;
    return status;
}

/* The next one on the loudspeaker's clock; where there is none, the window is open. */
static enum check_status heard_until(const struct judge_input *input, const struct script_check *check,
                                     struct check_window *window, struct text *actual)
{
    struct pattern pattern;
    const size_t end = stream_length(input, EVENT_SEEN);
    enum check_status status = status_of(pattern_resolve(&check->until, input, &pattern, actual));
    if (status != CHECK_HOLDS)
        return status;
    for (size_t i = pattern_find(&pattern, 0, end); i < end; i = pattern_find(&pattern, i + 1, end)) {
        if (input->observations[i].has_at && input->observations[i].at < window->heard_from)
            continue;
        return heard_at(input, &check->until, i, &window->heard_to, actual);
    }
    window->open = true;
    return CHECK_HOLDS;
}

/* What ends the window need not come: then the window is open. */
static enum check_status window_until(const struct judge_input *input, const struct script_check *check,
                                      struct check_window *window, struct text *actual)
{
    if (!check->until.set)
        return CHECK_HOLDS;
    if (side_is_seen(check->until.side) && check_is_sound(input->script->class, check))
        return heard_until(input, check, window, actual);
    if (side_is_seen(check->until.side) != side_is_seen(check->pattern.side)) {
        text_add(actual, "until= names an event on the other clock");
        return CHECK_WRONG;
    }
    struct pattern pattern;
    enum check_status status = status_of(pattern_resolve(&check->until, input, &pattern, actual));
    if (status == CHECK_HOLDS)
        window->to = occurrence_at(&pattern, window->from, window->to);
    window->open = window->to == stream_length(input, check->pattern.side);
    return status;
}

static enum check_status window_find(const struct judge_input *input, const struct script_check *check,
                                     struct check_window *window, const struct event_pattern **unmet,
                                     struct text *actual)
{
    *window = (struct check_window){
        .from = 0, .to = stream_length(input, check->pattern.side), .heard_to = UINT64_MAX};
    enum check_status status = CHECK_HOLDS;
    size_t ignored = 0;
    if (check->only_if.set) {
        status = occurrence_find(input, &check->only_if, 0, &ignored, actual);
        if (status != CHECK_HOLDS)
            return status == CHECK_UNMET ? CHECK_DROPPED : status;
    }
    if (check->given.set)
        status = occurrence_find(input, &check->given, 0, &ignored, actual);
    else if (!check->after.set)
        status = connection_check(input, actual);
    if (status == CHECK_UNMET && check->given.set)
        *unmet = &check->given;
    if (status == CHECK_HOLDS && (status = window_after(input, check, window, actual)) == CHECK_UNMET)
        *unmet = &check->after;
    if (status == CHECK_HOLDS)
        status = window_until(input, check, window, actual);
    return status;
}

/* ---- judging ---- */

static void judge_none(const struct pattern *pattern, const struct script_check *check,
                       const struct check_window *window, struct check_outcome *out, struct text *actual)
{
    size_t found = pattern_find(pattern, window->from, window->to);
    if (found == window->to) {
        check_words_never(actual, pattern->input->script, &check->pattern);
        out->by_absence = true;
        return;
    }
    const uint64_t count = pattern_count(pattern, found, window->to);
    out->status = CHECK_BROKEN;
    out->missing = window->open;
    out->excuse_us = check_excuse_excess(pattern, window, count);
    check_outcome_note(pattern, found, out);
    check_words_came(actual, pattern->input->script, &check->pattern, count);
    text_add(actual, count == 1 ? "; it is: " : "; the first: ");
    event_describe(actual, pattern->input, check->pattern.side, found);
}

static void judge_count(const struct pattern *pattern, const struct script_check *check,
                        const struct check_window *window, struct check_outcome *out, struct text *actual)
{
    uint64_t min = check->expect == CHECK_SOME ? 1 : check->min;
    uint64_t max = check->expect == CHECK_SOME ? UINT64_MAX : check->max;
    uint64_t count = pattern_count(pattern, window->from, window->to);
    size_t first = pattern_find(pattern, window->from, window->to);
    if (count == 0)
        check_say_lacking(pattern, check, window, out, actual);
    for (uint64_t n = 0; count > max && n < max; n++)
        first = pattern_find(pattern, first + 1, window->to);
    if (count > 0) {
        check_words_came(actual, pattern->input->script, &check->pattern, count);
        check_outcome_note(pattern, first, out);
        text_add(actual, count == 1               ? "; it is: "
                         : count > max && max > 0 ? "; the first too many: "
                                                  : "; the first: ");
        event_describe(actual, pattern->input, check->pattern.side, first);
    }
    out->by_absence = count == 0;
    if (count >= min && count <= max)
        return;
    out->status = CHECK_BROKEN;
    out->missing = count < min && !out->misread;
    out->excuse_us = out->misread  ? 0
                     : count < min ? check_excuse_lacking(pattern, window, min - count, false)
                                   : check_excuse_excess(pattern, window, count - max);
}

/* What the mock received or sent, so the pattern is on the journal. */
static void judge_bytes(const struct pattern *pattern, const struct script_check *check,
                        const struct check_window *window, struct check_outcome *out, struct text *actual)
{
    uint64_t bytes = 0;
    size_t last = window->to;
    for (size_t i = pattern_find(pattern, window->from, window->to); i < window->to;
         i = pattern_find(pattern, i + 1, window->to)) {
        bytes += journal_at(pattern->input->journal, i)->wire.message_bytes;
        last = i;
    }
    text_add_u64(actual, bytes);
    text_add(actual, " bytes in all came");
    if (last < window->to)
        check_outcome_note(pattern, last, out);
    if (bytes >= check->min && bytes <= check->max)
        return;
    out->status = CHECK_BROKEN;
    out->missing = bytes < check->min;
    if (out->missing)
        out->excuse_us = check_excuse_lacking(pattern, window, check->min - bytes, true);
}

/* Did the client send any sound, in this window or not? */
static bool any_is_heard(const struct judge_input *input)
{
    for (size_t i = 0; i < journal_count(input->journal); i++)
        if (pattern_entry_is_heard(input->script->class->messages, journal_at(input->journal, i)))
            return true;
    return false;
}

/* What tells a client which sound file to speak: "OJIN_AUDIO". */
static void hint_at_audio(const struct judge_input *input, struct text *actual)
{
    static const char PLACE[] = "={audio}";
    const char *const *variables = input->script->class->family->case_variables;
    for (size_t i = 0; variables != NULL && variables[i] != NULL; i++) {
        const char *place = strstr(variables[i], PLACE);
        if (place == NULL || place[sizeof PLACE - 1] != '\0')
            continue;
        text_add(actual, ": all of it is missing; does the client speak the sound file it is given (");
        text_add_bytes(actual, bytes_of(variables[i], (size_t)(place - variables[i])));
        text_add(actual, ", {audio}), and keep what it is to say until the session is ready?");
        return;
    }
}

/* Of audio that the client sent: without headers, and without texts or bytes that hold none. */
static void judge_input_samples(const struct pattern *pattern, const struct script_check *check,
                                const struct check_window *window, struct check_outcome *out,
                                struct text *actual)
{
    const struct session_messages *messages = pattern->input->script->class->messages;
    uint64_t samples = 0;
    size_t last = window->to;
    for (size_t i = pattern_find(pattern, window->from, window->to); i < window->to;
         i = pattern_find(pattern, i + 1, window->to)) {
        const struct wire_event *wire = &journal_at(pattern->input->journal, i)->wire;
        const bool binary = wire->kind == WIRE_EVENT_BINARY;
        size_t bytes = SESSION_NO_INPUT;
        if (binary || wire->kind == WIRE_EVENT_TEXT)
            bytes = messages->input_audio(binary, wire->data, NULL, 0);
        if (bytes == SESSION_NO_INPUT)
            continue;
        samples += bytes / sizeof(int16_t);
        last = i;
    }
    check_words_samples(actual, samples, messages->input_rate);
    text_add(actual, " of audio came from the client");
    if (samples == 0 && check->min > 0 && !any_is_heard(pattern->input))
        hint_at_audio(pattern->input, actual);
    if (last < window->to)
        check_outcome_note(pattern, last, out);
    if (samples >= check->min && samples <= check->max)
        return;
    out->status = CHECK_BROKEN;
    out->missing = samples < check->min;
    out->excuse_us = out->missing && window->open ? CHECK_NEVER : 0;
}

/* Of speech that comes as texts. */
static bool is_speech(const struct judge_input *input)
{
    return input->script->class->messages->speech != NULL;
}

static void judge_delivery(const struct pattern *pattern, const struct script_check *check,
                           const struct check_window *window, enum check_expect expect,
                           struct check_outcome *out, struct text *actual)
{
    if (check_counts_input(check)) {
        judge_input_samples(pattern, check, window, out, actual);
        return;
    }
    if (check->pattern.side == EVENT_SENT && check_is_sound(pattern->input->script->class, check)) {
        check_sound(pattern, check, window, out, actual);
        return;
    }
    if (check->pattern.side == EVENT_SENT && is_speech(pattern->input)) {
        check_read(pattern, window, out, actual);
        return;
    }
    if (check->pattern.side == EVENT_SENT) {
        check_delivered(pattern, window, expect, out, actual);
        return;
    }
    text_add(actual, "only what was sent can be delivered");
    out->status = CHECK_WRONG;
}

static void judge_window(const struct judge_input *input, const struct script_check *check,
                         const struct check_window *window, struct check_outcome *out, struct text *actual)
{
    struct pattern pattern;
    out->status = status_of(pattern_resolve(&check->pattern, input, &pattern, actual));
    if (out->status != CHECK_HOLDS)
        return;
    switch (check->expect) {
    case CHECK_NONE:
        judge_none(&pattern, check, window, out, actual);
        break;
    case CHECK_SOME:
    case CHECK_COUNT:
        judge_count(&pattern, check, window, out, actual);
        break;
    case CHECK_BYTES:
        judge_bytes(&pattern, check, window, out, actual);
        break;
    case CHECK_DELIVERED:
    case CHECK_SHOWN:
    case CHECK_HEARD:
    case CHECK_SOUNDED:
    case CHECK_TOGETHER:
    case CHECK_SEAMLESS:
    case CHECK_SAMPLES:
    case CHECK_ONLY:
    case CHECK_TIMED:
        judge_delivery(&pattern, check, window, check->expect, out, actual);
        break;
    case CHECK_GROWING:
        check_growing(&pattern, window, out, actual);
        break;
    case CHECK_SLOWER:
        check_slower(&pattern, window, out, actual);
        break;
    }
}

/* It was met in another way. */
static void judge_unless(const struct judge_input *input, const struct script_check *check,
                         struct check_outcome *out, struct text *actual)
{
    size_t ignored = 0;
    char why[JUDGE_TEXT_MAX];
    struct text text = text_of(why, sizeof why);
    if (!check->unless.set || out->status != CHECK_BROKEN)
        return;
    if (occurrence_find(input, &check->unless, 0, &ignored, &text) != CHECK_HOLDS)
        return;
    out->status = CHECK_HOLDS;
    out->missing = false;
    text_add(actual, "; which is no fault, as ");
    check_words_came(actual, input->script, &check->unless, 1);
}

/* From its beginning to its end, or that of the journal. */
static uint64_t time_in(const struct journal *journal, const struct check_window *window)
{
    const size_t count = journal_count(journal);
    if (count == 0 || window->from > count)
        return 0;
    const size_t from = window->from > 0 ? window->from - 1 : 0;
    const size_t to = window->to < count ? window->to : count - 1;
    return journal_at(journal, to)->at_us - journal_at(journal, from)->at_us;
}

void check_evaluate(const struct judge_input *input, const struct script_check *check,
                    struct check_outcome *out)
{
    *out = (struct check_outcome){.status = CHECK_HOLDS, .due = UINT64_MAX, .journal_sequence = UINT64_MAX};
    out->conditional = check->only_if.set || check->given.set || check->after.set || check_is_delivery(check);
    struct text expected = text_of(out->expected, sizeof out->expected);
    struct text actual = text_of(out->actual, sizeof out->actual);
    check_words_expected(&expected, input->script, check);
    struct check_window window;
    out->status = window_find(input, check, &window, &out->unmet, &actual);
    if (out->status == CHECK_HOLDS) {
        judge_window(input, check, &window, out, &actual);
        out->unmet = out->status == CHECK_UNMET ? &check->pattern : NULL;
    }
    if (check->until.set && !side_is_seen(check->until.side) && !window.open &&
        window.to < journal_count(input->journal))
        out->due = journal_at(input->journal, window.to)->sequence;
    out->to_end = !check->until.set || window.open;
    if (!side_is_seen(check->pattern.side))
        out->had_us = time_in(input->journal, &window);
    judge_unless(input, check, out, &actual);
}
