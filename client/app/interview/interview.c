#define _XOPEN_SOURCE 700
#include "client/app/interview/interview.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "client/app/interview/answers_read.h"
#include "client/app/interview/interview_options.h"
#include "client/app/interview/interview_report.h"
#include "client/app/interview/run.h"
#include "client/media/conversation_file.h"

enum {
    PROGRESS_EVERY_US = 200000,
    LISTEN_FIRST_US = 500000 /* an interviewer who speaks first does so until then */
};

struct interviewing {
    struct interview_options options;
    struct interview_report report;
    struct answer_files answers;
    struct conversation_file *out; /* NULL: none, or not yet */
    char out_error[CONVERSATION_FILE_ERROR_MAX];
    struct interview_client *client; /* while it runs */
    size_t next_answer;
    uint64_t replies_before; /* replies that were over, and samples heard, when the latest ended */
    uint64_t heard_before;
    bool interrupted; /* the latest reply */
    bool on_terminal;
    bool progress_shown;
    uint64_t next_progress_us;
};

/* ---- what is to be done ---- */

/* How much was heard of the reply that is coming. */
static uint64_t heard_of_reply(struct interviewing *interviewing)
{
    const struct interview_client_summary *summary = interview_client_summary(interviewing->client);
    const uint64_t replies = summary->replies + summary->replies_cut;
    if (replies != interviewing->replies_before) {
        interviewing->replies_before = replies;
        interviewing->heard_before = summary->samples_heard;
        interviewing->interrupted = false;
    }
    return summary->samples_heard - interviewing->heard_before;
}

static bool interrupt(struct interviewing *interviewing, uint64_t now_us, struct client_actions *actions)
{
    const uint64_t wanted = (uint64_t)interviewing->options.interrupt_ms * INTERVIEW_RATE / 1000;
    if (wanted == 0 || heard_of_reply(interviewing) < wanted || interviewing->interrupted)
        return false;
    interviewing->interrupted = true;
    interview_client_cancel(interviewing->client, now_us, actions);
    return true;
}

/* When the first answer is due, unless the interviewer speaks first; UINT64_MAX: it is not yet known, or was
 * given. */
static uint64_t first_answer_us(const struct interviewing *interviewing)
{
    const struct interview_client_summary *summary = interview_client_summary(interviewing->client);
    return interviewing->next_answer > 0 || summary->connected_us == 0 || summary->chunks > 0
               ? UINT64_MAX
               : summary->connected_us + LISTEN_FIRST_US;
}

/* The next answer is due once what the interviewer says is over. */
static bool answer(struct interviewing *interviewing, uint64_t now_us, struct client_actions *actions)
{
    struct client_progress progress;
    interview_client_progress(interviewing->client, &progress);
    if (interviewing->next_answer == interviewing->answers.count || progress.over ||
        (progress.turns == 0 && now_us < first_answer_us(interviewing)))
        return false;
    const struct sound *sound = &interviewing->answers.list[interviewing->next_answer++];
    (void)interview_client_answer(interviewing->client, sound->samples, sound->sample_count);
    if (interviewing->next_answer == interviewing->answers.count)
        interview_client_end(interviewing->client, now_us, actions);
    return true;
}

static bool drive_step(void *driver, uint64_t now_us, struct client_actions *actions)
{
    const bool interrupted = interrupt(driver, now_us, actions);
    return answer(driver, now_us, actions) || interrupted;
}

static uint64_t drive_deadline_us(const void *driver)
{
    return first_answer_us(driver);
}

static const struct client_driver DRIVER = {.step = drive_step, .deadline_us = drive_deadline_us};

/* ---- while it goes on ---- */

static void clear_progress(struct interviewing *interviewing)
{
    if (interviewing->progress_shown)
        fputs("\r\033[K", stderr);
    interviewing->progress_shown = false;
}

