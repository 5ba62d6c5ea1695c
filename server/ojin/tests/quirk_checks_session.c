/* Quirks of cancels and of texts. */
#include <check.h>
#include <string.h>

#include "server/ojin/session_class.h"
#include "server/ojin/tests/quirk_checks.h"

static size_t texts_of(const struct bench *bench, const char *part)
{
    size_t count = 0;
    for (size_t i = 0; i < bench->count; i++)
        count +=
            bench->sent[i].kind == ACTION_SEND_TEXT && strstr(bench->sent[i].text, part) != NULL ? 1u : 0u;
    return count;
}

/* ---- cancel and end ---- */

static void cancel_late(const struct bench *off, const struct bench *on)
{
    /* The rest of the 25 frames comes although it was cancelled, and then the silence. */
    ck_assert_uint_eq(talk_count(on, "speech", 0, TALK_SECOND_US), 25);
    ck_assert_uint_eq(talk_count(off, "speech", 0, TALK_SECOND_US), TALK_CANCELLED_FRAMES);
    struct bench bench;
    talk_open(&bench, "cancel-late=800ms", false);
    bench_speech(&bench, 100 * OJIN_FRAME_SAMPLES);
    bench_run(&bench, 500000);
    bench_text(&bench, BENCH_CANCEL);
    bench_run(&bench, 900000);
    bench_speech(&bench, 6400); /* discarded */
    bench_run(&bench, 5000000);
    ck_assert_uint_eq(talk_count(&bench, "speech", 500000, 1300000), 40);
    ck_assert_uint_eq(talk_count(&bench, "speech", 1300000, 5000000), 0);
    bench_free(&bench);
}

static void fade(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(bench_count_label(off, "fade"), 0);
    ck_assert_uint_eq(bench_count_label(on, "fade"), 8);
    for (size_t n = 0; n < 8; n++) {
        const struct sent *sent = talk_nth(on, "fade", n);
        ck_assert_uint_eq(sent->index, 0);
        ck_assert(sent->audio_is_zero);
        ck_assert_mem_eq(sent->interaction, talk_nth(on, "speech", 0)->interaction, UUID_BYTES);
        ck_assert_uint_ge(sent->at_us, TALK_CANCEL_US);
    }
    ck_assert_uint_eq(talk_count(on, "silence", TALK_CANCEL_US, talk_nth(on, "fade", 7)->at_us), 0);
}

static void cancelled(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(bench_count_error(off, "CANCELLED"), 0);
    ck_assert_uint_eq(bench_count_error(on, "CANCELLED"), 1);
    ck_assert_uint_eq(talk_nth(on, "error", 0)->at_us, TALK_CANCEL_US);
    ck_assert_str_ne(talk_nth(on, "error", 0)->message.interaction_id, "");
}

static void cancel_ignored(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(talk_count(on, "speech", 0, TALK_SECOND_US), 25);
    ck_assert_uint_eq(talk_count(off, "speech", 0, TALK_SECOND_US), TALK_CANCELLED_FRAMES);
}

static void stray_final(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(bench_count_label(off, "final"), 1);
    ck_assert_uint_eq(bench_count_label(on, "final"), 2);
    ck_assert_uint_eq(talk_nth(on, "final", 0)->at_us, TALK_CANCEL_US);
    ck_assert_uint_eq(talk_nth(on, "final", 0)->is_final, 1);
    ck_assert_uint_gt(talk_count(on, "speech", TALK_SECOND_US, TALK_END_US), 10);
}

static void stray_start(const struct bench *off, const struct bench *on)
{
    size_t strays = 0;
    for (size_t i = 0; i < on->count; i++) {
        if (on->sent[i].trailing_bytes == 0)
            continue;
        ck_assert_uint_eq(on->sent[i].frame_type, 3);
        ck_assert_uint_eq(on->sent[i].index, OJIN_INDEX_SPEECH); /* the other frames have no type byte */
        ck_assert_str_eq(on->sent[i - 1].label, "speech");
        strays++;
    }
    ck_assert_uint_eq(strays, 2);
    ck_assert_uint_eq(talk_count(on, "speech", 0, TALK_OVER_US), talk_count(off, "speech", 0, TALK_OVER_US));
}

/* ---- text ---- */

static void session_ping(const struct bench *off, const struct bench *on)
{
    /* At 0.5 s and so on, until the final frame at 3.6 s. */
    ck_assert_uint_eq(texts_of(on, "{\"type\":\"sessionPing\"}"), 7);
    ck_assert_uint_eq(talk_nth(on, "text", 0)->at_us, 500000);
    ck_assert_uint_eq(talk_nth(on, "text", 6)->at_us, 3500000);
    ck_assert_uint_eq(bench_count_label(off, "text"), 0);
}

