#define _XOPEN_SOURCE 700
#include "client/app/duplex/talk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "client/app/duplex/run.h"
#include "client/app/duplex/talk_options.h"
#include "client/app/duplex/talk_report.h"
#include "client/app/pictures.h"
#include "client/media/speaker_file.h"
#include "codec/duplex/wav.h"
#include "codec/media/sound.h"

enum { PROGRESS_EVERY_US = 200000, VOICE_BYTES_MAX = 4 * 1024 * 1024 };

struct talking {
    struct talk_options options;
    struct talk_report report;
    struct pictures pictures;
    struct sound sound;
    struct buffer voice;
    struct speaker_file *heard; /* NULL: none, or not yet */
    char heard_error[SPEAKER_FILE_ERROR_MAX];
    bool on_terminal;
    bool progress_shown;
    uint64_t next_progress_us;
};

/* ---- while it goes on ---- */

static void clear_progress(struct talking *talking)
{
    if (talking->progress_shown)
        fputs("\r\033[K", stderr);
    talking->progress_shown = false;
}

static void tell_error(struct talking *talking, const struct observation *seen)
{
    clear_progress(talking);
    char shown[4 * OBSERVATION_TEXT_MAX];
    struct text text = text_of(shown, sizeof shown);
    observation_error_add(&text, seen->code, seen->text);
    fprintf(stderr, "ojin-client: %s\n", shown);
}

static void observe(void *context, uint64_t now_us, const struct client_action *action)
{
    (void)now_us;
    struct talking *talking = context;
    const struct observation *seen = &action->observation;
    const bool turned = talk_report_observe(&talking->report, seen);
    if (turned && !talking->options.quiet) {
        clear_progress(talking);
        talk_turn_print(&talking->report.turns[talking->report.turn_count - 1], stdout);
        fflush(stdout);
    }
    if (seen->kind == OBSERVED_ERROR && !talking->options.quiet)
        tell_error(talking, seen);
    if (seen->kind == OBSERVED_HEARD && talking->heard != NULL && talking->heard_error[0] == '\0')
        (void)speaker_file_write(talking->heard, seen->at, action->data, talking->heard_error);
}

static void show_progress(void *context, uint64_t now_us, const struct duplex_client *client)
{
    struct talking *talking = context;
    if (!talking->on_terminal || now_us < talking->next_progress_us)
        return;
    talking->next_progress_us = now_us + PROGRESS_EVERY_US;
    talking->progress_shown = true;
    const struct duplex_client_summary *summary = duplex_client_summary(client);
    fprintf(stderr, "\r%5.1f s  %4" PRIu64 " appends  %5.1f s heard  %4" PRIu32 " of %d tokens  %s",
            (double)now_us / 1e6, summary->appends, (double)summary->samples_heard / DUPLEX_OUTPUT_RATE,
            summary->cache, DUPLEX_CONTEXT_TOKENS, client_life_name(duplex_client_life(client)));
    if (summary->position > 0)
        fprintf(stderr, ", place %" PRIu32, summary->position);
    fputs("\033[K", stderr);
}

/* ---- what is needed for it ---- */

static bool fail(const char *path, const char *why)
{
    fprintf(stderr, "ojin-client: %s%s%s\n", path, path[0] != '\0' ? ": " : "", why);
    return false;
}

static bool read_voice(struct talking *talking)
{
    const char *path = talking->options.voice;
    const char *expected = NULL;
    struct wav wav;
    buffer_init(&talking->voice, VOICE_BYTES_MAX);
    if (path == NULL)
        return true;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return fail(path, strerror(errno));
    uint8_t piece[65536];
    size_t got = 0;
    bool good = true;
    while (good && (got = fread(piece, 1, sizeof piece, file)) > 0)
        good = buffer_append(&talking->voice, bytes_of(piece, got)) ||
               fail(path, "a reference voice has at most 4 MiB");
    fclose(file);
    if (good && !wav_read(buffer_bytes(&talking->voice), &wav, &expected))
        return fail(path, "no WAV file");
    return good && (wav.rate == DUPLEX_INPUT_RATE || fail(path, "the reference voice has to be at 16 kHz"));
}

static bool prepare(struct talking *talking)
{
    const struct talk_options *options = &talking->options;
    char sound_error[SOUND_ERROR_MAX];
    char pictures_error[PICTURES_ERROR_MAX];
    if (!sound_read(options->audio, DUPLEX_INPUT_RATE, &talking->sound, sound_error))
        return fail("", sound_error);
    if (!read_voice(talking))
        return false;
    if (options->video != NULL && !pictures_read(&talking->pictures, options->video, pictures_error))
        return fail("", pictures_error);
    if (options->video == NULL && options->profile->pictures && !pictures_make(&talking->pictures))
        return fail("", "no memory");
    if (options->out != NULL) {
        talking->heard =
            speaker_file_open(options->out, DUPLEX_OUTPUT_RATE, SPEAKER_FLOAT32, talking->heard_error);
        if (talking->heard == NULL)
            return fail("", talking->heard_error);
    }
    return true;
}

/* ---- what it came to ---- */

