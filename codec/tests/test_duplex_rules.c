/* The rules for clients of the full-duplex family: a right and a wrong session for each. */
#include "codec/rules/duplex/classes.h"
#include "codec/tests/duplex_player.h"
#include "codec/tests/duplex_text.h"
#include "codec/tests/suite.h"

struct session_case {
    const char *name;
    const char *profile;
    const char *words;
    const char *broken; /* the requirements found broken, in their order, with a blank after each */
    const char *kept;   /* some of those kept */
    const char *told;   /* what a finding says; NULL: anything */
};

#define START    "open qdone +5 update +5 created "
#define STOP     " close +5 closed:stopped cclose"
#define ONE      START "append listen:300"
#define APPEND   "+1000 c:{\"type\":\"input_audio_buffer.append\","
#define PICTURE  "\"video_frames\":[\"" DUPLEX_TEST_JPEG "\"]"
#define SPEECHES "speak speak speak:8000"

static const struct session_case CASES[] = {
    {"a session", "video", ONE STOP, "",
     "DX-CON-01 DX-CON-02 DX-CON-03 DX-CON-04 DX-CON-07 DX-SES-01 DX-SES-02 DX-APP-01 DX-APP-02 DX-APP-03 "
     "DX-APP-04 "
     "DX-APP-08 DX-CLS-01 DX-CLS-02",
     NULL},
    {"a session in audio mode", "audio", ONE STOP, "", "DX-CON-01 DX-APP-01 DX-APP-03 DX-APP-05 DX-CLS-01",
     NULL},
    {"a session of the later version", "duplex-later", ONE STOP, "",
     "DX-CON-04 DX-SES-01 DX-APP-01 DX-APP-04", NULL},
    {"after a queue", "video", "open queued +3000 qupdate +3000 qupdate qdone update created append" STOP, "",
     "DX-CON-02 DX-FLD-02 DX-CLS-01", NULL},
    {"left while queueing", "video", "open queued +3000 qupdate cend", "", "DX-CON-01", NULL},

    {"another path", "video", "open:/realtime?mode=video qdone update created append" STOP, "DX-CON-01 ", "",
     "the path is /realtime"},
    {"no mode", "video", "open:/v1/realtime qdone update created append" STOP, "DX-CON-01 ", "", "no mode"},
    {"another mode", "audio", "open:/v1/realtime?mode=video qdone update created append" STOP, "DX-CON-01 ",
     "", "mode=video"},
    {"a mode in capitals", "video", "open:/v1/realtime?mode=Video qdone update created append" STOP,
     "DX-CON-01 ", "", NULL},
    {"mode twice", "video", "open:/v1/realtime?mode=video&mode=video qdone update created append" STOP,
     "DX-CON-01 ", "", "more than once"},
    {"mode and more", "video", "open:/v1/realtime?x=1&mode=video qdone update created append" STOP, "",
     "DX-CON-01", NULL},

    {"update in the queue", "video", "open queued update qdone update created append" STOP,
     "DX-CON-02 DX-CON-04 ", "", "session.update"},
    {"audio in the queue", "video", "open queued append qdone update created append" STOP, "DX-CON-02 ", "",
     "input_audio_buffer.append"},
    {"binary in the queue", "video", "open b:abc qdone update created append" STOP, "DX-CON-02 ", "",
     "a binary message of 3 bytes"},

    {"raw bytes that may be a queue_done", "video", "open queued raw update created append" STOP, "",
     "DX-SES-01", NULL},
    {"an update before such bytes", "video", "open queued update raw created append" STOP, "DX-CON-02 ", "",
     "session.update"},
    {"raw bytes that may be a session.created", "video", "open qdone update raw append append" STOP, "",
     "DX-CON-02 DX-CON-04", NULL},
    {"a second update after such bytes", "video", "open qdone update raw update append" STOP, "DX-CON-04 ",
     "", "second"},

    {"nothing after a queue_done at once", "video", "open qdone +6000 cend", "DX-CON-03 ", "", "6000 ms"},
    {"not long enough to tell", "video", "open qdone +4000 cend", "", "", NULL},

    {"an append before update", "video", "open qdone append update created append" STOP, "DX-CON-04 ", "",
     "input_audio_buffer.append before session.update"},
    {"an append before created", "video", "open qdone update append created append" STOP, "DX-CON-04 ", "",
     "before session.created"},
    {"a second update", "video", START "append update append" STOP, "DX-CON-04 ", "", "second"},
    {"a second update for a repeated queue", "video",
     "open queued +10 qupdate +10 qupdate qdone update qdone update created append" STOP,
     "DX-CON-04 DX-FLD-02 ", "", NULL},

    {"an unmasked frame", "video", START "append violation:1 violation:1 append" STOP, "DX-CON-07 ",
     "DX-APP-01", "an unmasked frame"},
    {"a reserved bit, and the end", "audio", "open qdone violation:3 cend", "DX-CON-07 ", "DX-CON-01", NULL},
    {"a pong", "video", START "append ping:a +100 pong:a append" STOP, "", "DX-CON-06", NULL},
    {"a pong of a newer ping", "video", START "append ping:a ping:b +100 pong:b append" STOP, "", "DX-CON-06",
     NULL},
    {"a pong while queueing", "video", "open queued ping:a +10 pong:a qdone update created append" STOP, "",
     "DX-CON-02 DX-CON-06", NULL},
    {"no pong", "video", START "append ping:a append append append append" STOP, "DX-CON-06 ", "", NULL},
    {"a pong of other data", "video", START "append ping:a +100 pong append append append append" STOP,
     "DX-CON-06 ", "", NULL},

    {"update without instructions", "video",
     "open qdone c:{\"type\":\"session.update\",\"session\":{}} created append" STOP, "DX-SES-01 ", "",
     "session.instructions"},
    {"update with a voice at 24 kHz", "video",
     "open qdone "
     "c:{\"type\":\"session.update\",\"session\":{\"instructions\":\"a\",\"ref_audio\":\"" DUPLEX_TEST_WAV_24
     "\"}} created append" STOP,
     "DX-SES-01 ", "", "24000 Hz"},
    {"update with both voices", "video",
     "open qdone c:{\"type\":\"session.update\",\"session\":{\"instructions\":\"a\",\"max_slice_nums\":4,"
     "\"ref_audio\":\"" DUPLEX_TEST_WAV "\",\"tts_ref_audio\":\"" DUPLEX_TEST_WAV "\"}} created append" STOP,
     "", "DX-SES-01", NULL},

    {"created with more members", "video",
     "open qdone update s:{\"type\":\"session.created\",\"session_id\":\"rt_1\",\"model\":{}} append" STOP,
     "", "DX-SES-02", NULL},
    {"created with more members ends it", "video",
     "open qdone update s:{\"type\":\"session.created\",\"session_id\":\"rt_1\",\"model\":{}} +10 cend",
     "DX-SES-02 ", "", "10 ms"},
    {"a close that crosses created", "video", "open qdone update created +100 cclose", "", "DX-CON-04", NULL},
    {"a close after created", "video", "open qdone update created +200 cclose", "DX-SES-02 ", "", "200 ms"},

    {"base64 for URLs", "audio", START APPEND "\"audio\":\"AAA-\"}" STOP, "DX-APP-01 ", "",
     "'-' at character 4"},
    {"16-bit audio", "audio", START APPEND "\"audio\":\"@6000AAA=\"}" STOP, "DX-APP-01 ", "", "bytes"},
    {"a NaN", "audio", START APPEND "\"audio\":\"@6000AADAfwAAAAAAAAAA\"}" STOP, "DX-APP-01 ", "DX-APP-02",
     "NaN"},
    {"audio missing", "video", START APPEND PICTURE "}" STOP, "DX-APP-01 ", "DX-APP-04", "nothing"},
    {"audio in binary", "video", START "b:abcd" STOP, "DX-APP-01 ", "", "binary"},
    {"plain text", "video", START "c:hello" STOP, "DX-APP-01 ", "", "no JSON"},
    {"later, the update of the documented version", "duplex-later",
     "open qdone c:{\"type\":\"session.update\",\"session\":{\"instructions\":\"a\"}} +6000 cend",
     "DX-CON-04 DX-CON-03 ", "", "and of type \"session.update\" before session.init"},
    {"later, an append before the update", "duplex-later", "open qdone append update created append" STOP,
     "DX-CON-04 ", "", "input.append before session.init"},
    {"later, a second update", "duplex-later", START "append update append" STOP, "DX-CON-04 ", "",
     "a second session.init"},
    {"later, audio missing", "duplex-later",
     START "c:{\"type\":\"input.append\",\"input\":{" PICTURE "}}" STOP, "DX-APP-01 ", "", "input.audio"},
    {"later, no input", "duplex-later", START "c:{\"type\":\"input.append\"}" STOP, "DX-APP-01 DX-APP-04 ",
     "", NULL},

    {"3999 samples", "video", START "append:3999" STOP, "DX-APP-02 ", "DX-APP-01", "3999 samples"},
    {"4000 samples", "video", START "append:4000" STOP, "", "DX-APP-02", NULL},

    {"250 ms each", "audio", START "now:4000 +250 now:4000 +250 now:4000" STOP, "DX-APP-03 ", "",
     "4000 samples"},
    {"a short last one", "audio", START "append append append:9000" STOP, "", "DX-APP-03", NULL},
    {"a short one before a pause", "audio", START "append append:9000 +2000 append" STOP, "", "DX-APP-03",
     NULL},
    {"two seconds in one", "audio", START "append:32000" STOP, "DX-APP-03 ", "",
     "32000 samples in one append"},
    {"three at once", "audio", START "append now now" STOP, "DX-APP-03 ", "", "48000 samples within 0 ms"},
    {"two at once", "audio", START "append now append append" STOP, "", "DX-APP-03", NULL},
    {"always twice as fast", "audio",
     START "append +500 now +500 now +500 now +500 now +500 now +500 now" STOP, "DX-APP-03 ", "", NULL},
    {"a little faster", "audio",
     START "append +980 now +980 now +980 now +980 now +980 now +980 now +980 now +980 now" STOP, "",
     "DX-APP-03", NULL},
    {"not while the server speaks", "audio",
     START "append delta:12000 append delta +1000 delta +1000 last:9000 +1000 append" STOP, "DX-APP-03 ", "",
     "4000 ms"},
    {"also while it speaks", "audio",
     START "append delta:12000 append delta append delta append last:9000 append listen:500" STOP, "",
     "DX-APP-03", NULL},
    {"no append any more while the server speaks", "audio", START "append delta:12000 +2600" STOP,
     "DX-APP-03 ", "", "2600 ms without an append"},
    {"no append any more, and gone", "audio", START "append delta:12000 +2600 cend", "DX-CLS-01 DX-APP-03 ",
     "", "2600 ms without an append"},
    {"no append any more, for a moment", "audio", START "append delta:12000 +2400" STOP, "", "DX-APP-03",
     NULL},
    {"no append any more once the turn is over", "audio", START "append delta:12000 last:9000 +5000" STOP, "",
     "DX-APP-03", NULL},
    {"a pause while it listens", "audio", START "append listen:300 +5000 append" STOP, "", "DX-APP-03", NULL},

    {"no picture", "video", START APPEND "\"audio\":\"@16000\"}" STOP, "DX-APP-04 ", "", "no video_frames"},
    {"an empty list", "video", START APPEND "\"audio\":\"@16000\",\"video_frames\":[]}" STOP, "DX-APP-04 ",
     "", "empty"},
    {"a picture in audio mode", "audio", START APPEND "\"audio\":\"@16000\"," PICTURE "}" STOP, "DX-APP-05 ",
     "", NULL},

    {"null for what is not sent", "audio",
     "open qdone +5 "
     "c:{\"type\":\"session.update\",\"session\":{\"instructions\":\"a\",\"max_slice_nums\":null,"
     "\"ref_audio\":null,\"tts_ref_audio\":null}} +5 created " APPEND
     "\"audio\":\"@16000\",\"video_frames\":null,\"force_listen\":null,\"max_slice_nums\":null}" STOP,
     "", "DX-SES-01 DX-APP-01 DX-APP-05 DX-CLS-01", NULL},
    {"five pictures", "video",
     START APPEND "\"audio\":\"@16000\",\"video_frames\":[\"" DUPLEX_TEST_JPEG "\",\"" DUPLEX_TEST_JPEG
                  "\",\"" DUPLEX_TEST_JPEG "\",\"" DUPLEX_TEST_JPEG "\",\"" DUPLEX_TEST_JPEG "\"]}" STOP,
     "", "DX-APP-04", "found 5 pictures"},
    {"null for pictures is none", "video", START APPEND "\"audio\":\"@16000\",\"video_frames\":null}" STOP,
     "DX-APP-04 ", "", "no video_frames"},
    {"slices and force_listen", "video",
     START APPEND "\"audio\":\"@16000\",\"max_slice_nums\":9,\"force_listen\":false," PICTURE "}" STOP, "",
     "DX-APP-06", NULL},
    {"no slices", "video", START APPEND "\"audio\":\"@16000\",\"max_slice_nums\":0," PICTURE "}" STOP,
     "DX-APP-06 ", "", "found 0"},
    {"ten slices", "video", START "slices:10" STOP, "DX-APP-06 ", "", "found 10"},
    {"force_listen a string", "video",
     START APPEND "\"audio\":\"@16000\",\"force_listen\":\"true\"," PICTURE "}" STOP, "DX-APP-06 ", "",
     "force_listen"},

    {"the speech", "audio", START SPEECHES STOP, "", "DX-APP-07 DX-APP-03", NULL},
    {"both speeches", "audio", START SPEECHES " speak speak:4000" STOP, "", "DX-APP-07 DX-APP-03", NULL},
    {"silence before it", "audio",
     START APPEND "\"audio\":\""
                  "AAAA"
                  "\"} append" STOP,
     "DX-APP-01 DX-APP-02 ", "", NULL},
    {"big-endian samples", "audio", START "big-endian " SPEECHES STOP, "DX-APP-01 ", "", "big-endian"},
    {"next to nothing", "audio", START "faint append append" STOP, "", "DX-APP-01", NULL},
    {"a speech before its time", "audio", "open qdone update speak created speak" STOP, "DX-CON-04 ", "",
     NULL},
    {"another sound", "audio", START "append" STOP, "", "DX-APP-01", NULL},

    {"a picture with a prefix", "video",
     START APPEND "\"audio\":\"@16000\",\"video_frames\":[\"data:image/jpeg;base64," DUPLEX_TEST_JPEG
                  "\"]}" STOP,
     "DX-APP-08 ", "DX-APP-04", "data: prefix"},
    {"no JPEG", "video", START APPEND "\"audio\":\"@16000\",\"video_frames\":[\"AAAAAAAA\"]}" STOP,
     "DX-APP-08 ", "DX-APP-04", "do not decode"},

    {"empty text and audio", "audio",
     START
     "append s:{\"type\":\"response.output_audio.delta\",\"text\":\"\",\"audio\":\"\",\"end_of_turn\":false,"
     "\"kv_cache_length\":300} append" STOP,
     "", "DX-OUT-05", NULL},
    {"ends at an empty text", "audio",
     START
     "append s:{\"type\":\"response.output_audio.delta\",\"text\":\"\",\"audio\":\"\",\"end_of_turn\":false,"
     "\"kv_cache_length\":300} cend",
     "DX-OUT-05 ", "", NULL},
    {"interrupts", "audio", START "append delta force listen:400 append" STOP, "", "DX-OUT-07", NULL},
    {"interrupts with an event", "audio", START "append delta c:{\"type\":\"response.cancel\"} append" STOP,
     "DX-OUT-07 ", "", "response.cancel"},
    {"an unknown event", "audio", START "append s:{\"type\":\"session.metrics\"} append" STOP, "",
     "DX-OUT-08", NULL},
    {"ends at an unknown event", "audio", START "append s:{\"type\":\"session.metrics\"} +20 cclose:1002",
     "DX-OUT-08 ", "", "20 ms"},

    {"no session.close", "audio", ONE " cclose", "DX-CLS-01 ", "", "without session.close"},
    {"the connection dropped", "audio", ONE " cend", "DX-CLS-01 ", "", NULL},
    {"another reason", "audio", ONE " close:done +5 closed:stopped cclose", "DX-CLS-01 ", "", "reason done"},
    {"does not wait", "audio", ONE " close +10 cclose", "DX-CLS-01 ", "", "10 ms"},
    {"waits in vain", "audio", ONE " close +2000 cclose", "", "DX-CLS-01", NULL},
    {"waits without end", "audio", ONE " close +31000", "DX-CLS-01 ", "", "30 s"},
    {"the server ends it", "audio", ONE " sclose:1001", "", "", NULL},

    {"appends after closed", "audio", ONE " closed:timeout +600 append +600 cclose", "DX-CLS-02 ", "", NULL},
    {"an append that was not due", "audio", ONE " append closed:timeout +100 now +600 cclose", "DX-CLS-02 ",
     "", "100 ms"},
    {"those that left together", "audio", ONE " append closed:timeout +5 now +5 now +600 cclose", "",
     "DX-CLS-02", NULL},
    {"a second one that crossed", "audio", ONE " append +900 closed:timeout +100 now +300 now +600 cclose",
     "DX-CLS-02 ", "", "400 ms after session.closed"},
    {"one that was due", "audio", ONE " append +700 closed:timeout +100 now +600 cclose", "", "DX-CLS-02",
     NULL},
    {"what crossed is let pass", "audio", ONE " +500 closed:timeout +400 now +600 cclose", "", "DX-CLS-02",
     NULL},

    {"goes on after an error", "audio", ONE " error:inference_error append" STOP, "", "DX-ERR-01", NULL},
    {"ends at an error", "audio", ONE " error:missing_field +30 cclose", "DX-ERR-01 ", "", "30 ms"},
    {"ends at an error, with an append that was on its way", "audio",
     ONE " error:missing_field now +30 cclose", "DX-ERR-01 ", "", "30 ms"},
    {"two appends after an error", "audio", ONE " error:missing_field now append +30 cclose", "DX-CLS-01 ",
     "DX-ERR-01", NULL},
    {"one append after session.created", "audio", ONE " +30 cclose", "DX-CLS-01 ", "DX-SES-02", NULL},
    {"ends long after an error", "audio", ONE " error:missing_field +4000 cclose", "DX-CLS-01 ", "", NULL},
    {"ends at an error that closes", "audio", ONE " error:worker_busy +30 cclose", "DX-CLS-01 ", "", NULL},
    {"waits in vain for the close behind an error", "audio", ONE " error:worker_busy +1000 cclose", "", "",
     NULL},
    {"waits in vain behind an error that does not close", "audio",
     ONE " error:missing_field +4000 append +1000 cclose", "DX-CLS-01 ", "", NULL},
    {"ends at a half-close after an error", "audio", ONE " error:missing_field half-close +30 cend", "", "",
     NULL},
    {"ends at bytes that are no message", "audio", ONE " raw +30 cclose:1002", "", "", NULL},
    {"no update after a half-close", "video", "open qdone half-close +6000 cend", "", "DX-CON-01", NULL},
    {"no pong after a half-close", "audio", ONE " ping:a half-close +4000 cend", "", "DX-APP-03", NULL},
    {"an end that was not read in time", "audio", ONE " error:missing_field stop-reading +30 cclose",
     "DX-ERR-01 ", "", NULL},
    {"what was not read in time comes at once", "audio",
     ONE " ping:a stop-reading +8000 now now now pong:a" STOP, "", "DX-APP-01 DX-CLS-01", NULL},
    {"a damaged delta", "audio",
     START
     "append "
     "s:{\"type\":\"response.output_audio.delta\",\"text\":\"a\",\"audio\":\"AAA\",\"end_of_turn\":false,"
     "\"kv_cache_length\":300} append" STOP,
     "", "DX-ERR-04", NULL},
    {"ends at a damaged delta", "audio",
     START
     "append "
     "s:{\"type\":\"response.output_audio.delta\",\"text\":\"a\",\"audio\":\"AAA\",\"end_of_turn\":false,"
     "\"kv_cache_length\":300} cend",
     "DX-ERR-04 ", "", NULL},
    {"audio null", "audio",
     START
     "append s:{\"type\":\"response.output_audio.delta\",\"text\":\"a\",\"audio\":null,\"end_of_turn\":false,"
     "\"kv_cache_length\":300} append" STOP,
     "", "DX-FLD-03", NULL},
    {"ends at audio null", "audio",
     START
     "append s:{\"type\":\"response.output_audio.delta\",\"text\":\"a\",\"audio\":null,\"end_of_turn\":false,"
     "\"kv_cache_length\":300} cend",
     "DX-FLD-03 ", "", NULL},
    {"ends at a cache that falls", "audio", START "append listen:300 append listen:200 +5 cend", "DX-FLD-03 ",
     "", NULL},
    {"goes on when the cache falls", "audio", START "append listen:300 append listen:200 append" STOP, "",
     "DX-FLD-03", NULL},
};

