/*
 * Any events in any order: no crash, findings that are whole, verdicts that only get worse.
 *
 * The input is a list of records: kind and direction (1 byte), length (2), time since the last (2, in 10 ms),
 * data.
 */
#include <stdlib.h>

#include "codec/ojin/profile.h"
#include "codec/rules/ojin/classes.h"
#include "codec/wire/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { SPEECH_SAMPLES = 256, TIME_UNIT_US = 10000 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void take_findings(struct rule_set *rules)
{
    struct finding finding;
    while (OJIN_RULES.take_finding(rules, &finding)) {
        check(memchr(finding.expected, 0, sizeof finding.expected) != NULL);
        check(memchr(finding.actual, 0, sizeof finding.actual) != NULL);
        check(finding.actual[0] != '\0' && finding.expected[0] != '\0');
    }
}

static void take_event(struct rule_set *rules, struct reader *reader, uint64_t *now_us)
{
    uint8_t kind = reader_u8(reader, "kind");
    size_t data_len = reader_u16(reader, "length");
    *now_us += (uint64_t)reader_u16(reader, "time") * TIME_UNIT_US;
    if (data_len > reader_left(reader))
        data_len = reader_left(reader);
    struct wire_event event = {.at_us = *now_us,
                               .direction = (kind & 0x80) != 0 ? WIRE_FROM_SERVER : WIRE_FROM_CLIENT,
                               .kind = (enum wire_event_kind)((kind & 0x0F) % (WIRE_EVENT_END + 1)),
                               .fault = (kind & 0x40) != 0,
                               .data = reader_take(reader, data_len, "data")};
    if (event.kind == WIRE_EVENT_VIOLATION)
        event.code = (uint16_t)(data_len % 13);
    event.message_bytes = event.data.len + ((kind & 0x20) != 0 ? 1000 : 0);
    OJIN_RULES.event(rules, &event);
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
        take_event(rules, &reader, &now_us);
        check(OJIN_RULES.verdict(rules, rule) >= before);
        take_findings(rules);
    }
    OJIN_RULES.finish(rules, now_us);
    take_findings(rules);
    OJIN_RULES.destroy(rules);
    return 0;
}
