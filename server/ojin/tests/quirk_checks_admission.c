/* Quirks of admission and limits, and the breaches. */
#include <check.h>
#include <string.h>

#include "server/ojin/session_class.h"
#include "server/ojin/tests/quirk_checks.h"

/* ---- admission and limits ---- */

static void refused(const char *quirks, const char *head, uint64_t until_us, struct bench *bench)
{
    bench_new(bench, "oris-1.0", false);
    bench_quirks(bench, quirks);
    bench_request(bench, head);
    bench_run(bench, until_us);
    if (bench->count > 0 && bench->sent[bench->count - 1].kind == ACTION_ACCEPT) {
        bench_event(bench, SESSION_OPENED, (struct bytes){0});
        bench_run(bench, until_us);
    }
    ck_assert_uint_eq(bench_count_label(bench, "ready"), 0);
}

/* Refused after the upgrade with that text (a code or a plain text) and close code. */
static void sent_away(const char *quirks, const char *code, const char *plain, uint16_t close, uint64_t at_us)
{
    struct bench bench;
    refused(quirks, TALK_HEAD, at_us, &bench);
    ck_assert_uint_eq(bench.count, 3);
    ck_assert_int_eq(bench.sent[0].kind, ACTION_ACCEPT);
    if (code != NULL)
        ck_assert_str_eq(bench.sent[1].message.code, code);
    else
        ck_assert_str_eq(bench.sent[1].text, plain);
    ck_assert_uint_eq(bench.sent[1].at_us, at_us);
    ck_assert_int_eq(bench.sent[2].kind, ACTION_CLOSE);
    ck_assert_uint_eq(bench.sent[2].code, close);
    bench_free(&bench);
}

static void turned_down(const char *quirks, const char *head, uint16_t status, const char *body,
                        uint64_t at_us)
{
    struct bench bench;
    refused(quirks, head, at_us, &bench);
    ck_assert_uint_eq(bench.count, 1);
    ck_assert_int_eq(bench.sent[0].kind, ACTION_REFUSE);
    ck_assert_uint_eq(bench.sent[0].code, status);
    ck_assert_ptr_nonnull(strstr(bench.sent[0].text, body));
    ck_assert_uint_eq(bench.sent[0].at_us, at_us);
    bench_free(&bench);
}

static void handshake_refusals(const struct bench *off, const struct bench *on)
{
    (void)off;
    ck_assert_uint_eq(bench_count_label(on, "ready"), 1); /* who is right is let in */
    turned_down("handshake-refusals", "GET /realtime HTTP/1.1\r\nAuthorization: k\r\n\r\n", 400,
                "\"code\":\"MISSING_CONFIG_ID\"", 0);
    turned_down("handshake-refusals forbidden", TALK_HEAD, 403, "\"code\":\"UNAUTHORIZED\"", 0);
    turned_down("handshake-refusals no-backend", TALK_HEAD, 503, "\"code\":\"BACKEND_UNAVAILABLE\"", 0);
    turned_down("handshake-refusals no-backend=short", TALK_HEAD, 503, "No backend servers available.", 0);
    turned_down("handshake-refusals queue-full=25s", TALK_HEAD, 503, "BACKEND_UNAVAILABLE", 25000000);
    turned_down("no-backend", "GET /realtime HTTP/1.1\r\n\r\n", 401, "INVALID_HEADERS", 0);
}

static void forbidden(const struct bench *off, const struct bench *on)
{
    (void)on;
    ck_assert_uint_eq(bench_count_label(off, "ready"), 1);
    sent_away("forbidden", "UNAUTHORIZED", NULL, 1008, 0);
}

static void no_backend(const struct bench *off, const struct bench *on)
{
    (void)on;
    ck_assert_uint_eq(bench_count_label(off, "ready"), 1);
    sent_away("no-backend", "BACKEND_UNAVAILABLE", NULL, 1013, 0);
    sent_away("no-backend=text", NULL, "No backend servers available. Please try again later.", 1013, 0);
    sent_away("no-backend=short", NULL, "No backend servers available.", 1013, 0);
    sent_away("no-backend=model", NULL, "Model not found", 1013, 0);
    sent_away("no-backend=empty", NULL, "", 1013, 0);
}

static void backend_lost(const struct bench *off, const struct bench *on)
{
    (void)off;
    ck_assert_uint_eq(bench_count_label(on, "speech"), 10);
    const struct sent *last = &on->sent[on->count - 1];
    ck_assert_int_eq(last->kind, ACTION_CLOSE);
    ck_assert_uint_eq(last->code, 1013);
    ck_assert_int_eq(last[-1].message.type, OJIN_MESSAGE_PLAIN_TEXT);
    ck_assert_str_eq(last[-2].label, "speech");
}

