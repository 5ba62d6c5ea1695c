#define _GNU_SOURCE
#include "conformance/fuzz/host/lane.h"

#include <stdio.h>
#include <stdlib.h>

#include "conformance/fuzz/reading.h"
#include "conformance/fuzz/shrink.h"

enum {
    GOOD_AT_FIRST = 3,
    SLOW_US_MIN = 400000, /* what it costs is looked at from here on */
    SLOW_TIMES = 3,       /* what half as much costs */
    PLAIN_US = 1200000,   /* a cost that has grown as what was sent up to here goes on so: … */
    PLAIN_TENTHS = 24,    /* … less than that many tenths of what half as much costs */
    AS_ONE = 0,           /* a flood is played as any session, or … */
    WHOLE = 1,            /* … by itself in a new process, … */
    HALVES = 2,           /* … half of it before, … */
    FLOOD_PARTS = 128,    /* … or this part at first, then twice as much each time */
    PATIENCE = 4,         /* with which a finding has to come again */
    SHRINK_TRIES_MAX = 3000,
    SHRINK_US_MAX = 60 * 1000000
};

struct lane {
    const struct fuzzer_options *options;
    const struct fuzz_maker *maker;
    const struct fuzz_session *good;
    struct fuzz_ledger *ledger;
    struct fuzz_player *player;
    struct fuzz_reading right; /* room */
    unsigned kinds;            /* that the client reports, of those that are compared */
    uint64_t since_good;  /* sessions in this process since the latest right one: the first of them is … */
    uint64_t first_since; /* … this */
    uint64_t shrink_until_us;
    struct fuzz_outcome wanted; /* of a session that is being made smaller */
    bool reports;               /* the client does: it follows plans */
    char said[FUZZ_SAID_MAX];   /* the end of what it wrote when it last failed */
    uint32_t flood_times;       /* frames of the flood that was played last */
};

static bool fail(struct lane *lane, const char *sentence)
{
    ledger_fail(lane->ledger, sentence);
    return false;
}

static bool is_stopped(const struct lane *lane)
{
    return lane->ledger->stopped != 0;
}

/* ---- one session ---- */

static bool play(struct lane *lane, const struct fuzz_session *session, unsigned patience, struct played *out)
{
    if (fuzz_player_play(lane->player, session, patience, out)) {
        if (out->outcome.kind != FUZZ_WELL || !out->connected)
            fuzz_player_said(lane->player, lane->said);
        return true;
    }
    if (!is_stopped(lane))
        (void)fail(lane, fuzz_player_error(lane->player));
    return false;
}

/* What it read against what a right reader reads. */
static void compare(struct lane *lane, const struct fuzz_session *session, bool whole, struct played *played)
{
    struct fuzz_outcome *outcome = &played->outcome;
    char place[FUZZ_DIFFERENCE_MAX], how[FUZZ_DIFFERENCE_MAX];
    if (outcome->kind != FUZZ_WELL || lane->kinds == 0 || !played->connected)
        return;
    if (!fuzz_reading_make(session, lane->options->player.profile, whole, &lane->right) ||
        fuzz_reading_same(&lane->right, played->seen, played->seen_count, lane->kinds, place, how))
        return;
    outcome->kind = FUZZ_MISREAD;
    fuzz_player_said(lane->player, lane->said);
    struct text text = text_of(outcome->place, sizeof outcome->place);
    text_add(&text, place);
    text = text_of(outcome->how, sizeof outcome->how);
    text_add(&text, how);
}

/* A right session, in the client's process as it is. *well: nothing is wrong. */
static bool play_good(struct lane *lane, bool *well, struct played *out)
{
    ledger_count(lane->ledger, &lane->ledger->result.good, 1);
    if (!play(lane, lane->good, PATIENCE, out))
        return false;
    compare(lane, lane->good, true, out);
    *well = out->outcome.kind == FUZZ_WELL && out->connected;
    return true;
}

/* ---- floods ---- */

/* In a process that has played nothing but a right session: what a client keeps of one would make the next
 * cost more. */
