#include "client/app/interview/conform.h"

#include <stdio.h>

#include "client/app/conform_parts.h"
#include "client/app/interview/run.h"
#include "client/plan/plan_runner.h"

struct interview_conforming {
    struct conforming base;
    const struct client_plan *plan;
    struct plan_runner runner;
};

static void made(void *context, struct interview_client *client, const struct client_class *class, void *core)
{
    (void)client;
    struct interview_conforming *conforming = context;
    plan_runner_init(&conforming->runner, conforming->plan, class->plan, core);
}

static void observe(void *context, uint64_t now_us, const struct client_action *action)
{
    (void)now_us;
    struct interview_conforming *conforming = context;
    conform_tell(&conforming->base, &action->observation);
}

int interview_conform(const struct conform_order *order)
{
    const struct session_options *session = order->session;
    struct interview_conforming conforming = {.plan = order->plan};
    const struct interview_run_options run = {
        .url = environment("INTERVIEW_URL", NULL),
        .id = environment("INTERVIEW_ID", NULL),
        .token = environment("INTERVIEW_TOKEN", NULL),
        .ca_file = environment("CONFORM_CA", NULL),
        .client = {.profile = interview_profile_of(order->profile),
                   .life.reconnect_times = session->reconnect_times,
                   .life.ping_interval_us = (uint64_t)session->ping_s * 1000000},
        .timeout_ms = (unsigned)(order->plan->limit_us / 1000),
        .no_deflate = session->no_deflate,
        .channel_seams = &order->seams->channel,
        .shell = order->seams->shell,
        .made = made,
        .driver = &PLAN_DRIVER,
        .drive = &conforming.runner,
        .observe = observe,
        .context = &conforming,
    };
    if (run.url == NULL)
        return conform_broken("INTERVIEW_URL is not set", "");
    if (order->seams->says_key && run.token != NULL)
        fprintf(stderr, "ojin-client: connecting with the token %s\n", run.token);
    struct interview_run_result result;
    char error[CONNECTOR_ERROR_MAX];
    if (!interview_run_session(&run, &result, error))
        return conform_broken(error, "");
    if (result.timed_out)
        fputs("ojin-client: the plan was not done within its limit_ms\n", stderr);
    return conforming.base.failed || result.timed_out ? EXIT_FAILED : EXIT_DONE;
}
