#define _GNU_SOURCE
#include "conformance/server/host/server_worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/media/jpeg.h"
#include "codec/media/sound.h"
#include "conformance/judge/results.h"
#include "conformance/process/artefacts.h"
#include "conformance/report/case_picture.h"
#include "conformance/report/wire_tail.h"
#include "conformance/script/client_probe.h"
#include "conformance/server/host/server_host.h"
#include "conformance/server/host/server_probe.h"
#include "conformance/server/server_judge.h"

struct server_worker {
    const struct worker_job *job;
    struct server_clock clock;
    struct server_pictures motions;
    struct drive_options options;
    struct drive *drive;
    struct journal *journal;
    struct buffer picture; /* a JPEG to be sent; empty: no step sends one */
    char folder[FOLDER_PATH_MAX];
};

/* ---- speech ---- */

static bool has_speech(const struct drive_options *options, const char *file)
{
    for (size_t i = 0; i < options->speech_count; i++)
        if (strcmp(options->speech[i].file, file) == 0)
            return true;
    return false;
}

/* The samples as they go over the wire; malloc'd. */
static bool load_file(struct server_worker *worker, const char *file)
{
    char path[FOLDER_PATH_MAX], error[SOUND_ERROR_MAX];
    struct sound sound;
    struct drive_options *options = &worker->options;
    snprintf(path, sizeof path, "%s/%s", worker->job->server->speech_folder, file);
    if (options->speech_count == DRIVE_SPEECHES_MAX ||
        !sound_read(path, worker->job->script->class->messages->input_rate, &sound, error)) {
        fprintf(stderr, "ojin-conform: %s: %s\n", worker->job->script->name,
                options->speech_count == DRIVE_SPEECHES_MAX ? "too many sound files" : error);
        return false;
    }
    const size_t len = sound.sample_count * sizeof(int16_t);
    uint8_t *pcm = malloc(len + 1);
    if (pcm != NULL) {
        pcm_write_le(sound.samples, pcm, sound.sample_count);
        options->speech[options->speech_count++] =
            (struct drive_speech){.file = file, .pcm = bytes_of(pcm, len)};
    }
    sound_free(&sound);
    return pcm != NULL;
}

/* As deep as blocks can be: SCRIPT_DEPTH_MAX. */
static bool load_speech(struct server_worker *worker, const struct client_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct client_value *file = client_option(&steps[i], "file");
        if (file->set && !has_speech(&worker->options, file->text) && !load_file(worker, file->text))
            return false;
        if (!load_speech(worker, steps[i].children, steps[i].child_count))
            return false;
    }
    return true;
}

/* As deep as blocks can be: SCRIPT_DEPTH_MAX. */
static bool needs_picture(const struct worker_job *job, const struct client_step *steps, size_t count)
{
    const struct client_side *side = job->script->client_side;
    for (size_t i = 0; side->needs_picture != NULL && i < count; i++)
        if ((steps[i].kind == CLIENT_STEP_SEND && side->needs_picture(&steps[i], job->profile)) ||
            needs_picture(job, steps[i].children, steps[i].child_count))
            return true;
    return false;
}

/* What a step asks for and cannot be had: a static sentence; NULL: nothing. As deep as blocks can be:
 * SCRIPT_DEPTH_MAX. */
static const char *lack_of(const struct server_worker *worker, const struct client_step *steps, size_t count)
{
    const struct client_side *side = worker->job->script->client_side;
    const char *lack = NULL;
    for (size_t i = 0; side->lacks != NULL && i < count && lack == NULL; i++) {
        lack = side->lacks(&worker->options.target, &steps[i]);
        if (lack == NULL)
            lack = lack_of(worker, steps[i].children, steps[i].child_count);
    }
    return lack;
}

static bool make_picture(struct server_worker *worker)
{
    enum { PICTURE_BYTES_MAX = 1024 * 1024 };
    const struct case_script *script = worker->job->script;
    buffer_init(&worker->picture, PICTURE_BYTES_MAX);
    if (needs_picture(worker->job, script->client_steps, script->client_step_count) &&
        !server_picture_make(&worker->picture))
        return false;
    worker->options.picture = buffer_bytes(&worker->picture);
    return true;
}

/* ---- what it leaves ---- */