static bool play_alone(struct lane *lane, const struct fuzz_session *session, unsigned patience,
                       struct played *out)
{
    bool well = true;
    fuzz_player_stop_client(lane->player);
    return (!lane->options->player.persistent || play_good(lane, &well, out)) &&
           play(lane, session, patience, out);
}

static void tell_slow(struct played *played, uint32_t times, uint64_t half_us)
{
    struct text how = text_of(played->outcome.how, sizeof played->outcome.how);
    played->outcome.kind = FUZZ_SLOW;
    text_add_u64(&how, times);
    text_add(&how, " frames cost it ");
    text_add_u64(&how, played->cpu_us / 1000);
    text_add(&how, " ms of a core, half as many ");
    text_add_u64(&how, half_us / 1000);
    text_add(&how, " ms");
}

/* A client whose work grows with the square takes four times as long for twice as much. So a flood is played
 * in growing parts, until one of them is wrong: lane->flood_times tells which. */
static bool play_flood(struct lane *lane, const struct fuzz_session *session, unsigned patience,
                       unsigned parts, struct played *out)
{
    struct fuzz_session some;
    uint64_t half_us = UINT64_MAX; /* nothing to compare with */
    if (!fuzz_session_copy(session, &some))
        return fail(lane, "out of memory");
    struct fuzz_step *step = fuzz_session_flood(&some);
    const uint32_t times = step->times;
    while (parts > WHOLE && times / parts < FUZZ_FLOOD_TIMES)
        parts /= 2;
    bool good = true;
    for (bool more = true; more; parts /= 2) {
        lane->flood_times = step->times = times / parts;
        ledger_count(lane->ledger, &lane->ledger->result.again, parts > WHOLE ? 1 : 0);
        good = play_alone(lane, &some, patience, out);
        more = good && out->outcome.kind == FUZZ_WELL && parts > WHOLE;
        if (good && out->outcome.kind == FUZZ_WELL && out->cpu_us >= SLOW_US_MIN &&
            out->cpu_us / SLOW_TIMES >= half_us) {
            tell_slow(out, step->times, half_us);
            more = false;
        }
        /* Nothing is plain of the first: there was nothing to compare it with. */
        const bool plain = half_us != UINT64_MAX && out->cpu_us >= PLAIN_US && parts > HALVES &&
                           out->cpu_us < half_us / 10 * PLAIN_TENTHS;
        half_us = plain ? UINT64_MAX : out->cpu_us;
        parts = plain ? HALVES : parts; /* the whole is next, for its memory */
    }
    fuzz_session_free(&some);
    return good;
}

/* `parts`: of a flood. */
static bool play_and_compare(struct lane *lane, const struct fuzz_session *session, unsigned patience,
                             unsigned parts, struct played *out)
{
    const bool floods = parts != AS_ONE && fuzz_session_floods(session);
    if (!(floods ? play_flood(lane, session, patience, parts, out) : play(lane, session, patience, out)))
        return false;
    compare(lane, session, false, out);
    return true;
}

/* A session and, where the process goes on, a right one behind it. */
static bool play_with_good(struct lane *lane, const struct fuzz_session *session, unsigned patience,
                           struct fuzz_outcome *outcome)
{
    struct played played;
    bool well = true;
    fuzz_player_stop_client(lane->player);
    ledger_count(lane->ledger, &lane->ledger->result.again, 1);
    if (!play_and_compare(lane, session, patience, HALVES, &played))
        return false;
    *outcome = played.outcome;
    if (outcome->kind != FUZZ_WELL || !lane->options->player.persistent)
        return true;
    if (!play_good(lane, &well, &played))
        return false;
    if (well)
        return true;
    outcome->kind = FUZZ_UNUSABLE;
    struct text text = text_of(outcome->how, sizeof outcome->how);
    text_add(&text, "the next right session fails in the same process: ");
    text_add(&text, played.connected ? played.outcome.how : "it never connects");
    fuzz_player_stop_client(lane->player);
    return true;
}