static void slow_backend(const struct bench *off, const struct bench *on)
{
    (void)off;
    ck_assert_uint_eq(bench_count_label(on, "speech"), 0);
    /* The first turn is cancelled before it is given up; the second is not. */
    ck_assert_uint_eq(bench_count_error(on, "TIMEOUT"), 1);
    ck_assert_uint_eq(talk_nth(on, "error", 0)->at_us, TALK_SECOND_US + 700000);
    ck_assert_uint_eq(bench_count_label(on, "final"), 1);
}

static void queue(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(on->count, 1); /* nobody opened it */
    ck_assert_int_eq(on->sent[0].kind, ACTION_ACCEPT);
    ck_assert_uint_eq(on->sent[0].at_us, 5000000);
    ck_assert_uint_eq(off->sent[0].at_us, 0);
}

static void queue_full(const struct bench *off, const struct bench *on)
{
    (void)off;
    ck_assert_uint_eq(bench_count_label(on, "ready"), 0);
    sent_away("queue-full=9s", "BACKEND_UNAVAILABLE", NULL, 1013, 9000000);
    sent_away("queue-full=9s no-backend=text", NULL, "No backend servers available. Please try again later.",
              1013, 0);
    /* Whichever is over first. */
    struct bench bench;
    refused("queue=10s queue-full=9s", TALK_HEAD, 9000000, &bench);
    ck_assert_int_eq(bench.sent[0].kind, ACTION_ACCEPT);
    ck_assert_uint_eq(bench.sent[0].at_us, 9000000);
    ck_assert_str_eq(bench.sent[1].message.code, "BACKEND_UNAVAILABLE");
    bench_free(&bench);
    refused("queue=8s queue-full=9s", TALK_HEAD, 7999999, &bench);
    bench_run(&bench, 8000000);
    ck_assert_int_eq(bench.sent[0].kind, ACTION_ACCEPT);
    bench_event(&bench, SESSION_OPENED, (struct bytes){0});
    bench_run(&bench, 8000000);
    ck_assert_uint_eq(bench_count_label(&bench, "ready"), 1);
    bench_free(&bench);
}

static void cold_start(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(talk_nth(off, "ready", 0)->at_us, 0);
    ck_assert_uint_eq(talk_nth(on, "ready", 0)->at_us, 3000000);
    ck_assert_uint_eq(talk_count(on, "silence", 0, 3000000), 0);
    /* Nothing is caught up: the second turn, which waited, begins now, and each frame has its time. */
    ck_assert_uint_eq(talk_nth(on, "speech", 0)->at_us, 3000000);
    ck_assert_uint_eq(talk_nth(on, "speech", 1)->at_us, 3020000);
}

