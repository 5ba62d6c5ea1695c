/* Which event shows what a check came to, and what came in place of one that it asks for and that never came.
 */
#include "conformance/judge/check.h"
#include "conformance/judge/check_words.h"

void check_outcome_note(const struct pattern *pattern, size_t position, struct check_outcome *out)
{
    if (side_is_seen(pattern->source->side))
        out->observation_number = position + 1;
    else
        out->journal_sequence = journal_at(pattern->input->journal, position)->sequence;
}

/* The pattern without some of its filters. */
static struct pattern without(const struct pattern *pattern, bool (*drops)(const struct filter *filter))
{
    struct pattern rest = *pattern;
    rest.filter_count = 0;
    for (size_t i = 0; i < pattern->filter_count; i++)
        if (!drops(&pattern->filters[i]))
            rest.filters[rest.filter_count++] = pattern->filters[i];
    return rest;
}

static bool is_clean(const struct filter *filter)
{
    return filter->kind == FILTER_CLEAN && filter->flag;
}

static bool is_timestamp(const struct filter *filter)
{
    return filter->kind == FILTER_TIMESTAMP;
}

static bool is_any(const struct filter *filter)
{
    (void)filter;
    return true;
}

/* A close that was asked to be clean and was not is no missing one: which it was is said. */
static bool say_unclean_close(const struct pattern *pattern, const struct check_window *window,
                              struct check_outcome *out, struct text *actual)
{
    const struct pattern any = without(pattern, is_clean);
    const size_t found = pattern_find(&any, window->from, window->to);
    if (any.filter_count == pattern->filter_count || found == window->to)
        return false;
    check_outcome_note(pattern, found, out);
    event_describe(actual, pattern->input, pattern->source->side, found);
    return true;
}

/* The frame that the check was given, which is what was to be reported so; `count` of the journal: none. */
static size_t frame_given(const struct judge_input *input, const struct script_check *check)
{
    const size_t count = journal_count(input->journal);
    struct pattern given;
    char ignored[JUDGE_TEXT_MAX];
    struct text why = text_of(ignored, sizeof ignored);
    if (!check->given.set || check->given.side != EVENT_SENT ||
        pattern_resolve(&check->given, input, &given, &why) != PATTERN_READY)
        return count;
    const size_t at = pattern_find(&given, 0, count);
    return at < count && journal_at(input->journal, at)->frame.decodes ? at : count;
}

/* A frame that was reported with another timestamp is no missing one: which it was is said, and what with. */
static bool say_misread_time(const struct pattern *pattern, const struct script_check *check,
                             const struct check_window *window, struct check_outcome *out,
                             struct text *actual)
{
    const struct judge_input *input = pattern->input;
    const struct pattern any = without(pattern, is_timestamp);
    const size_t sent =
        any.filter_count == pattern->filter_count ? journal_count(input->journal) : frame_given(input, check);
    if (sent == journal_count(input->journal))
        return false;
    const struct journal_entry *entry = journal_at(input->journal, sent);
    size_t seen = pattern_find(&any, window->from, window->to);
    while (seen < window->to && !check_is_report_of(&input->observations[seen], entry))
        seen = pattern_find(&any, seen + 1, window->to);
    if (seen == window->to)
        return false;
    const char *timestamp = input->observations[seen].timestamp;
    text_add(actual, "the frame");
    check_words_step(actual, input->script, entry);
    text_add(actual, " was reported with ");
    text_add(actual, timestamp[0] == '\0' ? "no timestamp" : "timestamp ");
    text_add(actual, timestamp);
    text_add(actual, ": ");
    event_describe(actual, input, EVENT_SEEN, seen);
    out->observation_number = seen + 1;
    out->journal_sequence = entry->sequence;
    out->misread = true;
    return true;
}

/* Of what a client tells besides frames: the first of the same type. */
static void say_other(const struct pattern *pattern, const struct check_window *window,
                      struct check_outcome *out, struct text *actual)
{
    const struct pattern any = without(pattern, is_any);
    const size_t found = pattern_find(&any, window->from, window->to);
    if (!side_is_seen(pattern->source->side) || pattern->filter_count == 0 || found == window->to)
        return;
    const enum observation_kind kind = pattern->input->observations[found].kind;
    if (kind == OBSERVED_FRAME || kind == OBSERVED_PLAYED)
        return;
    text_add(actual, "; instead came ");
    event_describe(actual, pattern->input, EVENT_SEEN, found);
    check_outcome_note(pattern, found, out);
}

void check_say_lacking(const struct pattern *pattern, const struct script_check *check,
                       const struct check_window *window, struct check_outcome *out, struct text *actual)
{
    if (say_unclean_close(pattern, window, out, actual) ||
        say_misread_time(pattern, check, window, out, actual))
        return;
    check_words_never(actual, pattern->input->script, &check->pattern);
    say_other(pattern, window, out, actual);
}
