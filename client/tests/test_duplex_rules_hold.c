/*
 * The client core keeps the rules of the full-duplex family, and the pace of its server's turns those for
 * servers: a whole session of each profile, judged from both ends.
 */
#include <check.h>
#include <stdlib.h>

#include "client/tests/duplex_simulation.h"
#include "codec/duplex/cache.h"
#include "codec/duplex/turn.h"
#include "codec/rules/duplex/classes.h"

enum { SPEECH_SAMPLES = 40000, SECOND_US = 1000000 };

struct stage {
    struct simulation simulation;
    struct rule_set *rules;
    struct server_rule_set *server_rules;
    size_t judged; /* records of the client that the rules have seen */
    struct duplex_cache cache;
    size_t appends; /* that the cache has taken in */
};

static void judge(struct stage *stage, uint64_t at_us, enum wire_direction direction,
                  enum wire_event_kind kind, uint16_t code, struct bytes data)
{
    const struct wire_event event = {.at_us = at_us,
                                     .direction = direction,
                                     .kind = kind,
                                     .code = code,
                                     .message_bytes = data.len,
                                     .data = data};
    DUPLEX_RULES.event(stage->rules, &event);
    DUPLEX_SERVER_RULES.event(stage->server_rules, &event);
}

/* What the client has sent since. */
static void judge_client(struct stage *stage)
{
    for (; stage->judged < stage->simulation.count; stage->judged++) {
        const struct recorded *record = &stage->simulation.records[stage->judged];
        if (record->kind == CLIENT_SEND_TEXT)
            judge(stage, record->at_us, WIRE_FROM_CLIENT, WIRE_EVENT_TEXT, 0,
                  bytes_of(record->data, record->len));
        else if (record->kind == CLIENT_SEND_CLOSE)
            judge(stage, record->at_us, WIRE_FROM_CLIENT, WIRE_EVENT_CLOSE, record->code, bytes_of(NULL, 0));
    }
}

static void run_until(struct stage *stage, uint64_t until_us)
{
    simulation_run(&stage->simulation, until_us);
    judge_client(stage);
}

static void say(struct stage *stage, const struct duplex_message *message)
{
    struct buffer text;
    buffer_init(&text, DUPLEX_MESSAGE_BYTES_MAX);
    ck_assert(duplex_message_write(duplex_profile_of(stage->simulation.profile), message, &text));
    judge(stage, stage->simulation.now_us, WIRE_FROM_SERVER, WIRE_EVENT_TEXT, 0, buffer_bytes(&text));
    simulation_event(&stage->simulation, CLIENT_TEXT, 0, buffer_bytes(&text));
    judge_client(stage);
    buffer_free(&text);
}

/* --- the server --- */

static void take_append(struct stage *stage)
{
    duplex_cache_listen(&stage->cache, DUPLEX_APPEND_SAMPLES);
    if (duplex_profile_of(stage->simulation.profile)->pictures)
        duplex_cache_see(&stage->cache, 1, DUPLEX_SLICES_DEFAULT);
    stage->appends++;
}

static void listen(struct stage *stage)
{
    take_append(stage);
    say(stage, &(struct duplex_message){.type = DUPLEX_MESSAGE_LISTEN,
                                        .has_kv_cache_length = true,
                                        .kv_cache_length = stage->cache.tokens});
}

static void speak(struct stage *stage, const struct duplex_turn *turn, size_t n)
{
    struct duplex_turn_part part;
    duplex_turn_part(turn, n, &part);
    uint8_t *pcm = calloc(part.samples + 1, FLOAT32_BYTES);
    ck_assert_ptr_nonnull(pcm);
    take_append(stage);
    duplex_cache_speak(&stage->cache, part.samples);
    /* A dialect by kind has a message of its own for the text. */
    if (duplex_profile_of(stage->simulation.profile)->dialect->by_kind)
        say(stage,
            &(struct duplex_message){.type = DUPLEX_MESSAGE_DELTA, .has_text = true, .text = part.text});
    say(stage, &(struct duplex_message){.type = DUPLEX_MESSAGE_DELTA,
                                        .has_text = true,
                                        .text = part.text,
                                        .has_audio = true,
                                        .audio = bytes_of(pcm, part.samples * FLOAT32_BYTES),
                                        .has_end_of_turn = true,
                                        .end_of_turn = part.end_of_turn,
                                        .has_kv_cache_length = true,
                                        .kv_cache_length = stage->cache.tokens});
    free(pcm);
}

/* --- the session --- */

static void begin(struct stage *stage, const struct rule_context *context, const char *profile)
{
    static const char format[] = "GET /v1/realtime?mode=";
    const struct server_rule_context server = {.profile = context->profile};
    char head[200];
    struct text text = text_of(head, sizeof head);
    *stage = (struct stage){.simulation = duplex_simulation_of(profile),
                            .rules = DUPLEX_RULES.create(context),
                            .server_rules = DUPLEX_SERVER_RULES.create(&server)};
    ck_assert(stage->rules != NULL && stage->server_rules != NULL);
    text_add(&text, format);
    text_add(&text, duplex_profile_of(stage->simulation.profile)->mode_word);
    text_add(&text, " HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n");
    judge(stage, 0, WIRE_FROM_CLIENT, WIRE_EVENT_REQUEST, 0, bytes_of_text(head));
    judge(stage, 0, WIRE_FROM_SERVER, WIRE_EVENT_RESPONSE, 101, bytes_of_text("HTTP/1.1 101 a\r\n\r\n"));
    simulation_event(&stage->simulation, CLIENT_OPENED, 0, bytes_of(NULL, 0));
    duplex_cache_init(&stage->cache, DUPLEX_PROMPT_TOKENS);
}