/* ---- findings ---- */

static bool still_fails(void *context, const struct fuzz_session *session)
{
    struct lane *lane = context;
    struct fuzz_outcome outcome = {.kind = FUZZ_WELL};
    const uint64_t now_us = ledger_now_us();
    if (is_stopped(lane) || now_us > lane->shrink_until_us || now_us > ledger_last_us(lane->ledger))
        return false;
    if (lane->wanted.kind == FUZZ_UNUSABLE)
        return play_with_good(lane, session, 1, &outcome) && fuzz_outcome_same(&outcome, &lane->wanted);
    struct played played;
    const unsigned parts = lane->wanted.kind == FUZZ_SLOW     ? HALVES
                           : lane->wanted.kind == FUZZ_MEMORY ? WHOLE
                                                              : AS_ONE;
    const unsigned patience = lane->wanted.kind == FUZZ_SLOW ? PATIENCE : 1; /* or it were a hang */
    ledger_count(lane->ledger, &lane->ledger->result.again, 1);
    if (!play_and_compare(lane, session, patience, parts, &played))
        return false;
    return fuzz_outcome_same(&played.outcome, &lane->wanted);
}

/* Keeps it, as small as can be. `session` may become smaller. */
static bool keep(struct lane *lane, struct fuzz_session *session, const struct fuzz_outcome *outcome,
                 enum finding_standing standing)
{
    struct fuzz_finding *finding = ledger_add(lane->ledger, outcome);
    if (finding == NULL)
        return true;
    finding->standing = standing;
    finding->follows_plans = lane->options->player.persistent || lane->reports;
    memcpy(finding->said, lane->said, sizeof finding->said);
    finding->found_us = ledger_now_us() - lane->ledger->began_us;
    finding->seed = session->seed;
    finding->number = session->number;
    finding->bytes_at_first = fuzz_session_bytes(session);
    if (standing == FINDING_STEADY) {
        lane->wanted = *outcome;
        lane->shrink_until_us = ledger_now_us() + SHRINK_US_MAX;
        const bool takes_long = fuzz_session_floods(session);
        finding->tries =
            (takes_long ? fuzz_shrink_coarse : fuzz_shrink)(session, still_fails, lane, SHRINK_TRIES_MAX);
        fuzz_player_stop_client(lane->player);
    }
    finding->bytes = fuzz_session_bytes(session);
    finding->steps = session->step_count;
    finding->clause = fuzz_outcome_clause(outcome, session);
    if (outcome->kind == FUZZ_MEMORY)
        session->memory_max = lane->options->player.memory_max;
    ledger_lock(lane->ledger);
    const bool kept =
        lane->options->found(lane->options->context, ++lane->ledger->result.told, finding, session);
    ledger_unlock(lane->ledger);
    return kept || fail(lane, "a finding could not be kept");
}

/* A late machine may have done it. */
static bool is_of_time(enum fuzz_kind kind)
{
    return kind == FUZZ_HANG || kind == FUZZ_SPIN || kind == FUZZ_SLOW;
}

/* It was stopped before that: there is no time to try it again. */
static bool keep_untried(struct lane *lane, struct fuzz_session *session, const struct fuzz_outcome *first)
{
    return is_stopped(lane) && !lane->ledger->broken && !is_of_time(first->kind) &&
           keep(lane, session, first, FINDING_UNTRIED);
}

/* A machine that was late in the beginning of a flood has hidden the rest of it: all parts again, with
 * patience. *outcome: what comes of them. */
static bool play_rest(struct lane *lane, struct fuzz_session *session, uint32_t frames,
                      struct fuzz_outcome *outcome)
{
    struct fuzz_step *flood = fuzz_session_flood(session);
    struct played played;
    if (flood == NULL || flood->times >= frames)
        return true;
    flood->times = frames;
    if (!play_and_compare(lane, session, PATIENCE, FLOOD_PARTS, &played))
        return false;
    flood->times = lane->flood_times;
    *outcome = played.outcome;
    return true;
}

