/*
 * What a server under test sends, whatever it is, while a case about it is played: the drive comes to its end
 * by the case's limit, its outcomes are whole, and both judge and drive say the same when the same bytes come
 * in small pieces.
 *
 * Input: case, seed and size of the pieces, then what the server does, an operation a byte with what follows
 * it: raw bytes, a frame of any kind, the right answer to the upgrade, a right or wrong message of the
 * family, time that passes, the end of the connection.
 */
#include <stdlib.h>

#include "codec/media/jpeg.h"
#include "codec/tests/exact_copy.h"
#include "codec/ws/frame.h"
#include "codec/ws/handshake.h"
#include "conformance/server/server_judge.h"
#include "conformance/vectors/vectors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* An input costs what the drive does for its operations, and for the time until the case's limit. */
enum {
    BYTES_MAX = 256,
    OPERATIONS_MAX = 16,
    SENT_BYTES_MAX = 2048,
    PIECE_MAX = 64,
    STEPS_MAX = 20000,
    TURNS_MAX = 64
};
enum {
    PCM_BYTES = 6400,
    VECTORS_MAX = 400,
    VECTOR_BYTES_MAX = 1024,
    OUT_BYTES_MAX = 65536,
    TIME_UNIT_US = 20000
};
enum { EPOCH_S = 1700000000 };

static const char *const CASES[] = {
    "case ojin/fuzz/speech\ntitle \"t\"\nexpect \"e\"\nclause OJ-SRV-06 MUST\nlimit 8s\nclient {\n"
    "  begin\n  send speech file=\"a.wav\"\n  recv speech count=3 within=2s\n  send cancel\n"
    "  recv silence within=3s\n  none speech for=1s\n  none final for=500ms\n}\n",
    "case ojin/fuzz/error\ntitle \"t\"\nexpect \"e\"\nclause OJ-SRV-12 MUST\nclause OJ-SRV-14 MUST\nlimit "
    "10s\n"
    "client {\n  begin\n  repeat 2 {\n    send input truncate=7\n    recv error code=INVALID_MESSAGE\n  }\n"
    "  recv frame count=4\n}\n",
    "case ojin/fuzz/mouth\ntitle \"t\"\nexpect \"e\"\nclause OJ-SRV-08 MUST\nlimit 8s\nclient {\n  begin\n"
    "  watch wide\n  send speech file=\"a.wav\"\n  recv speech within=2s\n  watch narrow\n"
    "  send speech file=\"a.wav\"\n  recv speech within=2s\n  recv silence within=2s\n"
    "  compare wide narrow at-most=75\n}\n",
    "case duplex/fuzz/turn\ntitle \"t\"\nexpect \"e\"\nclause DX-SRV-07 MUST\nclause DX-SRV-08 SHOULD\n"
    "clause DX-SRV-18 MUST\nlimit 8s\nclient {\n  begin\n  send append file=\"a.wav\" every=500ms\n"
    "  recv delta within=2s\n  recv turn-end within=2s\n  recv listen within=2s clause=DX-SRV-18\n}\n",
    "case interview/fuzz/turn\ntitle \"t\"\nexpect \"e\"\nclause IV-SRV-04 MUST\nclause IV-SRV-09 MUST\n"
    "limit 8s\nclient {\n  begin\n  send chunk file=\"a.wav\" every=400ms\n  wait 1s\n  rest\n  send "
    "commit\n"
    "  recv transcript code=candidate within=2s\n  recv final within=2s\n}\n",
    "case interview/fuzz/twice\ntitle \"t\"\nexpect \"e\"\nclause IV-SRV-02 MUST\nlimit 8s\nclient {\n  "
    "begin\n"
    "  hold\n  connect\n  recv close within=5s\n}\n",
};
enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

enum operation {
    OP_RAW,
    OP_TEXT,
    OP_BINARY,
    OP_FRAME, /* of any opcode, with any bits */
    OP_ACCEPT,
    OP_VECTOR,
    OP_WAIT,
    OP_END,
    OP_COUNT
};

