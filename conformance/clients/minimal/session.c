#include "session.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "parts.h"

enum { OPCODE_CONTINUATION, OPCODE_TEXT, OPCODE_BINARY, OPCODE_CLOSE = 8, OPCODE_PING, OPCODE_PONG };

enum {
    FRAME_BYTES = 1280,   /* 640 samples, 40 ms */
    CHUNK_BYTES = 102400, /* of speech, a message: eight times 400 ms */
    CHUNK_EVERY_MS = 250, /* at most six messages a second are allowed, control messages among them */
    INPUT_HEADER_BYTES = 13,
    RESPONSE_HEADER_BYTES = 37,
    ENTRY_BYTES = 5,
    WAIT_MS = 10000,
    CLOSE_NO_FRAME = 1006
};

static uint64_t milliseconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static void random_bytes(uint8_t *out, size_t count)
{
    FILE *file = fopen("/dev/urandom", "rb");
    if (file == NULL || fread(out, 1, count, file) != count)
        abort();
    fclose(file);
}

static void put_big_endian(uint8_t *out, size_t bytes, uint64_t value)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(value >> (8 * (bytes - 1 - i)));
}

static uint64_t big_endian(const uint8_t *from, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | from[i];
    return value;
}

/* ---- what it says ---- */

static void session_ended(struct session *session, unsigned code)
{
    if (session->over)
        return;
    session->over = true;
    if (session->socket >= 0)
        close(session->socket);
    if (session->observes) {
        printf("{\"conform\":1,\"seen\":\"closed\",\"code\":%u}\n", code);
        fflush(stdout);
    }
}

/* `code` and `text` are texts as they are, or stand in JSON already. */
static void session_fail(struct session *session, const char *code, const char *text, bool in_json)
{
    if (session->over)
        return;
    session->failed = true;
    fprintf(stderr, "%s %s\n", code, text);
    if (!session->observes)
        return;
    fputs("{\"conform\":1,\"seen\":\"error\",\"code\":", stdout);
    say_string(code, strlen(code));
    fputs(",\"text\":", stdout);
    if (in_json)
        printf("\"%s\"", text);
    else
        say_string(text, strlen(text));
    puts("}");
    fflush(stdout);
}

/* ---- bytes ---- */

static void session_lost(struct session *session)
{
    session_ended(session, CLOSE_NO_FRAME);
}

static void send_all(struct session *session, const uint8_t *data, size_t length)
{
    while (length > 0 && !session->over) {
        const ssize_t sent = send(session->socket, data, length, MSG_NOSIGNAL);
        if (sent <= 0) {
            session_lost(session);
            return;
        }
        data += sent;
        length -= (size_t)sent;
    }
}

static bool receive_all(struct session *session, uint8_t *out, size_t length)
{
    while (length > 0 && !session->over) {
        const ssize_t got = recv(session->socket, out, length, 0);
        if (got <= 0) {
            session_lost(session);
            return false;
        }
        out += got;
        length -= (size_t)got;
    }
    return !session->over;
}

/* A frame of the client is masked: 5.2 of RFC 6455. */
/* No frame follows the close: 5.5.1 of RFC 6455. */
static void send_frame(struct session *session, int opcode, const uint8_t *payload, size_t length)
{
    uint8_t *frame = session->closing ? NULL : malloc(14 + length);
    size_t at = 2;
    if (session->closing)
        return;
    if (frame == NULL)
        abort();
    session->closing = opcode == OPCODE_CLOSE;
    frame[0] = (uint8_t)(0x80 | opcode);
    if (length < 126) {
        frame[1] = (uint8_t)(0x80 | length);
    } else if (length <= UINT16_MAX) {
        frame[1] = 0x80 | 126;
        put_big_endian(frame + 2, 2, length);
        at = 4;
    } else {
        frame[1] = 0x80 | 127;
        put_big_endian(frame + 2, 8, length);
        at = 10;
    }
    const uint8_t *mask = frame + at;
    random_bytes(frame + at, 4);
    at += 4;
    for (size_t i = 0; i < length; i++)
        frame[at + i] = payload[i] ^ mask[i % 4];
    send_all(session, frame, at + length);
    free(frame);
}

