/* Any bytes as a plan: a sentence that says what is wrong, or a plan within its limits, which a client whose
 * session goes well, or ends early, follows to its end. */
#include <stdlib.h>

#include "client/plan/plan_runner.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { ERROR_MAX = 200, ROUNDS_MAX = 1024 };

/* A client to which all that a plan can wait for happens, a little more each time it is looked at. */
struct happy_core {
    uint64_t looked;
    uint64_t over_after;
    size_t performed;
};

static void check(bool holds)
{
    if (!holds)
        abort();
}

static bool can_do(const struct client_plan_step *step)
{
    return step->what != DO_FORCE_LISTEN;
}

static void progress(const void *core, struct client_progress *out)
{
    const struct happy_core *happy = core;
    const uint64_t count = happy->looked * happy->looked * happy->looked * happy->looked;
    *out = (struct client_progress){.ready = count > 0,
                                    .readies = count,
                                    .sent = count > 0,
                                    .speech = count,
                                    .turns = count,
                                    .listens = count,
                                    .idle = count > 0,
                                    .final = count > 0,
                                    .errors = count,
                                    .closed = count,
                                    .over = happy->looked > happy->over_after};
}

static bool perform(void *core, const struct client_plan_step *step, uint64_t now_us,
                    struct client_actions *actions)
{
    struct happy_core *happy = core;
    (void)now_us, (void)actions;
    check(step->what != DO_WAIT && step->what != DO_CONNECT);
    happy->performed++;
    return step->what != DO_RECONNECT;
}

static const struct plan_class HAPPY = {.can_do = can_do, .progress = progress, .perform = perform};

static void follow(const struct client_plan *plan, uint64_t over_after)
{
    struct happy_core core = {.over_after = over_after};
    struct client_actions actions = {.count = 0};
    struct plan_runner runner;
    uint64_t now_us = 0;
    plan_runner_init(&runner, plan, &HAPPY, &core);
    for (unsigned n = 0; n < ROUNDS_MAX && !plan_runner_is_done(&runner); n++) {
        const size_t before = runner.next;
        (void)plan_runner_step(&runner, now_us, &actions);
        const uint64_t due_us = plan_runner_deadline_us(&runner);
        check(runner.next >= before && runner.next <= plan->step_count);
        check(due_us == UINT64_MAX || due_us >= now_us);
        now_us = due_us == UINT64_MAX ? now_us + 1 : due_us;
        core.looked++;
    }
    check(plan_runner_is_done(&runner) && core.performed <= plan->step_count);
}

static bool is_whole(const char *text, size_t capacity)
{
    return memchr(text, '\0', capacity) != NULL;
}

static void check_step(const struct client_plan_step *step)
{
    check(is_whole(step->file, sizeof step->file) && is_whole(step->params, sizeof step->params));
    check(step->unknown || step->what != DO_SPEAK || step->file[0] != '\0');
    check(step->params[0] == '\0' || step->params[0] == '{');
    check(step->after == AFTER_NOTHING || step->after_count > 0);
    check(step->samples == NULL && step->sample_count == 0);
}

/* The plan lies on the heap, where the sanitizers see a step too many. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct client_plan *plan = malloc(sizeof *plan);
    char error[ERROR_MAX] = "";
    check(plan != NULL);
    if (!client_plan_parse(bytes_of(data, len), plan, error)) {
        check(error[0] != '\0' && is_whole(error, sizeof error));
        free(plan);
        return 0;
    }
    check(is_whole(plan->case_name, sizeof plan->case_name) && is_whole(plan->profile, sizeof plan->profile));
    check(plan->step_count <= CLIENT_PLAN_STEPS_MAX);
    for (size_t n = 0; n < plan->step_count; n++)
        check_step(&plan->steps[n]);
    if (client_plan_can_follow(&HAPPY, plan)) {
        follow(plan, UINT64_MAX);
        follow(plan, len % 8);
    }
    free(plan);
    return 0;
}
