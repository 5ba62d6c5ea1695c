/* The rules for servers, by hand-made sessions: kept, broken, not reached, and the borders between. */
#include <check.h>
#include <stdio.h>

#include "codec/ojin/frame.h"
#include "codec/ojin/input.h"
#include "codec/ojin/profile.h"
#include "codec/rules/ojin/classes.h"
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"

enum { ROOM = 700000, PICTURE_BYTES = 8 };

static const uint64_t EPOCH_MS = 1750000000000;

#define KEY  "the-key"
#define HEAD "GET /realtime?config_id=%s HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n%s\r\n"

struct player {
    struct server_rule_context context;
    struct server_rule_set *rules;
    uint64_t now_us;
    size_t sent, heard; /* samples */
    uint8_t id;         /* first byte of speech frames' ids */
    int64_t clock_ms;   /* added to the server's timestamps */
    uint8_t loudness;   /* added to the samples of speech frames */
    uint8_t trailing;   /* this many bytes, each of this value */
    bool lies;          /* the sizes of entries are little-endian */
    uint32_t width;
};

static bool picture_size(void *context, struct bytes jpeg, unsigned *width, unsigned *height)
{
    (void)context;
    *width = jpeg.len == PICTURE_BYTES ? 16u * jpeg.data[4] : 0;
    *height = 32;
    return jpeg.len == PICTURE_BYTES && jpeg.data[4] != 0;
}

static void show(struct player *player, enum wire_direction direction, enum wire_event_kind kind,
                 uint16_t code, struct bytes data)
{
    if (player->rules == NULL)
        player->rules = OJIN_SERVER_RULES.create(&player->context);
    ck_assert_ptr_nonnull(player->rules);
    struct exact_copy copy = exact_copy_of(data);
    const struct wire_event event = {.at_us = player->now_us,
                                     .direction = direction,
                                     .kind = kind,
                                     .code = code,
                                     .message_bytes = data.len,
                                     .data = copy.bytes};
    OJIN_SERVER_RULES.event(player->rules, &event);
    exact_copy_free(copy);
}

static void server_text(struct player *player, const char *text)
{
    show(player, WIRE_FROM_SERVER, WIRE_EVENT_TEXT, 0, bytes_of_text(text));
}

static void client_text(struct player *player, const char *text)
{
    show(player, WIRE_FROM_CLIENT, WIRE_EVENT_TEXT, 0, bytes_of_text(text));
}

static uint8_t sample_byte(size_t n, size_t byte)
{
    return (uint8_t)(1 + (n * 7919u + byte * 31u) % 200u);
}

/* Input of `samples`: speech goes on where it was. */
static void input(struct player *player, size_t samples, bool speech, size_t bytes)
{
    static uint8_t room[ROOM];
    struct writer writer = writer_of(room, sizeof room);
    const size_t least = OJIN_INPUT_HEADER_BYTES + 2 * samples;
    const size_t params = bytes > least ? bytes - least : 0;
    writer_u8(&writer, OJIN_PAYLOAD_AUDIO);
    writer_u64(&writer, EPOCH_MS);
    writer_u32(&writer, (uint32_t)params);
    for (size_t i = 0; i < params; i++)
        writer_u8(&writer, (uint8_t)(i == 0 ? '{' : i + 1 == params ? '}' : ' '));
    for (size_t i = 0; i < 2 * samples; i++)
        writer_u8(&writer, speech ? sample_byte(player->sent + i / 2, i & 1) : 0);
    player->sent += speech ? samples : 0;
    ck_assert(!writer.overflow);
    show(player, WIRE_FROM_CLIENT, WIRE_EVENT_BINARY, 0, bytes_of(room, writer.len));
}

