#define _XOPEN_SOURCE 700
#include "client/app/ojin/speak.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/app/ojin/report.h"
#include "client/app/ojin/run.h"
#include "client/app/ojin/speak_options.h"
#include "client/media/avi.h"
#include "codec/media/sound.h"
#include "codec/ojin/constants.h"

enum { PATH_BYTES_MAX = 4096, PROGRESS_EVERY_US = 200000 };

static const char READY_TIMEOUT[] = "READY_TIMEOUT: ";

struct speaking {
    const struct speak_options *options;
    struct report report;
    struct avi_writer *video; /* NULL: none, or not yet */
    char video_path[PATH_BYTES_MAX];
    char video_error[AVI_ERROR_MAX];
    bool on_terminal;
    bool progress_shown;
    uint64_t next_progress_us;
};

/* "dir/hello-1s.wav" becomes "hello-1s.avi" in the directory asked for. */
static bool name_video(const struct speak_options *options, char out[PATH_BYTES_MAX])
{
    struct text path = text_of(out, PATH_BYTES_MAX);
    if (options->video != NULL) {
        text_add(&path, options->video);
        return !path.cut;
    }
    const char *slash = strrchr(options->file, '/');
    const char *name = slash != NULL ? slash + 1 : options->file;
    const char *dot = strrchr(name, '.');
    size_t len = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    if (options->out_directory != NULL) {
        text_add(&path, options->out_directory);
        text_add(&path, "/");
    }
    text_add_bytes(&path, bytes_of(name, len));
    text_add(&path, ".avi");
    return !path.cut;
}

/* The video begins with the first frame, so a session that never came leaves no file. */
static void record(struct speaking *speaking, const struct client_action *action)
{
    static const int16_t QUIET[OJIN_FRAME_SAMPLES] = {0};
    if (speaking->options->no_video || speaking->video_error[0] != '\0')
        return;
    if (speaking->video == NULL)
        speaking->video = avi_writer_open(speaking->video_path, OJIN_FRAMES_PER_SECOND, OJIN_SAMPLE_RATE,
                                          speaking->video_error);
    if (speaking->video != NULL)
        (void)avi_writer_frame(speaking->video, action->data,
                               action->samples != NULL ? action->samples : QUIET, OJIN_FRAME_SAMPLES,
                               speaking->video_error);
}

static void observe(void *context, uint64_t now_us, const struct client_action *action)
{
    (void)now_us;
    struct speaking *speaking = context;
    report_observe(&speaking->report, action);
    if (action->observation.kind == OBSERVED_PLAYED)
        record(speaking, action);
}

static void show_progress(void *context, uint64_t now_us, const struct ojin_client *client)
{
    struct speaking *speaking = context;
    if (!speaking->on_terminal || now_us < speaking->next_progress_us)
        return;
    speaking->next_progress_us = now_us + PROGRESS_EVERY_US;
    speaking->progress_shown = true;
    const struct ojin_client_summary *summary = ojin_client_summary(client);
    uint64_t received = summary->frames[0] + summary->frames[1] + summary->frames[2];
    uint64_t played = summary->played[0] + summary->played[1] + summary->played[2];
    uint64_t gone = played + summary->silence_dropped;
    fprintf(stderr, "\r%5.1f s  %5" PRIu64 " frames (%" PRIu64 " speech)  %3" PRIu64 " held  %s\033[K",
            (double)now_us / 1e6, played, summary->played[1], received > gone ? received - gone : 0,
            client_life_name(ojin_client_life(client)));
}

static int failed(const char *sentence)
{
    fprintf(stderr, "ojin-client: %s\n", sentence);
    return EXIT_FAILED;
}

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* What the session came to, as one line when it was no success. */
static int judge(const struct speaking *speaking, const struct run_result *result)
{
    char sentence[1200];
    struct text text = text_of(sentence, sizeof sentence);
    const struct report *report = &speaking->report;
    if (result->interrupted)
        return failed("interrupted"), EXIT_INTERRUPTED;
    if (result->timed_out)
        return failed("it was not done within the time that --timeout gives");
    if (report->error[0] != '\0') {
        bool reached = result->progress.ready;
        const bool late = begins_with(report->error, READY_TIMEOUT);
        if (late)
            text_add(&text, "the server did not get ready: ");
        else if (!begins_with(report->error, "cannot connect"))
            text_add(&text, reached ? "the server reported: " : "the server refused: ");
        text_add(&text, report->error + (late ? strlen(READY_TIMEOUT) : 0));
        text_add(&text,
                 late ? "; for one that starts slowly or has a queue, --ready-timeout waits longer" : "");
        return failed(sentence);
    }
    if (!result->progress.final) {
        text_add(&text, "the connection was lost before the final frame, with close code ");
        report_close_add(&text, report->close_code, report->close_reason);
        return failed(sentence);
    }
    if (result->summary.frames[OJIN_INDEX_SPEECH] == 0)
        return failed("the server sent no speech frame");
    return EXIT_DONE;
}

