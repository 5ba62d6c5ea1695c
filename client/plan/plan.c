#include "client/plan/plan.h"

#include "codec/wire/json.h"
#include "codec/wire/text.h"

struct name_value {
    const char *name;
    int value;
};

static const struct name_value DOS[] = {
    {"connect", DO_CONNECT},     {"speak", DO_SPEAK},
    {"cancel", DO_CANCEL},       {"end", DO_END},
    {"wait", DO_WAIT},           {"close", DO_CLOSE},
    {"reconnect", DO_RECONNECT}, {"force-listen", DO_FORCE_LISTEN},
};

/* Some may be written with a count, "speech:10", and alone mean one. */
static const struct name_value AFTERS[] = {
    {"ready", AFTER_READY},   {"speech", AFTER_SPEECH}, {"sent", AFTER_SENT},
    {"idle", AFTER_IDLE},     {"final", AFTER_FINAL},   {"error", AFTER_ERROR},
    {"closed", AFTER_CLOSED}, {"listen", AFTER_LISTEN}, {"turn", AFTER_TURN},
};

enum {
    WAIT_MS_MAX = 3600000,
    RECONNECT_STEP_TIMES_MAX = 100,
    LIMIT_MS_MAX = 24 * 3600 * 1000,
    STEP_OUTSIDE = CLIENT_PLAN_STEPS_MAX /* an error about the plan, not about one of its steps */
};

/* "steps[2].after is …" */
static bool fail(char error[200], size_t step, const char *member, const char *what)
{
    struct text text = text_of(error, 200);
    if (step != STEP_OUTSIDE) {
        text_add(&text, "steps[");
        text_add_u64(&text, step);
        text_add(&text, "]");
        text_add(&text, member[0] != '\0' ? "." : "");
    }
    text_add(&text, member);
    text_add(&text, " ");
    text_add(&text, what);
    return false;
}

static bool find(const struct name_value *list, size_t count, struct bytes name, int *value)
{
    for (size_t i = 0; i < count; i++)
        if (bytes_equal_text(name, list[i].name)) {
            *value = list[i].value;
            return true;
        }
    return false;
}

static bool parse_count(struct bytes digits, uint64_t *out)
{
    uint64_t value = 0;
    if (digits.len == 0 || digits.len > 9 || digits.data[0] == '0')
        return false;
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.data[i] < '0' || digits.data[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(digits.data[i] - '0');
    }
    *out = value;
    return true;
}

static bool parse_after(const cJSON *after, struct client_plan_step *step)
{
    if (after == NULL)
        return true;
    if (!cJSON_IsString(after))
        return false;
    struct bytes name = bytes_of_text(after->valuestring);
    const uint8_t *colon = memchr(name.data, ':', name.len);
    step->after_count = 1;
    if (colon != NULL) {
        size_t before = (size_t)(colon - name.data);
        if (!parse_count(bytes_of(colon + 1, name.len - before - 1), &step->after_count) ||
            step->after_count == 0)
            return false;
        name.len = before;
    }
    int value = 0;
    if (!find(AFTERS, sizeof AFTERS / sizeof AFTERS[0], name, &value))
        return false;
    step->after = (enum client_plan_after)value;
    return colon == NULL || step->after == AFTER_SPEECH || step->after == AFTER_READY ||
           step->after == AFTER_LISTEN || step->after == AFTER_TURN;
}

/* A string member of bounded length; false when it is none, too long or (`required`) absent. */
static bool copy_string(const cJSON *value, bool required, char *out, size_t capacity)
{
    if (value == NULL)
        return !required;
    if (!cJSON_IsString(value) || strlen(value->valuestring) >= capacity)
        return false;
    struct text text = text_of(out, capacity);
    text_add(&text, value->valuestring);
    return !required || text.len > 0;
}

static bool parse_ms(const cJSON *value, int64_t max_ms, uint64_t *out_us)
{
    int64_t ms = 0;
    if (value == NULL || !json_integer(value, &ms) || ms < 0 || ms > max_ms)
        return false;
    *out_us = (uint64_t)ms * 1000;
    return true;
}

/* An object of bounded length, as text again. */
static bool copy_object(const cJSON *value, char *out, size_t capacity)
{
    if (value == NULL)
        return true;
    char *printed = cJSON_IsObject(value) ? json_print(value) : NULL;
    struct text text = text_of(out, capacity);
    if (printed != NULL)
        text_add(&text, printed);
    bool good = printed != NULL && !text.cut;
    cJSON_free(printed);
    return good;
}