static void frame(struct player *player, uint32_t index, uint8_t final)
{
    uint8_t audio[OJIN_FRAME_AUDIO_BYTES] = {0};
    uint8_t picture[PICTURE_BYTES] = {0xFF, 0xD8, 0xFF, 0xE0, (uint8_t)player->width};
    uint8_t room[2048];
    struct writer writer = writer_of(room, sizeof room);
    struct ojin_frame header = {.is_final = final, .index = index, .payload_count = 2};
    header.timestamp_ms = (uint64_t)((int64_t)(EPOCH_MS + player->now_us / 1000) + player->clock_ms);
    header.interaction[0] = index == 0 ? 0 : player->id;
    for (size_t i = 0; index != 0 && i < OJIN_FRAME_SAMPLES && player->heard < player->sent; i++) {
        audio[2 * i] = (uint8_t)(sample_byte(player->heard, 0) + player->loudness);
        audio[2 * i + 1] = sample_byte(player->heard++, 1);
    }
    ojin_frame_write_header(&writer, &header);
    ojin_frame_write_entry(&writer, OJIN_PAYLOAD_AUDIO, bytes_of(audio, sizeof audio));
    ojin_frame_write_entry(&writer, OJIN_PAYLOAD_IMAGE, bytes_of(picture, sizeof picture));
    for (uint8_t i = 0; i < player->trailing; i++)
        writer_u8(&writer, player->trailing);
    if (player->lies) {
        const uint8_t sizes[4] = {0x00, 0x05, 0x00, 0x00};
        memcpy(room + OJIN_FRAME_HEADER_BYTES, sizes, sizeof sizes);
    }
    show(player, WIRE_FROM_SERVER, WIRE_EVENT_BINARY, 0, bytes_of(room, writer.len));
}

static void request(struct player *player, const char *config, const char *authorization)
{
    char head[400];
    snprintf(head, sizeof head, HEAD, config, authorization);
    show(player, WIRE_FROM_CLIENT, WIRE_EVENT_REQUEST, 0, bytes_of_text(head));
}

static void response(struct player *player, uint16_t code, const char *body)
{
    char text[600];
    snprintf(text, sizeof text, "HTTP/1.1 %u x\r\nContent-Length: %zu\r\n\r\n%s", code, strlen(body), body);
    show(player, WIRE_FROM_SERVER, WIRE_EVENT_RESPONSE, code, bytes_of_text(text));
}

static void error_text(char out[300], const char *code)
{
    snprintf(out, 300,
             "{\"type\":\"errorResponse\",\"payload\":{\"code\":\"%s\",\"message\":\"m\",\"timestamp\":"
             "1750000000000}}",
             code);
}

#define READY(members) "{\"type\":\"sessionReady\",\"payload\":{" members "}}"
#define UUID           "\"trace_id\":\"01234567-89ab-4def-8123-456789abcdef\","
#define GOOD_READY     READY(UUID "\"status\":\"success\",\"load\":0.5")

/* The words that stand for one text each. */
static const struct {
    char word;
    const char *config, *authorization; /* of a request */
    const char *from_client;
    const char *from_server;
    const char *code; /* of an errorResponse */
} SAYINGS[] = {
    {.word = 'O', .config = "conf", .authorization = "Authorization: another\r\n"},
    {.word = 'M', .config = "conf", .authorization = ""},
    {.word = 'B', .config = "conf", .authorization = "Authorization: Bearer " KEY "\r\n"},
    {.word = 'C', .config = "no", .authorization = "Authorization: " KEY "\r\n"},
    {.word = 'N', .config = "", .authorization = "Authorization: " KEY "\r\n"},
    {.word = 'r', .from_server = GOOD_READY},
    {.word = 'R', .from_server = READY("\"trace_id\":\"x\",\"status\":\"success\",\"load\":0")},
    {.word = 'L', .from_server = READY(UUID "\"status\":\"success\",\"load\":2")},
    {.word = 'Q',
     .from_server = "{\"type\":\"errorResponse\",\"payload\":{\"code\":\"c\",\"message\":\"m\"}}"},
    {.word = 'p', .from_server = "No backend servers available."},
    {.word = 'e', .from_client = "{\"type\":\"endInteraction\",\"payload\":{\"timestamp\":1}}"},
    {.word = 'c', .from_client = "{\"type\":\"cancelInteraction\",\"payload\":{}}"},
    {.word = 'j', .from_client = "x"},
    {.word = 'E', .code = "INVALID_MESSAGE"},
    {.word = 'Z', .code = "FRAME_SIZE_EXCEEDED"},
    {.word = 'T', .code = "RATE_LIMITED"},
    {.word = 'U', .code = "BACKEND_UNAVAILABLE"},
    {.word = 'V', .code = "MODEL_NOT_FOUND"},
};

