/*
 * OJ-IN-12: speech of another rate or channel count than the protocol's arrives as the same sound, converted.
 * 000 Audio requirements. Of how much of it has to come, and of a client that refuses it, cases say more.
 */
#include "codec/rules/ojin/rule_set.h"

static const char EXPECTED[] = "the speech, converted to 16 kHz mono";

static bool is_judged(const struct rule_set *rules)
{
    return rules->context.speech_known && !rules->context.speech_exact && rules->context.speech_count > 0;
}

/* Silence around the speech is judged elsewhere, unless it stands in the place of it. */
void rule_converted(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    (void)rule;
    if (!is_judged(rules) || !seen->has_audio || seen->audio.opening)
        return;
    rules->audio_event = finding_book_event(&rules->book);
    if (seen->audio.stray_silence)
        rules->silent_samples += seen->input.audio_bytes / OJIN_SAMPLE_BYTES;
    else
        speech_heard_take(&rules->heard, &rules->context, seen->input.audio);
}

static bool is_silence_instead(const struct rule_set *rules, const struct likeness_outcome *outcome)
{
    return !rules->speech.speech_met && outcome->samples + rules->silent_samples >= outcome->due / 2;
}

static void likeness_broken(struct rule_set *rules, enum rule rule, const char *expected,
                            const struct likeness_outcome *outcome, uint64_t now_us)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, expected);
    if (outcome->status == LIKENESS_UNKNOWN)
        text_add(&draft.actual, "nothing but silence in its place");
    else
        likeness_describe(&draft.actual, outcome);
    draft.finding.event = rules->audio_event;
    finding_end(rules, rule, &draft, now_us, false);
}

/*
 * Once it is cut short, or something of it cannot be known, what came need not be like the start of it. What
 * was converted and then lost, repeated or swapped is not the conversion's fault: it is OJ-IN-06's, as of
 * speech that needs none. So is a sound in which nothing of the speech is known: it was not sent as it is,
 * and whether a client spoilt it or speaks a sound of its own in every case, nobody can tell from this one.
 */
void rule_converted_ending(struct rule_set *rules, enum rule rule, uint64_t now_us)
{
    if (!is_judged(rules) || rules->speech.lost || rules->speech.cancelled || rules->speech.error_seen)
        return;
    const struct likeness_outcome outcome = speech_likeness(&rules->context, &rules->heard);
    switch (outcome.status) {
    case LIKENESS_UNKNOWN:
        if (is_silence_instead(rules, &outcome))
            likeness_broken(rules, rule, EXPECTED, &outcome, now_us);
        break;
    case LIKENESS_ALIKE:
        rule_kept(rules, rule);
        break;
    case LIKENESS_PARTS:
    case LIKENESS_SWAPPED:
        rule_kept(rules, rule);
        likeness_broken(rules, RULE_IN_06, "the speech, all of it in order", &outcome, now_us);
        break;
    case LIKENESS_UNCONVERTED:
        likeness_broken(rules, rule, EXPECTED, &outcome, now_us);
        break;
    case LIKENESS_OTHER:
        likeness_broken(rules, RULE_IN_06, EXPECTED, &outcome, now_us);
        break;
    }
}
