/* No secret comes out of a journal: a random key, in any spelling, in any piece of a request, and what a
 * request gives as a secret where no key is known. The spellings are made here by another way than they are
 * looked for. */
#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "codec/tests/suite.h"
#include "codec/wire/base64.h"
#include "server/journal/journal.h"

enum { ROUNDS = 6000, KEY_MIN = 8, KEY_MAX = 40, SPELLED_MAX = 400, HEAD_MAX = 2048, LINE_MAX = 16384 };

/* xorshift64*: the same keys every time. */
static uint64_t drawn(uint64_t *state, uint64_t below)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (*state * 0x2545F4914F6CDD1Dull >> 33) % below;
}

/* Where "@" stands, the spelling does. */
static const char *const PLACES[] = {
    "GET /realtime?config_id=a&@=1 HTTP/1.1\r\nHost: h\r\n\r\n",
    "GET /realtime?@ HTTP/1.1\r\nHost: h\r\n\r\n",
    "GET /realtime?config_id=a@b HTTP/1.1\r\nHost: h\r\n\r\n",
    "GET /@/realtime HTTP/1.1\r\nHost: h\r\n\r\n",
    "GET /realtime?config_id=a b@c d HTTP/1.1\r\nHost: h\r\n\r\n",
    "GET /realtime?config_id=a HTTP/1.1 x@y\r\nHost: h\r\n\r\n",
    "@ /realtime HTTP/1.1\r\nHost: h\r\n\r\n",
    "@",
    "GET /realtime HTTP/@\r\n\r\n",
    "GET / HTTP/1.1\r\n@: 1\r\n\r\n",
    "GET / HTTP/1.1\r\nX-A: 1\r\n folded @\r\n\r\n",
    "GET / HTTP/1.1\r\nno colon @\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: @.example\r\nOrigin: https://@\r\nReferer: http://a/?b=@\r\n\r\n",
    "GET / HTTP/1.1\r\nUser-Agent: agent (@)\r\n\r\n",
    "GET / HTTP/1.1\r\nSec-WebSocket-Key: @\r\n\r\n",
    "GET / HTTP/1.1\r\nSec-WebSocket-Protocol: realtime, x.@.y\r\n\r\n",
    "GET / HTTP/1.1\r\nAuthorization: Bearer @\r\nAuthorization: @\r\n\r\n",
    "GET / HTTP/1.1\r\nCookie: a=1; b@=2; c=d@e\r\n\r\n",
    "GET / HTTP/1.1\nAuthorization:@\n\n",
};

/* What the name alone says of a secret, without a key that is known. */
static const char *const NAMED[] = {
    "GET /realtime?token=@&a=1 HTTP/1.1\r\nHost: h\r\n\r\n",
    "GET /realtime?a=b c&api_key=@ HTTP/1.1\r\nHost: h\r\n\r\n",
    "GET / HTTP/1.1\r\nX-Api-Key: @\r\n\r\n",
    "GET / HTTP/1.1\r\nX-Auth-Token:\t@ \r\n\r\n",
    "GET / HTTP/1.1\r\nCookie: theme=dark; session=@\r\n\r\n",
    "GET / HTTP/1.1\r\ncookie: @\r\n\r\n",
    "GET / HTTP/1.1\r\nSec-WebSocket-Protocol: realtime, openai-insecure-api-key.@\r\n\r\n",
    "GET / HTTP/1.1\r\nSec-WebSocket-Protocol: authorization.bearer, @\r\n\r\n",
    "GET / HTTP/1.1\r\nAuthorization: Basic @\r\nProxy-Authorization: @\r\n\r\n",
};

enum spelling {
    PLAIN,
    PERCENT_ALL,
    PERCENT_SOME,
    HEX_SMALL,
    HEX_LARGE,
    BASE64,
    BASE64_URL,
    BASE64_INNER,
    SPELLINGS
};

struct spelled {
    char text[SPELLED_MAX];   /* as it is put into the head */
    char hidden[SPELLED_MAX]; /* what of it must not come out */
};

static void spell_base64(enum spelling how, struct bytes key, size_t in_front, struct spelled *out)
{
    char whole[SPELLED_MAX] = "";
    struct buffer encoded;
    memset(whole, 'u', in_front);
    memcpy(whole + in_front, key.data, key.len);
    const size_t len = in_front + key.len + (how == BASE64_INNER ? 5 : 0);
    memset(whole + in_front + key.len, 'v', len - in_front - key.len);
    buffer_init(&encoded, SPELLED_MAX);
    ck_assert(base64_encode(bytes_of(whole, len), &encoded) && buffer_append(&encoded, bytes_of("", 1)));
    memcpy(out->text, encoded.data, encoded.len);
    for (char *c = out->text; how == BASE64_URL && *c != '\0'; c++)
        *c = (char)(*c == '+' ? '-' : *c == '/' ? '_' : *c == '=' ? '\0' : *c);
    /* Digits that hold something of what stands around are left out. */
    const size_t first = (8 * in_front + 5) / 6;
    const size_t last = 8 * (in_front + key.len) / 6;
    memcpy(out->hidden, out->text + first, last - first);
    out->hidden[last - first] = '\0';
    buffer_free(&encoded);
}

static void spell(enum spelling how, struct bytes key, uint64_t *state, struct spelled *out)
{
    memset(out, 0, sizeof *out);
    if (how >= BASE64) {
        spell_base64(how, key, drawn(state, 7), out);
        return;
    }
    for (size_t i = 0, at = 0; i < key.len; i++) {
        const bool percent = how == PERCENT_ALL || (how == PERCENT_SOME && (i == 3 || drawn(state, 2) == 0));
        const bool hex = how == HEX_SMALL || how == HEX_LARGE;
        at += (size_t)snprintf(out->text + at, SPELLED_MAX - at,
                               percent            ? "%%%02X"
                               : how == HEX_SMALL ? "%02x"
                               : hex              ? "%02X"
                                                  : "%c",
                               key.data[i]);
    }
    memcpy(out->hidden, out->text, sizeof out->hidden);
}

