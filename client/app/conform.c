#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/app/conform_parts.h"
#include "client/app/conform_task.h"
#include "client/core/reconnect.h"
#include "client/plan/plan_runner.h"
#include "codec/media/sound.h"
#include "codec/wire/buffer.h"

#define AT(member)                 OPTION_INTO(struct session_options, member)
#define RANGE(member, least, most) OPTION_RANGE(struct session_options, member, least, most)

static const struct option_row ROWS[] = {
    {.help = "\n"},
    {"reconnect", "[=N]",
     "try again when the connection is lost or refused, up to N times\n"
     "in a row (5); a plan may ask for it too",
     client_reconnect, RANGE(reconnect_times, 0, RECONNECT_TIMES_MAX)},
    {"ready-timeout", "S", "wait S seconds for the upgrade, and again for sessionReady (10)", client_number,
     RANGE(ready_wait_s, 1, READY_TIMEOUT_S_MAX)},
    {"ping", "S", "ping every S seconds (30), and wait S/3 seconds for the pong", client_number,
     RANGE(ping_s, 1, PING_S_MAX)},
    {"no-deflate", NULL, "offer no compressed messages (permessage-deflate)", option_flag, AT(no_deflate)},
    {"help", NULL, NULL, option_help, .letter = 0},
};

static void list_variables(FILE *out)
{
    for (size_t i = 0; APP_CLASSES[i] != NULL; i++)
        fputs(APP_CLASSES[i]->conform_help, out);
}

const struct option_page CONFORM_PAGE = {
    .command = "conform",
    .brief = "run as a client under test of the conformance suite",
    .before = "Usage: ojin-client conform [options]\n"
              "\n"
              "Obeys a plan of the conformance suite and prints what it saw, one JSON object a\n"
              "line. Everything comes from the environment:\n"
              "\n"
              "  CONFORM_PLAN      path of the plan; without one it speaks the family's sound file\n"
              "                    and ends\n"
              "  CONFORM_PROFILE   profile, when the plan names none (default: that of the first\n"
              "                    family below whose URL is set)\n"
              "  CONFORM_CA        CA certificates to trust for wss:// (PEM)\n"
              "  CONFORM_PERSISTENT  cases come on standard input, one a line, plan and all; each\n"
              "                    ends with a line {\"conform\":1,\"done\":N}, N as the exit below\n",
    .list = list_variables,
    OPTION_ROWS(ROWS),
    .column = 20,
    .stops = true,
    .after = "\n"
             "Exit: 0 done; 1 an error was observed; 77 a step it cannot do; 99 the environment\n"
             "is unusable.\n",
};

enum { PLAN_BYTES_MAX = 1024 * 1024 };

static bool read_file(const char *path, struct buffer *out)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    uint8_t piece[4096];
    size_t got = 0;
    bool good = true;
    while (good && (got = fread(piece, 1, sizeof piece, file)) > 0)
        good = buffer_append(out, bytes_of(piece, got));
    good = good && ferror(file) == 0;
    fclose(file);
    return good;
}

static int read_plan(const char *path, struct client_plan *plan)
{
    struct buffer json;
    buffer_init(&json, PLAN_BYTES_MAX);
    char error[200] = "";
    if (!read_file(path, &json)) {
        buffer_free(&json);
        return conform_broken(path, strerror(errno));
    }
    bool good = client_plan_parse(buffer_bytes(&json), plan, error);
    buffer_free(&json);
    return good ? EXIT_DONE : conform_broken(path, error);
}

/* Without a plan: the wire tier, as any client is run. */
static int plan_to_speak(const struct app_class *class, struct client_plan *plan)
{
    const char *audio = environment(class->audio_variable, NULL);
    if (audio == NULL)
        return conform_broken("CONFORM_PLAN is not set, nor is", class->audio_variable);
    *plan = (struct client_plan){.step_count = 3,
                                 .steps = {{.what = DO_CONNECT}, {.what = DO_SPEAK}, {.what = DO_END}}};
    struct text file = text_of(plan->steps[1].file, sizeof plan->steps[1].file);
    text_add(&file, audio);
    return file.cut ? conform_broken("the sound file has too long a path", "") : EXIT_DONE;
}

/* ---- whose session it is ---- */

static const struct app_class *class_of_profile(const struct profile *profile)
{
    for (size_t i = 0; APP_CLASSES[i] != NULL; i++)
        if (strcmp(APP_CLASSES[i]->family, profile->family) == 0)
            return APP_CLASSES[i];
    return NULL;
}

/* The first whose URL is set, else the first of all. */
static const struct app_class *class_of_environment(void)
{
    for (size_t i = 0; APP_CLASSES[i] != NULL; i++)
        if (environment(APP_CLASSES[i]->url_variables[0], APP_CLASSES[i]->url_variables[1]) != NULL)
            return APP_CLASSES[i];
    return APP_CLASSES[0];
}

/* NULL, told, when the profile that is named is not known. */
static const struct app_class *find_class(const struct client_plan *plan, const struct profile **profile)
{
    const char *name = plan->profile[0] != '\0' ? plan->profile : environment("CONFORM_PROFILE", NULL);
    const struct app_class *class = NULL;
    if (name == NULL) {
        class = class_of_environment();
        *profile = family_by_name(class->family)->profiles[0];
    } else {
        *profile = profile_by_name(name);
        class = *profile == NULL ? NULL : class_of_profile(*profile);
    }
    if (class == NULL)
        (void)conform_broken("no such profile", name);
    return class;
}

/* ---- sounds ---- */

