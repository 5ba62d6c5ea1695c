/*
 * ojin-conform fuzz: sessions that are wrong in any way, one after another, until a client fails.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/commands.h"
#include "conformance/fuzz/host/findings_out.h"
#include "conformance/process/interrupt.h"
#include "conformance/runner/client_probe.h"

enum { PROGRESS_MS = 500 };

struct fuzzing {
    const struct fuzz_options *options;
    struct fuzzer_result result;
    uint64_t told_us; /* the progress, last */
};

static void clear_progress(const struct fuzzing *fuzzing)
{
    if (fuzzing->options->run.progress)
        fputs("\r\033[K", stderr);
}

static bool found(void *context, size_t n, const struct fuzz_finding *finding,
                  const struct fuzz_session *smallest)
{
    const struct fuzzing *fuzzing = context;
    clear_progress(fuzzing);
    if (!findings_write(fuzzing->options, finding, smallest))
        return false;
    findings_tell(fuzzing->options, n, finding);
    return true;
}

static double per_second(const struct fuzzer_result *result)
{
    return result->took_us == 0
               ? 0
               : (double)(result->sessions + result->good + result->again) * 1e6 / (double)result->took_us;
}

static void tell_kinds(FILE *out, const struct fuzzer_result *result)
{
    for (enum fuzz_kind kind = FUZZ_CRASH; kind < FUZZ_KIND_COUNT; kind++)
        if (result->book.of_kind[kind] > 0)
            fprintf(out, ", %s %llu", fuzz_kind_name(kind), (unsigned long long)result->book.of_kind[kind]);
}

static void progress(void *context, const struct fuzzer_result *result)
{
    struct fuzzing *fuzzing = context;
    if (!fuzzing->options->run.progress || result->took_us - fuzzing->told_us < PROGRESS_MS * UINT64_C(1000))
        return;
    fuzzing->told_us = result->took_us;
    fprintf(stderr, "\r%llu sessions, %.0f a second, %zu situations, %zu findings",
            (unsigned long long)result->sessions, per_second(result), result->situations, result->book.count);
    tell_kinds(stderr, result);
    fputs("\033[K", stderr);
}

static void tell_sum(const struct fuzzer_result *result)
{
    printf("%llu sessions in %.1f s, %.0f a second with those tried again, %zu situations, %zu %s",
           (unsigned long long)result->sessions, (double)result->took_us / 1e6, per_second(result),
           result->situations, result->book.count, result->book.count == 1 ? "finding" : "findings");
    tell_kinds(stdout, result);
    fputs("\n", stdout);
    if (result->late > 0)
        printf("%llu of them took too long once, and not when they were tried again.\n",
               (unsigned long long)result->late);
    if (!result->compared)
        fputs("What it reads was not compared: the client does not report it.\n", stdout);
    if (result->book.not_kept > 0)
        printf("%llu further findings were not kept.\n", (unsigned long long)result->book.not_kept);
}

static int run(const struct fuzz_options *options, struct fuzzing *fuzzing)
{
    const struct run_options *given = &options->run;
    const struct fuzzer_options fuzzer = {.player = {.class = session_class_by_family(given->family->name),
                                                     .profile = given->profile,
                                                     .command = given->command,
                                                     .environment = given->environment,
                                                     .environment_count = given->environment_count,
                                                     .persistent = given->persistent,
                                                     .speech_folder = given->speech_folder,
                                                     .video_folder = given->video_folder,
                                                     .timeout_ms = given->timeout_ms,
                                                     .memory_max = (uint64_t)options->memory_mb << 20,
                                                     .interrupted = &interrupted},
                                          .seed = given->seed,
                                          .first = options->first,
                                          .cases_max = options->cases,
                                          .time_max_us = options->time_ms * 1000,
                                          .lanes = given->jobs,
                                          .until_found = options->until_found,
                                          .found = found,
                                          .progress = progress,
                                          .context = fuzzing};
    interrupt_watch();
    const bool good = fuzzer_run(&fuzzer, &fuzzing->result);
    clear_progress(fuzzing);
    if (good)
        tell_sum(&fuzzing->result);
    else
        fprintf(stderr, "ojin-conform fuzz: %s\n", fuzzing->result.error);
    if (!good)
        said_tell(fuzzing->result.said, stderr);
    if (!good && fuzzing->result.good > 0 && fuzzing->result.sessions == 0)
        client_tell_how_to_try(given, "No session was made. ");
    if (options->json != NULL && !findings_json(options, &fuzzing->result, options->json)) {
        fprintf(stderr, "ojin-conform fuzz: cannot write %s: %s\n", options->json, strerror(errno));
        return CONFORM_EXIT_OWN_ERROR;
    }
    if (!good)
        return CONFORM_EXIT_OWN_ERROR;
    if (fuzzing->result.book.count > 0)
        return CONFORM_EXIT_NOT_MET;
    return interrupted != 0 ? CONFORM_EXIT_INTERRUPTED : CONFORM_EXIT_MET;
}

int command_fuzz(int argc, char *argv[])
{
    struct fuzz_options *options = calloc(1, sizeof *options);
    struct fuzzing *fuzzing = calloc(1, sizeof *fuzzing);
    int code = CONFORM_EXIT_OWN_ERROR;
    if (options != NULL && fuzzing != NULL) {
        const enum options_outcome outcome = fuzz_options_parse(argc, argv, options);
        fuzzing->options = options;
        code = outcome != OPTIONS_RUN ? option_exit(outcome) : run(options, fuzzing);
    }
    free(fuzzing);
    free(options);
    return code;
}