static void put(const char *place, const char *spelling, char head[HEAD_MAX])
{
    size_t at = 0;
    for (const char *c = place; *c != '\0'; c++)
        at += (size_t)(*c == '@' ? snprintf(head + at, HEAD_MAX - at, "%s", spelling)
                                 : snprintf(head + at, HEAD_MAX - at, "%c", *c));
}

/* The journal's line, and what is shown to people, of a request with this head. */
static void told(const char *head, struct bytes key, struct buffer *out)
{
    struct buffer others;
    buffer_init(&others, HEAD_MAX);
    ck_assert(request_secrets(bytes_of_text(head), key, &others));
    const struct journal_entry entry = {.kind = JOURNAL_WIRE,
                                        .wire = {.kind = WIRE_EVENT_REQUEST, .data = bytes_of_text(head)},
                                        .key = key,
                                        .others = buffer_bytes(&others)};
    buffer_clear(out);
    ck_assert(journal_write_entry(&entry, out));
    ck_assert(journal_entry_shown(&entry, HEAD_MAX, out));
    ck_assert(buffer_append(out, bytes_of("", 1)));
    buffer_free(&others);
}

static struct bytes key_make(uint64_t *state, char key[KEY_MAX])
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    const size_t len = KEY_MIN + drawn(state, KEY_MAX - KEY_MIN);
    for (size_t i = 0; i < len; i++)
        key[i] = letters[drawn(state, sizeof letters - 1)];
    return bytes_of(key, len);
}

static void nothing_comes_out(const char *const places[], size_t place_count, bool known)
{
    uint64_t state = 16;
    char letters[KEY_MAX], head[HEAD_MAX], plain[KEY_MAX + 1] = "";
    struct spelled spelled;
    struct buffer out;
    buffer_init(&out, LINE_MAX);
    for (int round = 0; round < ROUNDS; round++) {
        const struct bytes key = key_make(&state, letters);
        const char *place = places[drawn(&state, place_count)];
        const enum spelling how = (enum spelling)drawn(&state, SPELLINGS);
        spell(how, key, &state, &spelled);
        put(place, spelled.text, head);
        memcpy(plain, key.data, key.len);
        plain[key.len] = '\0';
        ck_assert_ptr_nonnull(strstr(head, spelled.hidden));
        told(head, known ? key : (struct bytes){0}, &out);
        const char *text = (const char *)out.data;
        ck_assert_msg(strstr(text, spelled.hidden) == NULL && strstr(text, plain) == NULL,
                      "round %d, key %s:\n%s\n%s", round, plain, head, text);
    }
    buffer_free(&out);
}

START_TEST(a_key_never_comes_out_wherever_it_stands)
{
    nothing_comes_out(PLACES, TABLE_COUNT(PLACES), true);
    nothing_comes_out(NAMED, TABLE_COUNT(NAMED), true);
}
END_TEST

START_TEST(what_a_name_tells_of_never_comes_out)
{
    nothing_comes_out(NAMED, TABLE_COUNT(NAMED), false);
}
END_TEST

/* The password of "user:open-sesame-123", which a message may say without the user. */
START_TEST(the_password_of_basic_authorization_is_a_secret)
{
    static const char head[] = "GET / HTTP/1.1\r\nAuthorization: Basic dXNlcjpvcGVuLXNlc2FtZS0xMjM=\r\n\r\n";
    struct buffer others, out;
    buffer_init(&others, HEAD_MAX);
    buffer_init(&out, LINE_MAX);
    ck_assert(request_secrets(bytes_of_text(head), bytes_of(NULL, 0), &others));
    const struct journal_entry entry = {
        .kind = JOURNAL_WIRE,
        .wire = {.kind = WIRE_EVENT_TEXT,
                 .data = bytes_of_text("{\"said\":\"open-sesame-123\",\"by\":\"user\"}")},
        .others = buffer_bytes(&others)};
    ck_assert(journal_write_entry(&entry, &out) && buffer_append(&out, bytes_of("", 1)));
    ck_assert_ptr_null(strstr((const char *)out.data, "sesame"));
    ck_assert_ptr_nonnull(strstr((const char *)out.data, "user"));
    buffer_free(&others);
    buffer_free(&out);
}
END_TEST

START_TEST(what_is_no_secret_stays)
{
    static const char head[] = "GET /realtime?config_id=persona-1&voice=a%20b HTTP/1.1\r\n"
                               "Host: localhost:7700\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                               "Sec-WebSocket-Protocol: realtime, openai-beta.realtime-v1\r\n"
                               "User-Agent: a client/1.0 (Linux; x86_64)\r\n\r\n";
    struct buffer out;
    buffer_init(&out, LINE_MAX);
    told(head, bytes_of_text("another key"), &out);
    ck_assert_ptr_nonnull(strstr((const char *)out.data, head)); /* as people are shown it */
    buffer_free(&out);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("redaction");
    tcase_add_test(tcase, a_key_never_comes_out_wherever_it_stands);
    tcase_add_test(tcase, what_a_name_tells_of_never_comes_out);
    tcase_add_test(tcase, the_password_of_basic_authorization_is_a_secret);
    tcase_add_test(tcase, what_is_no_secret_stays);
    return suite_run("redaction", tcase);
}