static int finish(struct speaking *speaking, const struct run_result *result)
{
    const struct speak_options *options = speaking->options;
    char error[AVI_ERROR_MAX] = "";
    bool recorded = speaking->video != NULL;
    if (recorded && !avi_writer_close(speaking->video, error) && speaking->video_error[0] == '\0')
        memcpy(speaking->video_error, error, sizeof error);
    speaking->report.summary = result->summary;
    speaking->report.progress = result->progress;
    if (speaking->progress_shown)
        fputs("\r\033[K", stderr);
    const char *video = recorded && speaking->video_error[0] == '\0' ? speaking->video_path : NULL;
    if (!options->quiet && result->progress.ready)
        report_print(&speaking->report, video, stdout);
    int exit_code = judge(speaking, result);
    if (options->json != NULL && !report_write_json(&speaking->report, options->file, video, options->json)) {
        fprintf(stderr, "ojin-client: %s: %s\n", options->json, strerror(errno));
        exit_code = exit_code == EXIT_DONE ? EXIT_USAGE : exit_code;
    }
    if (speaking->video_error[0] != '\0') {
        fprintf(stderr, "ojin-client: %s\n", speaking->video_error);
        exit_code = exit_code == EXIT_DONE ? EXIT_USAGE : exit_code;
    }
    return exit_code;
}

static int speak(struct speaking *speaking, const struct sound *sound)
{
    const struct speak_options *options = speaking->options;
    struct client_plan plan = {
        .step_count = 2,
        .steps = {{.what = DO_SPEAK, .samples = sound->samples, .sample_count = sound->sample_count},
                  {.what = DO_END}},
    };
    struct run_options run = {
        .url = options->url,
        .key = options->key,
        .config = options->config,
        .ca_file = options->ca_file,
        .profile = options->profile,
        .plan = &plan,
        .timeout_ms = options->timeout_s * 1000,
        .reconnect_times = options->session.reconnect_times,
        .reconnect_seed = connector_epoch_ms(), /* many clients of a server must not come back as one */
        .ready_wait_s = options->session.ready_wait_s,
        .ping_s = options->session.ping_s,
        .no_deflate = options->session.no_deflate,
        .observe = observe,
        .stepped = show_progress,
        .context = speaking,
    };
    struct run_result result;
    char error[CONNECTOR_ERROR_MAX];
    if (!run_session(&run, &result, error)) {
        fprintf(stderr, "ojin-client: %s\n", error);
        return EXIT_USAGE;
    }
    return finish(speaking, &result);
}

int speak_command(int argc, char **argv)
{
    struct speak_options options;
    int exit_code = EXIT_USAGE;
    if (!speak_options_parse(argc, argv, &options, &exit_code))
        return exit_code;
    struct sound sound;
    char error[SOUND_ERROR_MAX];
    if (!sound_read(options.file, OJIN_SAMPLE_RATE, &sound, error)) {
        fprintf(stderr, "ojin-client: %s\n", error);
        return EXIT_USAGE;
    }
    struct speaking *speaking = calloc(1, sizeof *speaking);
    if (speaking == NULL || !name_video(&options, speaking->video_path)) {
        sound_free(&sound);
        free(speaking);
        return failed("no memory, or the video's name is too long");
    }
    if (options.out_directory != NULL && mkdir(options.out_directory, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "ojin-client: cannot make the folder %s: %s\n", options.out_directory,
                strerror(errno));
        exit_code = EXIT_USAGE;
    } else {
        speaking->options = &options;
        speaking->on_terminal = !options.quiet && isatty(STDERR_FILENO) == 1;
        exit_code = speak(speaking, &sound);
    }
    free(speaking);
    sound_free(&sound);
    return exit_code;
}
