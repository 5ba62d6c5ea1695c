/* What a case comes to: its verdict, and what it leaves behind. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "codec/wire/secret.h"
#include "conformance/judge/results.h"
#include "conformance/process/output_tail.h"
#include "conformance/report/case_picture.h"
#include "conformance/report/wire_tail.h"
#include "conformance/runner/played_files.h"
#include "conformance/runner/repro.h"
#include "conformance/runner/worker_state.h"

static bool speech_is_foreign(const struct worker *worker)
{
    bool foreign = false;
    for (size_t i = 0; i < worker->speech_count; i++)
        foreign = foreign || !worker->speech[i].exact;
    return foreign;
}

static const char *excuse_of(const struct worker *worker)
{
    if (mock_server_tls_refusals(worker->server) > 0 || judge_was_refused(worker->journal))
        return "when the mock refused it";
    return speech_is_foreign(worker) ? "over a sound that it need not take" : NULL;
}

/* Sets how it ended. */
static void take_client_end(const struct worker *worker, struct judge_input *input)
{
    const struct run_options *options = worker->job->options;
    struct client_facts facts = {.program = options->command == NULL ? "" : options->command[0],
                                 .exec_errno = worker->exec_errno,
                                 .ended = worker->client_ended,
                                 .wait_status = worker->wait_status,
                                 .marks = &worker->err_capture.marks,
                                 .stopped_by = worker->stopped_ms != 0 ? options->stop_signal : 0,
                                 .attached = options->attach,
                                 .connected = worker_was_reached(worker),
                                 .can_report = input->tier == TIER_OBSERVE && !options->plays_into_files &&
                                               (input->unsaid & (1U << (unsigned)OBSERVED_ERROR)) == 0,
                                 .has_reported = judge_reported_errors(input),
                                 .excuse = excuse_of(worker),
                                 .script_over = worker->script_done_ms != 0,
                                 .limit_ms = worker->job->script->limit_us / 1000,
                                 .end_wait_ms = END_WAIT_MS};
    struct client_end_words words, late;
    input->end = client_end_of(&facts, &words);
    memcpy(input->end_text, words.text, sizeof input->end_text);
    memcpy(input->exception, words.remark, sizeof input->exception);
    memcpy(input->raised, words.raised, sizeof input->raised);
    facts.wait_status = worker->gone_status;
    facts.has_reported = false; /* that was before it was done */
    facts.excuse = NULL;
    if (!worker->done || worker->gone_status == 0 || client_end_of(&facts, &late) != CLIENT_CRASHED)
        return;
    snprintf(input->end_text, sizeof input->end_text, "%.*s, after it had said that it was done",
             JUDGE_TEXT_MAX / 2, late.text);
    memcpy(input->raised, late.raised, sizeof input->raised);
    input->end = CLIENT_CRASHED;
}

/* 0 also of a client that did not end by itself. */
static int exit_code_of(const struct worker *worker)
{
    const bool exited = worker->exec_errno == 0 && worker->client_ended && WIFEXITED(worker->wait_status);
    return exited ? WEXITSTATUS(worker->wait_status) : 0;
}

/* The status of a client that failed before it came to the mock; 0 for any other. */
static int failed_at_once(const struct worker *worker)
{
    return worker_was_reached(worker) ? 0 : exit_code_of(worker);
}

static void keep_output_tail(const struct worker *worker)
{
    struct run_case *run_case = &worker->job->slot->run_case;
    struct text tail = text_of(run_case->output_tail, sizeof run_case->output_tail);
    output_tail_write(&tail, &worker->out_capture, &worker->err_capture, bytes_of_text(worker->key));
}

/* What the reports show of the case: evidence of what it breaks, and on a page its picture. */
static void show(const struct worker *worker, const struct judge_input *input)
{
    const struct run_options *options = worker->job->options;
    struct run_case *run_case = &worker->job->slot->run_case;
    const bool wanted = evidence_is_wanted(&run_case->result);
    const bool pictured = report_paths_picture(&options->reports, options->shard_count > 0);
    const struct picture_source source = {.journal = input->journal,
                                          .result = &run_case->result,
                                          .messages = input->script->class->messages,
                                          .observations = input->observations,
                                          .observation_count = input->observation_count};
    struct text picture = text_of(run_case->picture, sizeof run_case->picture);
    if (wanted)
        evidence_take(&source, &run_case->evidence);
    if (pictured)
        case_picture_write(&picture, &source);
    if (wanted || pictured || worker->job->leave_nothing)
        keep_output_tail(worker);
}

/* Observations come on standard output or over HTTP. */
static const struct capture *what_it_said(const struct worker *worker)
{
    return worker->out_capture.observation_count > 0 ? &worker->out_capture : &worker->channel.captured;
}

