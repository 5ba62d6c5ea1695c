#include "codec/tests/rules_session.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/ojin/constants.h"
#include "codec/tests/exact_copy.h"
#include "codec/wire/buffer.h"
#include "codec/wire/writer.h"

enum {
    SPEECH_COUNT = 3,
    LONG_SAMPLES = 300000,
    MESSAGE_ROOM = 700000,
    CHUNK_BYTES = 6400,
    QUIET_START_SAMPLES = 1600 /* of the second speech */
};

static const uint64_t EPOCH_MS = 1750000000000;
static const size_t SPEECH_SAMPLES[SPEECH_COUNT] = {9600, 6400, 8000};

struct player {
    const struct session_case *session;
    struct rule_context context;
    struct rule_set *rules; /* made at the first event, so that words can change the context before */
    int16_t *samples[SPEECH_COUNT];
    uint64_t now_us;
    uint64_t gap_us; /* before each message of the client */
    size_t speech;
    size_t position; /* bytes */
    uint8_t payload_type;
    char clock; /* how the timestamp is written: the words named clock:x */
    bool little_endian;
    bool padded;
    bool swap_samples;
    bool params;      /* the data of the case goes along as params */
    long params_size; /* as the header says; -1: the truth */
    size_t kept_max;  /* bytes of a message that the transport keeps */
    bool fault;
    struct finding findings[64];
    size_t finding_count;
};

static int16_t *make_speech(size_t count, uint32_t seed, size_t quiet)
{
    int16_t *samples = malloc(count * sizeof *samples);
    ck_assert_ptr_nonnull(samples);
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        /* Never zero, and never the same when its bytes are swapped. */
        samples[i] = i < quiet ? 0 : (int16_t)(((int32_t)(seed >> 18) | 1) - 8192);
        if (i >= quiet && (samples[i] & 0xFF) == ((uint16_t)samples[i] >> 8))
            samples[i] = 17;
    }
    return samples;
}

static void emit(struct player *player, enum wire_direction direction, enum wire_event_kind kind,
                 uint16_t code, struct bytes data)
{
    if (player->rules == NULL)
        player->rules = rule_set_new(&player->context);
    ck_assert_ptr_nonnull(player->rules);
    uint64_t true_size = data.len;
    if (data.len > player->kept_max)
        data.len = player->kept_max;
    struct exact_copy copy = exact_copy_of(data);
    struct wire_event event = {.at_us = player->now_us,
                               .direction = direction,
                               .kind = kind,
                               .code = code,
                               .fault = player->fault,
                               .message_bytes = true_size,
                               .data = copy.bytes};
    rule_set_event(player->rules, &event);
    exact_copy_free(copy);
    while (player->finding_count < 64 &&
           rule_set_take_finding(player->rules, &player->findings[player->finding_count]))
        player->finding_count++;
}

static void from_client(struct player *player, enum wire_event_kind kind, struct bytes data)
{
    player->now_us += player->gap_us;
    emit(player, WIRE_FROM_CLIENT, kind, 0, data);
}

static void from_server(struct player *player, enum wire_event_kind kind, const char *text)
{
    emit(player, WIRE_FROM_SERVER, kind, 0, bytes_of_text(text));
}

static uint64_t timestamp_of(const struct player *player)
{
    uint64_t now_ms = EPOCH_MS + player->now_us / 1000;
    switch (player->clock) {
    case 's':
        return now_ms / 1000;
    case 'u':
        return now_ms * 1000;
    case 'n':
        return now_ms * 1000000;
    case 'l':
        return now_ms & UINT32_MAX;
    case 'm':
        return 123456 + player->now_us / 1000;
    case '0':
        return 0;
    case '+': /* as far off as is allowed */
        return now_ms + 60000;
    case '*':
        return now_ms + 60001;
    default:
        return now_ms;
    }
}

static void write_number(const struct player *player, struct writer *writer, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        unsigned shift = 8 * (player->little_endian ? i : bytes - 1 - i);
        writer_u8(writer, (uint8_t)(value >> shift));
    }
}

static size_t speech_left(const struct player *player)
{
    return 2 * player->context.speech[player->speech].sample_count - player->position;
}