static bool parse_step(const cJSON *json, size_t n, struct client_plan_step *step, char error[200])
{
    if (!cJSON_IsObject(json))
        return fail(error, n, "", "is no object");
    const cJSON *what = json_member(json, "do");
    int value = 0;
    if (!cJSON_IsString(what))
        return fail(error, n, "do", "is no string");
    step->unknown = !find(DOS, sizeof DOS / sizeof DOS[0], bytes_of_text(what->valuestring), &value);
    if (step->unknown)
        return true;
    step->what = (enum client_plan_do)value;
    if (!parse_after(json_member(json, "after"), step))
        return fail(
            error, n, "after",
            "is none of ready, speech, listen, turn, each with :N or without, sent, idle, final, error, "
            "closed");
    if (!copy_string(json_member(json, "file"), step->what == DO_SPEAK, step->file, sizeof step->file))
        return fail(error, n, "file", "is no path of 1 to 1023 bytes");
    if (!copy_object(json_member(json, "params"), step->params, sizeof step->params))
        return fail(error, n, "params", "is no JSON object of at most 1024 bytes");
    const cJSON *ms = json_member(json, "ms");
    if ((step->what == DO_WAIT || ms != NULL) && !parse_ms(ms, WAIT_MS_MAX, &step->wait_us))
        return fail(error, n, "ms", "is no whole number from 0 to 3600000");
    int64_t times = 0;
    const cJSON *given = json_member(json, "times");
    if (step->what == DO_RECONNECT &&
        (given == NULL || !json_integer(given, &times) || times < 0 || times > RECONNECT_STEP_TIMES_MAX))
        return fail(error, n, "times", "is no whole number from 0 to 100");
    step->times = (uint32_t)times;
    return true;
}

static bool parse_steps(const cJSON *steps, struct client_plan *plan, char error[200])
{
    if (!cJSON_IsArray(steps))
        return fail(error, STEP_OUTSIDE, "steps", "is no list");
    const cJSON *step = NULL;
    cJSON_ArrayForEach(step, steps)
    {
        if (plan->step_count == CLIENT_PLAN_STEPS_MAX)
            return fail(error, STEP_OUTSIDE, "steps", "holds more than 64 steps");
        if (!parse_step(step, plan->step_count, &plan->steps[plan->step_count], error))
            return false;
        plan->step_count++;
    }
    return true;
}

static bool parse_plan(const cJSON *json, struct client_plan *plan, char error[200])
{
    int64_t version = 0;
    if (!cJSON_IsObject(json))
        return fail(error, STEP_OUTSIDE, "the plan", "is no JSON object");
    const cJSON *conform = json_member(json, "conform");
    if (conform == NULL || !json_integer(conform, &version) || version != 1)
        return fail(error, STEP_OUTSIDE, "conform", "is not 1");
    if (!copy_string(json_member(json, "case"), false, plan->case_name, sizeof plan->case_name))
        return fail(error, STEP_OUTSIDE, "case", "is no string of at most 63 bytes");
    if (!copy_string(json_member(json, "profile"), false, plan->profile, sizeof plan->profile))
        return fail(error, STEP_OUTSIDE, "profile", "is no string of at most 63 bytes");
    const cJSON *limit = json_member(json, "limit_ms");
    if (limit != NULL && !parse_ms(limit, LIMIT_MS_MAX, &plan->limit_us))
        return fail(error, STEP_OUTSIDE, "limit_ms", "is no whole number from 0 to 86400000");
    return parse_steps(json_member(json, "steps"), plan, error);
}

bool client_plan_parse(struct bytes json, struct client_plan *out, char error[200])
{
    cJSON *root = NULL;
    struct wire_error problem = json_parse(json, &root);
    if (problem.status != WIRE_OK) {
        struct text text = text_of(error, 200);
        text_add(&text, "not JSON at byte ");
        text_add_u64(&text, problem.offset);
        text_add(&text, ": ");
        text_add(&text, problem.field != NULL ? problem.field : wire_status_sentence(problem.status));
        return false;
    }
    struct client_plan plan = {0};
    error[0] = '\0';
    bool good = parse_plan(root, &plan, error);
    cJSON_Delete(root);
    if (good)
        *out = plan;
    return good;
}
