/*
 * Any events in any order, for the rules for clients and for servers of the full-duplex family: no crash,
 * findings that are whole, verdicts that only get worse.
 *
 * The input is a list of records: kind and direction (1 byte), a number (2), time since the last (2, in 10
 * ms), and for a kind of event as many bytes of data as the number says. Kinds above those are right
 * messages, of which the number says how many samples, tokens or slices they have: audio is too long to be
 * written out.
 */
#include <stdlib.h>

#include "codec/duplex/messages.h"
#include "codec/rules/duplex/classes.h"
#include "codec/wire/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum {
    SPEECH_SAMPLES = 5000,
    TIME_UNIT_US = 10000,
    SAMPLES_MAX = 24001,
    OUT_MAX = 1 << 20,
    RECORDS_MAX = 24 /* an input of nothing but audio would take seconds */
};

static void check(bool holds)
{
    if (!holds)
        abort();
}

struct subject {
    const struct duplex_profile *profile;
    struct rule_set *client;
    struct server_rule_set *server;
    uint8_t *pcm; /* SAMPLES_MAX of them: the speech, then silence */
    uint64_t now_us;
};

static bool picture_size(void *context, struct bytes jpeg, unsigned *width, unsigned *height)
{
    (void)context;
    *width = 1;
    *height = 1;
    return jpeg.len % 2 == 0;
}

static void check_finding(const struct finding *finding)
{
    check(memchr(finding->expected, 0, sizeof finding->expected) != NULL);
    check(memchr(finding->actual, 0, sizeof finding->actual) != NULL);
    check(finding->actual[0] != '\0' && finding->expected[0] != '\0');
}

static void take_findings(struct subject *subject)
{
    struct finding finding;
    while (DUPLEX_RULES.take_finding(subject->client, &finding))
        check_finding(&finding);
    while (DUPLEX_SERVER_RULES.take_finding(subject->server, &finding))
        check_finding(&finding);
}

static void hand_over(struct subject *subject, const struct wire_event *event)
{
    const size_t rule = subject->now_us % DUPLEX_RULES.count;
    const size_t server_rule = subject->now_us % DUPLEX_SERVER_RULES.count;
    const enum rule_verdict before = DUPLEX_RULES.verdict(subject->client, rule);
    const enum rule_verdict server_before = DUPLEX_SERVER_RULES.verdict(subject->server, server_rule);
    DUPLEX_RULES.event(subject->client, event);
    DUPLEX_SERVER_RULES.event(subject->server, event);
    check(DUPLEX_RULES.verdict(subject->client, rule) >= before);
    check(DUPLEX_SERVER_RULES.verdict(subject->server, server_rule) >= server_before);
    take_findings(subject);
}

/* A right message of the type; false when the number means none. */
static bool make_message(const struct subject *subject, uint8_t kind, uint16_t number,
                         struct duplex_message *out)
{
    static const enum duplex_message_type types[] = {
        DUPLEX_MESSAGE_UPDATE, DUPLEX_MESSAGE_APPEND, DUPLEX_MESSAGE_QUEUE_DONE, DUPLEX_MESSAGE_CREATED,
        DUPLEX_MESSAGE_DELTA,  DUPLEX_MESSAGE_LISTEN, DUPLEX_MESSAGE_ERROR};
    const size_t n = (size_t)(kind & 0x0F) - (WIRE_EVENT_END + 1);
    if (n >= sizeof types / sizeof types[0])
        return false;
    *out = (struct duplex_message){
        .type = types[n],
        .has_instructions = true,
        .has_session_id = true,
        .session_id = bytes_of_text("rt_1714200000000"),
        .has_audio = true,
        .audio = bytes_of(subject->pcm, (size_t)(number % SAMPLES_MAX) * 4),
        .has_force_listen = (kind & 0x10) != 0,
        .force_listen = (kind & 0x10) != 0,
        .has_max_slices = (kind & 0x40) != 0,
        .max_slices = number % 10,
        .has_pictures = (kind & 0x20) != 0,
        .picture_count = 1,
        .pictures = {{.jpeg = bytes_of("\xff\xd8\xff\xd9", 4)}},
        .has_text = true,
        .text = bytes_of("abcdefghij", number % 11),
        .has_end_of_turn = true,
        .end_of_turn = (kind & 0x10) != 0,
        .has_kv_cache_length = true,
        .kv_cache_length = number,
        .code = bytes_of_text(duplex_error_name((enum duplex_error_code)(number % DUPLEX_ERROR_COUNT)))};
    return true;
}

