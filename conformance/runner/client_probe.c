#include "conformance/runner/client_probe.h"

#include <stdio.h>
#include <string.h>

#include "conformance/process/shell.h"
#include "conformance/runner/pool.h"
#include "conformance/runner/worker.h"

enum probe_kind { PROBE_UNKNOWN_CASE, PROBE_OBSERVES, PROBE_COUNT };

/* Neither asks to speak; a client that speaks whatever it is given has its family's for it.
 * The plan of the first is written with a step that does not exist: see worker_job.unknown_step. */
static const char *const SCRIPTS[PROBE_COUNT] = {"case conform/does-not-exist\n"
                                                 "title \"A case that does not exist\"\n"
                                                 "expect \"Exit 77\"\n"
                                                 "clause OJ-CON-01 MUST\n"
                                                 "limit 4s\n"
                                                 "plan {\n  close\n}\n"
                                                 "server {\n  accept any\n  serve until=close\n}\n"
                                                 "check comes INFO some received:upgrade\n",
                                                 "case conform/probe\n"
                                                 "title \"Does the client report what it sees?\"\n"
                                                 "expect \"Connects; observations are optional\"\n"
                                                 "clause OJ-CON-01 MUST\n"
                                                 "limit 4s\n"
                                                 "plan {\n  wait 200ms\n  close\n}\n"
                                                 "server {\n  accept any\n  serve until=close\n}\n"
                                                 "check comes INFO some received:upgrade\n"};

static void probe_ended(void *context, size_t done, size_t count, const struct worker_slot *slot)
{
    (void)context;
    (void)done;
    (void)count;
    (void)slot;
}

/* Can nothing be said of the client? Says why. */
static bool is_hopeless(const struct run_options *options, const struct worker_slot *slot)
{
    if (slot->exec_errno != 0)
        fprintf(stderr, "ojin-conform: cannot start %s: %s\n", options->command[0],
                strerror(slot->exec_errno));
    else if (slot->finished && slot->run_case.result.end == CLIENT_BROKEN)
        fprintf(stderr, "ojin-conform: the adapter says that it is broken (exit 99)\n");
    else if (!slot->finished)
        fprintf(stderr, "ojin-conform: the probe of the client failed: %s\n", slot->run_case.result.note);
    return !slot->finished || slot->exec_errno != 0 || slot->run_case.result.end == CLIENT_BROKEN;
}

/* The end of what it wrote, each line set in. */
static void say_output(const struct worker_slot *slot)
{
    bool begins = true;
    for (const char *at = slot->run_case.output_tail; *at != '\0'; at++) {
        const unsigned char byte = (unsigned char)*at;
        if (begins && byte != '\n')
            fputs("  ", stderr);
        begins = byte == '\n';
        fputc(begins || byte == '\t' || (byte >= 0x20 && byte != 0x7f) ? byte : '?', stderr);
    }
    if (strstr(slot->run_case.output_tail, "{key}") != NULL)
        fputs("(The client got a real key; its output shows {key} in place of it.)\n", stderr);
}

void client_tell_how_to_try(const struct run_options *options, const char *before)
{
    char line[RUN_COMMAND_MAX];
    if (options->persistent)
        return;
    shell_line(options->command, line, sizeof line);
    const bool is_first = options->family == FAMILIES[0];
    fprintf(stderr, "%sTo start it by hand beside a mock: ojin-mock exec %s%s%s%s-- %s\n", before,
            options->tls ? "--tls " : "", is_first ? "" : "--family ", is_first ? "" : options->family->name,
            is_first ? "" : " ", line);
}

/*
 * A client that fails before it comes to the mock, and at most declines what does not exist, never ran: a
 * module that is not installed, a wrong option, an authority that it does not know. Nothing that the cases
 * would say of it is about the protocol.
 */
static bool never_ran(const struct run_options *options, const struct worker_slot slots[PROBE_COUNT],
                      const bool asked[PROBE_COUNT])
{
    const struct worker_slot *slot = &slots[PROBE_OBSERVES];
    if (slot->refused_tls) {
        fputs("ojin-conform: the client ended the TLS handshake. With --tls it has to trust the file that "
              "CONFORM_CA, SSL_CERT_FILE and NODE_EXTRA_CA_CERTS name\n",
              stderr);
        say_output(slot);
        client_tell_how_to_try(options, "No case was run. ");
        return true;
    }
    if ((asked[PROBE_UNKNOWN_CASE] && slots[PROBE_UNKNOWN_CASE].failed_at_once == 0) ||
        slot->failed_at_once == 0 || slot->run_case.result.end == CLIENT_DECLINED)
        return false;
    fprintf(stderr, "ojin-conform: the client ended at once with status %d, before it connected\n",
            slot->failed_at_once);
    say_output(slot);
    client_tell_how_to_try(options, "No case was run. ");
    return true;
}