/* False: it is none of those. */
static bool say(struct player *player, char word)
{
    char text[300];
    for (int i = 0; i < TABLE_COUNT(SAYINGS); i++) {
        if (SAYINGS[i].word != word)
            continue;
        if (SAYINGS[i].config != NULL)
            request(player, SAYINGS[i].config, SAYINGS[i].authorization);
        if (SAYINGS[i].from_client != NULL)
            client_text(player, SAYINGS[i].from_client);
        if (SAYINGS[i].from_server != NULL)
            server_text(player, SAYINGS[i].from_server);
        if (SAYINGS[i].code != NULL) {
            error_text(text, SAYINGS[i].code);
            server_text(player, text);
        }
        return true;
    }
    return false;
}

/* Words that change how what follows is sent. */
static bool set(struct player *player, char word, unsigned long number)
{
    switch (word) {
    case 'k':
        player->heard += number;
        return true;
    case 'd':
        player->id = (uint8_t)number;
        return true;
    case 't':
        player->clock_ms = 1000 * (int64_t)number;
        return true;
    case 'h':
        player->loudness = 7;
        return true;
    case 'y':
        player->trailing = (uint8_t)number;
        return true;
    case 'g':
        player->width = (uint32_t)number;
        return true;
    case 'v':
        player->context.all_pictures = true;
        return true;
    case 'l':
        player->lies = true;
        return true;
    case 'w':
        player->now_us += 1000 * (uint64_t)number;
        return true;
    default:
        return false;
    }
}

static bool control(struct player *player, char word, unsigned long number)
{
    switch (word) {
    case 'P':
        show(player, WIRE_FROM_CLIENT, WIRE_EVENT_PING, 0, bytes_of_text("data"));
        return true;
    case 'A':
        show(player, WIRE_FROM_SERVER, WIRE_EVENT_PONG, 0, bytes_of_text("data"));
        return true;
    case 'a':
        show(player, WIRE_FROM_SERVER, WIRE_EVENT_PONG, 0, bytes_of_text("date"));
        return true;
    case 'X':
        show(player, WIRE_FROM_SERVER, WIRE_EVENT_CLOSE, (uint16_t)number, bytes_of_text(""));
        return true;
    case 'K':
        show(player, WIRE_FROM_CLIENT, WIRE_EVENT_CLOSE, 1000, bytes_of_text(""));
        return true;
    default:
        return false;
    }
}

/*
 * A session as words: LETTER and a number.
 *   v every picture decoded (before all else)   o open (101)   O request of another key   M of no key   B of
 * Bearer   C of another config   N of none r sessionReady   R one without UUID   L one of load 2 2 a 401 with
 * INVALID_HEADERS   4 a 401 with AUTH_FAILED   1 a 101 z N input of N zeros   i N input of N samples of
 * speech   m N bytes of binary   x N input of N bytes in all, q N of speech  e endInteraction   c
 * cancelInteraction   j text that is no JSON w N wait N ms   s N N silence frames, 38 ms each   b N speech
 * frames, 20 ms each   S N silence, 50 ms each f final speech frame   F final silence frame   k N skip N
 * samples of what was heard   d N another id t N the server's clock off by N s   h the samples changed   y N
 * N trailing bytes   g N pictures of width N, 0: damaged   E INVALID_MESSAGE   Z FRAME_SIZE_EXCEEDED   T
 * RATE_LIMITED   U BACKEND_UNAVAILABLE   V MODEL_NOT_FOUND Q errorResponse without timestamp   p plain text n
 * N a frame of index N   l entries' sizes little-endian   I N is_final N P ping A pong   a pong of other data
 * X N close by the server with code N   K close by the client
 */
static void act(struct player *player, char word, unsigned long number)
{
    static const uint8_t bytes[64] = {9};
    char text[300];
    if (say(player, word) || set(player, word, number) || control(player, word, number))
        return;
    switch (word) {
    case 'o':
        request(player, "conf", "Authorization: " KEY "\r\n");
        response(player, 101, "");
        break;
    case '2':
        error_text(text, "INVALID_HEADERS");
        response(player, 401, text);
        break;
    case '4':
        error_text(text, "AUTH_FAILED");
        response(player, 401, text);
        break;
    case '1':
        response(player, 101, "");
        break;
    case 'z':
        input(player, number, false, 0);
        break;
    case 'i':
        input(player, number, true, 0);
        break;
    case 'x':
        input(player, 10, false, number);
        break;
    case 'q':
        input(player, 6400, true, number);
        break;
    case 'm':
        show(player, WIRE_FROM_CLIENT, WIRE_EVENT_BINARY, 0, bytes_of(bytes, number));
        break;
    case 's':
    case 'S':
    case 'b':
        for (unsigned long i = 0; i < number; i++) {
            player->now_us += word == 's' ? 38000u : word == 'S' ? 50000u : 20000u;
            frame(player, word == 'b', 0);
        }
        break;
    case 'n':
        frame(player, (uint32_t)number, 0);
        break;
    case 'I':
        frame(player, 0, (uint8_t)number);
        break;
    case 'f':
        frame(player, 1, 1);
        break;
    case 'F':
        frame(player, 0, 1);
        break;
    default:
        ck_abort_msg("no word %c", word);
    }
}

