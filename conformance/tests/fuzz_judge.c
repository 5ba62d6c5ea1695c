/*
 * What a client under test reports, and how it ends, whatever it is, over sessions that the mock and the
 * reference client had in memory: the judge comes to the same twice, its texts are whole, and what it points
 * at is there.
 *
 * Input: session, then changes: what, which observation, a value or two.
 */
#include <stdlib.h>

#include "conformance/judge/plan_writer.h"
#include "conformance/memory/memory.h"
#include "server/persona/persona.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* An input costs a judgement, or two, which look through the journal for each check. */
enum {
    CHANGES_MAX = 64,
    OBSERVATIONS_MAX = 400,
    SOUND_MAX = 1024,
    SPEECH_SAMPLES = 4800,
    PLAN_BYTES_MAX = 65536
};

static const char *const CASES[] = {
    "case ojin/fuzz/cancel\ntitle \"t\"\nexpect \"e\"\nclause OJ-CAN-03 MUST\nclause OJ-CAN-01 MUST\n"
    "needs cancel played cancelled\nlimit 8s\nplan {\n  speak \"a.wav\"\n  cancel after=speech:3\n  wait "
    "300ms\n"
    "  close\n}\nserver {\n  accept\n  serve until=cancel as cancelled\n"
    "  send speech count=3 interaction=$cancelled.interaction as late\n  serve until=close\n}\n"
    "check stops-showing MUST given=sent:speech[step=late] after=seen:cancelled none seen:played kind=speech "
    "interaction=$cancelled.interaction\n"
    "check one-cancel INFO clause=OJ-CAN-01 after=received:cancelInteraction none "
    "received:cancelInteraction\n",
    "case ojin/fuzz/again\ntitle \"t\"\nexpect \"e\"\nclause OJ-CLS-04 MUST\nclause OJ-ERR-08 SHOULD\n"
    "clause OJ-BUF-04 SHOULD\nneeds played closed\nlimit 12s\nplan {\n  reconnect 2\n  speak \"a.wav\"\n"
    "  wait after=ready:2\n  speak \"a.wav\"\n  end\n}\nserver {\n  accept\n  serve until=speech:4 as old\n"
    "  mark lost\n  reset\n  accept\n  serve until=final as second\n  serve until=close\n}\n"
    "check tries-again SHOULD clause=OJ-ERR-08 given=mark:lost count received:upgrade min=2\n"
    "check opens-again MUST if=received:upgrade:2 after=received:upgrade:2 until=sent:final some "
    "received:audio bytes=1293\n"
    "check plays-no-old MUST if=received:upgrade:2 given=mark:lost after=seen:closed none seen:played "
    "interaction=$old.interaction\n"
    "check plays-new SHOULD clause=OJ-BUF-04 if=received:upgrade:2 given=sent:final together sent:speech "
    "interaction=$second.interaction\n",
    "case duplex/fuzz/closed\ntitle \"t\"\nexpect \"e\"\nclause DX-FLD-03 SHOULD\nlimit 8s\nplan {\n"
    "  wait after=final\n}\nserver {\n  accept\n  serve until=ready\n"
    "  send delta as before samples=600 audio=coded end_of_turn=true text=\"That was it.\"\n  wait 200ms\n"
    "  send closed reason=context_full\n  wait 100ms\n  close\n}\n"
    "check heard SHOULD heard sent:delta step=before\n"
    "check tells SHOULD given=sent:closed some seen:any text=\"context_full\"\n",
    "case interview/fuzz/burst\ntitle \"t\"\nexpect \"e\"\nclause IV-OUT-02 SHOULD\nlimit 8s\nplan {\n"
    "  close after=turn\n}\nserver {\n  accept\n  serve until=ready\n"
    "  send ai_audio_chunk samples=480 audio=coded transcript=\"One\" is_final=false\n"
    "  send ai_audio_chunk samples=481 audio=coded transcript=\"One after another.\" is_final=true\n"
    "  recv close within=3s\n}\n"
    "check seamless SHOULD seamless sent:ai_audio_chunk\ncheck heard SHOULD heard sent:ai_audio_chunk\n",
};
enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

static const char *const CODES[] = {"",          "401",        "RATE_LIMITED", "NO_CONNECTION",
                                    "BAD_FRAME", "connecting", "backing-off",  "context_full",
                                    "ai",        "candidate"};

struct session {
    struct case_script *script;
    struct client_plan plan;
    struct memory_result *memory;
};

/* What a client is taken to have done. */
struct told {
    struct judge_input input;
    struct observation list[OBSERVATIONS_MAX];
    int16_t sound[SOUND_MAX];
};

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* ---- the sessions, had once ---- */