/* --- playing them --- */

enum { FOUND_MAX = 600 };

struct listener {
    struct rule_set *rules;
    const char *told;
    bool said;
    char found[FOUND_MAX];
    struct text text;
};

static void take_findings(struct listener *listener)
{
    struct finding finding;
    while (DUPLEX_RULES.take_finding(listener->rules, &finding)) {
        ck_assert(finding.expected[0] != '\0' && finding.actual[0] != '\0');
        if (listener->told != NULL && strstr(finding.actual, listener->told) != NULL)
            listener->said = true;
        if (finding.note || strstr(listener->found, finding.requirement) != NULL)
            continue;
        text_add(&listener->text, finding.requirement);
        text_add_char(&listener->text, ' ');
    }
}

static void take_event(void *context, const struct wire_event *event)
{
    struct listener *listener = context;
    DUPLEX_RULES.event(listener->rules, event);
    take_findings(listener);
}

static enum rule_verdict verdict_of(const struct rule_set *rules, const char *id, size_t len)
{
    for (size_t i = 0; i < DUPLEX_RULES.count; i++) {
        const char *requirement = DUPLEX_RULES.requirement(i);
        if (strlen(requirement) == len && strncmp(requirement, id, len) == 0)
            return DUPLEX_RULES.verdict(rules, i);
    }
    ck_abort_msg("no rule %s", id);
}