/* Messages of a family from its servers, as its vectors have them: made once. */
struct shelf {
    size_t count;
    struct {
        size_t len;
        bool is_binary;
        uint8_t data[VECTOR_BYTES_MAX];
    } of[VECTORS_MAX];
};

struct given {
    struct case_script *script[CASE_COUNT];
    struct shelf *shelf[CASE_COUNT];
    int16_t pcm[PCM_BYTES / sizeof(int16_t)];
};

struct server {
    struct drive *drive;
    struct journal *journal;
    const struct shelf *shelf;
    uint64_t now_us;
    bool connected;
    size_t
        piece; /* what comes, comes in pieces of that size, with one byte alone between any two; 0: whole */
    size_t sent;
    uint8_t key[WS_KEY_CHARS];
    bool has_key;
};

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* ---- what is made once ---- */

static bool take_vector(void *context, const struct vector *vector)
{
    struct shelf *shelf = context;
    if (vector->from_client || vector->message.len > VECTOR_BYTES_MAX)
        return true;
    if (vector->message.len > 0)
        memcpy(shelf->of[shelf->count].data, vector->message.data, vector->message.len);
    shelf->of[shelf->count].len = vector->message.len;
    shelf->of[shelf->count].is_binary = strcmp(vector->kind, "text") != 0;
    return ++shelf->count < VECTORS_MAX;
}

static const struct given *make_given(void)
{
    static struct given given;
    static bool made;
    if (made)
        return &given;
    for (size_t i = 0; i < CASE_COUNT; i++) {
        char error[SCRIPT_ERROR_MAX];
        const struct bytes text = bytes_of_text(CASES[i]);
        given.script[i] = case_script_parse("fuzz", text, case_family_of_script(text), error);
        given.shelf[i] = calloc(1, sizeof *given.shelf[i]);
        check(given.script[i] != NULL && given.shelf[i] != NULL);
        (void)vectors_make(given.script[i]->class->family->name, &(struct vectors_wanted){0}, take_vector,
                           given.shelf[i]);
        check(given.shelf[i]->count > 0);
    }
    for (size_t i = 0; i < PCM_BYTES / sizeof(int16_t); i++)
        given.pcm[i] = (int16_t)(i * 7919 % 20000);
    made = true;
    return &given;
}

/* As much motion as two pictures differ in length. */
static bool picture_motion(void *context, struct bytes jpeg, bool first, double cells[MOTION_CELLS])
{
    size_t *before = context;
    for (size_t i = 0; i < MOTION_CELLS; i++)
        cells[i] = first ? 0 : (double)(*before > jpeg.len ? *before - jpeg.len : jpeg.len - *before);
    *before = jpeg.len;
    return jpeg.len > 1 && jpeg.data[0] == 0xFF;
}

/* ---- the host ---- */

/* The key of the connection's request, the first that goes out there. Only where a name may begin are bytes
 * compared: the fuzzer watches each comparison. */
static void note_key(struct server *server, struct bytes out)
{
    static const char NAME[] = "Sec-WebSocket-Key: ";
    const size_t name_len = sizeof NAME - 1;
    const uint8_t *at = out.data;
    while (!server->has_key && (at = memchr(at, NAME[0], (size_t)(out.data + out.len - at))) != NULL) {
        if ((size_t)(out.data + out.len - at) < name_len + WS_KEY_CHARS)
            return;
        server->has_key = memcmp(at, NAME, name_len) == 0;
        if (server->has_key)
            memcpy(server->key, at + name_len, WS_KEY_CHARS);
        at++;
    }
}

/* Plays on until nothing is wanted at this moment. */
static void turn(struct server *server)
{
    for (int i = 0; i < TURNS_MAX && !drive_is_over(server->drive); i++) {
        drive_step(server->drive, server->now_us);
        const struct bytes out = drive_output(server->drive);
        if (drive_is_over(server->drive)) {
            return;
        } else if (drive_wants_transport(server->drive)) {
            server->connected = true;
            server->has_key = false;
            drive_connected(server->drive, server->now_us);
        } else if (drive_wants_end(server->drive)) {
            server->connected = false;
            drive_ended(server->drive, server->now_us, false);
        } else if (drive_wants_hold(server->drive)) {
            server->connected = false;
            drive_held(server->drive, server->now_us);
        } else if (out.len > 0 && server->connected) {
            note_key(server, out);
            drive_sent(server->drive, server->now_us, out.len);
        } else {
            return;
        }
    }
}