static void have(struct session *session, const char *text, struct persona *persona)
{
    static int16_t speech[SPEECH_SAMPLES];
    char error[SCRIPT_ERROR_MAX] = "";
    struct buffer json;
    const struct bytes script = bytes_of_text(text);
    for (size_t i = 0; i < SPEECH_SAMPLES; i++)
        speech[i] = (int16_t)(i * 7919 % 20000);
    session->script = case_script_parse("fuzz", script, case_family_of_script(script), error);
    check(session->script != NULL);
    const struct family *family = session->script->class->family;
    buffer_init(&json, PLAN_BYTES_MAX);
    check(plan_write(session->script, family->profiles[0]->name, "/speech", &json) &&
          client_plan_parse(buffer_bytes(&json), &session->plan, error));
    buffer_free(&json);
    for (size_t i = 0; i < session->plan.step_count; i++)
        if (session->plan.steps[i].what == DO_SPEAK) {
            session->plan.steps[i].samples = speech;
            session->plan.steps[i].sample_count = SPEECH_SAMPLES;
        }
    const struct memory_case given = {.script = session->script,
                                      .client = client_class_by_family(family->name),
                                      .profile = family->profiles[0],
                                      .persona = persona,
                                      .seed = 1,
                                      .key = "a-key",
                                      .config_id = "persona-1",
                                      .plan = &session->plan,
                                      .speech_exact = true};
    session->memory = memory_run(&given);
    check(session->memory != NULL);
}

static const struct session *session_of(size_t n)
{
    static struct session sessions[CASE_COUNT];
    char error[PERSONA_ERROR_MAX];
    if (sessions[0].memory == NULL) {
        struct persona *persona = persona_new(320, 320, error);
        check(persona != NULL);
        for (size_t i = 0; i < CASE_COUNT; i++)
            have(&sessions[i], CASES[i], persona);
        persona_free(persona);
    }
    return &sessions[n % CASE_COUNT];
}

/* ---- what is changed ---- */

static uint8_t next(struct bytes *input)
{
    if (input->len == 0)
        return 0;
    const uint8_t byte = input->data[0];
    *input = bytes_of(input->data + 1, input->len - 1);
    return byte;
}

/* 0, small, or anything. */
static uint32_t next_number(struct bytes *input)
{
    const uint32_t first = next(input);
    if (first < 200)
        return first;
    uint32_t value = first << 24;
    for (unsigned shift = 0; shift < 24; shift += 8)
        value |= (uint32_t)next(input) << shift;
    return value;
}

static void list_move(struct told *told, size_t from, size_t to)
{
    const struct observation moved = told->list[from];
    struct observation *list = told->list;
    if (from < to)
        memmove(list + from, list + from + 1, (to - from) * sizeof *list);
    else
        memmove(list + to + 1, list + to, (from - to) * sizeof *list);
    list[to] = moved;
}

static void list_repeat(struct told *told, size_t n)
{
    if (told->input.observation_count == OBSERVATIONS_MAX)
        return;
    told->list[told->input.observation_count++] = told->list[n];
    list_move(told, told->input.observation_count - 1, n);
}

static void list_drop(struct told *told, size_t n)
{
    list_move(told, n, told->input.observation_count - 1);
    told->input.observation_count--;
}

static void member_change(struct observation *one, struct bytes *input)
{
    const uint8_t which = next(input);
    const uint32_t value = next_number(input);
    switch (which % 16) {
    case 0:
        one->kind = (enum observation_kind)(value % OBSERVATION_KIND_COUNT);
        return;
    case 1:
        one->index = value < 200 ? (int64_t)value - 1 : (int64_t)value << 8;
        return;
    case 2:
        one->is_final = !one->is_final;
        return;
    case 3:
        one->has_interaction = !one->has_interaction;
        return;
    case 4:
        one->interaction[value % UUID_BYTES] ^= 1;
        return;
    case 5:
        one->has_audio = !one->has_audio;
        return;
    case 6:
        one->audio_crc ^= value;
        return;
    case 7:
        one->has_image = !one->has_image;
        return;
    case 8:
        one->image_crc ^= value;
        return;
    case 9:
        one->has_at = !one->has_at;
        return;
    case 10:
        one->at += value;
        return;
    case 11:
        one->has_samples = !one->has_samples;
        return;
    case 12:
        one->samples += value;
        return;
    case 13:
        one->close_code = (uint16_t)value;
        return;
    case 14: {
        struct text code = text_of(one->code, sizeof one->code);
        text_add(&code, CODES[value % (sizeof CODES / sizeof CODES[0])]);
        return;
    }
    default:
        one->text[value % (sizeof one->text - 1)] = (char)which;
        return;
    }
}

