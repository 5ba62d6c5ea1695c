#define _XOPEN_SOURCE 700
#include "client/app/duplex/conform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "client/app/conform_parts.h"
#include "client/app/duplex/run.h"
#include "client/app/pictures.h"
#include "client/media/speaker_file.h"

enum { PATH_BYTES_MAX = 4096 };

struct duplex_conforming {
    struct conforming base;
    struct pictures pictures;
    struct speaker_file *heard; /* NULL: nobody asks for it */
    char heard_path[PATH_BYTES_MAX];
    char heard_error[SPEAKER_FILE_ERROR_MAX];
};

/* A new session has a new clock, and its file begins anew. */
static void begin_heard(struct duplex_conforming *conforming)
{
    if (speaker_file_samples(conforming->heard) == 0)
        return;
    (void)speaker_file_close(conforming->heard, conforming->heard_error);
    conforming->heard =
        speaker_file_open(conforming->heard_path, DUPLEX_OUTPUT_RATE, conforming->heard_error);
}

static void observe(void *context, uint64_t now_us, const struct client_action *action)
{
    (void)now_us;
    struct duplex_conforming *conforming = context;
    const struct observation *seen = &action->observation;
    if (seen->kind == OBSERVED_READY && conforming->heard != NULL)
        begin_heard(conforming);
    /* What is told to be heard can be found in the file. */
    if (seen->kind == OBSERVED_HEARD && conforming->heard != NULL && conforming->heard_error[0] == '\0')
        (void)speaker_file_write(conforming->heard, seen->at, action->data, conforming->heard_error);
    conform_tell(&conforming->base, seen);
}

static int open_heard(struct duplex_conforming *conforming)
{
    const char *folder = environment("CONFORM_OUT", NULL);
    struct text text = text_of(conforming->heard_path, sizeof conforming->heard_path);
    if (folder == NULL)
        return EXIT_DONE;
    text_add(&text, folder);
    text_add(&text, "/sound.wav");
    if (text.cut)
        return conform_broken("CONFORM_OUT is too long a path", "");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return conform_broken(folder, strerror(errno));
    conforming->heard =
        speaker_file_open(conforming->heard_path, DUPLEX_OUTPUT_RATE, conforming->heard_error);
    return conforming->heard != NULL ? EXIT_DONE : conform_broken(conforming->heard_error, "");
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
    char file_error[SPEAKER_FILE_ERROR_MAX] = "";
    if (!duplex_run_session(options, &result, error))
        return conform_broken(error, "");
    if (!speaker_file_close(conforming->heard, file_error) && conforming->heard_error[0] == '\0')
        memcpy(conforming->heard_error, file_error, sizeof file_error);
    conforming->heard = NULL;
    if (conforming->heard_error[0] != '\0')
        return conform_broken(conforming->heard_error, "");
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
        status = open_heard(conforming);
    return status == EXIT_DONE ? run(conforming, &options) : status;
}

int duplex_conform(const struct conform_order *order)
{
    struct duplex_conforming *conforming = calloc(1, sizeof *conforming);
    char error[SPEAKER_FILE_ERROR_MAX];
    if (conforming == NULL)
        return conform_broken("no memory", "");
    const int status = obey(conforming, order);
    (void)speaker_file_close(conforming->heard, error);
    pictures_free(&conforming->pictures);
    free(conforming);
    return status;
}