/* One audio message: the next bytes of the speech, then that many samples of zero. */
static void send_audio(struct player *player, size_t bytes, size_t zero_samples)
{
    static uint8_t room[MESSAGE_ROOM];
    static const uint8_t nothing[7];
    struct writer writer = writer_of(room, sizeof room);
    struct bytes params =
        player->params ? bytes_of(player->session->data, player->session->len) : bytes_of(NULL, 0);
    player->now_us += player->gap_us;
    writer_u8(&writer, player->payload_type);
    if (player->padded)
        writer_bytes(&writer, bytes_of(nothing, sizeof nothing));
    write_number(player, &writer, timestamp_of(player), 8);
    write_number(player, &writer, player->params_size < 0 ? params.len : (uint64_t)player->params_size, 4);
    writer_bytes(&writer, params);
    ck_assert(bytes == 0 || bytes <= speech_left(player));
    for (size_t i = 0; i < bytes; i++, player->position++) {
        size_t at = player->swap_samples ? player->position ^ 1 : player->position;
        uint16_t sample = (uint16_t)player->context.speech[player->speech].samples[at / 2];
        writer_u8(&writer, (uint8_t)((at & 1) != 0 ? sample >> 8 : sample & 0xFF));
    }
    for (size_t i = 0; i < 2 * zero_samples; i++)
        writer_u8(&writer, 0);
    ck_assert(!writer.overflow);
    emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_BINARY, 0, bytes_of(room, writer.len));
}

static void next_speech(struct player *player)
{
    player->speech++;
    player->position = 0;
}

static void send_all(struct player *player)
{
    while (speech_left(player) > 0) {
        size_t left = speech_left(player);
        send_audio(player, left < CHUNK_BYTES ? left : CHUNK_BYTES, 0);
    }
    next_speech(player);
}

static void request(struct player *player, struct bytes head)
{
    emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_REQUEST, 0, head);
    emit(player, WIRE_FROM_SERVER, WIRE_EVENT_RESPONSE, 101, bytes_of_text("HTTP/1.1 101 x\r\n\r\n"));
}

static const char GOOD_HEAD[] = SESSION_HEAD(SESSION_TARGET, "Authorization: " SESSION_KEY "\r\n");
static const char READY[] =
    "{\"type\":\"sessionReady\",\"payload\":{\"trace_id\":\"t\",\"status\":\"success\",\"load\":0.1}}";

typedef void word_action(struct player *player, const char *text, long number);

#define WORD(name) static void word_##name(struct player *player, const char *text, long number)
#define UNUSED     (void)text, (void)number, (void)player

