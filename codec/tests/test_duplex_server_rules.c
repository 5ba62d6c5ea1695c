/* The rules for servers of the full-duplex family: a right and a wrong session for each. */
#include "codec/rules/duplex/classes.h"
#include "codec/tests/duplex_player.h"
#include "codec/tests/duplex_text.h"
#include "codec/tests/suite.h"

struct session_case {
    const char *name;
    const char *profile;
    uint32_t speed;
    const char *words;
    const char *broken; /* the requirements found broken, in their order, with a blank after each */
    const char *kept;   /* some of those kept */
    const char *told;   /* what a finding says; NULL: anything */
};

#define START "open qdone +5 update +5 created "
#define START_4                                                                                              \
    "open qdone +5 "                                                                                         \
    "c:{\"type\":\"session.update\",\"session\":{\"instructions\":\"x\",\"max_slice_nums\":4}} +5 created "
#define STOP  " close +5 closed:stopped cclose"
#define BAD   "c:{\"type\":\"input_audio_buffer.append\","
#define DELTA "s:{\"type\":\"response.output_audio.delta\","
#define TURN  "append delta:12000 append delta append delta append last:9000 append listen:500"

static const struct session_case CASES[] = {
    {"a session", "video", 0, START "append listen:377 " TURN STOP, "",
     "DX-SRV-01 DX-SRV-02 DX-SRV-07 DX-SRV-08 DX-SRV-13 DX-SRV-18", NULL},
    {"a session in audio mode", "audio", 0, START "append listen:313 " TURN STOP, "",
     "DX-SRV-01 DX-SRV-02 DX-SRV-07 DX-SRV-13 DX-SRV-18", NULL},
    {"a session of the later version", "duplex-later", 0,
     START "append s:{\"type\":\"response.output.delta\",\"kind\":\"listen\"} append "
           "s:{\"type\":\"response.output.delta\",\"kind\":\"text\",\"text\":\"hello\"} delta:12000 append "
           "delta append "
           "last:9000" STOP,
     "", "DX-SRV-01 DX-SRV-07 DX-SRV-13 DX-SRV-18", NULL},

    {"queued with updates", "video", 0,
     "open queued +3000 qupdate +3000 qupdate +3000 qdone update created" STOP, "", "DX-SRV-01", NULL},
    {"queued without updates", "video", 0, "open queued +60000 qdone update created" STOP, "", "DX-SRV-01",
     NULL},
    {"an update before it was queued", "video", 0, "open qupdate qdone update created" STOP, "DX-SRV-01 ", "",
     "before session.queued"},
    {"created in place of queue_done", "video", 0, "open +10 created append listen" STOP, "DX-SRV-01 ", "",
     NULL},
    {"queue_done twice", "video", 0, "open qdone qdone update created" STOP, "DX-SRV-01 ", "", "second"},
    {"queued after queue_done", "video", 0, "open qdone queued update created" STOP, "DX-SRV-01 ", "",
     "after"},
    {"no word", "video", 0, "open +6000 cend", "", "", NULL},
    {"no word while the client waits", "video", 0, "open +6000 qdone update created" STOP, "DX-SRV-01 ", "",
     "in 5 s"},
    {"refused in place of queue_done", "video", 0, "open +10 error:queue_full sclose:1013", "", "DX-SRV-06",
     NULL},

    {"another id", "video", 0,
     "open qdone update s:{\"type\":\"session.created\",\"session_id\":\"1714200000000\"}" STOP, "DX-SRV-02 ",
     "", "1714200000000"},
    {"an id in seconds", "video", 0,
     "open qdone update s:{\"type\":\"session.created\",\"session_id\":\"rt_1714200000\"}" STOP, "DX-SRV-02 ",
     "", "rt_1714200000"},
    {"no id", "video", 0, "open qdone update s:{\"type\":\"session.created\"}" STOP, "DX-SRV-02 ", "",
     "no session_id"},

    {"data in the queue", "video", 0, "open queued append +5 error:not_ready qdone update created" STOP, "",
     "DX-SRV-03 DX-SRV-17", NULL},
    {"another error in the queue", "video", 0,
     "open queued append +5 error:invalid_payload qdone update created" STOP, "DX-SRV-03 ", "",
     "invalid_payload"},
    {"no error in the queue", "video", 0, "open queued append +4000 qdone update created" STOP, "DX-SRV-03 ",
     "", "3 s"},
    {"closed for data in the queue", "video", 0, "open queued append +5 sclose:1008", "DX-SRV-03 ", "",
     "ended the session"},
    {"closed after the error", "video", 0, "open queued append +5 error:not_ready +5 sclose:1008",
     "DX-SRV-03 ", "", "ended the session"},
    {"an update in the queue kept for later", "video", 0, "open queued update +5 qdone +5 created" STOP, "",
     "DX-SRV-01", NULL},
    {"an append before update", "video", 0, "open qdone append +5 error:not_ready update created" STOP, "",
     "DX-SRV-03", NULL},
    {"the other error before update", "video", 0,
     "open qdone append +5 error:invalid_event update created" STOP, "", "DX-SRV-03", NULL},
    {"no error before update", "video", 0, "open qdone append +4000 update created" STOP, "DX-SRV-03 ", "",
     NULL},

    {"an unknown event", "audio", 0,
     START "c:{\"type\":\"session.pause\"} +5 error:unknown_event append listen" STOP, "", "DX-SRV-04", NULL},
    {"an unknown event unanswered", "audio", 0,
     START "c:{\"type\":\"session.pause\"} +4000 append listen" STOP, "DX-SRV-04 ", "", "session.pause"},
    {"a field missing", "audio", 0,
     START BAD "\"force_listen\":true} +5 error:missing_field append listen" STOP, "", "DX-SRV-04", NULL},
    {"a field missing, another error", "audio", 0,
     START BAD "\"force_listen\":true} +5 error:invalid_payload append listen" STOP, "DX-SRV-04 ", "",
     "invalid_payload"},
    {"audio null may be missing", "audio", 0,
     START BAD "\"audio\":null} +5 error:missing_field append listen" STOP, "", "DX-SRV-04", NULL},
    {"bad base64", "audio", 0, START BAD "\"audio\":\"A-AA\"} +5 error:invalid_payload append listen" STOP,
     "", "DX-SRV-04", NULL},
    {"too few samples", "audio", 0,
     START BAD "\"audio\":\"@3999\"} +5 error:invalid_payload append listen" STOP, "", "DX-SRV-04", NULL},
    {"too few samples pass", "audio", 0, START BAD "\"audio\":\"@3999\"} +5 listen +3000 append listen" STOP,
     "DX-SRV-04 ", "", NULL},
    {"bad JPEG", "video", 0,
     START BAD
     "\"audio\":\"@16000\",\"video_frames\":[\"AAAA\"]} +5 error:invalid_payload append listen" STOP,
     "", "DX-SRV-04", NULL},
    {"ten slices", "video", 0, START "slices:10 +5 error:invalid_payload append listen" STOP, "", "DX-SRV-04",
     NULL},
    {"ten slices close it", "video", 0, START "slices:10 +5 error:invalid_payload closed:error sclose",
     "DX-SRV-04 ", "", "ended the session"},
    {"a NaN may pass or not", "audio", 0,
     START BAD "\"audio\":\"@6000AADAfwAAAAAAAAAA\"} +4000 append listen" STOP, "", "DX-SRV-13", NULL},
    {"an update without instructions", "video", 0,
     "open qdone c:{\"type\":\"session.update\",\"session\":{}} +5 error:missing_field update created" STOP,
     "", "DX-SRV-04", NULL},

    {"no JSON", "video", 0, START "c:hello +5 sclose:1003", "", "DX-SRV-05", NULL},
    {"no JSON in the queue", "video", 0, "open queued c:hello +5 sclose:1003", "", "DX-SRV-05", NULL},
    {"no JSON, another code", "video", 0, START "c:hello +5 sclose:1007", "DX-SRV-05 ", "", "1007"},
    {"no JSON, no close", "video", 0, START "c:hello +5 error:invalid_payload +3000 append listen" STOP,
     "DX-SRV-05 ", "", "3 s"},
    {"no JSON, the connection dropped", "video", 0, START "c:hello +5 send", "DX-SRV-05 ", "",
     "without a close"},

    {"busy", "video", 0, "open queued error:worker_busy +5 sclose:1013", "", "DX-SRV-06 DX-SRV-17", NULL},
    {"busy, another code", "video", 0, "open queued error:worker_busy +5 sclose:1008", "DX-SRV-06 ", "",
     "1008"},
    {"busy, no close", "video", 0, "open queued error:service_unavailable +4000 qdone update created" STOP,
     "DX-SRV-06 ", "", "3 s"},

    {"a short middle delta", "audio", 0,
     START "append delta:12000 append delta:23999 append last:9000 append listen:500" STOP, "DX-SRV-07 ", "",
     "23999"},
    {"a long last delta", "audio", 0, START "append delta:12000 append delta append last:24001" STOP,
     "DX-SRV-07 ", "", "24001"},
    {"a first delta of a second", "audio", 0, START "append delta append delta append last" STOP, "",
     "DX-SRV-07", NULL},
    {"no end of turn", "audio", 0, START "append delta:12000 append delta append listen:500" STOP,
     "DX-SRV-07 ", "", "middle of a turn"},
    {"interrupted", "audio", 0, START "append delta:12000 append delta force listen:500" STOP, "",
     "DX-SRV-11", NULL},

    {"a turn without text", "audio", 0,
     START "append " DELTA
           "\"text\":\"\",\"audio\":\"@24000\",\"end_of_turn\":false,\"kv_cache_length\":320} append " DELTA
           "\"text\":\"\",\"audio\":\"@9\",\"end_of_turn\":true,\"kv_cache_length\":340}" STOP,
     "DX-SRV-08 ", "", "without text"},
    {"text behind the sound", "audio", 0,
     START "append " DELTA
           "\"text\":\"\",\"audio\":\"@24000\",\"end_of_turn\":false,\"kv_cache_length\":320} append " DELTA
           "\"text\":\"\",\"audio\":\"@24000\",\"end_of_turn\":false,\"kv_cache_length\":340} append " DELTA
           "\"text\":\"abc\",\"audio\":\"@9\",\"end_of_turn\":true,\"kv_cache_length\":360}" STOP,
     "DX-SRV-08 ", "DX-SRV-07", "behind the sound at delta 2"},

    {"a context that fills", "audio", 0,
     START "append listen:8191 append listen:8192 +5 closed:context_full sclose", "", "DX-SRV-09", NULL},
    {"full without telling", "audio", 0, START "append listen:8100 append closed:context_full sclose", "",
     "DX-SRV-09", NULL},
    {"more than it holds", "audio", 0,
     START "append listen:8191 append listen:8193 +5 closed:context_full sclose", "DX-SRV-09 ", "", "8193"},
    {"it falls", "audio", 0, START "append listen:400 append listen:399" STOP, "DX-SRV-09 ", "",
     "falls to 399"},
    {"it goes on when full", "audio", 0, START "append listen:8192 append listen:8192" STOP, "DX-SRV-09 ", "",
     "goes on"},
    {"it is not closed when full", "audio", 0, START "append listen:8192 +4000 append" STOP, "DX-SRV-09 ", "",
     "3 s"},
    {"full with what came since a length was told", "video", 0,
     START "append listen:4600 slices:9 slices:9 slices:9 slices:9 slices:9 closed:context_full sclose", "",
     "DX-SRV-09", NULL},
    {"full far too early", "audio", 0, START "append listen:400 closed:context_full sclose", "DX-SRV-09 ", "",
     "at 400"},

    {"its time", "video", 0, START "append listen +298990 closed:timeout sclose", "", "DX-SRV-10", NULL},
    {"its time, twenty times faster", "video", 20, START "append listen +13990 closed:timeout sclose", "",
     "DX-SRV-10", NULL},
    {"its time, queueing included", "video", 0,
     "open queued +100000 qdone update created append listen +198990 closed:timeout sclose", "", "DX-SRV-10",
     NULL},
    {"its time too early", "video", 0, START "append listen +200000 closed:timeout sclose", "DX-SRV-10 ", "",
     "201010 ms"},
    {"its time from queue_done", "video", 0,
     "open queued +100000 qdone update created append listen +298990 closed:timeout sclose", "DX-SRV-10 ", "",
     "none in"},
    {"no end", "video", 20, START "append listen +17000 append listen:377" STOP, "DX-SRV-10 ", "", "none in"},
    {"audio at 600 s", "audio", 0, START "append listen +598990 closed:timeout sclose", "", "DX-SRV-15",
     NULL},
    {"audio at 300 s", "audio", 0, START "append listen +298990 closed:timeout sclose", "DX-SRV-15 ", "",
     NULL},

    {"interrupted in time", "audio", 0, START "append delta force delta delta listen:500" STOP, "",
     "DX-SRV-11", NULL},
    {"it speaks on", "audio", 0,
     START "append delta force delta append delta append delta append last:9" STOP, "DX-SRV-11 ", "",
     "3 deltas"},
    {"no listen", "audio", 0, START "append delta force +4000 append" STOP, "DX-SRV-11 ", "", "3 s"},
    {"nothing to interrupt", "audio", 0, START "append listen force +4000 append listen" STOP, "",
     "DX-SRV-13", NULL},

    {"three at once", "audio", 0, START "append now now listen +2500 append listen" STOP, "", "DX-SRV-12",
     NULL},
    {"an error for three at once", "audio", 0,
     START "append now now error:invalid_payload +2500 append listen" STOP, "DX-SRV-12 ", "",
     "invalid_payload"},

    {"closed with another reason", "audio", 0, START "append listen close +5 closed:error cclose",
     "DX-SRV-13 ", "", "reason error"},
    {"not closed", "audio", 0, START "append listen close +4000 listen cclose", "DX-SRV-13 ", "", "3 s"},
    {"only the connection", "audio", 0, START "append listen close +5 sclose:1000", "DX-SRV-13 ", "",
     "without session.closed"},
    {"shutting down", "audio", 0, START "append listen closed:server_shutdown sclose:1001", "", "DX-SRV-13",
     NULL},
    {"shutting down without a word", "audio", 0, START "append listen sclose:1001", "DX-SRV-13 ", "", "1001"},

    {"pictures of 1 slice and of 4", "video", 0,
     START "append listen:300 append listen:377 slices:4 listen:582 append listen:659" STOP, "",
     "DX-SRV-14 DX-SRV-20", NULL},
    {"pictures at double price", "video", 0, START "append listen:300 append listen:441" STOP, "DX-SRV-14 ",
     "", "cost 141"},
    {"pictures for nothing", "video", 0, START "append listen:300 append listen:313" STOP, "DX-SRV-14 ", "",
     "cost 13"},
    {"slices that may count for nothing", "video", 0,
     START "append listen:300 append listen:377 slices:4 listen:454" STOP, "", "DX-SRV-13", NULL},
    {"slices that count for nothing", "video", 0,
     START_4 "append listen:300 append listen:377 slices:1 listen:454 append listen:531" STOP, "DX-SRV-14 ",
     "", "cost 77"},
    {"an override of a session of 4", "video", 0,
     START_4 "append listen:300 append listen:505 slices:1 listen:582 append listen:787" STOP, "",
     "DX-SRV-14 DX-SRV-20", NULL},
    {"an override that does nothing", "video", 0,
     START_4 "append listen:300 append listen:505 slices:1 listen:710" STOP, "DX-SRV-20 ", "", "cost 205"},
    {"an override at another price", "video", 0,
     START_4 "append listen:300 append listen:505 slices:1 listen:646" STOP, "DX-SRV-14 ", "", "cost 141"},
    {"an override that stays in a session of 4", "video", 0,
     START_4 "append listen:300 append listen:505 slices:1 listen:582 append listen:659" STOP, "DX-SRV-20 ",
     "", "only the append before"},
    {"an override that stays", "video", 0,
     START "append listen:300 slices:4 listen:505 append listen:710 append listen:787" STOP, "DX-SRV-20 ", "",
     "cost 205"},
    {"not told apart while it speaks", "video", 0,
     START "append listen:300 append delta append last:9 append listen:900" STOP, "", "DX-SRV-13", NULL},

    {"no appends for a while", "audio", 0, START "append listen +8000 append listen" STOP, "", "DX-SRV-16",
     NULL},
    {"ended for want of them", "audio", 0, START "append listen +8000 sclose:1000", "DX-SRV-16 ", "",
     "8000 ms"},
    {"closed for want of them", "audio", 0, START "append listen +8000 closed:error sclose:1000",
     "DX-SRV-16 ", "", NULL},

    {"an error without type", "audio", 0,
     START
     "s:{\"type\":\"error\",\"error\":{\"code\":\"inference_error\",\"message\":\"a\"}} append listen" STOP,
     "DX-SRV-17 ", "", "error.type"},
    {"an error whose code stands elsewhere", "audio", 0,
     START "c:{\"type\":\"none\"} +5 "
           "s:{\"type\":\"error\",\"code\":\"unknown_event\",\"message\":\"a\"} +4000 append listen" STOP,
     "DX-SRV-17 ", "", NULL},

    {"a delta without kv_cache_length", "audio", 0,
     START "append " DELTA "\"text\":\"a\",\"audio\":\"@24000\",\"end_of_turn\":true}" STOP, "DX-SRV-18 ", "",
     "kv_cache_length"},
    {"a delta with audio null", "audio", 0,
     START "append " DELTA "\"text\":\"a\",\"audio\":null,\"end_of_turn\":true,\"kv_cache_length\":1}" STOP,
     "DX-SRV-18 ", "", "null"},
    {"a listen without kv_cache_length", "audio", 0, START "append s:{\"type\":\"response.listen\"}" STOP,
     "DX-SRV-18 ", "", NULL},

    {"inference_error", "audio", 0, START "append error:inference_error append listen" STOP, "",
     "DX-SRV-19 DX-SRV-17", NULL},
    {"inference_error ends it", "audio", 0, START "append error:inference_error +10 closed:error sclose",
     "DX-SRV-19 ", "", "ended it"},
};