static void say_bad_observation(const struct worker *worker, char out[JUDGE_TEXT_MAX])
{
    const bool both =
        worker->out_capture.observation_count > 0 && worker->channel.captured.observation_count > 0;
    const char *bad = worker->out_capture.bad_observation;
    if (bad[0] == '\0')
        bad = worker->channel.captured.bad_observation;
    if (bad[0] == '\0' && both)
        bad = "on standard output and others over HTTP: their order among each other is not known";
    snprintf(out, JUDGE_TEXT_MAX, "%s", bad);
}

/* Where the client shows its key; NULL: nowhere. */
static const char *key_leak(const struct worker *worker)
{
    const struct {
        const struct capture *capture;
        const char *name;
    } outputs[] = {{&worker->out_capture, "it stands on standard output"},
                   {&worker->channel.captured, "it was posted"},
                   {&worker->err_capture, "it stands on standard error"}};
    const char *leak = NULL;
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0] && leak == NULL; i++) {
        struct buffer kept;
        buffer_init(&kept, CAPTURE_KEPT_MAX);
        size_t at, len;
        if (capture_kept(outputs[i].capture, &kept) &&
            secret_find(buffer_bytes(&kept), bytes_of_text(worker->key), &at, &len))
            leak = outputs[i].name;
        buffer_free(&kept);
    }
    return leak;
}

/* Of a family whose speech comes as texts, what was heard: it stands in a file, whatever else was said. */
static void take_played_sound(struct worker *worker, struct judge_input *input)
{
    char error[PLAYED_ERROR_MAX] = "";
    const struct session_messages *messages = worker->job->script->class->messages;
    if (messages->speech == NULL)
        return;
    switch (played_sound_read(worker->out_path, messages->output_rate, &worker->sound, error)) {
    case PLAYED_NOTHING:
        break;
    case PLAYED_READ:
        input->sound_known = true;
        input->sound = worker->sound.samples;
        input->sound_count = worker->sound.sample_count;
        break;
    case PLAYED_WRONG:
        snprintf(input->bad_observation, sizeof input->bad_observation, "%s", error);
        break;
    }
}

/* A client that plays into files says nothing else: what else a case looks at cannot be judged. */
static void take_played_files(struct worker *worker, struct judge_input *input)
{
    char error[PLAYED_ERROR_MAX] = "";
    if (input->observation_count > 0)
        return;
    if (worker->job->options->plays_into_files) {
        input->unsaid |= ~(1U << (unsigned)OBSERVED_PLAYED);
        if (!played_files_sound(worker->out_path) && played_wants_sound(worker->job->script))
            input->tier = TIER_PLAN;
    }
    if (worker->job->script->class->messages->speech != NULL || !played_files_exist(worker->out_path))
        return;
    if (!played_files_read(worker->out_path, worker->journal, &worker->played, &input->observation_count,
                           error))
        snprintf(input->bad_observation, sizeof input->bad_observation, "%s", error);
    input->observations = worker->played;
}

static uint64_t session_us(const struct journal *journal)
{
    uint64_t first_us = UINT64_MAX, last_us = 0;
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        if (entry->kind != JOURNAL_WIRE)
            continue;
        first_us = entry->at_us < first_us ? entry->at_us : first_us;
        last_us = entry->at_us;
    }
    return last_us > first_us ? last_us - first_us : 0;
}