static int failed(const char *sentence)
{
    fprintf(stderr, "ojin-client: %s\n", sentence);
    return EXIT_FAILED;
}

static int judge(const struct talking *talking, const struct duplex_run_result *result)
{
    char sentence[1400];
    struct text text = text_of(sentence, sizeof sentence);
    const struct talk_report *report = &talking->report;
    const char *reason = result->summary.reason;
    if (result->interrupted)
        return failed("interrupted"), EXIT_INTERRUPTED;
    if (result->timed_out)
        return failed("it was not done within the time that --timeout gives");
    if (!result->progress.ready) {
        if (strncmp(report->error, "cannot connect", 14) != 0)
            text_add(&text, "there was no session: ");
        if (report->error[0] != '\0') {
            text_add(&text, report->error);
        } else {
            text_add(&text, "the connection was closed with code ");
            report_close_add(&text, report->close_code, report->close_reason);
        }
        return failed(sentence);
    }
    if (reason[0] == '\0' && strncmp(report->error, "CLOSED_TIMEOUT", 14) != 0) {
        text_add(&text, "the connection was lost without session.closed, with close code ");
        report_close_add(&text, report->close_code, report->close_reason);
        return failed(sentence);
    }
    if (reason[0] != '\0' && strcmp(reason, duplex_reason_name(DUPLEX_REASON_STOPPED)) != 0) {
        text_add(&text, "the server ended the session: ");
        text_add_printable(&text, bytes_of_text(reason), OBSERVATION_CODE_MAX);
        return failed(sentence);
    }
    if (result->summary.turns + result->summary.turns_cut == 0)
        return failed("the server said nothing");
    return EXIT_DONE;
}

static int not_written(const char *path, int exit_code)
{
    fail(path, strerror(errno));
    return exit_code == EXIT_DONE ? EXIT_USAGE : exit_code;
}

static int finish(struct talking *talking, const struct duplex_run_result *result)
{
    const struct talk_options *options = &talking->options;
    struct talk_report *report = &talking->report;
    char error[SPEAKER_FILE_ERROR_MAX] = "";
    clear_progress(talking);
    report->summary = result->summary;
    report->progress = result->progress;
    if (!speaker_file_close(talking->heard, error) && talking->heard_error[0] == '\0')
        memcpy(talking->heard_error, error, sizeof error);
    talking->heard = NULL;
    if (!options->quiet && result->summary.created_us != 0)
        talk_report_print(report, stdout);
    int exit_code = judge(talking, result);
    if (options->transcript != NULL && !talk_report_write_transcript(report, options->transcript))
        exit_code = not_written(options->transcript, exit_code);
    if (options->json != NULL && !talk_report_write_json(report, options->profile->mode_word, options->json))
        exit_code = not_written(options->json, exit_code);
    if (talking->heard_error[0] != '\0') {
        fail("", talking->heard_error);
        exit_code = exit_code == EXIT_DONE ? EXIT_USAGE : exit_code;
    }
    return exit_code;
}

static int talk(struct talking *talking)
{
    const struct talk_options *options = &talking->options;
    const struct client_plan plan = {
        .step_count = 2,
        .steps = {{.what = DO_SPEAK,
                   .samples = talking->sound.samples,
                   .sample_count = talking->sound.sample_count},
                  {.what = DO_END}},
    };
    const struct duplex_run_options run = {
        .url = options->url,
        .ca_file = options->ca_file,
        .plan = &plan,
        .client = {.profile = options->profile,
                   .instructions = options->instructions != NULL ? bytes_of_text(options->instructions)
                                                                 : (struct bytes){0},
                   .max_slices = options->slices,
                   .ref_audio = buffer_bytes(&talking->voice),
                   .pictures = talking->pictures.list,
                   .picture_count = talking->pictures.count,
                   .life.reconnect_times = options->session.reconnect_times,
                   .life.reconnect_seed = connector_epoch_ms(),
                   .life.ping_interval_us = (uint64_t)options->session.ping_s * 1000000},
        .timeout_ms = options->timeout_s * 1000,
        .no_deflate = options->session.no_deflate,
        .observe = observe,
        .stepped = show_progress,
        .context = talking,
    };
    struct duplex_run_result result;
    char error[CONNECTOR_ERROR_MAX];
    talking->on_terminal = !options->quiet && isatty(STDERR_FILENO) == 1;
    if (!duplex_run_session(&run, &result, error)) {
        fail("", error);
        return EXIT_USAGE;
    }
    return finish(talking, &result);
}

int talk_command(int argc, char **argv)
{
    int exit_code = EXIT_USAGE;
    char error[SPEAKER_FILE_ERROR_MAX];
    struct talking *talking = calloc(1, sizeof *talking);
    if (talking == NULL)
        return failed("no memory");
    if (talk_options_parse(argc, argv, &talking->options, &exit_code))
        exit_code = prepare(talking) ? talk(talking) : EXIT_USAGE;
    (void)speaker_file_close(talking->heard, error);
    if (talking->sound.samples != NULL)
        sound_free(&talking->sound);
    pictures_free(&talking->pictures);
    buffer_free(&talking->voice);
    free(talking);
    return exit_code;
}