#define K RULE_KEPT
#define B RULE_BROKEN
#define N RULE_NOT_REACHED

static const struct {
    const char *session;
    const char *requirement;
    enum rule_verdict verdict;
    const char *profile; /* NULL: oris-1.0 */
    bool no_backend;
} ROWS[] = {
    {"M 2", "OJ-SRV-01", K, NULL, false},
    {"M 4", "OJ-SRV-01", B, NULL, false},
    {"O 4", "OJ-SRV-01", K, NULL, false},
    {"O 2", "OJ-SRV-01", B, NULL, false},
    {"B 4", "OJ-SRV-01", K, NULL, false},
    {"B 1 r", "OJ-SRV-01", B, NULL, false},
    {"M", "OJ-SRV-01", N, NULL, false},
    {"o r", "OJ-SRV-01", N, NULL, false},
    {"C 1 V X1008", "OJ-SRV-02", K, NULL, false},
    {"C 1 V X1000", "OJ-SRV-02", B, NULL, false},
    {"C 1 U", "OJ-SRV-02", N, NULL, false},
    {"C 1 r", "OJ-SRV-02", B, NULL, false},
    {"N 1 V", "OJ-SRV-02", B, NULL, false},
    {"o r", "OJ-SRV-02", N, NULL, false},
    {"o r", "OJ-SRV-03", K, NULL, false},
    {"o R", "OJ-SRV-03", B, NULL, false},
    {"o L", "OJ-SRV-03", B, NULL, false},
    {"o r r", "OJ-SRV-03", B, NULL, false},
    {"o s1", "OJ-SRV-03", B, NULL, false},
    {"o p", "OJ-SRV-03", N, NULL, false},
    {"o r z640 s1", "OJ-SRV-04", K, NULL, false},
    {"o r s1", "OJ-SRV-04", B, NULL, false},
    {"o r z640 w4900 s1", "OJ-SRV-04", K, NULL, false},
    {"o r z640 w5000 A", "OJ-SRV-04", B, NULL, false},
    {"o r z640 w1000 K", "OJ-SRV-04", N, NULL, false},
    {"o r w9000 K", "OJ-SRV-04", N, NULL, false},
    {"o r s1", "OJ-SRV-04", K, "oris-1.0-earlier", false},
    {"o r w5000 A", "OJ-SRV-04", B, "oris-1.0-earlier", false},
    {"o r z640 s1", "OJ-SRV-04", N, "oris-1.0-earlier", false},
    {"o r z640 s54", "OJ-SRV-05", K, NULL, false},
    {"o r z640 s53", "OJ-SRV-05", N, NULL, false},
    {"o r z640 S60 K", "OJ-SRV-05", B, NULL, false},
    {"o r z640 S30 K", "OJ-SRV-05", N, NULL, false},
    {"o r z640 b2", "OJ-SRV-05", B, NULL, false},
    {"o r z640 f", "OJ-SRV-05", B, NULL, false},
    {"o r z640 s1 b1", "OJ-SRV-05", N, NULL, false},       /* the next frame decides ... */
    {"o r z640 s1 b1 n2 n3", "OJ-SRV-05", N, NULL, false}, /* ... that index counts: OJ-SRV-19's */
    {"o r z640 s2 i12800 b20 s1", "OJ-SRV-06", K, NULL, false},
    {"o r z640 s2 i12801 b21 s1", "OJ-SRV-06", K, NULL, false},
    {"o r z640 s2 i6400 b10 s1", "OJ-SRV-06", N, NULL, false},
    {"o r z640 s2 i12800 b20", "OJ-SRV-06", N, NULL, false},
    {"o r z640 s2 i12800 b21 s1", "OJ-SRV-06", B, NULL, false},
    {"o r z640 s2 i12800 b9 k640 b5", "OJ-SRV-06", B, NULL, false},
    {"o r z640 s2 i12800 b9 s1", "OJ-SRV-06", B, NULL, false},
    {"o r z640 s2 i12800 s170", "OJ-SRV-06", B, NULL, false},
    {"o r z640 s2 i12800 s140 K", "OJ-SRV-06", N, NULL, false},
    {"o r z640 s2 i12800 b9 k640 b10 s1", "OJ-SRV-20", N, NULL, false},
    {"o r z640 s2 i12800 b20 s1", "OJ-SRV-20", K, NULL, false},
    {"o r z640 s2 i12800 h b20 s1", "OJ-SRV-20", B, NULL, false},
    {"o r z640 s2 i12800 h b20 s1", "OJ-SRV-06", K, NULL, false},
    {"o r z640 s1", "OJ-SRV-07", K, NULL, false},
    {"o r z640 s1 g5 s12", "OJ-SRV-07", K, NULL, false},
    {"o r z640 s1 g5 s13", "OJ-SRV-07", B, NULL, false},
    {"o r z640 s2 g0 s1 g4 s9", "OJ-SRV-07", K, NULL, false},
    {"v o r z640 s2 g0 s1 g4 s9", "OJ-SRV-07", B, NULL, false},
    {"v o r z640 s1 g5 s1", "OJ-SRV-07", B, NULL, false},
    {"v o r z640 s54", "OJ-SRV-07", K, NULL, false},
    {"o r", "OJ-SRV-07", N, NULL, false},
    {"o r z640 s2 i1280 e b1 f X1000", "OJ-SRV-08", K, NULL, false},
    {"o r z640 s2 e s1 F K", "OJ-SRV-08", K, NULL, false},
    {"o r z640 s2 i1280 e f", "OJ-SRV-08", B, NULL, false},
    {"o r z640 s2 e F s1", "OJ-SRV-08", B, NULL, false},
    {"o r z640 s2 F", "OJ-SRV-08", B, NULL, false},
    {"o r z640 s2 e s1 X1000", "OJ-SRV-08", B, NULL, false},
    {"o r z640 s2 e w10000 A", "OJ-SRV-08", B, NULL, false},
    {"o r z640 s2 e w9999 K", "OJ-SRV-08", N, NULL, false},
    {"o r z640 s2 K", "OJ-SRV-08", N, NULL, false},
    {"o r z640 s2 i64000 b9 c b3 s26", "OJ-SRV-09", K, NULL, false},
    {"o r z640 s2 i64000 b9 c b3 s2", "OJ-SRV-09", N, NULL, false},
    {"o r z640 s2 i64000 b9 c b3 s1 b1", "OJ-SRV-09", B, NULL, false},
    {"o r z640 s2 i64000 b9 c w2000 b1", "OJ-SRV-09", B, NULL, false},
    {"o r z640 s2 i64000 b9 c s1 F", "OJ-SRV-09", B, NULL, false},
    {"o r z640 s2 c s50", "OJ-SRV-09", N, NULL, false},
    {"o r w2000 z1 z1 z1 z1 z1 z1 z1 T", "OJ-SRV-10", K, NULL, false},
    {"o r w2000 z1 z1 z1 z1 z1 z1 z1 w3000 A", "OJ-SRV-10", B, NULL, false},
    {"o r w2000 z1 z1 z1 z1 z1 z1 w3000 A", "OJ-SRV-10", N, NULL, false},
    {"o r w2000 z1 z1 z1 z1 z1 z1 w701 z1 w3000 A", "OJ-SRV-10", N, NULL, false},
    {"o r w9000 z1 z1 T", "OJ-SRV-10", B, NULL, false},
    {"o r z640 s2 q524288 b10 s1 x524289 Z s1", "OJ-SRV-11", K, NULL, false},
    {"o r z640 s2 x524289 Z s90 q524288 b1", "OJ-SRV-11", K, NULL, false},
    {"o r z640 s2 q524288 w500 x524289 Z s90", "OJ-SRV-11", N, NULL, false}, /* dropped without a word */
    {"o r z640 s2 x524288 s90 x524289 Z s1", "OJ-SRV-11", N, NULL, false},   /* zeros show nothing */
    {"o r z640 s2 i6400 q524288 b10 x524289 Z s1", "OJ-SRV-11", N, NULL, false},
    {"o r z640 s2 q524288 i6400 b10 x524289 Z s1", "OJ-SRV-11", N, NULL, false},
    {"o r z640 s2 q524288 Z", "OJ-SRV-11", B, NULL, false},
    {"o r x524289 Z s1", "OJ-SRV-11", N, NULL, false},
    {"o r x524288 Z", "OJ-SRV-11", B, NULL, false},
    {"o r x524289 w3000 A", "OJ-SRV-11", B, NULL, false},
    {"o r x524289 X1009", "OJ-SRV-11", B, NULL, false},
    {"o r x524289 X1001", "OJ-SRV-11", N, NULL, false},
    {"o r m5 E s1", "OJ-SRV-12", K, NULL, false},
    {"o r m5 E X1000", "OJ-SRV-12", B, NULL, false},
    {"o r m5 w2999 E s1", "OJ-SRV-12", K, NULL, false},
    {"o r m5 w3000 A", "OJ-SRV-12", B, NULL, false},
    {"o r z640 E", "OJ-SRV-12", N, NULL, false},
    {"o r j E A", "OJ-SRV-13", K, NULL, false},
    {"o r j w3000 A", "OJ-SRV-13", B, NULL, false},
    {"o r j w100 K", "OJ-SRV-13", N, NULL, false},
    {"o r j E", "OJ-SRV-14", K, NULL, false},
    {"o r Q", "OJ-SRV-14", B, NULL, false},
    {"o r", "OJ-SRV-14", N, NULL, false},
    {"o r z640 s2 i1280 b2", "OJ-SRV-15", K, NULL, false},
    {"o r z640 s2 i1280 d0 b2", "OJ-SRV-15", B, NULL, false},
    {"o r z640 s2 i1280 d0 b1 s1", "OJ-SRV-15", B, NULL, false},
    {"o r z640 d0 s1 b1 n2 n3", "OJ-SRV-15", N, NULL, false},
    {"o r z640 s2 i640 i640 b1 d9 b1", "OJ-SRV-15", N, NULL, false},
    {"o r z640 s2 i6400 b5 d9 b1", "OJ-SRV-15", B, NULL, false},
    {"o r z640 s2 i1280 b2 s1 i1280 b2", "OJ-SRV-15", B, NULL, false},
    {"o r z640 s2 i1280 b2 s1 i1280 d9 b2", "OJ-SRV-15", K, NULL, false},
    {"o r z640 t60 s1", "OJ-SRV-15", N, NULL, false},
    {"o r z640 t61 s1", "OJ-SRV-15", B, NULL, false},
    {"o r z640 t2 s1 t0 s1", "OJ-SRV-15", B, NULL, false},
    {"o r P A", "OJ-SRV-18", K, NULL, false},
    {"o r P a w5000 K", "OJ-SRV-18", B, NULL, false},
    {"o r P w4999 K", "OJ-SRV-18", N, NULL, false},
    {"o r z640 s1", "OJ-SRV-19", K, NULL, false},
    {"o r z640 y1 s1", "OJ-SRV-19", B, NULL, false},
    {"o r z640", "OJ-SRV-19", N, NULL, false},
    {"o U", "OJ-SRV-21", K, NULL, true},
    {"o r p", "OJ-SRV-21", K, NULL, true},
    {"o r z640 s1", "OJ-SRV-21", B, NULL, true},
    {"o V", "OJ-SRV-21", B, NULL, true},
    {"o U", "OJ-SRV-21", N, NULL, false},
    {"o r s2 i6400 b3 i6400 b17 s1", "OJ-SRV-22", K, "oris-1.0-earlier", false},
    {"o r s2 i6400 b3 i6400 b7 s170", "OJ-SRV-22", B, "oris-1.0-earlier", false},
    {"o r s2 i6400 b3 i6400 b7 s170", "OJ-SRV-06", N, "oris-1.0-earlier", false},
    {"o r s2 i12800 b20 s1", "OJ-SRV-22", N, "oris-1.0-earlier", false},
    {"o r z640 s2 i6400 b3 i6400 b17 s1", "OJ-SRV-22", N, NULL, false},
};