static void play(struct listener *listener, const struct rule_context *context, const char *words)
{
    listener->text = text_of(listener->found, sizeof listener->found);
    listener->rules = DUPLEX_RULES.create(context);
    ck_assert_ptr_nonnull(listener->rules);
    const uint64_t end_us =
        duplex_test_play(duplex_profile_of(context->profile), words, take_event, listener);
    DUPLEX_RULES.finish(listener->rules, end_us);
    take_findings(listener);
}

static struct rule_context context_of(const char *profile, bool speech)
{
    struct rule_context context = {.profile = &duplex_profile_by_name(profile)->base,
                                   .speech_known = speech,
                                   .speech_exact = speech,
                                   .speech_count = speech ? 2 : 0,
                                   .picture_size = duplex_test_picture};
    for (size_t i = 0; i < context.speech_count; i++)
        context.speech[i].samples = duplex_test_speech(i, &context.speech[i].sample_count);
    return context;
}

static void check_kept(const struct listener *listener, const struct session_case *row)
{
    for (const char *id = row->kept; *id != '\0';) {
        const size_t len = strcspn(id, " ");
        ck_assert_msg(verdict_of(listener->rules, id, len) == RULE_KEPT, "%s: %.*s is not kept", row->name,
                      (int)len, id);
        id += len + (id[len] == ' ');
    }
}

