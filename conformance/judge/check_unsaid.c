/* What a check looks at that the client cannot report. */
#include "conformance/judge/check.h"

static unsigned kind_bit(enum observation_kind kind)
{
    return 1U << (unsigned)kind;
}

static unsigned bit_of_name(const char *name)
{
    for (int kind = OBSERVED_READY; kind < OBSERVATION_KIND_COUNT; kind++)
        if (strcmp(observation_kind_name((enum observation_kind)kind), name) == 0)
            return kind_bit((enum observation_kind)kind);
    return 0;
}

/* Of several kinds one will do, where it came. */
static unsigned unsaid_of_pattern(const struct event_pattern *pattern, unsigned unsaid, bool any)
{
    unsigned wanted = 0;
    for (size_t i = 0; pattern->set && pattern->side == EVENT_SEEN && i < pattern->type_count; i++)
        wanted |= bit_of_name(pattern->types[i]);
    return any || (wanted & ~unsaid) == 0 ? wanted & unsaid : 0;
}

static unsigned kinds_of_delivery(const struct judge_input *input, const struct script_check *check)
{
    const bool speech = input->script->class->messages->speech != NULL;
    /* Sound is in a file that the client leaves, or told. */
    const unsigned heard = speech && !input->sound_known ? kind_bit(OBSERVED_HEARD) : 0;
    switch (check->expect) {
    case CHECK_DELIVERED:
        return kind_bit(speech ? OBSERVED_DELTA : OBSERVED_FRAME);
    case CHECK_SHOWN:
    case CHECK_SOUNDED:
    case CHECK_TOGETHER:
        return kind_bit(OBSERVED_PLAYED);
    case CHECK_HEARD:
        return speech ? heard : kind_bit(OBSERVED_PLAYED);
    case CHECK_TIMED:
        return kind_bit(OBSERVED_HEARD);
    case CHECK_SEAMLESS:
    case CHECK_ONLY:
        return heard;
    case CHECK_SAMPLES:
        return check_counts_input(check) ? 0 : heard;
    case CHECK_NONE:
    case CHECK_SOME:
    case CHECK_GROWING:
    case CHECK_SLOWER:
    case CHECK_COUNT:
    case CHECK_BYTES:
        return 0;
    }
    return 0;
}

static bool has_filter(const struct event_pattern *pattern, enum filter_kind kind)
{
    for (size_t i = 0; i < pattern->filter_count; i++)
        if (pattern->filters[i].kind == kind)
            return true;
    return false;
}

/* Does it tell what it played, and of none of that a timestamp? */
static bool plays_without_timestamps(const struct judge_input *input)
{
    bool played = false;
    for (size_t i = 0; i < input->observation_count; i++) {
        const struct observation *observation = &input->observations[i];
        played = played || observation->kind == OBSERVED_PLAYED;
        if (observation->kind == OBSERVED_PLAYED && observation->timestamp[0] != '\0')
            return false;
    }
    return played;
}

/* Members that are not asked for of every client: one that tells them of nothing it saw is not judged by
 * them. That it plays no sound at all shows where that is asked for. */
static unsigned unsaid_member(const struct judge_input *input, const struct script_check *check)
{
    unsigned untold = 0;
    for (size_t i = 0; i < input->observation_count; i++) {
        const enum observation_kind kind = input->observations[i].kind;
        untold |= kind == OBSERVED_FRAME ? UNSAID_TIMESTAMP : 0;
        untold |= kind == OBSERVED_PLAYED ? UNSAID_SOUND : 0;
    }
    for (size_t i = 0; i < input->observation_count; i++) {
        const struct observation *observation = &input->observations[i];
        untold &= observation->timestamp[0] != '\0' ? ~UNSAID_TIMESTAMP : ~0U;
        untold &= observation->kind == OBSERVED_PLAYED && observation->has_audio ? ~UNSAID_SOUND : ~0U;
    }
    if (has_filter(&check->pattern, FILTER_OWN) && plays_without_timestamps(input))
        return UNSAID_TIMESTAMP;
    return untold & ((has_filter(&check->pattern, FILTER_TIMESTAMP) ? UNSAID_TIMESTAMP : 0) |
                     (check->expect == CHECK_SOUNDED ? UNSAID_SOUND : 0));
}

unsigned check_unsaid(const struct judge_input *input, const struct script_check *check,
                      const struct check_outcome *outcome)
{
    const bool any = outcome->status == CHECK_UNMET || outcome->by_absence ||
                     (outcome->missing && check->expect != CHECK_NONE);
    const struct event_pattern *patterns[] = {&check->only_if, &check->unless, &check->given,
                                              &check->after,   &check->until,  &check->pattern};
    unsigned missing = kinds_of_delivery(input, check) & input->unsaid;
    missing |= unsaid_member(input, check);
    for (size_t i = 0; input->unsaid != 0 && i < sizeof patterns / sizeof patterns[0]; i++)
        missing |= unsaid_of_pattern(patterns[i], input->unsaid, any);
    return missing;
}

void unsaid_describe(struct text *out, unsigned unsaid)
{
    bool first = true;
    for (int kind = OBSERVED_READY; kind < OBSERVATION_KIND_COUNT; kind++) {
        if ((unsaid & kind_bit((enum observation_kind)kind)) == 0)
            continue;
        text_add(out, first ? "" : ", ");
        text_add(out, observation_kind_name((enum observation_kind)kind));
        first = false;
    }
    if ((unsaid & UNSAID_TIMESTAMP) != 0)
        text_add(out, first ? "the timestamp of frames" : ", the timestamp of frames");
    first = first && (unsaid & UNSAID_TIMESTAMP) == 0;
    if ((unsaid & UNSAID_SOUND) != 0)
        text_add(out, first ? "the sound it plays" : ", the sound it plays");
}