/* --- playing them --- */

enum { FOUND_MAX = 600 };

struct listener {
    struct server_rule_set *rules;
    const char *told;
    bool said;
    char found[FOUND_MAX];
    struct text text;
};

static void take_findings(struct listener *listener)
{
    struct finding finding;
    while (DUPLEX_SERVER_RULES.take_finding(listener->rules, &finding)) {
        ck_assert(finding.expected[0] != '\0' && finding.actual[0] != '\0');
        if (listener->told != NULL && (strstr(finding.actual, listener->told) != NULL ||
                                       strstr(finding.expected, listener->told) != NULL))
            listener->said = true;
        if (strstr(listener->found, finding.requirement) != NULL)
            continue;
        text_add(&listener->text, finding.requirement);
        text_add_char(&listener->text, ' ');
    }
}

static void take_event(void *context, const struct wire_event *event)
{
    struct listener *listener = context;
    DUPLEX_SERVER_RULES.event(listener->rules, event);
    take_findings(listener);
}

static enum rule_verdict verdict_of(const struct server_rule_set *rules, const char *id, size_t len)
{
    for (size_t i = 0; i < DUPLEX_SERVER_RULES.count; i++) {
        const char *requirement = DUPLEX_SERVER_RULES.requirement(i);
        if (strlen(requirement) == len && strncmp(requirement, id, len) == 0)
            return DUPLEX_SERVER_RULES.verdict(rules, i);
    }
    ck_abort_msg("no rule %s", id);
}