#undef K
#undef B
#undef N

static void play(struct player *player, const char *session)
{
    while (*session != '\0') {
        const char word = *session++;
        unsigned long number = 0;
        while (word > '9' && *session >= '0' && *session <= '9')
            number = 10 * number + (unsigned long)(*session++ - '0');
        if (word != ' ')
            act(player, word, number);
    }
}

START_TEST(judges)
{
    struct player player = {.id = 1, .width = 4};
    const char *profile = ROWS[_i].profile != NULL ? ROWS[_i].profile : "oris-1.0";
    player.context = (struct server_rule_context){.profile = ojin_profile_by_name(profile),
                                                  .epoch_ms = EPOCH_MS,
                                                  .key = bytes_of_text(KEY),
                                                  .config = bytes_of_text("conf"),
                                                  .config_only = true,
                                                  .no_backend = ROWS[_i].no_backend,
                                                  .picture_size = picture_size};
    play(&player, ROWS[_i].session);
    OJIN_SERVER_RULES.finish(player.rules, player.now_us);
    struct finding finding;
    size_t findings = 0;
    char first[2 * FINDING_TEXT_MAX] = "";
    while (OJIN_SERVER_RULES.take_finding(player.rules, &finding)) {
        ck_assert_ptr_null(strstr(finding.actual, KEY));
        ck_assert(finding.actual[0] != '\0' && finding.expected[0] != '\0');
        if (strcmp(finding.requirement, ROWS[_i].requirement) == 0 && findings++ == 0)
            snprintf(first, sizeof first, "%s", finding.actual);
    }
    bool met = false;
    for (size_t i = 0; i < OJIN_SERVER_RULES.count; i++) {
        if (strcmp(OJIN_SERVER_RULES.requirement(i), ROWS[_i].requirement) != 0)
            continue;
        met = true;
        ck_assert_msg(OJIN_SERVER_RULES.verdict(player.rules, i) == ROWS[_i].verdict,
                      "%s of %s: %d, not %d: %s", ROWS[_i].requirement, ROWS[_i].session,
                      (int)OJIN_SERVER_RULES.verdict(player.rules, i), (int)ROWS[_i].verdict, first);
        ck_assert((findings > 0) == (ROWS[_i].verdict == RULE_BROKEN));
    }
    ck_assert(met);
    OJIN_SERVER_RULES.destroy(player.rules);
}
END_TEST

