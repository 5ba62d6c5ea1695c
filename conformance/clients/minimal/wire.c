/*
 * The wire tier in C, on a bare socket: no library, one file. It finds the service in its environment
 * (OJIN_URL, OJIN_API_KEY, OJIN_CONFIG_ID, OJIN_AUDIO), speaks the sound file, reads on to the final frame
 * and closes. It knows nothing of the suite but the name of the profile, and plays nothing.
 *
 * Exit: 0 done, 1 an error came or the file cannot be spoken, 99 something is not set.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <netdb.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { OPCODE_CONTINUATION, OPCODE_TEXT, OPCODE_BINARY, OPCODE_CLOSE = 8, OPCODE_PING, OPCODE_PONG };

enum {
    SAMPLE_RATE = 16000,
    FRAME_BYTES = 1280,   /* 640 samples, 40 ms */
    CHUNK_BYTES = 102400, /* of speech, a message: eight times 400 ms */
    CHUNK_EVERY_MS = 250, /* at most six messages a second are allowed, control messages among them */
    INPUT_HEADER_BYTES = 13,
    RESPONSE_HEADER_BYTES = 37,
    MESSAGE_MAX = 65536, /* kept of one that is received; the rest is read and dropped */
    WAV_MAX = 64 * 1024 * 1024,
    WAIT_MS = 10000
};