static void unknown_types(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(bench_count_label(off, "text"), 0);
    ck_assert_uint_eq(texts_of(on, "\"sessionUpdate\""), 1);
    ck_assert_uint_eq(texts_of(on, "\"webrtcStatus\""), 1);
    ck_assert_uint_eq(texts_of(on, "\"interactionStatus\""), 2);
    ck_assert_str_eq(talk_nth(on, "text", 0)->text, on->sent[2].text); /* after the 101 and sessionReady */
}

static void camel_case_ready(const struct bench *off, const struct bench *on)
{
    ck_assert_ptr_nonnull(strstr(talk_nth(on, "ready", 0)->text, "\"traceId\":\""));
    ck_assert_ptr_null(strstr(talk_nth(on, "ready", 0)->text, "trace_id"));
    ck_assert_ptr_nonnull(strstr(talk_nth(off, "ready", 0)->text, "\"trace_id\":\""));
    ck_assert(talk_nth(on, "ready", 0)->fault);
}

static void extra_ready(const struct bench *off, const struct bench *on)
{
    static const char *const members[] = {"num_clients", "max_capacity",       "server_id",
                                          "persona",     "video_width\":1280", "video_height\":720"};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        ck_assert_ptr_nonnull(strstr(talk_nth(on, "ready", 0)->text, members[i]));
        ck_assert_ptr_null(strstr(talk_nth(off, "ready", 0)->text, members[i]));
    }
    ck_assert_int_eq(talk_nth(on, "ready", 0)->message.error.status, WIRE_OK);
}

/* What refuses a session, and the older code of it. */
static const struct {
    const char *head, *quirk, *config_id, *config_fault, *code;
} OLD_REFUSALS[] = {
    {"GET /realtime HTTP/1.1\r\nAuthorization: k\r\n\r\n", "", NULL, NULL,
     "INVALID_PERSONA_ID_CONFIGURATION"},
    {TALK_HEAD, "", "another", NULL, "CONFIG_NOT_FOUND"},
    {TALK_HEAD, "", NULL, "there is no card of that name", "INVALID_MODEL_ID"},
    {TALK_HEAD, "no-backend", NULL, NULL, "NO_BACKEND_SERVER_AVAILABLE"},
    {TALK_HEAD, "forbidden", NULL, NULL, "UNAUTHORIZED"},
};

static void old_error_codes(const struct bench *off, const struct bench *on)
{
    (void)off;
    (void)on;
    struct bench bench;
    talk_ask_too_much(&bench, "old-error-codes", OJIN_MESSAGE_BYTES_MAX + 1);
    ck_assert_uint_eq(bench_count_error(&bench, "FRAME_SIZE_TOO_BIG"), 1);
    bench_free(&bench);
    talk_open(&bench, "old-error-codes", false);
    bench_text(&bench, "{}");
    ck_assert_uint_eq(bench_count_error(&bench, "INVALID_INTERACTION_ID"), 1);
    for (size_t i = 0; i < 37; i++) { /* 16 s each, more than is held */
        bench.now_us += 300000;
        bench_speech(&bench, 262000);
    }
    ck_assert_uint_eq(bench_count_error(&bench, "FAILED_CREATE_MODEL"), 1);
    bench_free(&bench);
    for (size_t i = 0; i < sizeof OLD_REFUSALS / sizeof OLD_REFUSALS[0]; i++) {
        char quirks[60];
        struct text text = text_of(quirks, sizeof quirks);
        text_add(&text, "old-error-codes ");
        text_add(&text, OLD_REFUSALS[i].quirk);
        bench_new(&bench, "oris-1.0", false);
        bench.config.config_id = OLD_REFUSALS[i].config_id;
        bench.config.config_fault = OLD_REFUSALS[i].config_fault;
        OJIN_SESSION_CLASS.destroy(bench.session);
        bench.session = OJIN_SESSION_CLASS.create(&bench.config);
        ck_assert_ptr_nonnull(bench.session);
        bench_quirks(&bench, quirks);
        bench_request(&bench, OLD_REFUSALS[i].head);
        bench_run(&bench, 10000);
        ck_assert_uint_eq(bench_count_error(&bench, OLD_REFUSALS[i].code), 1);
        bench_free(&bench);
    }
}

const struct quirk_row SESSION_QUIRKS[] = {
    {"cancel-late=800ms", cancel_late, false},
    {"fade=8", fade, false},
    {"cancelled", cancelled, false},
    {"cancel-ignored", cancel_ignored, false},
    {"stray-final", stray_final, false},
    {"stray-start", stray_start, false},
    {"session-ping=500ms", session_ping, false},
    {"unknown-types", unknown_types, false},
    {"camel-case-ready", camel_case_ready, false},
    {"extra-ready", extra_ready, false},
    {"old-error-codes", old_error_codes, false},
    {NULL, NULL, false},
};