START_TEST(a_session_breaks_what_it_breaks_and_nothing_else)
{
    const struct session_case *row = &CASES[_i];
    struct listener listener = {.told = row->told};
    const struct server_rule_context context = {.profile = &duplex_profile_by_name(row->profile)->base,
                                                .speed = row->speed,
                                                .picture_size = duplex_test_picture};
    listener.text = text_of(listener.found, sizeof listener.found);
    listener.rules = DUPLEX_SERVER_RULES.create(&context);
    ck_assert_ptr_nonnull(listener.rules);
    const uint64_t end_us =
        duplex_test_play(duplex_profile_of(context.profile), row->words, take_event, &listener);
    DUPLEX_SERVER_RULES.finish(listener.rules, end_us);
    take_findings(&listener);
    ck_assert_msg(strcmp(listener.found, row->broken) == 0, "%s: %s", row->name, listener.found);
    ck_assert_msg(row->told == NULL || listener.said, "%s: not told so", row->name);
    for (const char *id = row->kept; *id != '\0';) {
        const size_t len = strcspn(id, " ");
        ck_assert_msg(verdict_of(listener.rules, id, len) == RULE_KEPT, "%s: %.*s is not kept", row->name,
                      (int)len, id);
        id += len + (id[len] == ' ');
    }
    ck_assert_int_eq((DUPLEX_SERVER_RULES.blur(listener.rules) & DUPLEX_BLUR_OUTPUT) != 0,
                     strstr(row->broken, DUPLEX_SERVER_RULES.blur_requirement(DUPLEX_BLUR_OUTPUT)) != NULL);
    DUPLEX_SERVER_RULES.destroy(listener.rules);
}
END_TEST