static void send_close(struct session *session, unsigned code)
{
    send_frame(session, OPCODE_CLOSE, (const uint8_t[]){(uint8_t)(code >> 8), (uint8_t)code}, 2);
}

/* The server broke the WebSocket protocol: says so, and is gone. */
static void session_leave(struct session *session, unsigned code)
{
    session->failed = true;
    send_close(session, code);
    session_ended(session, CLOSE_NO_FRAME);
}

/* ---- the handshake ---- */

static int connect_to(const char *host, const char *port)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    if (getaddrinfo(host, port, &hints, &found) != 0)
        return -1;
    int result = -1;
    for (struct addrinfo *one = found; one != NULL && result < 0; one = one->ai_next) {
        result = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
        if (result >= 0 && connect(result, one->ai_addr, one->ai_addrlen) != 0) {
            close(result);
            result = -1;
        }
    }
    freeaddrinfo(found);
    return result;
}

/* A nonce of 16 bytes, in base64. Only its form matters. */
static void make_nonce(char out[25])
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t bytes[21];
    random_bytes(bytes, sizeof bytes);
    for (size_t i = 0; i < 21; i++)
        out[i] = DIGITS[bytes[i] % 64];
    out[21] = DIGITS[bytes[0] % 4 * 16]; /* the last two bits of the sixteenth byte */
    memcpy(out + 22, "==", 3);
}