static void take_message(struct subject *subject, uint8_t kind, uint16_t number)
{
    struct duplex_message message;
    struct buffer out;
    if (!make_message(subject, kind, number, &message))
        return;
    buffer_init(&out, OUT_MAX);
    check(duplex_message_write(subject->profile, &message, &out));
    const struct wire_event event = {.at_us = subject->now_us,
                                     .direction = duplex_message_is_clients(message.type) ? WIRE_FROM_CLIENT
                                                                                          : WIRE_FROM_SERVER,
                                     .kind = WIRE_EVENT_TEXT,
                                     .message_bytes = out.len,
                                     .data = buffer_bytes(&out)};
    hand_over(subject, &event);
    buffer_free(&out);
}

static void take_record(struct subject *subject, struct reader *reader)
{
    const uint8_t kind = reader_u8(reader, "kind");
    const uint16_t number = reader_u16(reader, "number");
    subject->now_us += (uint64_t)reader_u16(reader, "time") * TIME_UNIT_US;
    if ((kind & 0x0F) > WIRE_EVENT_END) {
        take_message(subject, kind, number);
        return;
    }
    const size_t len = number < reader_left(reader) ? number : reader_left(reader);
    struct wire_event event = {.at_us = subject->now_us,
                               .direction = (kind & 0x80) != 0 ? WIRE_FROM_SERVER : WIRE_FROM_CLIENT,
                               .kind = (enum wire_event_kind)(kind & 0x0F),
                               .fault = (kind & 0x40) != 0,
                               .data = reader_take(reader, len, "data")};
    if (event.kind == WIRE_EVENT_RESPONSE)
        event.code = number % 2 == 0 ? 101 : 403;
    if (event.kind == WIRE_EVENT_CLOSE)
        event.code = (uint16_t)(1000 + number % 16);
    event.message_bytes = event.data.len + ((kind & 0x20) != 0 ? 1000 : 0);
    hand_over(subject, &event);
}

static bool subject_init(struct subject *subject, uint8_t setup, const int16_t *speech)
{
    struct rule_context context = {.profile = &subject->profile->base,
                                   .speech_known = (setup & 0x40) == 0,
                                   .speech_exact = (setup & 0x80) == 0,
                                   .speech_count = 2,
                                   .picture_size = (setup & 0x10) != 0 ? picture_size : NULL};
    const struct server_rule_context server = {.profile = &subject->profile->base,
                                               .speed = (setup & 0x20) != 0 ? 20 : 0,
                                               .picture_size = context.picture_size};
    context.speech[0] = (struct rule_speech){speech, SPEECH_SAMPLES};
    context.speech[1] = (struct rule_speech){speech + 16, SPEECH_SAMPLES - 16};
    subject->client = DUPLEX_RULES.create(&context);
    subject->server = DUPLEX_SERVER_RULES.create(&server);
    return subject->client != NULL && subject->server != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static int16_t speech[SPEECH_SAMPLES];
    static uint8_t pcm[SAMPLES_MAX * 4];
    struct reader reader = reader_of(bytes_of(data, len));
    const uint8_t setup = reader_u8(&reader, "setup");
    for (size_t i = 0; i < SPEECH_SAMPLES; i++) {
        speech[i] = i < 32 ? 0 : (int16_t)(i * 77 % 501);
        float32_put(pcm + i * 4, (float)speech[i] / 32768.0F);
    }
    struct subject subject = {.profile = &DUPLEX_PROFILES[setup % DUPLEX_PROFILE_COUNT], .pcm = pcm};
    if (subject_init(&subject, setup, speech)) {
        for (size_t i = 0; i < RECORDS_MAX && reader_ok(&reader) && reader_left(&reader) > 0; i++)
            take_record(&subject, &reader);
        DUPLEX_RULES.finish(subject.client, subject.now_us);
        DUPLEX_SERVER_RULES.finish(subject.server, subject.now_us);
        take_findings(&subject);
    }
    DUPLEX_RULES.destroy(subject.client);
    DUPLEX_SERVER_RULES.destroy(subject.server);
    return 0;
}