START_TEST(a_session_breaks_what_it_breaks_and_nothing_else)
{
    const struct session_case *row = &CASES[_i];
    struct listener listener = {.told = row->told};
    const struct rule_context context = context_of(row->profile, strstr(row->kept, "DX-APP-07") != NULL);
    play(&listener, &context, row->words);
    ck_assert_msg(strcmp(listener.found, row->broken) == 0, "%s: %s", row->name, listener.found);
    ck_assert_msg(row->told == NULL || listener.said, "%s: not told so", row->name);
    check_kept(&listener, row);
    DUPLEX_RULES.destroy(listener.rules);
}
END_TEST

/* With the source known. */
static const struct session_case SOURCE_CASES[] = {
    {"the speech", "audio", START SPEECHES STOP, "", "DX-APP-07", NULL},
    {"another sound", "audio", START "append" STOP, "DX-APP-07 ", "", "at sample 0 of speech 1"},
    {"another sound in between", "audio", START "speak now:4000 speak" STOP, "DX-APP-07 DX-APP-03 ", "",
     "at sample 16000"},
    {"more than there is", "audio", START SPEECHES " speak speak:4000 append" STOP, "DX-APP-07 ", "",
     "more than the source"},
    {"silence before it", "audio", START "lead:16000 lead:16000 " SPEECHES STOP, "", "DX-APP-07", NULL},
    {"silence before it in the same append", "audio", START "lead:5000 speak speak:13000" STOP, "",
     "DX-APP-07", NULL},
    {"silence between the speeches", "audio", START SPEECHES " lead:16000 lead:3000 speak:7000" STOP, "",
     "DX-APP-07", NULL},
    {"silence within it", "audio", START "speak lead:100 speak" STOP, "DX-APP-07 ", "", "at sample 16000"},
    {"more after both, and silent", "audio", START SPEECHES " speak speak:4000 lead:16000" STOP, "",
     "DX-APP-07", NULL},
};

