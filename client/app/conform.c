#include "client/app/conform_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/app/run.h"
#include "client/duplex/client.h"
#include "codec/media/sound.h"
#include "codec/ojin/constants.h"
#include "codec/ojin/profile.h"
#include "codec/wire/buffer.h"

static const char HELP[] =
    "Usage: ojin-client conform [options]\n"
    "\n"
    "Obeys a plan of the conformance suite and prints what it saw, one JSON object a\n"
    "line. Everything comes from the environment:\n"
    "\n"
    "  CONFORM_PLAN      path of the plan; without one it speaks OJIN_AUDIO or\n"
    "                    DUPLEX_AUDIO and ends\n"
    "  CONFORM_PROFILE   profile, when the plan names none\n"
    "  CONFORM_CA        CA certificates to trust for wss:// (PEM)\n"
    "  OJIN_URL          the server (or OJIN_WS_URL)\n"
    "  OJIN_API_KEY, OJIN_CONFIG_ID, OJIN_AUDIO\n"
    "  DUPLEX_URL        the server, with a full-duplex profile (or without OJIN_URL)\n"
    "  DUPLEX_AUDIO, DUPLEX_VIDEO (a folder of JPEGs)\n"
    "  CONFORM_OUT       folder for what a full-duplex client heard, sound.wav\n"
    "\n"
    "  --reconnect[=N]   try again when the connection is lost or refused, up to N times\n"
    "                    in a row (5); a plan may ask for it too\n"
    "  --ready-timeout S wait S seconds for the upgrade, and again for sessionReady (10)\n"
    "  --ping S          ping every S seconds (30), and wait S/3 seconds for the pong\n"
    "  --no-deflate      offer no compressed messages (permessage-deflate)\n"
    "\n"
    "Exit: 0 done; 1 an error was observed; 77 a step it cannot do; 99 the environment\n"
    "is unusable.\n";

enum { PLAN_BYTES_MAX = 1024 * 1024 };

static void observe(void *context, uint64_t now_us, const struct client_action *action)
{
    (void)now_us;
    conform_tell(context, &action->observation);
}

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
static int plan_to_speak(struct client_plan *plan)
{
    const char *audio = environment("OJIN_AUDIO", "DUPLEX_AUDIO");
    if (audio == NULL)
        return conform_broken("neither CONFORM_PLAN nor OJIN_AUDIO nor DUPLEX_AUDIO is set", "");
    *plan = (struct client_plan){.step_count = 3,
                                 .steps = {{.what = DO_CONNECT}, {.what = DO_SPEAK}, {.what = DO_END}}};
    struct text file = text_of(plan->steps[1].file, sizeof plan->steps[1].file);
    text_add(&file, audio);
    return file.cut ? conform_broken("the sound file has too long a path", "") : EXIT_DONE;
}

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

static int load_sounds(struct client_plan *plan, const struct conform_seams *seams,
                       struct sound sounds[CLIENT_PLAN_STEPS_MAX])
{
    const unsigned rate = seams->sample_rate != 0 ? seams->sample_rate : OJIN_SAMPLE_RATE;
    for (size_t i = 0; i < plan->step_count; i++) {
        struct client_plan_step *step = &plan->steps[i];
        char error[SOUND_ERROR_MAX];
        if (step->what != DO_SPEAK)
            continue;
        if (!sound_read(step->file, rate, &sounds[i], error))
            return conform_broken(error, "");
        if (sounds[i].exact && seams->wav_header_bytes != 0 &&
            !read_behind_header(step->file, seams->wav_header_bytes, &sounds[i]))
            return conform_broken("not read: ", step->file);
        if (!sounds[i].exact && seams->converted != NULL)
            seams->converted(sounds[i].samples, &sounds[i].sample_count);
        step->samples = sounds[i].samples;
        step->sample_count = sounds[i].sample_count;
    }
    return EXIT_DONE;
}