/* A defect: all that stands behind the first bytes of the file, whatever it is. */
static bool read_behind_header(const char *path, size_t header_bytes, struct sound *sound)
{
    enum { FILE_BYTES_MAX = 16 * 1024 * 1024 };
    uint8_t *bytes = malloc(FILE_BYTES_MAX);
    FILE *file = bytes == NULL ? NULL : fopen(path, "rb");
    const size_t len = file == NULL ? 0 : fread(bytes, 1, FILE_BYTES_MAX, file);
    const size_t count = len > header_bytes ? (len - header_bytes) / sizeof *sound->samples : 0;
    int16_t *samples = count == 0 ? NULL : malloc(count * sizeof *samples);
    if (file != NULL)
        (void)fclose(file);
    if (samples != NULL) {
        pcm_read_le(bytes + header_bytes, samples, count);
        free(sound->samples);
        sound->samples = samples;
        sound->sample_count = count;
    }
    free(bytes);
    return samples != NULL;
}

static bool begins_behind_header(const struct conform_seams *seams, const struct sound *sound)
{
    return sound->exact
               ? seams->wav_header_bytes != 0 && seams->as_it_is == NULL
               : seams->as_it_is != NULL && seams->as_it_is(sound->source_rate, sound->source_channels);
}

static int load_sounds(const struct app_class *class, struct client_plan *plan,
                       const struct conform_seams *seams, struct sound sounds[CLIENT_PLAN_STEPS_MAX])
{
    const unsigned rate = seams->sample_rate != 0 ? seams->sample_rate : class->client->speech_rate_hz;
    for (size_t i = 0; i < plan->step_count; i++) {
        struct client_plan_step *step = &plan->steps[i];
        char error[SOUND_ERROR_MAX];
        if (step->what != DO_SPEAK)
            continue;
        if (!sound_read(step->file, rate, &sounds[i], error))
            return conform_broken(error, "");
        if (begins_behind_header(seams, &sounds[i]) &&
            !read_behind_header(step->file, seams->wav_header_bytes, &sounds[i]))
            return conform_broken("not read: ", step->file);
        if (!sounds[i].exact && seams->converted != NULL)
            seams->converted(sounds[i].samples, &sounds[i].sample_count);
        step->samples = sounds[i].samples;
        step->sample_count = sounds[i].sample_count;
    }
    return EXIT_DONE;
}

/* `given`: there is a plan; else it is the family's own. */
static int prepare_and_obey(struct client_plan *plan, bool given, struct sound *sounds,
                            const struct session_options *session, const struct conform_seams *seams)
{
    const struct profile *profile = NULL;
    int status = EXIT_DONE;
    const struct app_class *class = find_class(plan, &profile);
    if (class == NULL)
        return EXIT_BROKEN;
    if (!given)
        status = plan_to_speak(class, plan);
    if (status != EXIT_DONE)
        return status;
    if (!client_plan_can_follow(class->client->plan, plan)) {
        fputs(
            "ojin-client: the plan asks for what this client cannot do: it connects once, at the beginning\n",
            stderr);
        return EXIT_DECLINED;
    }
    status = load_sounds(class, plan, seams, sounds);
    const struct conform_order order = {.plan = plan, .profile = profile, .session = session, .seams = seams};
    return status == EXIT_DONE ? class->conform(&order) : status;
}

static void free_sounds(struct sound *sounds)
{
    for (size_t i = 0; i < CLIENT_PLAN_STEPS_MAX; i++)
        if (sounds[i].samples != NULL)
            sound_free(&sounds[i]);
    memset(sounds, 0, CLIENT_PLAN_STEPS_MAX * sizeof *sounds);
}

/* The case that the environment is about. */
static int obey_one(struct client_plan *plan, struct sound *sounds, const struct session_options *session,
                    const struct conform_seams *seams)
{
    const char *path = environment("CONFORM_PLAN", NULL);
    const int status = path != NULL ? read_plan(path, plan) : EXIT_DONE;
    return status == EXIT_DONE ? prepare_and_obey(plan, path != NULL, sounds, session, seams) : status;
}

/* Those that come on standard input. */
static int obey_many(struct client_plan *plan, struct sound *sounds, const struct session_options *session,
                     const struct conform_seams *seams)
{
    struct conform_task task;
    conform_task_init(&task);
    int status = EXIT_DONE;
    while (status == EXIT_DONE && conform_task_next(&task)) {
        char error[200] = "";
        *plan = (struct client_plan){.step_count = 0};
        int done = EXIT_BROKEN;
        if (!client_plan_parse(conform_task_plan(&task), plan, error))
            status = conform_broken("a line of standard input", error);
        else if (!conform_task_set_environment(&task, plan->profile))
            status = conform_broken("no memory", "");
        else
            done = prepare_and_obey(plan, true, sounds, session, seams);
        free_sounds(sounds);
        printf("{\"conform\":1,\"done\":%d}\n", done);
        fflush(stdout);
    }
    conform_task_free(&task);
    return status;
}

int conform_command(int argc, char **argv)
{
    return conform_with(argc, argv, NULL);
}

int conform_with(int argc, char **argv, const struct conform_seams *seams)
{
    static const struct conform_seams NONE = {.sample_rate = 0};
    struct session_options session = {0};
    char **words;
    int exit_code;
    if (!client_options_parse(&CONFORM_PAGE, argc, argv, &session, &words, &exit_code))
        return exit_code;
    if (words[0] != NULL)
        return usage_error("conform", "no arguments are taken, not", words[0]);
    struct client_plan *plan = calloc(1, sizeof *plan);
    struct sound *sounds = calloc(CLIENT_PLAN_STEPS_MAX, sizeof *sounds);
    int status = EXIT_BROKEN;
    if (plan != NULL && sounds != NULL) {
        status = (conform_task_is_many() ? obey_many : obey_one)(plan, sounds, &session,
                                                                 seams != NULL ? seams : &NONE);
        free_sounds(sounds);
    }
    free(sounds);
    free(plan);
    return status;
}