START_TEST(the_audio_is_compared_with_its_source)
{
    const struct session_case *row = &SOURCE_CASES[_i];
    struct listener listener = {.told = row->told};
    const struct rule_context context = context_of(row->profile, true);
    play(&listener, &context, row->words);
    ck_assert_msg(strcmp(listener.found, row->broken) == 0, "%s: %s", row->name, listener.found);
    ck_assert_msg(row->told == NULL || listener.said, "%s: not told so", row->name);
    check_kept(&listener, row);
    DUPLEX_RULES.destroy(listener.rules);
}
END_TEST

static const struct {
    const char *words;
    size_t said;
} SAID[] = {
    {START "lead:16000" STOP, 0},
    {START "speak speak" STOP, 0},
    {START SPEECHES " cend", 1},
    {START SPEECHES " lead:16000 speak speak:4000" STOP, 2},
    {START "speak lead:100 speak" STOP, RULE_SPEECHES_UNKNOWN},
};

START_TEST(the_speeches_that_came_whole_are_counted)
{
    struct listener listener = {.told = NULL};
    const struct rule_context context = context_of("audio", true);
    play(&listener, &context, SAID[_i].words);
    ck_assert_uint_eq(DUPLEX_RULES.speeches_said(listener.rules), SAID[_i].said);
    DUPLEX_RULES.destroy(listener.rules);
}
END_TEST

