#include "client/app/interview/conform.h"

#include <stdio.h>
#include <stdlib.h>

#include "client/app/conform_parts.h"
#include "client/app/interview/run.h"
#include "client/plan/plan_runner.h"

struct interview_conforming {
    struct conforming base;
    const struct client_plan *plan;
    struct plan_runner runner;
    struct heard_file heard;
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
    /* What is told to be heard can be found in the file. */
    heard_file_observe(&conforming->heard, action);
    conform_tell(&conforming->base, &action->observation);
}

static int run(struct interview_conforming *conforming, const struct interview_run_options *options)
{
    struct interview_run_result result;
    char error[CONNECTOR_ERROR_MAX];
    if (!interview_run_session(options, &result, error))
        return conform_broken(error, "");
    if (result.timed_out)
        fputs("ojin-client: the plan was not done within its limit_ms\n", stderr);
    return conforming->base.failed || result.timed_out ? EXIT_FAILED : EXIT_DONE;
}

static int obey(struct interview_conforming *conforming, const struct conform_order *order)
{
    const struct session_options *session = order->session;
    const struct interview_run_options options = {
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
        .drive = &conforming->runner,
        .observe = observe,
        .context = conforming,
    };
    if (options.url == NULL)
        return conform_broken("INTERVIEW_URL is not set", "");
    if (order->seams->says_key && options.token != NULL)
        fprintf(stderr, "ojin-client: connecting with the token %s\n", options.token);
    int status = heard_file_open(&conforming->heard, INTERVIEW_RATE, SPEAKER_PCM16);
    if (status != EXIT_DONE)
        return status;
    status = run(conforming, &options);
    return heard_file_close(&conforming->heard) == EXIT_DONE ? status : EXIT_BROKEN;
}

int interview_conform(const struct conform_order *order)
{
    struct interview_conforming *conforming = calloc(1, sizeof *conforming);
    if (conforming == NULL)
        return conform_broken("no memory", "");
    conforming->plan = order->plan;
    const int status = obey(conforming, order);
    free(conforming);
    return status;
}