struct session {
    int socket;
    bool ready, final, failed, over;
    int kind; /* of the message being received */
    size_t length;
    uint8_t message[MESSAGE_MAX + 1];
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

/* ---- bytes ---- */

static void session_lost(struct session *session)
{
    if (!session->over)
        close(session->socket);
    session->over = true;
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
static void send_frame(struct session *session, int opcode, const uint8_t *payload, size_t length)
{
    uint8_t *frame = malloc(14 + length);
    size_t at = 2;
    if (frame == NULL)
        abort();
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

/* `url`: ws://HOST:PORT/PATH. True when the server said 101. */
static bool open_session(struct session *session, const char *url, const char *key, const char *config)
{
    char host[256], port[8], path[256], nonce[25], status[4] = "";
    if (sscanf(url, "ws://%255[^:/]:%7[0-9]%255s", host, port, path) != 3)
        return false;
    session->socket = connect_to(host, port);
    if (session->socket < 0)
        return false;
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
    size_t at = 0;
    while (at < MESSAGE_MAX && (at < 4 || memcmp(session->message + at - 4, "\r\n\r\n", 4) != 0) &&
           receive_all(session, session->message + at, 1))
        at++;
    session->message[at] = '\0';
    return sscanf((const char *)session->message, "HTTP/1.1 %3s", status) == 1 && strcmp(status, "101") == 0;
}

/* ---- receiving ---- */

static void take_message(struct session *session)
{
    const char *text = (const char *)session->message;
    session->message[session->length] = '\0';
    if (session->kind == OPCODE_BINARY) {
        if (session->length >= RESPONSE_HEADER_BYTES && session->message[0] == 1)
            session->final = true;
    } else if (strstr(text, "\"sessionReady\"") != NULL) { /* a whole client reads it as JSON */
        session->ready = true;
    } else if (text[0] != '{' || strstr(text, "\"errorResponse\"") != NULL) {
        fprintf(stderr, "the server says: %s\n", text);
        session->failed = true;
    }
}

static void take_frame(struct session *session)
{
    uint8_t head[10], control[125];
    if (!receive_all(session, head, 2))
        return;
    const int opcode = head[0] & 15;
    uint64_t length = head[1] & 127;
    if (length >= 126) {
        const size_t more = length == 126 ? 2 : 8;
        if (!receive_all(session, head + 2, more))
            return;
        length = 0;
        for (size_t i = 0; i < more; i++)
            length = length << 8 | head[2 + i];
    }
    if (opcode >= OPCODE_CLOSE) {
        if (length > sizeof control || !receive_all(session, control, (size_t)length)) {
            session_lost(session);
            return;
        }
        if (opcode == OPCODE_PING)
            send_frame(session, OPCODE_PONG, control, (size_t)length);
        if (opcode == OPCODE_CLOSE) {
            send_frame(session, OPCODE_CLOSE, control, length < 2 ? 0 : 2);
            session_lost(session);
        }
        return;
    }
    if (opcode != OPCODE_CONTINUATION) {
        session->kind = opcode;
        session->length = 0;
    }
    const size_t room = MESSAGE_MAX - session->length;
    const size_t kept = length < room ? (size_t)length : room;
    uint8_t dropped;
    if (receive_all(session, session->message + session->length, kept))
        session->length += kept;
    for (uint64_t i = kept; i < length && !session->over; i++)
        (void)receive_all(session, &dropped, 1);
    if ((head[0] & 0x80) != 0 && !session->over)
        take_message(session);
}

/* Reads on until one of the two holds, the time is up or the connection is over. */
static void read_on(struct session *session, const bool *one, const bool *other, int milliseconds)
{
    const uint64_t deadline = milliseconds_of(CLOCK_MONOTONIC) + (uint64_t)milliseconds;
    while (!session->over && !*one && !*other) {
        const uint64_t now = milliseconds_of(CLOCK_MONOTONIC);
        struct pollfd readable = {.fd = session->socket, .events = POLLIN};
        if (now >= deadline || poll(&readable, 1, (int)(deadline - now)) <= 0)
            return;
        take_frame(session);
    }
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

static void speak(struct session *session, const uint8_t *samples, size_t length)
{
    const bool never = false;
    for (size_t at = 0; at < length && !session->over; at += CHUNK_BYTES) {
        send_audio(session, samples + at, length - at < CHUNK_BYTES ? length - at : CHUNK_BYTES);
        read_on(session, &never, &never, CHUNK_EVERY_MS);
    }
}

static void end(struct session *session)
{
    char text[80];
    const bool never = false;
    const int length =
        snprintf(text, sizeof text, "{\"type\":\"endInteraction\",\"payload\":{\"timestamp\":%" PRIu64 "}}",
                 milliseconds_of(CLOCK_REALTIME));
    send_frame(session, OPCODE_TEXT, (const uint8_t *)text, (size_t)length);
    read_on(session, &session->final, &never, WAIT_MS);
    send_frame(session, OPCODE_CLOSE, (const uint8_t[]){1000 >> 8, 1000 & 255}, 2);
    read_on(session, &never, &never, 2000);
}

/* The samples of a WAV file, when they are 16 bit mono at 16 kHz: another sound would have to be converted
 * first. */
static const uint8_t *read_speech(const char *path, uint8_t *file, size_t *length)
{
    FILE *in = fopen(path, "rb");
    const size_t size = in == NULL ? 0 : fread(file, 1, WAV_MAX, in);
    if (in != NULL)
        fclose(in);
    static const uint8_t FORMAT[16] = {1, 0, 1,  0, SAMPLE_RATE & 255, SAMPLE_RATE >> 8, 0, 0, 0, 125, 0, 0,
                                       2, 0, 16, 0};
    bool right = false;
    if (size < 12 || memcmp(file, "RIFF", 4) != 0)
        return NULL;
    for (size_t at = 12; size - at >= 8;) {
        const uint8_t *chunk = file + at;
        size_t bytes = chunk[4] | (size_t)chunk[5] << 8 | (size_t)chunk[6] << 16 | (size_t)chunk[7] << 24;
        at += 8;
        bytes = bytes < size - at ? bytes : size - at;
        if (memcmp(chunk, "fmt ", 4) == 0 && bytes >= sizeof FORMAT)
            right = memcmp(chunk + 8, FORMAT, sizeof FORMAT) == 0;
        if (memcmp(chunk, "data", 4) == 0) {
            *length = bytes - bytes % 2;
            return right ? chunk + 8 : NULL;
        }
        at += bytes + (bytes % 2 != 0 && bytes < size - at);
    }
    return NULL;
}

int main(void)
{
    static struct session session;
    const char *url = getenv("OJIN_URL"), *key = getenv("OJIN_API_KEY"), *config = getenv("OJIN_CONFIG_ID");
    const char *audio = getenv("OJIN_AUDIO"), *profile = getenv("CONFORM_PROFILE");
    if (url == NULL || key == NULL || config == NULL) {
        fputs("OJIN_URL, OJIN_API_KEY and OJIN_CONFIG_ID have to be set\n", stderr);
        return 99;
    }
    if (!open_session(&session, url, key, config)) {
        fputs("no session: the handshake failed\n", stderr);
        return 1;
    }
    read_on(&session, &session.ready, &session.failed, WAIT_MS);
    if (!session.ready) {
        const bool never = false;
        read_on(&session, &never, &never, 2000); /* a server that refuses closes by itself */
        return 1;
    }
    /* A frame of silence starts the stream; in the earlier revision it starts by itself. */
    static const uint8_t SILENCE[FRAME_BYTES];
    if (profile == NULL || strcmp(profile, "oris-1.0-earlier") != 0)
        send_audio(&session, SILENCE, sizeof SILENCE);
    uint8_t *file = malloc(WAV_MAX);
    size_t length = 0;
    const uint8_t *samples = file == NULL || audio == NULL ? NULL : read_speech(audio, file, &length);
    if (samples == NULL) {
        fputs("the sound is not 16 bit mono at 16 kHz\n", stderr);
        session.failed = true;
    } else {
        speak(&session, samples, length);
    }
    free(file);
    end(&session);
    return session.failed ? 1 : 0;
}
