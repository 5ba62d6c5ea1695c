/*
 * Any events in any order: no crash, findings that are whole, verdicts that only get worse.
 *
 * The input is a byte of set-up and a list of records, as fuzz_event_read has them.
 */
#include "codec/ojin/profile.h"
#include "codec/rules/ojin/classes.h"
#include "codec/tests/fuzz_rule_events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { SPEECH_SAMPLES = 256, CUT_BYTES = 1000 };

static void take_findings(struct rule_set *rules)
{
    struct finding finding;
    while (OJIN_RULES.take_finding(rules, &finding))
        fuzz_finding_check(&finding);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    int16_t speech[SPEECH_SAMPLES];
    struct reader reader = reader_of(bytes_of(data, len));
    uint8_t setup = reader_u8(&reader, "setup");
    for (size_t i = 0; i < SPEECH_SAMPLES; i++)
        speech[i] = i < 32 ? 0 : (int16_t)(i * 77 % 5);
    struct rule_context context = {.profile = &OJIN_PROFILES[setup % OJIN_PROFILE_COUNT].base,
                                   .epoch_ms = 1750000000000,
                                   .key = bytes_of_text((setup & 0x10) != 0 ? "" : "key"),
                                   .config = bytes_of_text((setup & 0x20) != 0 ? "" : "a b"),
                                   .speech_known = (setup & 0x40) == 0,
                                   .speech_exact = (setup & 0x80) == 0,
                                   .speech_count = 2};
    context.speech[0] = (struct rule_speech){speech, SPEECH_SAMPLES};
    context.speech[1] = (struct rule_speech){speech + 16, SPEECH_SAMPLES - 16};
    struct rule_set *rules = OJIN_RULES.create(&context);
    if (rules == NULL)
        return 0;
    uint64_t now_us = 0;
    while (reader_ok(&reader) && reader_left(&reader) > 0) {
        enum rule_verdict before = OJIN_RULES.verdict(rules, reader.offset % OJIN_RULES.count);
        size_t rule = reader.offset % OJIN_RULES.count;
        struct wire_event event;
        fuzz_event_read(&reader, &now_us, CUT_BYTES, &event);
        OJIN_RULES.event(rules, &event);
        fuzz_check(OJIN_RULES.verdict(rules, rule) >= before);
        take_findings(rules);
    }
    OJIN_RULES.finish(rules, now_us);
    take_findings(rules);
    OJIN_RULES.destroy(rules);
    return 0;
}