/* Every rule is in some right session and in some wrong one. */
START_TEST(every_rule_was_seen_kept_and_broken)
{
    const char *id = DUPLEX_SERVER_RULES.requirement((size_t)_i);
    bool kept = false, broken = false;
    for (int i = 0; i < TABLE_COUNT(CASES); i++) {
        kept = kept || strstr(CASES[i].kept, id) != NULL;
        broken = broken || strstr(CASES[i].broken, id) != NULL;
    }
    ck_assert_msg(kept && broken, "%s", id);
}
END_TEST

START_TEST(what_is_timed_and_what_is_blurred_is_told)
{
    ck_assert(server_traits_of_requirement(&DUPLEX_SERVER_RULES, "DX-SRV-10").timed &&
              server_traits_of_requirement(&DUPLEX_SERVER_RULES, "DX-SRV-15").timed);
    ck_assert(!server_traits_of_requirement(&DUPLEX_SERVER_RULES, "DX-SRV-01").timed &&
              !server_traits_of_requirement(&DUPLEX_SERVER_RULES, "OJ-SRV-05").timed);
    ck_assert_uint_eq(server_traits_of_requirement(&DUPLEX_SERVER_RULES, "DX-SRV-07").blur,
                      DUPLEX_BLUR_OUTPUT);
    ck_assert_uint_eq(server_traits_of_requirement(&DUPLEX_SERVER_RULES, "DX-SRV-04").blur,
                      DUPLEX_BLUR_ERROR);
    ck_assert_str_eq(DUPLEX_SERVER_RULES.blur_requirement(DUPLEX_BLUR_OUTPUT), "DX-SRV-18");
    ck_assert_str_eq(DUPLEX_SERVER_RULES.blur_requirement(DUPLEX_BLUR_ERROR), "DX-SRV-17");
    ck_assert_uint_eq(server_traits_of_requirement(&DUPLEX_SERVER_RULES, "DX-SRV-18").blur, 0);
    ck_assert_uint_eq(server_traits_of_requirement(&DUPLEX_SERVER_RULES, "OJ-SRV-16").blur, 0);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("duplex server rules");
    tcase_add_loop_test(tcase, a_session_breaks_what_it_breaks_and_nothing_else, 0, TABLE_COUNT(CASES));
    tcase_add_loop_test(tcase, every_rule_was_seen_kept_and_broken, 0, (int)DUPLEX_SERVER_RULES.count);
    tcase_add_test(tcase, what_is_timed_and_what_is_blurred_is_told);
    return suite_run("duplex server rules", tcase);
}
