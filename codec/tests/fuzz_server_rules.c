/*
 * Fuzz: the rules for servers over an arbitrary run of events. No crash, findings that are whole, verdicts
 * that only get worse.
 *
 * The input is a byte of set-up and a list of records, as fuzz_event_read has them.
 */
#include "codec/ojin/constants.h"
#include "codec/ojin/profile.h"
#include "codec/rules/ojin/classes.h"
#include "codec/tests/fuzz_rule_events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { CUT_BYTES = OJIN_MESSAGE_BYTES_MAX };

static void take_findings(struct server_rule_set *rules)
{
    struct finding finding;
    while (OJIN_SERVER_RULES.take_finding(rules, &finding))
        fuzz_finding_check(&finding);
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
                                                .picture_size =
                                                    (setup & 0x80) != 0 ? fuzz_picture_size : NULL};
    struct server_rule_set *rules = OJIN_SERVER_RULES.create(&context);
    if (rules == NULL)
        return 0;
    uint64_t now_us = 0;
    while (reader_ok(&reader) && reader_left(&reader) > 0) {
        const size_t rule = reader.offset % OJIN_SERVER_RULES.count;
        const enum rule_verdict before = OJIN_SERVER_RULES.verdict(rules, rule);
        struct wire_event event;
        fuzz_event_read(&reader, &now_us, CUT_BYTES, &event);
        OJIN_SERVER_RULES.event(rules, &event);
        fuzz_check(OJIN_SERVER_RULES.verdict(rules, rule) >= before);
        take_findings(rules);
    }
    OJIN_SERVER_RULES.finish(rules, now_us);
    take_findings(rules);
    OJIN_SERVER_RULES.destroy(rules);
    return 0;
}
