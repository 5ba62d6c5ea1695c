/*
 * Any events in any order, for the rules for clients and for servers of the interview family: no crash,
 * findings that are whole, verdicts that only get worse.
 *
 * The input is a byte of set-up and a list of records, as fuzz_event_read has them.
 */
#include "codec/interview/messages.h"
#include "codec/rules/interview/classes.h"
#include "codec/tests/fuzz_rule_events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { SPEECH_SAMPLES = 1000 };

struct subject {
    struct rule_set *client;
    struct server_rule_set *server;
};

static void take_findings(struct subject *subject)
{
    struct finding finding;
    while (INTERVIEW_RULES.take_finding(subject->client, &finding))
        fuzz_finding_check(&finding);
    while (INTERVIEW_SERVER_RULES.take_finding(subject->server, &finding))
        fuzz_finding_check(&finding);
}

static void hand_over(struct subject *subject, const struct wire_event *event, size_t at)
{
    const size_t rule = at % INTERVIEW_RULES.count;
    const size_t server_rule = at % INTERVIEW_SERVER_RULES.count;
    const enum rule_verdict before = INTERVIEW_RULES.verdict(subject->client, rule);
    const enum rule_verdict server_before = INTERVIEW_SERVER_RULES.verdict(subject->server, server_rule);
    INTERVIEW_RULES.event(subject->client, event);
    INTERVIEW_SERVER_RULES.event(subject->server, event);
    fuzz_check(INTERVIEW_RULES.verdict(subject->client, rule) >= before);
    fuzz_check(INTERVIEW_SERVER_RULES.verdict(subject->server, server_rule) >= server_before);
    take_findings(subject);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const int16_t speech[SPEECH_SAMPLES] = {1, 2, 3, -4, 5};
    struct reader reader = reader_of(bytes_of(data, len));
    const uint8_t setup = reader_u8(&reader, "setup");
    const struct profile *profile = &INTERVIEW_PROFILES[setup % INTERVIEW_PROFILE_COUNT].base;
    const struct bytes key = bytes_of_text((setup & 0x10) != 0 ? "" : "a.b.c");
    const struct bytes config = bytes_of_text((setup & 0x20) != 0 ? "" : "a b");
    const struct rule_context context = {.profile = profile,
                                         .key = key,
                                         .config = config,
                                         .speech_known = (setup & 0x40) != 0,
                                         .speech_exact = true,
                                         .speech_count = 1,
                                         .speech = {{speech, SPEECH_SAMPLES}}};
    const struct server_rule_context server_context = {
        .profile = profile, .key = key, .config = config, .config_only = (setup & 0x80) != 0};
    struct subject subject = {.client = INTERVIEW_RULES.create(&context),
                              .server = INTERVIEW_SERVER_RULES.create(&server_context)};
    uint64_t now_us = 0;
    while (subject.client != NULL && subject.server != NULL && reader_ok(&reader) &&
           reader_left(&reader) > 0) {
        struct wire_event event;
        fuzz_event_read(&reader, &now_us, INTERVIEW_MESSAGE_BYTES_MAX, &event);
        hand_over(&subject, &event, reader.offset);
    }
    if (subject.client != NULL && subject.server != NULL) {
        INTERVIEW_RULES.finish(subject.client, now_us);
        INTERVIEW_SERVER_RULES.finish(subject.server, now_us);
        take_findings(&subject);
    }
    INTERVIEW_RULES.destroy(subject.client);
    INTERVIEW_SERVER_RULES.destroy(subject.server);
    return 0;
}