static void leave_artefacts(struct server_worker *worker)
{
    const struct worker_job *job = worker->job;
    struct run_case *result = &job->slot->run_case;
    struct text tail = text_of(result->wire_tail, sizeof result->wire_tail);
    wire_tail_write(&tail, worker->journal, &result->result, WIRE_TAIL_LINES);
    char *line = server_repro_line(job->server, job->profile, job->script->name);
    if (line != NULL && evidence_is_wanted(&result->result) && strlen(line) < sizeof result->repro)
        snprintf(result->repro, sizeof result->repro, "%s", line);
    if (!results_are_worth_keeping(&result->result) && !job->server->keep) {
        artefacts_remove(worker->folder);
        free(line);
        return;
    }
    snprintf(result->folder, sizeof result->folder, "%s", worker->folder);
    const bool good = line != NULL && artefacts_write_journal(worker->folder, worker->journal) &&
                      artefacts_write(worker->folder, ARTEFACT_SCRIPT, job->script_text) &&
                      artefacts_write_repro(worker->folder, line);
    if (!good)
        fprintf(stderr, "ojin-conform: cannot write to %s: %s\n", worker->folder, strerror(errno));
    if (line != NULL && strlen(line) < sizeof result->repro)
        snprintf(result->repro, sizeof result->repro, "%s", line);
    free(line);
}

static struct journal *new_journal(const struct server_worker *worker)
{
    const struct server_options *options = worker->job->server;
    struct journal_header header = {.seed = options->seed,
                                    .epoch_ms = worker->clock.epoch_ms,
                                    .picture_width = options->width,
                                    .picture_height = options->height,
                                    .speed = options->speed,
                                    .key_known = true};
    journal_header_class(&header, worker->job->script->class);
    snprintf(header.profile, sizeof header.profile, "%s", worker->job->profile->name);
    snprintf(header.config, sizeof header.config, "%s", options->config);
    return journal_new(&header, bytes_of_text(options->key));
}

static bool prepare(struct server_worker *worker)
{
    const struct worker_job *job = worker->job;
    server_clock_start(&worker->clock);
    server_drive_options(job->server, job->profile, &worker->clock, &worker->options);
    worker->options.script = job->script;
    worker->options.rules.no_backend = strcmp(job->script->condition, "no-backend") == 0;
    worker->options.rules.slow_backend = strcmp(job->script->condition, "processing-timeout") == 0;
    worker->options.rules.picture_size = jpeg_picture_size;
    const char *pictures = server_probe_of(job->server)->pictures_requirement;
    worker->options.rules.all_pictures =
        pictures != NULL && case_script_clause_of(job->script, pictures) != NULL;
    worker->options.picture_motion = server_picture_motion;
    worker->options.context = &worker->motions;
    worker->journal = new_journal(worker);
    worker->options.journal = worker->journal;
    return worker->journal != NULL &&
           load_speech(worker, job->script->client_steps, job->script->client_step_count) &&
           make_picture(worker) && (worker->drive = drive_new(&worker->options)) != NULL;
}

void server_worker_run(const struct worker_job *job)
{
    struct server_worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL)
        return; /* the slot stays unfinished: an error of ours */
    worker->job = job;
    if (!artefacts_begin(job->server->out_folder, job->script->name, job->profile->name, worker->folder)) {
        fprintf(stderr, "ojin-conform: cannot make a folder in %s: %s\n", job->server->out_folder,
                strerror(errno));
        return;
    }
    if (!prepare(worker))
        return;
    const char *lack = lack_of(worker, job->script->client_steps, job->script->client_step_count);
    if (lack != NULL) {
        server_judge_untried(job->script, VERDICT_UNSUPPORTED, lack, &job->slot->run_case.result);
        artefacts_remove(worker->folder);
        job->slot->finished = true;
        return;
    }
    struct core_waits waits = {0};
    const uint64_t lateness_us = server_host_play(job->server, &worker->clock, worker->drive, &waits);
    const struct server_judge_input input = {.script = job->script,
                                             .profile = job->slot->run_case.profile,
                                             .drive = worker->drive,
                                             .journal = worker->journal,
                                             .inferred = job->server->inferred,
                                             .strict = job->server->strict,
                                             .lateness_us = lateness_us,
                                             .waited_us = waits.worst_short_us,
                                             .waited_long_us = waits.worst_long_us};
    server_judge_case(&input, &job->slot->run_case.result);
    struct run_case *run_case = &job->slot->run_case;
    const struct picture_source source = {.journal = worker->journal, .result = &run_case->result};
    struct text picture = text_of(run_case->picture, sizeof run_case->picture);
    if (evidence_is_wanted(&run_case->result))
        evidence_take(&source, &run_case->evidence);
    if (job->server->reports.of[REPORT_HTML] != NULL)
        case_picture_write(&picture, &source);
    job->slot->run_case.duration_ms = server_clock_now_us(&worker->clock) / 1000;
    leave_artefacts(worker);
    job->slot->finished = true;
}