WORD(open)
{
    UNUSED;
    request(player, bytes_of_text(GOOD_HEAD));
    from_server(player, WIRE_EVENT_TEXT, READY);
}
WORD(good_request)
{
    UNUSED, request(player, bytes_of_text(GOOD_HEAD));
}
WORD(head)
{
    UNUSED, request(player, bytes_of(player->session->data, player->session->len));
}
WORD(ready)
{
    UNUSED, from_server(player, WIRE_EVENT_TEXT, READY);
}
WORD(half_ready)
{
    UNUSED, from_server(player, WIRE_EVENT_TEXT, "{\"type\":\"sessionReady\",\"payload\":{}}");
}
WORD(silence)
{
    UNUSED, send_audio(player, 0, (size_t)number);
}
WORD(speak)
{
    UNUSED, send_audio(player, 2 * (size_t)number, 0);
}
WORD(bytes)
{
    UNUSED, send_audio(player, (size_t)number, 0);
}
WORD(rest_and_zeros)
{
    UNUSED, send_audio(player, speech_left(player), (size_t)number);
}
WORD(all)
{
    UNUSED, send_all(player);
}
WORD(zeros_and_speech)
{
    /* A frame of silence and speech in one message: as params that are none, so that they come first. */
    static uint8_t room[8192];
    UNUSED;
    struct writer writer = writer_of(room, sizeof room);
    player->now_us += player->gap_us;
    writer_u8(&writer, 1);
    writer_u64(&writer, timestamp_of(player));
    writer_u32(&writer, 0);
    for (size_t i = 0; i < OJIN_FRAME_AUDIO_BYTES; i++)
        writer_u8(&writer, 0);
    for (long i = 0; i < number; i++, player->position += 2) {
        uint16_t sample = (uint16_t)player->context.speech[player->speech].samples[player->position / 2];
        writer_u8(&writer, (uint8_t)(sample & 0xFF));
        writer_u8(&writer, (uint8_t)(sample >> 8));
    }
    emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_BINARY, 0, bytes_of(room, writer.len));
}
WORD(next)
{
    UNUSED, next_speech(player);
}
WORD(skip)
{
    UNUSED, player->position += 2 * (size_t)number;
}
WORD(back)
{
    UNUSED, player->position -= 2 * (size_t)number;
}
WORD(skip_byte)
{
    UNUSED, player->position++;
}
WORD(back_byte)
{
    UNUSED, player->position--;
}
WORD(gap)
{
    UNUSED, player->gap_us = (uint64_t)number;
}
WORD(wait)
{
    UNUSED, player->now_us += (uint64_t)number * 1000;
}
WORD(wait_us)
{
    UNUSED, player->now_us += (uint64_t)number;
}
WORD(clock)
{
    UNUSED, player->clock = text[0];
}
WORD(type)
{
    UNUSED, player->payload_type = (uint8_t)number;
}
WORD(little)
{
    UNUSED, player->little_endian = true;
}
WORD(big)
{
    UNUSED, player->little_endian = false;
}
WORD(padded)
{
    UNUSED, player->padded = true;
}
WORD(swapped)
{
    UNUSED, player->swap_samples = true;
}
WORD(params)
{
    UNUSED, player->params = true;
}
WORD(no_params)
{
    UNUSED, player->params = false, player->params_size = -1;
}
WORD(params_size)
{
    UNUSED, player->params_size = number;
}
WORD(kept)
{
    UNUSED, player->kept_max = (size_t)number;
}
WORD(text)
{
    UNUSED, from_client(player, WIRE_EVENT_TEXT, bytes_of(player->session->data, player->session->len));
}
WORD(binary)
{
    UNUSED, from_client(player, WIRE_EVENT_BINARY, bytes_of(player->session->data, player->session->len));
}
WORD(garbage)
{
    static uint8_t room[MESSAGE_ROOM];
    UNUSED;
    memset(room, 0x55, sizeof room);
    from_client(player, WIRE_EVENT_BINARY, bytes_of(room, (size_t)number));
}
WORD(end)
{
    static const char end[] = "{\"type\":\"endInteraction\",\"payload\":{\"timestamp\":1750000000000}}";
    UNUSED, from_client(player, WIRE_EVENT_TEXT, bytes_of_text(end));
}
WORD(cancel)
{
    static const char cancel[] = "{\"type\":\"cancelInteraction\",\"payload\":{}}";
    UNUSED, from_client(player, WIRE_EVENT_TEXT, bytes_of_text(cancel));
}
WORD(error)
{
    char message[200];
    UNUSED;
    snprintf(message, sizeof message,
             "{\"type\":\"errorResponse\",\"payload\":{\"code\":\"%s\",\"message\":\"m\",\"timestamp\":1}}",
             text);
    from_server(player, WIRE_EVENT_TEXT, message);
}
WORD(plain)
{
    UNUSED, from_server(player, WIRE_EVENT_TEXT, "No backend servers available.");
}
WORD(frame)
{
    UNUSED, from_server(player, WIRE_EVENT_BINARY, "frame");
}
WORD(ping)
{
    UNUSED, from_server(player, WIRE_EVENT_PING, text);
}
WORD(fault_ping)
{
    UNUSED;
    player->fault = true;
    from_server(player, WIRE_EVENT_PING, text);
    player->fault = false;
}
WORD(pong)
{
    UNUSED, emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_PONG, 0, bytes_of_text(text));
}
WORD(violation)
{
    UNUSED, emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_VIOLATION, (uint16_t)number, bytes_of_text("sentence"));
}
WORD(server_violation)
{
    UNUSED, emit(player, WIRE_FROM_SERVER, WIRE_EVENT_VIOLATION, (uint16_t)number, bytes_of_text("sentence"));
}
WORD(close)
{
    UNUSED, emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_CLOSE, 1000, bytes_of(NULL, 0));
}
WORD(server_close)
{
    UNUSED, emit(player, WIRE_FROM_SERVER, WIRE_EVENT_CLOSE, 1000, bytes_of(NULL, 0));
}
WORD(gone)
{
    UNUSED, emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_END, 1, bytes_of(NULL, 0));
}
WORD(unknown_speech)
{
    UNUSED, player->context.speech_known = false;
}
WORD(inexact_speech)
{
    UNUSED, player->context.speech_exact = false;
}
WORD(speeches)
{
    UNUSED, player->context.speech_count = (size_t)number;
}
WORD(only_second)
{
    UNUSED;
    player->context.speech[0] = player->context.speech[1];
    player->context.speech_count = 1;
}
WORD(long_speech)
{
    UNUSED;
    free(player->samples[0]);
    player->samples[0] = make_speech(LONG_SAMPLES, 9, 0);
    player->context.speech[0] = (struct rule_speech){player->samples[0], LONG_SAMPLES};
    player->context.speech_count = 1;
}
WORD(unknown_key)
{
    UNUSED, player->context.key.len = 0;
}
WORD(unknown_config)
{
    UNUSED, player->context.config.len = 0;
}
WORD(escapes_config)
{
    UNUSED, player->context.config = bytes_of_text(SESSION_ESCAPES_CONFIG);
}