static void tell_error(struct interviewing *interviewing, const struct observation *seen)
{
    clear_progress(interviewing);
    char shown[4 * OBSERVATION_TEXT_MAX];
    struct text text = text_of(shown, sizeof shown);
    observation_error_add(&text, seen->code, seen->text);
    fprintf(stderr, "ojin-client: %s\n", shown);
}

static void record(struct interviewing *interviewing, enum conversation_side side, uint64_t at,
                   struct bytes pcm)
{
    if (interviewing->out != NULL && interviewing->out_error[0] == '\0')
        (void)conversation_file_write(interviewing->out, side, at, pcm, interviewing->out_error);
}

static void observe(void *context, uint64_t now_us, const struct client_action *action)
{
    (void)now_us;
    struct interviewing *interviewing = context;
    const struct observation *seen = &action->observation;
    const struct interview_line *line = interview_report_observe(&interviewing->report, seen);
    if (line != NULL && !interviewing->options.quiet) {
        clear_progress(interviewing);
        interview_line_print(line, stdout);
        fflush(stdout);
    }
    if (seen->kind == OBSERVED_ERROR && !interviewing->options.quiet)
        tell_error(interviewing, seen);
    if (seen->kind == OBSERVED_HEARD)
        record(interviewing, CONVERSATION_HEARD, seen->at, action->data);
}

static void show_progress(struct interviewing *interviewing, uint64_t now_us)
{
    const struct interview_client_summary *summary = interview_client_summary(interviewing->client);
    interviewing->next_progress_us = now_us + PROGRESS_EVERY_US;
    interviewing->progress_shown = true;
    fprintf(stderr, "\r%5.1f s  answer %zu of %zu  %5.1f s said  %5.1f s heard  %s\033[K",
            (double)now_us / 1e6, interviewing->next_answer, interviewing->answers.count,
            (double)summary->samples_sent / INTERVIEW_RATE, (double)summary->samples_heard / INTERVIEW_RATE,
            client_life_name(interview_client_life(interviewing->client)));
}

static void stepped(void *context, uint64_t now_us)
{
    struct interviewing *interviewing = context;
    uint64_t at = 0;
    struct bytes pcm;
    if (interview_client_said(interviewing->client, &at, &pcm))
        record(interviewing, CONVERSATION_SAID, at, pcm);
    interview_report_said(&interviewing->report, interviewing->client);
    if (interviewing->on_terminal && now_us >= interviewing->next_progress_us)
        show_progress(interviewing, now_us);
}

static void made(void *context, struct interview_client *client, const struct client_class *class, void *core)
{
    (void)class;
    (void)core;
    struct interviewing *interviewing = context;
    interviewing->client = client;
}

/* ---- what it came to ---- */

static bool fail(const char *path, const char *why)
{
    fprintf(stderr, "ojin-client: %s%s%s\n", path, path[0] != '\0' ? ": " : "", why);
    return false;
}

static int failed(const char *sentence)
{
    fail("", sentence);
    return EXIT_FAILED;
}

static void add_end(struct text *text, const struct interview_report *report)
{
    if (report->error[0] != '\0') {
        text_add(text, report->error);
    } else {
        text_add(text, "the connection was closed with code ");
        report_close_add(text, report->close_code, report->close_reason);
    }
}

static int judge(const struct interviewing *interviewing, const struct interview_run_result *result)
{
    char sentence[1400];
    struct text text = text_of(sentence, sizeof sentence);
    const struct interview_report *report = &interviewing->report;
    if (result->interrupted)
        return failed("interrupted"), EXIT_INTERRUPTED;
    if (result->timed_out)
        return failed("it was not done within the time that --timeout gives");
    if (result->progress.readies == 0) {
        if (strncmp(report->error, "cannot connect", 14) != 0)
            text_add(&text, "there was no session: ");
        add_end(&text, report);
        return failed(sentence);
    }
    if (result->summary.answers < interviewing->answers.count) {
        text_add(&text, "the session ended before all answers were given: ");
        add_end(&text, report);
        return failed(sentence);
    }
    if (result->summary.replies + result->summary.replies_cut == 0)
        return failed("the server did not reply");
    if (result->progress.errors > 0) {
        text_add(&text, "an error was reported: ");
        add_end(&text, report);
        return failed(sentence);
    }
    return EXIT_DONE;
}