static void size_limit(const struct bench *off, const struct bench *on)
{
    (void)off;
    (void)on;
    static const struct {
        const char *quirks;
        size_t bytes;
        size_t errors;
    } cases[] = {{"", 512001, 0},
                 {"size-limit", 512001, 1},
                 {"size-limit", 511999, 0},
                 {"size-limit=64", 65, 1},
                 {"size-limit=64", 63, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench bench;
        talk_ask_too_much(&bench, cases[i].quirks, cases[i].bytes);
        ck_assert_uint_eq(bench_count_error(&bench, "FRAME_SIZE_EXCEEDED"), cases[i].errors);
        bench_free(&bench);
    }
}

static size_t rate_errors(const char *quirks, size_t messages)
{
    struct bench bench;
    talk_open(&bench, quirks, false);
    for (size_t n = 0; n < messages; n++)
        bench_text(&bench, BENCH_CANCEL);
    const size_t errors = bench_count_error(&bench, "RATE_LIMITED");
    bench_free(&bench);
    return errors;
}

static void rate_limit(const struct bench *off, const struct bench *on)
{
    (void)off;
    (void)on;
    ck_assert_uint_eq(rate_errors("", 7), 1);
    ck_assert_uint_eq(rate_errors("rate-limit=1", 7), 6);
    ck_assert_uint_eq(rate_errors("rate-limit=100", 100), 0);
    ck_assert_uint_eq(rate_errors("rate-limit=100", 101), 1);
}

/* The transport's: here they change nothing. */
static void same_bytes(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(off->count, on->count);
    for (size_t i = 0; i < off->count; i++)
        ck_assert_uint_eq(off->sent[i].whole_crc, on->sent[i].whole_crc);
}

/* ---- breaches ---- */

static void let_in(const char *quirks, const char *head)
{
    struct bench bench;
    bench_new(&bench, "oris-1.0", false);
    bench.config.key = "sk-1";
    bench.config.config_id = "c";
    OJIN_SESSION_CLASS.destroy(bench.session);
    bench.session = OJIN_SESSION_CLASS.create(&bench.config);
    bench_quirks(&bench, quirks);
    bench_request(&bench, head);
    bench_run(&bench, 10000);
    ck_assert_uint_eq(bench_count_label(&bench, "ready"), 1);
    bench_free(&bench);
}

static void bearer_keys(const struct bench *off, const struct bench *on)
{
    same_bytes(off, on);
    let_in("bearer-keys", "GET /?config_id=c HTTP/1.1\r\nAuthorization: Bearer x\r\n\r\n");
    let_in("bearer-keys", "GET /?config_id=c HTTP/1.1\r\n\r\n");
}

static void turned_away(const char *quirks, const char *head)
{
    struct bench bench;
    bench_new(&bench, "oris-1.0", false);
    bench.config.key = "sk-1";
    OJIN_SESSION_CLASS.destroy(bench.session);
    bench.session = OJIN_SESSION_CLASS.create(&bench.config);
    bench_quirks(&bench, quirks);
    bench_request(&bench, head);
    bench_run(&bench, 10000);
    ck_assert_uint_eq(bench_count_label(&bench, "refusal"), 1);
    bench_free(&bench);
}

static void key_in_url(const struct bench *off, const struct bench *on)
{
    same_bytes(off, on);
    let_in("key-in-url", "GET /?config_id=c&api_key=sk-1 HTTP/1.1\r\n\r\n");
    let_in("key-in-url", "GET /?token=sk%2D1&config_id=c HTTP/1.1\r\nOrigin: http://x\r\n\r\n");
    let_in("key-in-url", "GET /?config_id=c&key=other HTTP/1.1\r\nAuthorization: sk-1\r\n\r\n");
    turned_away("key-in-url", "GET /?config_id=c&api_key=sk-2 HTTP/1.1\r\n\r\n");
    turned_away("key-in-url", "GET /?config_id=c&name=sk-1 HTTP/1.1\r\n\r\n");
    turned_away("key-in-url", "GET /?config_id=c&key= HTTP/1.1\r\n\r\n");
    turned_away("key-in-url", "GET /?config_id=c&api_key=sk-1 HTTP/1.1\r\nAuthorization: sk-2\r\n\r\n");
    turned_away("", "GET /?config_id=c&api_key=sk-1 HTTP/1.1\r\n\r\n");
}

static void any_config(const struct bench *off, const struct bench *on)
{
    same_bytes(off, on);
    let_in("any-config", "GET /?config_id=x HTTP/1.1\r\nAuthorization: sk-1\r\n\r\n");
    let_in("any-config", "GET / HTTP/1.1\r\nAuthorization: sk-1\r\n\r\n");
}

static void ready_twice(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(bench_count_label(off, "ready"), 1);
    ck_assert_uint_eq(bench_count_label(on, "ready"), 2);
    ck_assert_str_eq(talk_nth(on, "ready", 0)->text, talk_nth(on, "ready", 1)->text);
}

static void wrong_start(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(talk_nth(off, "silence", 0)->at_us, 10000);
    ck_assert_uint_eq(talk_nth(on, "silence", 0)->at_us, 0);
    struct bench bench;
    bench_new(&bench, "oris-1.0-earlier", false);
    bench_quirks(&bench, "wrong-start");
    bench_request(&bench, TALK_HEAD);
    bench_run(&bench, 1000000);
    ck_assert_uint_eq(bench_count_label(&bench, "silence"), 0);
    bench_free(&bench);
}

static void slow_silence(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(talk_count(off, "silence", 0, TALK_SPEECH_US), 26);
    ck_assert_uint_eq(talk_count(on, "silence", 0, TALK_SPEECH_US), 20);
}

static void loses_frames(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(talk_nth(on, "speech", 7)->audio_crc, talk_nth(off, "speech", 7)->audio_crc);
    ck_assert_uint_eq(talk_nth(on, "speech", 8)->audio_crc, talk_nth(off, "speech", 9)->audio_crc);
    ck_assert_uint_eq(bench_count_label(on, "speech"), bench_count_label(off, "speech") - 2);
}

static void wrong_size(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(off->count, on->count);
    ck_assert_uint_ne(talk_nth(off, "speech", 0)->image_crc, talk_nth(on, "speech", 0)->image_crc);
    char error[PERSONA_ERROR_MAX];
    struct persona *usual = persona_new(1280, 720, error);
    ck_assert_uint_eq(persona_width(persona_half(usual)), 640);
    ck_assert_uint_eq(persona_height(persona_half(usual)), 352);
    persona_free(usual);
    /* Half of the bench's has no room for its block code. */
    ck_assert_uint_ne(persona_width(persona_half(on->config.persona)), BENCH_WIDTH);
}

static void no_final(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(bench_count_label(on, "final"), 0);
    ck_assert_uint_eq(on->count, off->count);
    ck_assert_str_eq(on->sent[on->count - 1].label, "close");
}

static void lenient(const struct bench *off, const struct bench *on)
{
    same_bytes(off, on);
    struct bench bench;
    talk_ask_too_much(&bench, "lenient", OJIN_MESSAGE_BYTES_MAX + 1);
    bench_text(&bench, "no JSON");
    bench_binary(&bench, bytes_of("\1", 1));
    ck_assert_uint_eq(bench_count_label(&bench, "error"), 0);
    bench_free(&bench);
}

static void bare_errors(const struct bench *off, const struct bench *on)
{
    same_bytes(off, on);
    struct bench bench;
    talk_open(&bench, "bare-errors", false);
    bench_text(&bench, "no JSON");
    ck_assert_uint_eq(bench_count_error(&bench, "INVALID_MESSAGE"), 1);
    ck_assert(!bench_latest(&bench, "error")->message.has_timestamp);
    bench_free(&bench);
}

static void session_clock(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(talk_nth(on, "speech", 0)->timestamp_ms, TALK_SPEECH_US / 1000);
    ck_assert_uint_eq(talk_nth(off, "speech", 0)->timestamp_ms, BENCH_EPOCH_MS + TALK_SPEECH_US / 1000);
}

static uint32_t picture_with(const char *quirks, const char *params)
{
    static const int16_t loud[6400] = {[0] = 30000, [100] = -30000, [300] = 20000};
    struct bench bench;
    talk_open(&bench, quirks, true);
    bench_audio(&bench, loud, 6400, params);
    bench_run(&bench, 400000);
    const uint32_t crc = talk_nth(&bench, "speech", 0)->image_crc;
    bench_free(&bench);
    return crc;
}

static void ignores_params(const struct bench *off, const struct bench *on)
{
    same_bytes(off, on);
    static const char params[] = "{\"client_frame_index\":9,\"speech_mouth_opening_scale\":40}";
    ck_assert_uint_ne(picture_with("", params), picture_with("", NULL));
    ck_assert_uint_eq(picture_with("ignores-params", params), picture_with("ignores-params", NULL));
}

static void little_endian(const struct bench *off, const struct bench *on)
{
    const struct sent *sent = talk_nth(on, "silence", 0);
    ck_assert(sent->fault);
    ck_assert(!sent->decodes);
    ck_assert_uint_eq(sent->bytes, talk_nth(off, "silence", 0)->bytes);
}

static void hoarse(const struct bench *off, const struct bench *on)
{
    const uint32_t usual = talk_nth(off, "speech", 2)->audio_peak;
    ck_assert_uint_eq(talk_nth(on, "speech", 2)->audio_peak, usual / 2);
}

static void forgetful(const struct bench *off, const struct bench *on)
{
    same_bytes(off, on);
    struct bench bench;
    talk_open(&bench, "forgetful=500ms", false);
    for (size_t n = 0; n < 4; n++) {
        bench_speech(&bench, 6400);
        bench_run(&bench, bench.now_us + 250000);
    }
    bench_run(&bench, 3000000);
    ck_assert_uint_eq(bench_count_label(&bench, "speech"), 30); /* what came at 0, 250 and 500 ms */
    bench_free(&bench);
}

const struct quirk_row ADMISSION_QUIRKS[] = {
    {"handshake-refusals", handshake_refusals, false},
    {"forbidden", forbidden, false},
    {"no-backend", no_backend, false},
    {"backend-lost=10", backend_lost, false},
    {"slow-backend=700ms", slow_backend, false},
    {"queue=5s", queue, false},
    {"queue-full=9s", queue_full, false},
    {"cold-start=3s", cold_start, false},
    {"size-limit", size_limit, false},
    {"rate-limit=1", rate_limit, false},
    {"any-path", same_bytes, false},
    {"key-in-url", key_in_url, false},
    {"permessage-deflate", same_bytes, false},
    {"bearer-keys", bearer_keys, false},
    {"any-config", any_config, false},
    {"ready-twice", ready_twice, false},
    {"wrong-start", wrong_start, false},
    {"slow-silence=20", slow_silence, false},
    {"loses-frames=9", loses_frames, false},
    {"wrong-size", wrong_size, true},
    {"no-final", no_final, false},
    {"lenient", lenient, false},
    {"bare-errors", bare_errors, false},
    {"session-clock", session_clock, false},
    {"ignores-params", ignores_params, false},
    {"no-pong", same_bytes, false},
    {"little-endian", little_endian, false},
    {"hoarse", hoarse, false},
    {"forgetful=500ms", forgetful, false},
    {NULL, NULL, false},
};