static const struct {
    const char *word;
    word_action *act;
} WORDS[] = {
    /* what the set is told; before anything else */
    {"unknown-speech", word_unknown_speech},
    {"inexact-speech", word_inexact_speech},
    {"speeches", word_speeches},       /* :COUNT */
    {"only-second", word_only_second}, /* the speech with a quiet start */
    {"long-speech", word_long_speech},
    {"unknown-key", word_unknown_key},
    {"unknown-config", word_unknown_config},
    {"escapes-config", word_escapes_config},
    {"kept", word_kept}, /* :BYTES of each message */
    /* the connection */
    {"open", word_open}, /* request, response and sessionReady */
    {"request", word_good_request},
    {"head", word_head}, /* a request with the data as its head */
    {"ready", word_ready},
    {"half-ready", word_half_ready}, /* one that lacks its members */
    {"close", word_close},
    {"server-close", word_server_close},
    {"gone", word_gone},
    {"violation", word_violation}, /* :enum ws_violation */
    {"server-violation", word_server_violation},
    {"ping", word_ping}, /* :DATA */
    {"fault-ping", word_fault_ping},
    {"pong", word_pong},
    /* what the server says */
    {"error", word_error}, /* :CODE */
    {"plain", word_plain},
    {"frame", word_frame},
    /* what the client says */
    {"silence", word_silence},                   /* :SAMPLES */
    {"speak", word_speak},                       /* :SAMPLES, the next of the speech */
    {"bytes", word_bytes},                       /* :BYTES of the same */
    {"all", word_all},                           /* the rest of the speech, and on to the next one */
    {"rest-and-zeros", word_rest_and_zeros},     /* :ZEROS */
    {"zeros-and-speech", word_zeros_and_speech}, /* :SAMPLES behind a frame of zeros */
    {"end", word_end},
    {"cancel", word_cancel},
    {"text", word_text},       /* the data */
    {"binary", word_binary},   /* the data */
    {"garbage", word_garbage}, /* :BYTES, binary */
    /* how it says it, from then on */
    {"next", word_next},
    {"skip", word_skip}, /* :SAMPLES */
    {"back", word_back}, /* :SAMPLES */
    {"skip-byte", word_skip_byte},
    {"back-byte", word_back_byte},
    {"swapped", word_swapped},
    {"clock", word_clock}, /* :LETTER, see timestamp_of */
    {"type", word_type},   /* :PAYLOAD TYPE */
    {"little", word_little},
    {"big", word_big},
    {"padded", word_padded},
    {"params", word_params}, /* the data */
    {"no-params", word_no_params},
    {"params-size", word_params_size}, /* :BYTES */
    {"gap", word_gap},                 /* :MICROSECONDS */
    {"wait", word_wait},               /* :MILLISECONDS */
    {"wait-us", word_wait_us},
};

static void play_word(struct player *player, char *word)
{
    char *colon = strchr(word, ':');
    if (colon != NULL)
        *colon = '\0';
    const char *text = colon == NULL ? "" : colon + 1;
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (strcmp(WORDS[i].word, word) == 0) {
            WORDS[i].act(player, text, strtol(text, NULL, 10));
            return;
        }
    }
    ck_abort_msg("%s: no word '%s'", player->session->name, word);
}