static void send(struct server *server, struct bytes bytes)
{
    server->sent += bytes.len;
    for (size_t at = 0, turns = 0; server->connected && server->sent <= SENT_BYTES_MAX && at < bytes.len;
         turns++) {
        const size_t left = bytes.len - at, wanted = server->piece == 0 ? left
                                                     : turns % 2 == 0   ? server->piece
                                                                        : 1;
        const size_t len = wanted < left ? wanted : left;
        const struct exact_copy copy = exact_copy_of(bytes_of(bytes.data + at, len));
        drive_received(server->drive, server->now_us, copy.bytes);
        exact_copy_free(copy);
        at += len;
    }
}

static void send_frame(struct server *server, uint8_t opcode, bool fin, uint8_t rsv, struct bytes payload)
{
    uint8_t frame[WS_FRAME_HEADER_BYTES_MAX + VECTOR_BYTES_MAX];
    const struct ws_frame_bits bits = {
        .opcode = opcode & 15, .fin = fin, .rsv = rsv & 7, .mask = WS_MASK_NONE, .length = payload.len};
    const size_t head = ws_frame_write_header(&bits, frame);
    if (payload.len > 0)
        memcpy(frame + head, payload.data, payload.len);
    send(server, bytes_of(frame, head + payload.len));
}

static void accept_upgrade(struct server *server)
{
    struct buffer answer;
    buffer_init(&answer, OUT_BYTES_MAX);
    check(ws_response_write(server->has_key ? bytes_of(server->key, WS_KEY_CHARS) : bytes_of_text("none"),
                            NULL, bytes_of(NULL, 0), &answer));
    send(server, buffer_bytes(&answer));
    buffer_free(&answer);
}

static uint8_t next(struct bytes *input)
{
    if (input->len == 0)
        return 0;
    const uint8_t byte = input->data[0];
    *input = bytes_of(input->data + 1, input->len - 1);
    return byte;
}

static struct bytes next_bytes(struct bytes *input)
{
    const size_t wanted = next(input), len = wanted < input->len ? wanted : input->len;
    const struct bytes found = bytes_of(input->data, len);
    *input = bytes_of(input->data + len, input->len - len);
    return found;
}

static void operate(struct server *server, struct bytes *input)
{
    switch ((enum operation)(next(input) % OP_COUNT)) {
    case OP_RAW:
        send(server, next_bytes(input));
        return;
    case OP_TEXT:
        send_frame(server, WS_OPCODE_TEXT, true, 0, next_bytes(input));
        return;
    case OP_BINARY:
        send_frame(server, WS_OPCODE_BINARY, true, 0, next_bytes(input));
        return;
    case OP_FRAME: {
        const uint8_t opcode = next(input), bits = next(input);
        send_frame(server, opcode, (bits & 1) != 0, (uint8_t)(bits >> 5), next_bytes(input));
        return;
    }
    case OP_ACCEPT:
        accept_upgrade(server);
        return;
    case OP_VECTOR: {
        const size_t high = next(input), n = (high << 8 | next(input)) % server->shelf->count;
        send_frame(server, server->shelf->of[n].is_binary ? WS_OPCODE_BINARY : WS_OPCODE_TEXT, true, 0,
                   bytes_of(server->shelf->of[n].data, server->shelf->of[n].len));
        return;
    }
    case OP_WAIT:
        server->now_us += (next(input) + (uint64_t)1) * TIME_UNIT_US;
        return;
    case OP_END:
        if (server->connected) {
            server->connected = false;
            drive_ended(server->drive, server->now_us, next(input) % 2 == 1);
        }
        return;
    case OP_COUNT:
        return;
    }
}