/* What it did instead of exit 77. */
static void say_what_it_did(const struct worker_slot *slot)
{
    const struct case_result *result = &slot->run_case.result;
    const bool ended = client_end_name(result->end)[0] == '\0';
    fputs(ended ? "it ended as if it had done the step" : result->note, stderr);
    fputc('\n', stderr);
    if (slot->failed_at_once != 0)
        say_output(slot);
}

static bool find_tier(struct run_options *options, const struct worker_slot *slots,
                      const bool asked[PROBE_COUNT])
{
    const struct case_result *unknown = &slots[PROBE_UNKNOWN_CASE].run_case.result;
    const bool declines = unknown->end == CLIENT_DECLINED;
    const struct worker_slot *observing = &slots[PROBE_OBSERVES];
    if (!asked[PROBE_UNKNOWN_CASE])
        return true;
    options->plays_into_files =
        asked[PROBE_OBSERVES] && observing->observation_count == 0 && observing->made_out_folder;
    const bool observes =
        asked[PROBE_OBSERVES] && (observing->observation_count > 0 || observing->made_out_folder);
    if (declines || !(options->tier_known || observes)) {
        if (!options->tier_known)
            options->tier = observes ? TIER_OBSERVE : declines ? TIER_PLAN : TIER_WIRE;
        return true;
    }
    fprintf(stderr,
            "ojin-conform: the probe asked for the case conform/does-not-exist, whose plan has a step "
            "\"does-not-exist\":\n"
            "  expected  exit 77, as an adapter answers to what it cannot do\n"
            "  actual    ");
    say_what_it_did(&slots[PROBE_UNKNOWN_CASE]);
    fprintf(stderr,
            "Otherwise a case that it cannot do would count as done. A client that knows nothing of plans "
            "is run with --tier wire.\n");
    return false;
}

static bool probe_with(struct run_options *options, struct case_script *const scripts[PROBE_COUNT],
                       const bool asked[PROBE_COUNT], struct worker_slot *slots,
                       const volatile sig_atomic_t *interrupted, struct pool_clients *clients)
{
    struct worker_job jobs[PROBE_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < PROBE_COUNT; i++) {
        if (!asked[i])
            continue;
        slots[i].run_case.script = scripts[i];
        slots[i].run_case.profile = options->profile;
        jobs[count++] = (struct worker_job){.run = worker_run,
                                            .options = options,
                                            .script = scripts[i],
                                            .profile = options->profile,
                                            .tier = TIER_WIRE,
                                            .unknown_step = i == PROBE_UNKNOWN_CASE,
                                            .leave_nothing = true,
                                            .clients = clients,
                                            .slot = &slots[i]};
    }
    /* One process that takes many cases, which goes on with those of the run. */
    const unsigned at_a_time = options->persistent ? 1 : (unsigned)count;
    if (clients != NULL)
        clients->stay = true;
    const bool whole = pool_run(jobs, count, at_a_time, interrupted, probe_ended, NULL);
    if (clients != NULL)
        clients->stay = false;
    if (!whole)
        return false;
    for (size_t i = 0; i < PROBE_COUNT; i++)
        if (asked[i] && is_hopeless(options, &slots[i]))
            return false;
    if (asked[PROBE_OBSERVES] && never_ran(options, slots, asked))
        return false;
    return find_tier(options, slots, asked);
}

bool client_probe(struct run_options *options, const volatile sig_atomic_t *interrupted,
                  struct pool_clients *clients)
{
    char error[SCRIPT_ERROR_MAX] = "out of memory";
    struct case_script *scripts[PROBE_COUNT] = {NULL};
    const bool is_wire = options->tier_known && options->tier == TIER_WIRE;
    const bool is_plan = options->tier_known && options->tier == TIER_PLAN;
    const bool asked[PROBE_COUNT] = {[PROBE_UNKNOWN_CASE] = !is_wire, [PROBE_OBSERVES] = !is_plan};
    struct worker_slot *slots = pool_slots_new(PROBE_COUNT);
    bool good = slots != NULL;
    for (size_t i = 0; good && i < PROBE_COUNT; i++) {
        scripts[i] = case_script_parse("probe", bytes_of_text(SCRIPTS[i]),
                                       case_family_by_name(options->family->name), error);
        good = scripts[i] != NULL;
    }
    if (good)
        good = probe_with(options, scripts, asked, slots, interrupted, clients);
    else
        fprintf(stderr, "ojin-conform: %s\n", error);
    pool_slots_free(slots, PROBE_COUNT);
    for (size_t i = 0; i < PROBE_COUNT; i++)
        case_script_free(scripts[i]);
    return good;
}
