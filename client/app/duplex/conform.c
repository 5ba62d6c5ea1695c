#include "client/app/duplex/conform.h"

#include <stdio.h>
#include <stdlib.h>

#include "client/app/conform_parts.h"
#include "client/app/duplex/run.h"
#include "client/app/pictures.h"

struct duplex_conforming {
    struct conforming base;
    struct pictures pictures;
    struct heard_file heard;
};

static void observe(void *context, uint64_t now_us, const struct client_action *action)
{
    (void)now_us;
    struct duplex_conforming *conforming = context;
    /* What is told to be heard can be found in the file. */
    heard_file_observe(&conforming->heard, action);
    conform_tell(&conforming->base, &action->observation);
}

static int load_pictures(struct pictures *pictures, const struct duplex_profile *profile)
{
    const char *folder = environment("DUPLEX_VIDEO", NULL);
    char error[PICTURES_ERROR_MAX];
    if (!profile->pictures)
        return EXIT_DONE;
    if (folder != NULL && !pictures_read(pictures, folder, error))
        return conform_broken(error, "");
    return folder != NULL || pictures_make(pictures) ? EXIT_DONE : conform_broken("no memory", "");
}

static int run(struct duplex_conforming *conforming, const struct duplex_run_options *options)
{
    struct duplex_run_result result;
    char error[CONNECTOR_ERROR_MAX];
    if (!duplex_run_session(options, &result, error))
        return conform_broken(error, "");
    if (result.timed_out)
        fputs("ojin-client: the plan was not done within its limit_ms\n", stderr);
    return conforming->base.failed || result.timed_out ? EXIT_FAILED : EXIT_DONE;
}

static int obey(struct duplex_conforming *conforming, const struct conform_order *order)
{
    const struct session_options *session = order->session;
    const struct conform_seams *seams = order->seams;
    const struct duplex_profile *profile = duplex_profile_of(order->profile);
    struct duplex_run_options options = {
        .url = environment("DUPLEX_URL", NULL),
        .ca_file = environment("CONFORM_CA", NULL),
        .plan = order->plan,
        .client = {.profile = profile,
                   .pictures = conforming->pictures.list,
                   .life.reconnect_times = session->reconnect_times,
                   .life.ping_interval_us = (uint64_t)session->ping_s * 1000000},
        .shell = seams->shell,
        .timeout_ms = (unsigned)(order->plan->limit_us / 1000),
        .no_deflate = session->no_deflate,
        .channel_seams = &seams->channel,
        .observe = observe,
        .context = conforming,
    };
    if (options.url == NULL)
        return conform_broken("DUPLEX_URL is not set", "");
    int status = load_pictures(&conforming->pictures, profile);
    options.client.picture_count = conforming->pictures.count;
    if (status == EXIT_DONE)
        status = heard_file_open(&conforming->heard, DUPLEX_OUTPUT_RATE, SPEAKER_FLOAT32);
    if (status != EXIT_DONE)
        return status;
    status = run(conforming, &options);
    return heard_file_close(&conforming->heard) == EXIT_DONE ? status : EXIT_BROKEN;
}

int duplex_conform(const struct conform_order *order)
{
    struct duplex_conforming *conforming = calloc(1, sizeof *conforming);
    if (conforming == NULL)
        return conform_broken("no memory", "");
    const int status = obey(conforming, order);
    pictures_free(&conforming->pictures);
    free(conforming);
    return status;
}