static void end_change(struct judge_input *input, struct bytes *bytes)
{
    const uint8_t which = next(bytes);
    const uint32_t value = next_number(bytes);
    struct text said = text_of(input->end_text, sizeof input->end_text);
    switch (which % 10) {
    case 0:
        input->end = (enum client_end)(value % (CLIENT_NOT_STARTED + 1));
        text_add(&said, input->end == CLIENT_CRASHED ? "killed by SIGSEGV" : "");
        return;
    case 1:
        input->exit_code = (int)(value & 0xFF);
        return;
    case 2:
        input->lateness_us = value;
        return;
    case 3:
        input->waited_us = value;
        input->waited_long_us = (uint64_t)value * 4;
        return;
    case 4:
        input->unsaid ^= 1U << value % 32;
        return;
    case 5:
        input->tier = (enum client_tier)(value % (TIER_OBSERVE + 1));
        return;
    case 6:
        input->strict = (value & 1) != 0;
        input->inferred = (value & 2) != 0;
        return;
    case 7:
        input->key_leak = value % 2 == 0 ? NULL : "standard error";
        return;
    case 8:
        input->script_line = value;
        return;
    default: {
        struct text bad = text_of(input->bad_observation, sizeof input->bad_observation);
        text_add(&bad, value % 2 == 0 ? "" : "line 4: index is no number");
        return;
    }
    }
}

static void sound_change(struct told *told, struct bytes *input)
{
    told->input.sound_known = next(input) % 2 == 1;
    told->input.sound_count = told->input.sound_known ? next_number(input) % (SOUND_MAX + 1) : 0;
    const uint8_t step = next(input);
    for (size_t i = 0; i < told->input.sound_count; i++)
        told->sound[i] = (int16_t)(i * step);
    told->input.sound = told->input.sound_count == 0 ? NULL : told->sound;
}

static void change(struct told *told, struct bytes *input)
{
    const uint8_t what = next(input);
    const size_t count = told->input.observation_count;
    const size_t n = count == 0 ? 0 : (what >> 3 | (size_t)next(input) << 5) % count;
    switch (what % 8) {
    case 0:
        if (count > 0)
            list_drop(told, n);
        return;
    case 1:
        if (count > 0)
            list_repeat(told, n);
        return;
    case 2:
        if (count > 0)
            list_move(told, n, next(input) % count);
        return;
    case 3:
        told->input.observation_count = n; /* it said no more */
        return;
    case 4:
    case 5:
        if (count > 0)
            member_change(&told->list[n], input);
        return;
    case 6:
        end_change(&told->input, input);
        return;
    default:
        sound_change(told, input);
        return;
    }
}

/* ---- the judgement ---- */

#define CHECK_TEXT(text) check(memchr(text, '\0', sizeof(text)) != NULL)

static void check_one(const struct judge_input *input, const struct check_result *one)
{
    check(one->requirement != NULL && one->verdict != VERDICT_PARTIAL);
    check(one->verdict < VERDICT_XFAIL || one->verdict > VERDICT_XPASS); /* those are the runner's */
    check(one->journal_sequence == UINT64_MAX || one->journal_sequence < journal_count(input->journal));
    check(one->observation_number <= input->observation_count);
    CHECK_TEXT(one->name);
    CHECK_TEXT(one->expected);
    CHECK_TEXT(one->actual);
}

static void check_result(const struct judge_input *input, const struct case_result *result)
{
    check(result->check_count <= JUDGE_CHECKS_MAX);
    CHECK_TEXT(result->note);
    CHECK_TEXT(result->end_text);
    CHECK_TEXT(result->answer);
    for (size_t i = 0; i < result->check_count; i++) {
        check_one(input, &result->checks[i]);
        if (result->checks[i].verdict == VERDICT_FAIL && result->checks[i].scope != SCOPE_RUN)
            check(case_fails(result));
    }
}

static void check_alike(const struct case_result *a, const struct case_result *b)
{
    check(a->verdict == b->verdict && a->check_count == b->check_count && strcmp(a->note, b->note) == 0);
    for (size_t i = 0; i < a->check_count; i++) {
        check(a->checks[i].verdict == b->checks[i].verdict);
        check(strcmp(a->checks[i].actual, b->checks[i].actual) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static struct told told;
    static struct case_result once, twice;
    struct bytes input = bytes_of(data, len);
    const struct session *session = session_of(next(&input));
    told.input = (struct judge_input){.script = session->script, .tier = TIER_OBSERVE};
    memory_result_judge_input(session->memory, &told.input);
    check(told.input.observation_count < OBSERVATIONS_MAX);
    if (told.input.observation_count > 0)
        memcpy(told.list, told.input.observations, told.input.observation_count * sizeof told.list[0]);
    for (int i = 0; i < CHANGES_MAX && input.len > 0; i++)
        change(&told, &input);
    told.input.observations = told.list;
    judge_case(&told.input, &once);
    check_result(&told.input, &once);
    if (len % 4 == 0) {
        judge_case(&told.input, &twice);
        check_alike(&once, &twice);
    }
    return 0;
}