static void talk(struct stage *stage, int16_t *speech)
{
    static float samples[SPEECH_SAMPLES];
    for (size_t i = 0; i < SPEECH_SAMPLES; i++) {
        speech[i] = (int16_t)((int)(i * 7919 % 20011) - 10005);
        samples[i] = (float)speech[i] / 32768.0F;
    }
    ck_assert(duplex_client_talk(stage->simulation.client, samples, SPEECH_SAMPLES));
}

/* Listens to the speech, answers with a turn of four deltas, is told to stop a second one, and is left. */
static void play(struct stage *stage)
{
    const struct bytes words = bytes_of_text("The weather is nice today.");
    struct duplex_turn turn;
    uint64_t at_us = 100000;
    ck_assert(duplex_turn_divide(60000, 12000, words, &turn));
    run_until(stage, at_us);
    say(stage, &(struct duplex_message){.type = DUPLEX_MESSAGE_QUEUE_DONE});
    run_until(stage, at_us += 100000);
    say(stage, &(struct duplex_message){.type = DUPLEX_MESSAGE_CREATED,
                                        .has_session_id = true,
                                        .session_id = bytes_of_text("rt_1714200000000")});
    at_us += 50000;
    for (int i = 0; i < 4; i++, at_us += SECOND_US) {
        run_until(stage, at_us);
        listen(stage);
    }
    for (size_t n = 0; n < turn.delta_count; n++, at_us += SECOND_US) {
        run_until(stage, at_us);
        speak(stage, &turn, n);
    }
    run_until(stage, at_us);
    listen(stage);
    run_until(stage, at_us += SECOND_US);
    speak(stage, &turn, 0);
    duplex_client_force_listen(stage->simulation.client, stage->simulation.now_us, stage->simulation.actions);
    simulation_record(&stage->simulation);
    run_until(stage, at_us += SECOND_US);
    listen(stage);
    run_until(stage, at_us += 100000);
    duplex_client_end(stage->simulation.client, stage->simulation.now_us, stage->simulation.actions);
    simulation_record(&stage->simulation);
    run_until(stage, at_us += 3 * SECOND_US);
    say(stage, &(struct duplex_message){
                   .type = DUPLEX_MESSAGE_CLOSED, .has_reason = true, .reason = bytes_of_text("stopped")});
    run_until(stage, at_us + SECOND_US);
}

static void check_nothing_found(struct stage *stage, const char *profile)
{
    struct finding finding;
    while (DUPLEX_RULES.take_finding(stage->rules, &finding) ||
           DUPLEX_SERVER_RULES.take_finding(stage->server_rules, &finding))
        ck_abort_msg("%s: %s: expected %s, found %s", profile, finding.requirement, finding.expected,
                     finding.actual);
}

static bool is_kept(const struct stage *stage, const char *id)
{
    const size_t n = rule_of_requirement(&DUPLEX_RULES, id);
    if (n < DUPLEX_RULES.count)
        return DUPLEX_RULES.verdict(stage->rules, n) == RULE_KEPT;
    return DUPLEX_SERVER_RULES.verdict(stage->server_rules,
                                       server_rule_of_requirement(&DUPLEX_SERVER_RULES, id)) == RULE_KEPT;
}

static const char *const PROFILES[] = {"video", "audio", "duplex-later", "duplex-later-audio"};
static const char *const KEPT[] = {"DX-CON-01", "DX-CON-02", "DX-CON-03", "DX-CON-04", "DX-SES-01",
                                   "DX-SES-02", "DX-APP-01", "DX-APP-02", "DX-APP-03", "DX-APP-07",
                                   "DX-OUT-07", "DX-CLS-01", "DX-CLS-02", "DX-SRV-01", "DX-SRV-02",
                                   "DX-SRV-07", "DX-SRV-11", "DX-SRV-13", "DX-SRV-18"};

START_TEST(a_whole_session_breaks_no_rule_of_either_side)
{
    static int16_t speech[SPEECH_SAMPLES];
    struct rule_context context = {.profile = &duplex_profile_by_name(PROFILES[_i])->base,
                                   .speech_known = true,
                                   .speech_exact = true,
                                   .speech_count = 1,
                                   .speech = {{.samples = speech, .sample_count = SPEECH_SAMPLES}}};
    struct stage stage;
    begin(&stage, &context, PROFILES[_i]);
    talk(&stage, speech);
    play(&stage);
    DUPLEX_RULES.finish(stage.rules, stage.simulation.now_us);
    DUPLEX_SERVER_RULES.finish(stage.server_rules, stage.simulation.now_us);
    check_nothing_found(&stage, PROFILES[_i]);
    for (size_t i = 0; i < sizeof KEPT / sizeof KEPT[0]; i++)
        ck_assert_msg(is_kept(&stage, KEPT[i]), "%s: %s is not kept", PROFILES[_i], KEPT[i]);
    DUPLEX_RULES.destroy(stage.rules);
    DUPLEX_SERVER_RULES.destroy(stage.server_rules);
    simulation_end(&stage.simulation);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("rules hold");
    tcase_add_loop_test(tcase, a_whole_session_breaks_no_rule_of_either_side, 0,
                        (int)(sizeof PROFILES / sizeof PROFILES[0]));
    Suite *suite = suite_create("duplex rules hold");
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