static int obey(const struct client_plan *plan, const struct session_options *session,
                const struct conform_seams *seams)
{
    const char *name = plan->profile[0] != '\0' ? plan->profile : environment("CONFORM_PROFILE", NULL);
    if (name == NULL)
        name = OJIN_PROFILES[0].base.name;
    struct conforming conforming = {0};
    struct run_options run = {
        .url = environment("OJIN_URL", "OJIN_WS_URL"),
        .key = environment("OJIN_API_KEY", NULL),
        .config = environment("OJIN_CONFIG_ID", NULL),
        .ca_file = environment("CONFORM_CA", NULL),
        .profile = ojin_profile_by_name(name),
        .plan = plan,
        .timeout_ms = (unsigned)(plan->limit_us / 1000),
        .reconnect_times = session->reconnect_times,
        .ready_wait_s = session->ready_wait_s,
        .ping_s = session->ping_s,
        .no_deflate = session->no_deflate,
        .shell = seams->shell,
        .channel_seams = &seams->channel,
        .observe = observe,
        .context = &conforming,
    };
    if (run.url == NULL)
        return conform_broken("OJIN_URL is not set", "");
    if (run.config == NULL)
        return conform_broken("OJIN_CONFIG_ID is not set", "");
    if (run.profile == NULL)
        return conform_broken("no such profile", name);
    if (seams->says_key && run.key != NULL)
        fprintf(stderr, "ojin-client: connecting with the key %s\n", run.key);
    struct run_result result;
    char error[CONNECTOR_ERROR_MAX];
    if (!run_session(&run, &result, error))
        return conform_broken(error, "");
    if (result.timed_out)
        fputs("ojin-client: the plan was not done within its limit_ms\n", stderr);
    return conforming.failed || result.timed_out ? EXIT_FAILED : EXIT_DONE;
}

static int prepare_and_obey(struct client_plan *plan, struct sound *sounds,
                            const struct session_options *session, const struct conform_seams *seams)
{
    const char *path = environment("CONFORM_PLAN", NULL);
    int status = path != NULL ? read_plan(path, plan) : plan_to_speak(plan);
    if (status != EXIT_DONE)
        return status;
    const bool duplex = conform_is_duplex(plan);
    if (!client_plan_can_follow(duplex ? &DUPLEX_PLAN_CLASS : &OJIN_PLAN_CLASS, plan)) {
        fputs(
            "ojin-client: the plan asks for what this client cannot do: it connects once, at the beginning\n",
            stderr);
        return EXIT_DECLINED;
    }
    status = load_sounds(plan, seams, sounds);
    if (status != EXIT_DONE)
        return status;
    return duplex ? conform_duplex(plan, session, seams) : obey(plan, session, seams);
}

int conform_command(int argc, char **argv)
{
    return conform_with(argc, argv, NULL);
}

int conform_with(int argc, char **argv, const struct conform_seams *seams)
{
    static const struct conform_seams NONE = {.sample_rate = 0};
    if (argc > 0 && strcmp(argv[0], "--help") == 0) {
        fputs(HELP, stdout);
        return EXIT_DONE;
    }
    struct session_options session = {0};
    for (int i = 0; i < argc; i++) {
        enum option_result taken = session_option_take("conform", argc, argv, &i, &session);
        if (taken == OPTION_UNKNOWN)
            (void)usage_no_option("conform", argv[i], HELP);
        if (taken != OPTION_TAKEN)
            return EXIT_USAGE;
    }
    struct client_plan *plan = calloc(1, sizeof *plan);
    struct sound *sounds = calloc(CLIENT_PLAN_STEPS_MAX, sizeof *sounds);
    int status = EXIT_BROKEN;
    if (plan != NULL && sounds != NULL)
        status = prepare_and_obey(plan, sounds, &session, seams != NULL ? seams : &NONE);
    for (size_t i = 0; sounds != NULL && i < CLIENT_PLAN_STEPS_MAX; i++)
        if (sounds[i].samples != NULL)
            sound_free(&sounds[i]);
    free(sounds);
    free(plan);
    return status;
}