/* A session failed. Does it again, alone, in a new process? What costs too much may show only in twice as
 * many frames as the first time; `frames`: that a flood has. */
static bool take(struct lane *lane, struct fuzz_session *session, uint32_t frames,
                 const struct fuzz_outcome *first)
{
    struct fuzz_outcome again = {.kind = FUZZ_WELL};
    struct fuzz_step *flood = fuzz_session_flood(session);
    if (ledger_knows(lane->ledger, first))
        return true;
    if (!play_with_good(lane, session, PATIENCE, &again))
        return keep_untried(lane, session, first);
    if (again.kind == FUZZ_WELL && (is_of_time(first->kind) || first->kind == FUZZ_MEMORY) && flood != NULL &&
        flood->times <= frames / 2) {
        flood->times *= 2;
        if (!play_with_good(lane, session, PATIENCE, &again))
            return false;
    }
    if (again.kind == FUZZ_WELL && is_of_time(first->kind)) {
        ledger_count(lane->ledger, &lane->ledger->result.late, 1);
        if (!play_rest(lane, session, frames, &again))
            return false;
        if (again.kind == FUZZ_WELL)
            return true;
    }
    if (again.kind == FUZZ_WELL)
        return keep(lane, session, first, FINDING_ONCE);
    if (!fuzz_outcome_same(&again, first) && ledger_knows(lane->ledger, &again))
        return true;
    return keep(lane, session, &again, FINDING_STEADY);
}

/* A right session failed behind others: which of them is it? */
static bool find_culprit(struct lane *lane, const struct fuzz_outcome *first)
{
    struct fuzz_outcome outcome = {.kind = FUZZ_WELL};
    for (uint64_t n = lane->since_good; n > 0; n--) {
        struct fuzz_session session;
        const uint64_t number = lane->first_since + n - 1;
        bool good = fuzz_generate(lane->maker, lane->options->seed, number, &session) &&
                    play_with_good(lane, &session, PATIENCE, &outcome);
        const bool is_it = good && outcome.kind != FUZZ_WELL;
        if (is_it && !ledger_knows(lane->ledger, &outcome))
            good = keep(lane, &session, &outcome, FINDING_STEADY);
        fuzz_session_free(&session);
        if (!good || is_it)
            return good;
    }
    if (is_of_time(first->kind))
        return true;
    struct fuzz_session copy;
    struct fuzz_outcome unsteady = {.kind = FUZZ_UNUSABLE};
    struct text text = text_of(unsteady.how, sizeof unsteady.how);
    text_add(&text, "a right session failed after others, none of which does that alone: ");
    text_add(&text, first->how);
    if (ledger_knows(lane->ledger, &unsteady))
        return true;
    bool good = fuzz_session_copy(lane->good, &copy);
    good = good && keep(lane, &copy, &unsteady, FINDING_ONCE);
    fuzz_session_free(&copy);
    return good;
}

static bool check_good(struct lane *lane)
{
    struct played played;
    bool well = true;
    if (!play_good(lane, &well, &played))
        return false;
    if (!well) {
        struct fuzz_outcome outcome = played.outcome;
        fuzz_player_stop_client(lane->player);
        if (!find_culprit(lane, &outcome))
            return false;
    }
    lane->since_good = 0;
    return true;
}

/* ---- the run ---- */

static bool fail_with_said(struct lane *lane, const char *sentence)
{
    fuzz_player_said(lane->player, lane->said);
    ledger_lock(lane->ledger);
    if (lane->ledger->result.error[0] == '\0')
        memcpy(lane->ledger->result.said, lane->said, sizeof lane->said);
    ledger_unlock(lane->ledger);
    return fail(lane, sentence);
}