/* The server says no more: all that is left ends in time. */
static void run_out(struct server *server)
{
    for (int i = 0; !drive_is_over(server->drive); i++) {
        const uint64_t due_us = drive_deadline_us(server->drive);
        check(i < STEPS_MAX && due_us != UINT64_MAX);
        server->now_us = due_us > server->now_us ? due_us : server->now_us + 1;
        turn(server);
    }
}

/* ---- one way ---- */

static void check_outcomes(const struct drive *drive)
{
    check(drive_outcome_count(drive) <= DRIVE_OUTCOMES_MAX);
    for (size_t i = 0; i < drive_outcome_count(drive); i++) {
        const struct drive_outcome *outcome = drive_outcome_at(drive, i);
        check(memchr(outcome->name, '\0', sizeof outcome->name) != NULL);
        check(memchr(outcome->expected, '\0', sizeof outcome->expected) != NULL);
        check(memchr(outcome->actual, '\0', sizeof outcome->actual) != NULL);
    }
}

static void play(const struct given *given, size_t n, uint8_t seed, struct bytes input, size_t piece,
                 struct case_result *out)
{
    const struct case_script *script = given->script[n];
    const struct profile *profile = script->class->family->profiles[0];
    struct journal_header header = {.epoch_ms = EPOCH_S * (uint64_t)1000, .speed = 1, .key_known = true};
    size_t picture_bytes = 0;
    journal_header_class(&header, script->class);
    struct server server = {
        .journal = journal_new(&header, bytes_of_text("a-key")), .shelf = given->shelf[n], .piece = piece};
    check(server.journal != NULL);
    const struct drive_options options = {
        .script = script,
        .target = {.authority = "a",
                   .path = "/a",
                   .query = "",
                   .key = "a-key",
                   .config = "c",
                   .candidate = "x",
                   .now_s = EPOCH_S},
        .rules = {.profile = profile,
                  .epoch_ms = EPOCH_S * (uint64_t)1000,
                  .key = bytes_of_text("a-key"),
                  .config = bytes_of_text("c"),
                  .picture_size = jpeg_picture_size},
        .seed = seed,
        .journal = server.journal,
        .speech_count = 1,
        .speech = {{.file = "a.wav", .pcm = bytes_of((const uint8_t *)given->pcm, PCM_BYTES)}},
        .picture_motion = picture_motion,
        .context = &picture_bytes};
    server.drive = drive_new(&options);
    check(server.drive != NULL);
    turn(&server);
    for (int i = 0; i < OPERATIONS_MAX && input.len > 0 && !drive_is_over(server.drive); i++) {
        operate(&server, &input);
        turn(&server);
    }
    run_out(&server);
    check_outcomes(server.drive);
    const struct server_judge_input judged = {
        .script = script, .drive = server.drive, .journal = server.journal, .profile = profile};
    server_judge_case(&judged, out);
    drive_free(server.drive);
    journal_free(server.journal);
}

static void check_alike(const struct case_result *a, const struct case_result *b)
{
    check(a->verdict == b->verdict && a->check_count == b->check_count && strcmp(a->note, b->note) == 0);
    for (size_t i = 0; i < a->check_count; i++) {
        const struct check_result *one = &a->checks[i], *other = &b->checks[i];
        check(one->requirement == other->requirement && one->verdict == other->verdict);
        check(strcmp(one->name, other->name) == 0 && strcmp(one->actual, other->actual) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static struct case_result whole, pieces;
    const struct given *given = make_given();
    if (len < 2 || len > 2 + BYTES_MAX)
        return 0;
    const struct bytes input = bytes_of(data + 2, len - 2);
    play(given, data[0] % CASE_COUNT, data[1], input, 0, &whole);
    if (len % 8 != 0)
        return 0;
    play(given, data[0] % CASE_COUNT, data[1], input, 1U + data[1] % PIECE_MAX, &pieces);
    check_alike(&whole, &pieces);
    return 0;
}
