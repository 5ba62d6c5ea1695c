/*
 * Any events in any order, for the rules for clients and for servers of the full-duplex family: no crash,
 * findings that are whole, verdicts that only get worse.
 *
 * The input is a list of records: kind and direction (1 byte), a number (2), time since the last (2, in 10
 * ms), and for a kind of event as many bytes of data as the number says. Kinds above those are right
 * messages, of which the number says how many samples, tokens or slices they have: audio is too long to be
 * written out. Most are short: it is sound that takes time.
 */
#include "codec/duplex/messages.h"
#include "codec/rules/duplex/classes.h"
#include "codec/tests/fuzz_rule_events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum {
    SPEECH_SAMPLES = 5000,
    CUT_BYTES = 1000,
    SAMPLES_MAX = 24001,
    SHORT_SAMPLES_MAX = 64,
    LONG_ONE_IN = 64,
    OUT_MAX = 1 << 20,
    RECORDS_MAX = 64,
    AUDIO_BYTES_MAX = 128 * 1024 /* of all messages: one of a second, and some */
};

struct subject {
    const struct duplex_profile *profile;
    struct rule_set *client;
    struct server_rule_set *server;
    uint8_t *pcm; /* SAMPLES_MAX of them: the speech, then silence */
    uint64_t now_us;
    size_t audio_bytes;
};

static void take_findings(struct subject *subject)
{
    struct finding finding;
    while (DUPLEX_RULES.take_finding(subject->client, &finding))
        fuzz_finding_check(&finding);
    while (DUPLEX_SERVER_RULES.take_finding(subject->server, &finding))
        fuzz_finding_check(&finding);
}

static void hand_over(struct subject *subject, const struct wire_event *event)
{
    const size_t rule = subject->now_us % DUPLEX_RULES.count;
    const size_t server_rule = subject->now_us % DUPLEX_SERVER_RULES.count;
    const enum rule_verdict before = DUPLEX_RULES.verdict(subject->client, rule);
    const enum rule_verdict server_before = DUPLEX_SERVER_RULES.verdict(subject->server, server_rule);
    DUPLEX_RULES.event(subject->client, event);
    DUPLEX_SERVER_RULES.event(subject->server, event);
    fuzz_check(DUPLEX_RULES.verdict(subject->client, rule) >= before);
    fuzz_check(DUPLEX_SERVER_RULES.verdict(subject->server, server_rule) >= server_before);
    take_findings(subject);
}

static size_t samples_of(uint16_t number)
{
    return number % LONG_ONE_IN == 0 ? number % SAMPLES_MAX : number % SHORT_SAMPLES_MAX;
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
        .audio = bytes_of(subject->pcm, samples_of(number) * 4),
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
    fuzz_check(duplex_message_write(subject->profile, &message, &out));
    subject->audio_bytes += out.len;
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
    struct wire_event event;
    struct reader ahead = *reader;
    const uint8_t kind = reader_u8(&ahead, "kind");
    if ((kind & 0x0F) <= WIRE_EVENT_END) {
        fuzz_event_read(reader, &subject->now_us, CUT_BYTES, &event);
        hand_over(subject, &event);
        return;
    }
    const uint16_t number = reader_u16(&ahead, "number");
    subject->now_us += (uint64_t)reader_u16(&ahead, "time") * FUZZ_TIME_UNIT_US;
    *reader = ahead;
    take_message(subject, kind, number);
}

static bool subject_init(struct subject *subject, uint8_t setup, const int16_t *speech)
{
    struct rule_context context = {.profile = &subject->profile->base,
                                   .speech_known = (setup & 0x40) == 0,
                                   .speech_exact = (setup & 0x80) == 0,
                                   .speech_count = 2,
                                   .picture_size = (setup & 0x10) != 0 ? fuzz_picture_size : NULL};
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
    for (size_t i = speech[32] == 0 ? 0 : SPEECH_SAMPLES; i < SPEECH_SAMPLES; i++) { /* once */
        speech[i] = i < 32 ? 0 : (int16_t)(1 + i * 77 % 501);
        float32_put(pcm + i * 4, (float)speech[i] / 32768.0F);
    }
    struct subject subject = {.profile = &DUPLEX_PROFILES[setup % DUPLEX_PROFILE_COUNT], .pcm = pcm};
    if (subject_init(&subject, setup, speech)) {
        for (size_t i = 0; i < RECORDS_MAX && subject.audio_bytes < AUDIO_BYTES_MAX && reader_ok(&reader) &&
                           reader_left(&reader) > 0;
             i++)
            take_record(&subject, &reader);
        DUPLEX_RULES.finish(subject.client, subject.now_us);
        DUPLEX_SERVER_RULES.finish(subject.server, subject.now_us);
        take_findings(&subject);
    }
    DUPLEX_RULES.destroy(subject.client);
    DUPLEX_SERVER_RULES.destroy(subject.server);
    return 0;
}