/* Does it work at all, how long does a session take, and what does it report? */
static bool try_client(struct lane *lane)
{
    struct played played;
    uint64_t longest_us = 0;
    for (unsigned i = 0; i < GOOD_AT_FIRST; i++) {
        ledger_count(lane->ledger, &lane->ledger->result.good, 1);
        if (!play(lane, lane->good, 2 * PATIENCE, &played))
            return false;
        if (played.outcome.kind != FUZZ_WELL || !played.connected || played.exit_code > 1) {
            char sentence[PLAYER_ERROR_MAX];
            snprintf(sentence, sizeof sentence, "the client fails in a right session already: %s, exit %d",
                     played.outcome.kind != FUZZ_WELL ? played.outcome.how
                     : played.connected               ? "it connects"
                                                      : "it never connects",
                     played.exit_code);
            return fail_with_said(lane, sentence);
        }
        longest_us = i > 0 && played.took_us > longest_us ? played.took_us : longest_us;
        fuzz_player_set_usual_us(lane->player, longest_us);
    }
    for (size_t i = 0; i < played.seen_count; i++)
        lane->kinds |= (1U << played.seen[i].kind) & fuzz_reading_kinds();
    lane->reports = played.seen_count > 0;
    lane->ledger->result.compared = lane->kinds != 0;
    compare(lane, lane->good, true, &played);
    if (played.outcome.kind == FUZZ_WELL)
        return true;
    char sentence[PLAYER_ERROR_MAX];
    snprintf(sentence, sizeof sentence, "the client fails in a right session already: %s",
             played.outcome.how);
    return fail_with_said(lane, sentence);
}

static bool run_one(struct lane *lane, uint64_t number)
{
    struct fuzz_session session;
    struct played played;
    const bool persistent = lane->options->player.persistent;
    bool good =
        fuzz_generate(lane->maker, lane->options->seed, number, &session) || fail(lane, "out of memory");
    if (good)
        ledger_note_situations(lane->ledger, &session);
    struct fuzz_step *flood = good ? fuzz_session_flood(&session) : NULL;
    const uint32_t frames = flood != NULL ? flood->times : 0;
    if (flood != NULL && lane->since_good > 0 && persistent)
        good = check_good(lane); /* it begins with a new process */
    if (lane->since_good == 0)
        lane->first_since = number;
    good = good && play_and_compare(lane, &session, 1, FLOOD_PARTS, &played);
    if (good) {
        ledger_count(lane->ledger, &lane->ledger->result.sessions, 1);
        lane->since_good++;
    }
    if (good && played.outcome.kind != FUZZ_WELL) {
        const struct fuzz_outcome outcome = played.outcome;
        if (flood != NULL)
            flood->times = lane->flood_times;
        good = take(lane, &session, frames, &outcome);
        lane->since_good = 0;
    } else if (good && persistent && !played.connected) {
        good = check_good(lane);
    }
    fuzz_session_free(&session);
    return good;
}

/* Sessions one after another, and a right one behind them. */
static bool run_some(struct lane *lane, uint64_t first, uint64_t end)
{
    bool good = true;
    for (uint64_t number = first;
         good && number < end && (number == first || !ledger_is_enough(lane->ledger)); number++)
        good = run_one(lane, number);
    return good && (lane->since_good == 0 || !lane->options->player.persistent || check_good(lane));
}

static void run(struct lane *lane)
{
    char error[PLAYER_ERROR_MAX];
    uint64_t first, end;
    lane->player = fuzz_player_new(&lane->options->player, error);
    bool good = lane->player != NULL ? try_client(lane) : fail(lane, error);
    while (good && ledger_take(lane->ledger, lane->options->player.persistent ? LANE_TURN : 1, &first, &end))
        good = run_some(lane, first, end);
    fuzz_player_free(lane->player);
}

void lane_run(const struct fuzzer_options *options, const struct fuzz_maker *maker,
              const struct fuzz_session *good, struct fuzz_ledger *ledger)
{
    struct lane *lane = calloc(1, sizeof *lane);
    if (lane == NULL) {
        ledger_fail(ledger, "out of memory");
        return;
    }
    lane->options = options;
    lane->maker = maker;
    lane->good = good;
    lane->ledger = ledger;
    run(lane);
    free(lane);
}