bool worker_judge(struct worker *worker)
{
    const struct worker_job *job = worker->job;
    const struct run_options *options = job->options;
    struct recorder *recorder = mock_server_recorder(worker->server);
    const size_t rule_count = job->script->class->family->rules->count;
    enum rule_verdict *verdicts = calloc(rule_count + 1, sizeof *verdicts);
    if (verdicts == NULL)
        return false;
    for (size_t i = 0; i < rule_count; i++)
        verdicts[i] = recorder_verdict(recorder, i);
    const struct capture *said = what_it_said(worker);
    struct judge_input input = {
        .script = job->script,
        .profile = job->slot->run_case.profile,
        .inferred = options->inferred,
        .strict = options->strict,
        .tier = job->tier,
        .unsaid = options->says_known ? ~options->says : 0,
        .journal = worker->journal,
        .rule_verdicts = verdicts,
        .speeches_said = recorder_speeches_said(recorder),
        .observations = said->observations,
        .observation_count = said->observation_count,
        .exit_code = exit_code_of(worker),
        .speech_is_foreign = speech_is_foreign(worker),
        .lateness_us = worker->lateness_us,
        .waited_us = worker->waits.worst_short_us,
        .waited_long_us = worker->waits.worst_long_us,
        .key_leak = key_leak(worker),
        .peak_bytes = worker->peak_bytes,
        .script_line = worker->script_line,
    };
    take_client_end(worker, &input);
    say_bad_observation(worker, input.bad_observation);
    snprintf(input.own_error, sizeof input.own_error, "%s", worker->own_error);
    take_played_files(worker, &input);
    take_played_sound(worker, &input);
    judge_case(&input, &job->slot->run_case.result);
    job->slot->run_case.lateness_us = worker->lateness_us;
    job->slot->run_case.session_us = session_us(worker->journal);
    show(worker, &input);
    job->slot->observation_count = said->observation_count;
    if (job->observed != NULL)
        job->observed(job->observed_context, said->observations, said->observation_count);
    job->slot->made_out_folder = played_files_exist(worker->out_path);
    free(worker->played);
    sound_free(&worker->sound);
    job->slot->client_gone = job->client != NULL && (worker->gone || !worker->done);
    job->slot->marks = worker->err_capture.marks;
    job->slot->client_was_gone = job->client != NULL && worker->gone && !worker->done &&
                                 !worker_was_reached(worker) && said->observation_count == 0;
    snprintf(job->slot->end_text, sizeof job->slot->end_text, "%s", input.end_text);
    job->slot->exec_errno = worker->exec_errno;
    job->slot->failed_at_once = failed_at_once(worker);
    job->slot->refused_tls =
        mock_server_requests(worker->server) == 0 && mock_server_tls_refusals(worker->server) > 0;
    free(verdicts);
    return true;
}

static bool write_output(const struct worker *worker, const char *name, const struct capture *capture)
{
    struct buffer kept;
    buffer_init(&kept, CAPTURE_KEPT_MAX);
    const bool good =
        capture_kept(capture, &kept) && artefacts_write(worker->folder, name, buffer_bytes(&kept));
    buffer_free(&kept);
    return good;
}

static bool write_cuts(const struct worker *worker)
{
    char cuts[JUDGE_TEXT_MAX * 2];
    struct text text = text_of(cuts, sizeof cuts);
    capture_describe_cuts(&worker->out_capture, &text);
    capture_describe_cuts(&worker->err_capture, &text);
    return text.len == 0 || artefacts_write(worker->folder, "output-was-cut.txt", bytes_of_text(cuts));
}

/* Nothing is left of the case; but a requirement is broken in it, or its client may still crash over it. */
static void keep_repro(const struct worker_job *job)
{
    char *line = repro_line(job->options, job->script->name, job->profile->name, job->tier);
    if (line != NULL && strlen(line) < RUN_COMMAND_MAX)
        snprintf(job->slot->run_case.repro, sizeof job->slot->run_case.repro, "%s", line);
    free(line);
}

/* repro.sh has the whole line; people are shown it too, unless it is too long to be shown. */
static bool write_repro(const struct worker *worker, char shown[RUN_COMMAND_MAX])
{
    const struct worker_job *job = worker->job;
    char *line = repro_line(job->options, job->script->name, job->profile->name, job->tier);
    if (line == NULL)
        return false;
    const bool good = artefacts_write_repro(worker->folder, line);
    if (strlen(line) < RUN_COMMAND_MAX)
        snprintf(shown, RUN_COMMAND_MAX, "%s", line);
    else
        snprintf(shown, RUN_COMMAND_MAX, "sh %s/repro.sh", worker->folder);
    free(line);
    return good;
}

void worker_leave_artefacts(struct worker *worker)
{
    const struct worker_job *job = worker->job;
    struct run_case *result = &job->slot->run_case;
    struct text tail = text_of(result->wire_tail, sizeof result->wire_tail);
    wire_tail_write(&tail, worker->journal, &result->result, WIRE_TAIL_LINES);
    if (job->leave_nothing || (!results_are_worth_keeping(&result->result) && !job->options->keep)) {
        artefacts_remove(worker->folder);
        if (job->client != NULL || evidence_is_wanted(&result->result))
            keep_repro(job);
        return;
    }
    snprintf(result->folder, sizeof result->folder, "%s", worker->folder);
    const bool good = artefacts_write_journal(worker->folder, worker->journal) &&
                      write_output(worker, "stdout.txt", &worker->out_capture) &&
                      write_output(worker, "stderr.txt", &worker->err_capture) &&
                      (worker->channel.captured.bytes == 0 ||
                       write_output(worker, "posted.txt", &worker->channel.captured)) &&
                      write_cuts(worker) &&
                      artefacts_write(worker->folder, ARTEFACT_SCRIPT, job->script_text) &&
                      write_repro(worker, result->repro);
    if (!good)
        fprintf(stderr, "ojin-conform: cannot write to %s: %s\n", worker->folder, strerror(errno));
}