static void percent_encode(const char *in, char *out)
{
    static const char PLAIN[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    for (; *in != '\0'; in++) {
        if (strchr(PLAIN, *in) != NULL)
            *out++ = *in;
        else
            out += sprintf(out, "%%%02X", (unsigned)(unsigned char)*in);
    }
    *out = '\0';
}

static bool shake_hands(struct session *session, const char *url, const char *key, const char *config)
{
    char host[256], port[8], path[256], nonce[25], status[4] = "";
    session->socket = -1;
    if (sscanf(url, "ws://%255[^:/]:%7[0-9]%255s", host, port, path) == 3)
        session->socket = connect_to(host, port);
    if (session->socket < 0) {
        session_fail(session, "NO_CONNECTION", "there is no connection", false);
        return false;
    }
    const size_t size = 1024 + strlen(path) + 3 * strlen(config) + strlen(key);
    char *request = malloc(size), *query = malloc(3 * strlen(config) + 1);
    if (request == NULL || query == NULL)
        abort();
    make_nonce(nonce);
    percent_encode(config, query);
    const int length = snprintf(
        request, size,
        "GET %s?config_id=%s HTTP/1.1\r\nHost: %s:%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\nAuthorization: %s\r\n\r\n",
        path, query, host, port, nonce, key);
    send_all(session, (const uint8_t *)request, (size_t)length);
    free(request);
    free(query);
    /* The head of the answer, a byte at a time, so that nothing of what follows is taken. */
    const uint64_t deadline = milliseconds_of(CLOCK_MONOTONIC) + WAIT_MS;
    struct pollfd readable = {.fd = session->socket, .events = POLLIN};
    size_t at = 0;
    while (at < MESSAGE_MAX && (at < 4 || memcmp(session->message + at - 4, "\r\n\r\n", 4) != 0) &&
           milliseconds_of(CLOCK_MONOTONIC) < deadline && poll(&readable, 1, WAIT_MS) > 0 &&
           receive_all(session, session->message + at, 1))
        at++;
    session->message[at] = '\0';
    if (sscanf((const char *)session->message, "HTTP/1.1 %3s", status) == 1 && strcmp(status, "101") == 0)
        return true;
    session->over = false; /* so that it is told */
    session_fail(session, status, "the handshake was refused", false);
    session->over = true;
    return false;
}

/* ---- receiving: frames of the service ---- */

struct frame {
    bool final;
    const uint8_t *interaction;
    uint32_t index;
    const uint8_t *payloads[3]; /* sound and picture, by their type */
    size_t sizes[3];
};

static bool read_frame(const struct session *session, struct frame *frame)
{
    const uint8_t *message = session->message;
    if (session->length < RESPONSE_HEADER_BYTES)
        return false;
    *frame = (struct frame){
        .final = message[0] == 1, .interaction = message + 1, .index = (uint32_t)big_endian(message + 29, 4)};
    size_t at = RESPONSE_HEADER_BYTES;
    for (uint64_t left = big_endian(message + 33, 4); left > 0; left--) {
        if (session->length - at < ENTRY_BYTES)
            return false;
        const uint64_t size = big_endian(message + at, 4);
        const uint8_t type = message[at + 4];
        at += ENTRY_BYTES;
        if (size > session->length - at)
            return false;
        if (type == 1 || type == 2) {
            frame->payloads[type] = message + at;
            frame->sizes[type] = (size_t)size;
        }
        at += (size_t)size;
    }
    return true;
}

static void say_frame(const struct session *session, const char *seen, const struct frame *frame, bool sound)
{
    static const char *const NAMES[] = {NULL, "audio", "image"};
    if (!session->observes)
        return;
    printf("{\"conform\":1,\"seen\":\"%s\",\"index\":%" PRIu32 ",\"final\":%s,\"interaction\":\"", seen,
           frame->index, frame->final ? "true" : "false");
    for (size_t i = 0; i < ID_BYTES; i++)
        printf("%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", frame->interaction[i]);
    putchar('"');
    for (size_t type = 1; type <= 2; type++)
        if (frame->payloads[type] != NULL && (sound || type == 2))
            printf(",\"%s\":%" PRIu32, NAMES[type], crc32_of(frame->payloads[type], frame->sizes[type]));
    puts("}");
    fflush(stdout);
}

static bool is_dropped(const struct session *session, const uint8_t *interaction)
{
    for (size_t i = 0; i < session->dropped_count; i++)
        if (memcmp(session->dropped[i], interaction, ID_BYTES) == 0)
            return true;
    return false;
}

static void take_binary(struct session *session)
{
    struct frame frame;
    if (!read_frame(session, &frame)) {
        session_fail(session, "BAD_FRAME", "it is no whole frame", false);
        return;
    }
    const bool dropped = is_dropped(session, frame.interaction);
    say_frame(session, "frame", &frame, true);
    session->final = session->final || (frame.final && !dropped);
    if (frame.index == 1 && dropped)
        return;
    if (frame.index == 1) {
        memcpy(session->interaction, frame.interaction, ID_BYTES);
        session->speaks = true;
        session->speech++;
    }
    /* Our own speech would be heard, if this client played it; in the earlier revision that of the frame. */
    if (frame.payloads[1] == NULL && frame.payloads[2] == NULL)
        return;
    session->idle = session->idle || (frame.index != 1 && session->speech > 0);
    say_frame(session, "played", &frame, session->earlier);
}

/* ---- receiving: texts ---- */

static void take_text(struct session *session)
{
    const char *text = (const char *)session->message;
    char code[ERROR_MAX + 1], sentence[ERROR_MAX + 1];
    if (!is_utf8(session->message, session->length)) {
        session_leave(session, 1007);
    } else if (strstr(text, "\"sessionReady\"") != NULL) {
        session->ready = true;
        if (session->observes) {
            puts("{\"conform\":1,\"seen\":\"ready\"}");
            fflush(stdout);
        }
    } else if (!looks_like_json(text)) {
        session_fail(session, "", text, false); /* plain text is for people */
    } else if (strstr(text, "\"errorResponse\"") != NULL) {
        string_of(text, "\"code\"", code);
        string_of(text, "\"message\"", sentence);
        if (strcmp(code, "CANCELLED") == 0 && session->cancelled)
            return;
        if (strcmp(code, "RATE_LIMITED") == 0)
            session->next_chunk_ms = milliseconds_of(CLOCK_MONOTONIC) + 1000;
        session_fail(session, code, sentence, true);
    }
}

/* ---- receiving: the WebSocket ---- */

static bool breaks_rfc6455(const struct session *session, const uint8_t head[2])
{
    const int opcode = head[0] & 15;
    const bool strange = (head[0] & 0x70) != 0 || (head[1] & 0x80) != 0 ||
                         (opcode > OPCODE_BINARY && opcode < OPCODE_CLOSE) || opcode > OPCODE_PONG;
    if (opcode >= OPCODE_CLOSE)
        return strange || (head[0] & 0x80) == 0 || (head[1] & 127) > 125;
    return strange || (opcode == OPCODE_CONTINUATION) == (session->kind == 0);
}

static void take_close(struct session *session, const uint8_t *payload, size_t length)
{
    const unsigned code = length >= 2 ? (unsigned)big_endian(payload, 2) : 1005;
    const bool legal =
        (code >= 1000 && code <= 1014 && (code < 1004 || code > 1006)) || (code >= 3000 && code <= 4999);
    if (length == 1 || (length > 0 && (!legal || !is_utf8(payload + 2, length - 2)))) {
        session_leave(session, 1002);
        return;
    }
    send_frame(session, OPCODE_CLOSE, payload, length < 2 ? 0 : 2);
    session_ended(session, code);
}

static void take_control(struct session *session, int opcode, size_t length)
{
    uint8_t payload[125];
    if (!receive_all(session, payload, length))
        return;
    if (opcode == OPCODE_PING)
        send_frame(session, OPCODE_PONG, payload, length);
    else if (opcode == OPCODE_CLOSE)
        take_close(session, payload, length);
}

static void take_frame(struct session *session)
{
    uint8_t head[10], dropped;
    if (!receive_all(session, head, 2))
        return;
    const int opcode = head[0] & 15;
    uint64_t length = head[1] & 127;
    if (breaks_rfc6455(session, head)) {
        session_leave(session, 1002);
        return;
    }
    if (length >= 126) {
        const size_t more = length == 126 ? 2 : 8;
        if (!receive_all(session, head + 2, more))
            return;
        length = big_endian(head + 2, more);
    }
    if (opcode >= OPCODE_CLOSE) {
        take_control(session, opcode, (size_t)length);
        return;
    }
    if (opcode != OPCODE_CONTINUATION) {
        session->kind = opcode;
        session->length = 0;
    }
    const size_t room = MESSAGE_MAX - session->length;
    const size_t kept = length < room ? (size_t)length : room;
    if (receive_all(session, session->message + session->length, kept))
        session->length += kept;
    for (uint64_t i = kept; i < length && !session->over; i++)
        (void)receive_all(session, &dropped, 1);
    if ((head[0] & 0x80) == 0 || session->over)
        return;
    const int kind = session->kind;
    session->kind = 0;
    session->message[session->length] = '\0';
    if (kind == OPCODE_TEXT)
        take_text(session);
    else
        take_binary(session);
}

/* ---- what it does ---- */

static void send_audio(struct session *session, const uint8_t *samples, size_t length)
{
    uint8_t *message = malloc(INPUT_HEADER_BYTES + length);
    if (message == NULL)
        abort();
    message[0] = 1;
    put_big_endian(message + 1, 8, milliseconds_of(CLOCK_REALTIME));
    put_big_endian(message + 9, 4, 0); /* no params */
    memcpy(message + INPUT_HEADER_BYTES, samples, length);
    send_frame(session, OPCODE_BINARY, message, INPUT_HEADER_BYTES + length);
    free(message);
}

static void send_due(struct session *session, uint64_t now)
{
    if (session->unsent_bytes == 0 || now < session->next_chunk_ms)
        return;
    const size_t length = session->unsent_bytes < CHUNK_BYTES ? session->unsent_bytes : CHUNK_BYTES;
    send_audio(session, session->unsent, length);
    session->unsent += length;
    session->unsent_bytes -= length;
    session->next_chunk_ms = milliseconds_of(CLOCK_MONOTONIC) + CHUNK_EVERY_MS; /* from when it is sent */
}

void session_run(struct session *session, session_condition *condition, unsigned long count,
                 uint64_t milliseconds)
{
    const uint64_t deadline = milliseconds_of(CLOCK_MONOTONIC) + milliseconds;
    while (!session->over && !condition(session, count)) {
        const uint64_t now = milliseconds_of(CLOCK_MONOTONIC);
        struct pollfd readable = {.fd = session->socket, .events = POLLIN};
        if (now >= deadline)
            return;
        send_due(session, now);
        const uint64_t left = deadline - now;
        if (poll(&readable, 1, left < 20 || session->unsent_bytes == 0 ? (int)left : 20) > 0)
            take_frame(session);
    }
}

bool session_never(const struct session *session, unsigned long count)
{
    (void)session;
    (void)count;
    return false;
}

static bool is_answered(const struct session *session, unsigned long count)
{
    (void)count;
    return session->ready || session->failed;
}

static bool is_sent(const struct session *session, unsigned long count)
{
    (void)count;
    return session->unsent_bytes == 0;
}

static bool is_final(const struct session *session, unsigned long count)
{
    (void)count;
    return session->final;
}

void session_open(struct session *session, const char *url, const char *key, const char *config,
                  const char *profile)
{
    static const uint8_t SILENCE[FRAME_BYTES];
    session->earlier = profile != NULL && strcmp(profile, "oris-1.0-earlier") == 0;
    if (!shake_hands(session, url, key, config))
        return;
    session->open = true;
    session_run(session, is_answered, 0, WAIT_MS);
    if (!session->ready && !session->failed)
        session_fail(session, "READY_TIMEOUT", "no sessionReady within 10 s", false);
    if (session->ready && !session->earlier) /* a frame of silence starts the stream */
        send_audio(session, SILENCE, sizeof SILENCE);
}

/* Behind what is still to be sent. */
static bool add_speech(struct session *session, const char *path)
{
    size_t bytes = 0;
    uint8_t *file = malloc(WAV_MAX);
    const uint8_t *samples = file == NULL ? NULL : read_speech(path, file, &bytes);
    uint8_t *joined = samples == NULL ? NULL : malloc(session->unsent_bytes + bytes + 1);
    if (joined != NULL) {
        if (session->unsent_bytes > 0)
            memcpy(joined, session->unsent, session->unsent_bytes);
        memcpy(joined + session->unsent_bytes, samples, bytes);
        free(session->speech_file);
        session->speech_file = joined;
        session->unsent = joined;
        session->unsent_bytes += bytes;
    }
    free(file);
    return joined != NULL;
}

void session_speak(struct session *session, const char *path)
{
    session->speech = 0;
    session->idle = false;
    if (!add_speech(session, path))
        session_fail(session, "UNSUPPORTED_AUDIO", "the sound is not 16 bit mono at 16 kHz", false);
}

static void send_control(struct session *session, const char *type)
{
    char text[100];
    const int length =
        snprintf(text, sizeof text, "{\"type\":\"%s\",\"payload\":{\"timestamp\":%" PRIu64 "}}", type,
                 milliseconds_of(CLOCK_REALTIME));
    send_frame(session, OPCODE_TEXT, (const uint8_t *)text, (size_t)length);
}

void session_cancel(struct session *session)
{
    session->unsent_bytes = 0;
    session->cancelled = true;
    if (session->speaks && session->dropped_count < DROPPED_MAX)
        memcpy(session->dropped[session->dropped_count++], session->interaction, ID_BYTES);
    if (session->observes) {
        puts("{\"conform\":1,\"seen\":\"cancelled\"}");
        fflush(stdout);
    }
    send_control(session, "cancelInteraction");
}

void session_end(struct session *session)
{
    session_run(session, is_sent, 0, 600000);
    session_run(session, session_never, 0, CHUNK_EVERY_MS);
    send_control(session, "endInteraction");
    session_run(session, is_final, 0, WAIT_MS);
    session_close(session);
}

void session_close(struct session *session)
{
    if (session->open)
        send_close(session, 1000);
    session_run(session, session_never, 0, 2000);
    session_lost(session);
}