static const struct {
    const char *session;
    unsigned blur;
    const char *finding; /* of OJ-SRV-19, what is in it; NULL: none */
} LAYOUT_ROWS[] = {
    {"o r z640 s2", 0, NULL},
    {"o r z640 s2 n1 n2", SERVER_BLUR_INDEX, "index 2"},
    {"o r z640 l s2", SERVER_BLUR_ENTRIES, "entry 1 of 2 claims 327680 bytes"},
    {"o r z640 l n2", SERVER_BLUR_INDEX | SERVER_BLUR_ENTRIES, "entry 1 of 2"},
    {"o r z640 I2", SERVER_BLUR_FINAL, "is_final 2"},
    {"o r z640 y1 s2", 0, "1 byte after the last of 2 entries: a frame-type byte (1, speech)"},
    {"o r z640 y2 s2", 0, "2 bytes after the last of 2 entries"},
};

START_TEST(tells_what_cannot_be_read)
{
    struct player player = {.id = 1, .width = 4};
    player.context = (struct server_rule_context){.profile = ojin_profile_by_name("oris-1.0"),
                                                  .epoch_ms = EPOCH_MS,
                                                  .config = bytes_of_text("conf"),
                                                  .picture_size = picture_size};
    play(&player, LAYOUT_ROWS[_i].session);
    ck_assert_uint_eq(OJIN_SERVER_RULES.blur(player.rules), LAYOUT_ROWS[_i].blur);
    struct finding finding;
    const char *expected = LAYOUT_ROWS[_i].finding;
    bool found = false;
    while (OJIN_SERVER_RULES.take_finding(player.rules, &finding)) {
        if (strcmp(finding.requirement, "OJ-SRV-19") != 0)
            continue;
        ck_assert_msg(expected != NULL && strstr(finding.actual, expected) != NULL, "%s", finding.actual);
        found = true;
    }
    ck_assert(found == (expected != NULL));
    OJIN_SERVER_RULES.destroy(player.rules);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("server rules");
    tcase_add_loop_test(tcase, judges, 0, TABLE_COUNT(ROWS));
    tcase_add_loop_test(tcase, tells_what_cannot_be_read, 0, TABLE_COUNT(LAYOUT_ROWS));
    return suite_run("server rules", tcase);
}