/* Most rows speak in chunks as it suits them, and some hold the key to see that no finding shows it. */
static bool is_told_besides(const struct session_case *session, const char *requirement)
{
    return strcmp(session->requirement, requirement) != 0 &&
           (strcmp(requirement, "OJ-IN-11") == 0 || strcmp(requirement, "OJ-CON-03") == 0);
}

static void check_findings(const struct player *player)
{
    const struct session_case *session = player->session;
    bool said = false;
    for (size_t i = 0; i < player->finding_count; i++) {
        const struct finding *finding = &player->findings[i];
        ck_assert_msg(strlen(finding->expected) > 0 && strlen(finding->actual) > 0, "%s: empty text",
                      session->name);
        ck_assert_msg(strstr(finding->expected, SESSION_KEY) == NULL &&
                          strstr(finding->actual, SESSION_KEY) == NULL,
                      "%s: the key stands in a finding", session->name);
        if (session->actual != NULL && strstr(finding->actual, session->actual) != NULL)
            said = true;
        ck_assert_msg(finding->note || is_told_besides(session, finding->requirement) ||
                          strcmp(finding->requirement, session->requirement) == 0,
                      "%s: %s: %s", session->name, finding->requirement, finding->actual);
        ck_assert_msg(finding->at_us <= player->now_us, "%s: a finding from the future", session->name);
    }
    ck_assert_msg(session->verdict != RULE_BROKEN || player->finding_count > 0, "%s: no finding",
                  session->name);
    ck_assert_msg(session->actual == NULL || said, "%s: said '%s', not '%s'", session->name,
                  player->finding_count > 0 ? player->findings[0].actual : "nothing", session->actual);
}

static void check_verdicts(const struct player *player)
{
    static const char *const names[] = {"not reached", "kept", "broken"};
    const struct session_case *session = player->session;
    bool met = false;
    for (size_t i = 0; i < rule_count(); i++) {
        enum rule_verdict verdict = rule_set_verdict(player->rules, i);
        if (strcmp(rule_requirement(i), session->requirement) == 0) {
            met = true;
            ck_assert_msg(verdict == session->verdict, "%s: %s is %s, expected %s", session->name,
                          session->requirement, names[verdict], names[session->verdict]);
        } else if (!is_told_besides(session, rule_requirement(i))) {
            ck_assert_msg(verdict != RULE_BROKEN, "%s: %s is broken too", session->name, rule_requirement(i));
        }
    }
    ck_assert_msg(met, "no rule %s", session->requirement);
}

void session_check(const struct session_case *session)
{
    static struct player player;
    player = (struct player){.session = session,
                             .gap_us = 200000,
                             .payload_type = OJIN_PAYLOAD_AUDIO,
                             .params_size = -1,
                             .kept_max = MESSAGE_ROOM};
    player.context = (struct rule_context){.profile = ojin_profile_by_name(session->profile),
                                           .key = bytes_of_text(SESSION_KEY),
                                           .config = bytes_of_text(SESSION_CONFIG),
                                           .epoch_ms = EPOCH_MS,
                                           .speech_known = true,
                                           .speech_exact = true,
                                           .speech_count = SPEECH_COUNT};
    ck_assert_ptr_nonnull(player.context.profile);
    for (size_t i = 0; i < SPEECH_COUNT; i++) {
        player.samples[i] = make_speech(SPEECH_SAMPLES[i], (uint32_t)i + 1, i == 1 ? QUIET_START_SAMPLES : 0);
        player.context.speech[i] = (struct rule_speech){player.samples[i], SPEECH_SAMPLES[i]};
    }
    char words[1024];
    ck_assert_uint_lt(strlen(session->words), sizeof words);
    memcpy(words, session->words, strlen(session->words) + 1);
    char *rest = words;
    for (char *word = strtok_r(rest, " ", &rest); word != NULL; word = strtok_r(rest, " ", &rest))
        play_word(&player, word);
    ck_assert_ptr_nonnull(player.rules);
    rule_set_finish(player.rules, player.now_us);
    while (player.finding_count < 64 &&
           rule_set_take_finding(player.rules, &player.findings[player.finding_count]))
        player.finding_count++;
    check_findings(&player);
    check_verdicts(&player);
    rule_set_free(player.rules);
    for (size_t i = 0; i < SPEECH_COUNT; i++)
        free(player.samples[i]);
}
