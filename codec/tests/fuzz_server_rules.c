/*
 * Fuzz: the rules for servers over an arbitrary run of events. No crash, findings that are whole, verdicts
 * that only get worse.
 *
 * The input is a list of records: kind and direction (1 byte), length (2), time since the last (2, in 10 ms),
 * data.
 */
#include <stdlib.h>

#include "codec/ojin/profile.h"
#include "codec/rules/ojin/classes.h"
#include "codec/wire/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { TIME_UNIT_US = 10000 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static bool picture_size(void *context, struct bytes jpeg, unsigned *width, unsigned *height)
{
    (void)context;
    *width = jpeg.len > 4 ? jpeg.data[4] : 1;
    *height = 2;
    return jpeg.len % 2 == 0;
}

static void take_findings(struct server_rule_set *rules)
{
    struct finding finding;
    while (OJIN_SERVER_RULES.take_finding(rules, &finding)) {
        check(memchr(finding.expected, 0, sizeof finding.expected) != NULL);
        check(memchr(finding.actual, 0, sizeof finding.actual) != NULL);
        check(finding.actual[0] != '\0' && finding.expected[0] != '\0');
    }
}

static void take_event(struct server_rule_set *rules, struct reader *reader, uint64_t *now_us)
{
    const uint8_t kind = reader_u8(reader, "kind");
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
    if (event.kind == WIRE_EVENT_RESPONSE)
        event.code = data_len % 2 == 0 ? 101 : 401;
    event.message_bytes = event.data.len + ((kind & 0x20) != 0 ? 524288 : 0);
    OJIN_SERVER_RULES.event(rules, &event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct reader reader = reader_of(bytes_of(data, len));
    const uint8_t setup = reader_u8(&reader, "setup");
    const struct server_rule_context context = {.profile = &OJIN_PROFILES[setup % OJIN_PROFILE_COUNT].base,
                                                .epoch_ms = 1750000000000,
                                                .key = bytes_of_text((setup & 0x10) != 0 ? "" : "key"),
                                                .config = bytes_of_text("a b"),
                                                .config_only = (setup & 0x20) != 0,
                                                .no_backend = (setup & 0x40) != 0,
                                                .picture_size = (setup & 0x80) != 0 ? picture_size : NULL};
    struct server_rule_set *rules = OJIN_SERVER_RULES.create(&context);
    if (rules == NULL)
        return 0;
    uint64_t now_us = 0;
    while (reader_ok(&reader) && reader_left(&reader) > 0) {
        const size_t rule = reader.offset % OJIN_SERVER_RULES.count;
        const enum rule_verdict before = OJIN_SERVER_RULES.verdict(rules, rule);
        take_event(rules, &reader, &now_us);
        check(OJIN_SERVER_RULES.verdict(rules, rule) >= before);
        take_findings(rules);
    }
    OJIN_SERVER_RULES.finish(rules, now_us);
    take_findings(rules);
    OJIN_SERVER_RULES.destroy(rules);
    return 0;
}