static int not_written(const char *path, int exit_code)
{
    fail(path, strerror(errno));
    return exit_code == EXIT_DONE ? EXIT_USAGE : exit_code;
}

static int finish(struct interviewing *interviewing, const struct interview_run_result *result)
{
    const struct interview_options *options = &interviewing->options;
    struct interview_report *report = &interviewing->report;
    char error[CONVERSATION_FILE_ERROR_MAX] = "";
    clear_progress(interviewing);
    report->summary = result->summary;
    report->progress = result->progress;
    if (!conversation_file_close(interviewing->out, error) && interviewing->out_error[0] == '\0')
        memcpy(interviewing->out_error, error, sizeof error);
    interviewing->out = NULL;
    if (!options->quiet && result->progress.readies > 0)
        interview_report_print(report, stdout);
    int exit_code = judge(interviewing, result);
    if (options->transcript != NULL && !interview_report_write_transcript(report, options->transcript))
        exit_code = not_written(options->transcript, exit_code);
    if (options->json != NULL && !interview_report_write_json(report, options->json))
        exit_code = not_written(options->json, exit_code);
    if (interviewing->out_error[0] != '\0') {
        fail("", interviewing->out_error);
        exit_code = exit_code == EXIT_DONE ? EXIT_USAGE : exit_code;
    }
    return exit_code;
}

/* ---- the interview ---- */

static bool prepare(struct interviewing *interviewing)
{
    const struct interview_options *options = &interviewing->options;
    char error[SOUND_ERROR_MAX];
    if (!answers_read(&interviewing->answers, options->audio, error))
        return fail("", error);
    if (options->out == NULL)
        return true;
    interviewing->out = conversation_file_open(options->out, INTERVIEW_RATE, interviewing->out_error);
    return interviewing->out != NULL || fail("", interviewing->out_error);
}

static int hold(struct interviewing *interviewing)
{
    const struct interview_options *options = &interviewing->options;
    const struct interview_run_options run = {
        .url = options->url,
        .id = options->id,
        .token = options->token,
        .ca_file = options->ca_file,
        .client = {.profile = options->profile,
                   .life.reconnect_times = options->session.reconnect_times,
                   .life.reconnect_seed = connector_epoch_ms(),
                   .life.ping_interval_us = (uint64_t)options->session.ping_s * 1000000},
        .timeout_ms = options->timeout_s * 1000,
        .no_deflate = options->session.no_deflate,
        .made = made,
        .driver = &DRIVER,
        .drive = interviewing,
        .observe = observe,
        .stepped = stepped,
        .context = interviewing,
    };
    struct interview_run_result result;
    char error[CONNECTOR_ERROR_MAX];
    interviewing->on_terminal = !options->quiet && isatty(STDERR_FILENO) == 1;
    if (!interview_run_session(&run, &result, error)) {
        fail("", error);
        return EXIT_USAGE;
    }
    return finish(interviewing, &result);
}

int interview_command(int argc, char **argv)
{
    int exit_code = EXIT_USAGE;
    char error[CONVERSATION_FILE_ERROR_MAX];
    struct interviewing *interviewing = calloc(1, sizeof *interviewing);
    if (interviewing == NULL)
        return failed("no memory");
    if (interview_options_parse(argc, argv, &interviewing->options, &exit_code))
        exit_code = prepare(interviewing) ? hold(interviewing) : EXIT_USAGE;
    (void)conversation_file_close(interviewing->out, error);
    answers_read_free(&interviewing->answers);
    free(interviewing);
    return exit_code;
}