/* Every rule is in some right session and in some wrong one. */
START_TEST(every_rule_was_seen_kept_and_broken)
{
    const char *id = DUPLEX_RULES.requirement((size_t)_i);
    bool kept = false, broken = false;
    for (int i = 0; i < TABLE_COUNT(CASES); i++) {
        kept = kept || strstr(CASES[i].kept, id) != NULL;
        broken = broken || strstr(CASES[i].broken, id) != NULL;
    }
    for (int i = 0; i < TABLE_COUNT(SOURCE_CASES); i++)
        broken = broken || strstr(SOURCE_CASES[i].broken, id) != NULL;
    ck_assert_msg(kept && broken, "%s", id);
}
END_TEST

START_TEST(a_message_that_was_cut_is_not_judged_by_what_is_left)
{
    struct listener listener = {.told = NULL};
    const struct rule_context context = context_of("audio", true);
    play(&listener, &context, START);
    const struct wire_event cut = {.at_us = 50000,
                                   .direction = WIRE_FROM_CLIENT,
                                   .kind = WIRE_EVENT_TEXT,
                                   .message_bytes = 90000,
                                   .data = bytes_of_text("{\"type\":\"input_audio")};
    /* The set is finished; a new one takes it. */
    DUPLEX_RULES.destroy(listener.rules);
    listener.rules = DUPLEX_RULES.create(&context);
    (void)duplex_test_play(duplex_profile_of(context.profile), START, take_event, &listener);
    take_event(&listener, &cut);
    DUPLEX_RULES.finish(listener.rules, 60000);
    take_findings(&listener);
    ck_assert_str_eq(listener.found, "");
    DUPLEX_RULES.destroy(listener.rules);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("duplex rules");
    tcase_add_loop_test(tcase, a_session_breaks_what_it_breaks_and_nothing_else, 0, TABLE_COUNT(CASES));
    tcase_add_loop_test(tcase, the_audio_is_compared_with_its_source, 0, TABLE_COUNT(SOURCE_CASES));
    tcase_add_loop_test(tcase, the_speeches_that_came_whole_are_counted, 0, TABLE_COUNT(SAID));
    tcase_add_loop_test(tcase, every_rule_was_seen_kept_and_broken, 0, (int)DUPLEX_RULES.count);
    tcase_add_test(tcase, a_message_that_was_cut_is_not_judged_by_what_is_left);
    return suite_run("duplex rules", tcase);
}
