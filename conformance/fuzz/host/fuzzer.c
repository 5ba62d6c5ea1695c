#include "conformance/fuzz/host/fuzzer.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "conformance/fuzz/generate.h"
#include "conformance/fuzz/reading.h"
#include "conformance/fuzz/shrink.h"
#include "server/persona/persona.h"

enum {
    GOOD_EVERY = 20, /* sessions between two right ones, in one process */
    GOOD_AT_FIRST = 3,
    SLOW_US_MIN = 400000, /* what it costs is looked at from here on */
    SLOW_TIMES = 3,       /* what half as much costs */
    PLAIN_US = 1200000,   /* a cost that has grown as what was sent up to here goes on so */
    AS_ONE = 0,           /* a flood is played as any session, or … */
    WHOLE = 1,            /* … by itself in a new process, … */
    HALVES = 2,           /* … half of it before, … */
    FLOOD_PARTS = 128,    /* … or this part at first, then twice as much each time */
    PATIENCE = 4,         /* with which a finding has to come again */
    SHRINK_TRIES_MAX = 3000,
    SHRINK_US_MAX = 60 * 1000000,
    PICTURE_WIDTH = 320,
    PICTURE_HEIGHT = 192
};

struct fuzzer {
    const struct fuzzer_options *options;
    struct fuzzer_result *out;
    struct fuzz_player *player;
    struct fuzz_maker maker;
    struct fuzz_seeds *seeds;
    struct persona *persona;
    struct fuzz_session good;
    struct fuzz_reading right; /* room */
    unsigned kinds;            /* that the client reports, of those that are compared */
    uint64_t since_good;  /* sessions in this process since the latest right one: the first of them is … */
    uint64_t first_since; /* … this */
    uint64_t began_us, shrink_until_us;
    struct fuzz_outcome wanted; /* of a session that is being made smaller */
    uint32_t flood_times;       /* frames of the flood that was played last */
    uint32_t seen[FUZZ_SITUATIONS_MAX];
    bool broken; /* our own failure */
};

static uint64_t now_us(void)
{
    return uv_hrtime() / 1000;
}

static bool fail(struct fuzzer *fuzzer, const char *sentence)
{
    if (fuzzer->out->error[0] == '\0')
        snprintf(fuzzer->out->error, sizeof fuzzer->out->error, "%s", sentence);
    fuzzer->broken = true;
    return false;
}

/* ---- situations ---- */

static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261U;
    for (; *text != '\0'; text++)
        hash = (hash ^ (uint8_t)*text) * 16777619U;
    return hash == 0 ? 1 : hash;
}

static void note_situations(struct fuzzer *fuzzer, const struct fuzz_session *session)
{
    for (size_t i = 0; i < session->step_count; i++) {
        const uint32_t hash = hash_of(session->steps[i].label);
        size_t at = hash % FUZZ_SITUATIONS_MAX;
        while (fuzzer->seen[at] != 0 && fuzzer->seen[at] != hash)
            at = (at + 1) % FUZZ_SITUATIONS_MAX;
        if (fuzzer->seen[at] == hash || fuzzer->out->situations + 1 == FUZZ_SITUATIONS_MAX)
            continue;
        fuzzer->seen[at] = hash;
        fuzzer->out->situations++;
    }
}

/* ---- one session ---- */

static bool play(struct fuzzer *fuzzer, const struct fuzz_session *session, unsigned patience,
                 struct played *out)
{
    if (fuzz_player_play(fuzzer->player, session, patience, out))
        return true;
    if (*fuzzer->options->player.interrupted == 0)
        (void)fail(fuzzer, fuzz_player_error(fuzzer->player));
    return false;
}

/* What it read against what a right reader reads. */
static void compare(struct fuzzer *fuzzer, const struct fuzz_session *session, bool whole,
                    struct played *played)
{
    struct fuzz_outcome *outcome = &played->outcome;
    char place[FUZZ_DIFFERENCE_MAX], how[FUZZ_DIFFERENCE_MAX];
    if (outcome->kind != FUZZ_WELL || fuzzer->kinds == 0 || !played->connected)
        return;
    if (!fuzz_reading_make(session, fuzzer->options->player.profile, whole, &fuzzer->right) ||
        fuzz_reading_same(&fuzzer->right, played->seen, played->seen_count, fuzzer->kinds, place, how))
        return;
    outcome->kind = FUZZ_MISREAD;
    struct text text = text_of(outcome->place, sizeof outcome->place);
    text_add(&text, place);
    text = text_of(outcome->how, sizeof outcome->how);
    text_add(&text, how);
}

/* A right session, in the client's process as it is. *well: nothing is wrong. */
static bool play_good(struct fuzzer *fuzzer, bool *well, struct played *out)
{
    fuzzer->out->good++;
    if (!play(fuzzer, &fuzzer->good, PATIENCE, out))
        return false;
    compare(fuzzer, &fuzzer->good, true, out);
    *well = out->outcome.kind == FUZZ_WELL && out->connected;
    return true;
}

/* ---- floods ---- */

/* In a process that has played nothing but a right session: what a client keeps of one would make the next
 * cost more. */
static bool play_alone(struct fuzzer *fuzzer, const struct fuzz_session *session, unsigned patience,
                       struct played *out)
{
    bool well = true;
    fuzz_player_stop_client(fuzzer->player);
    return (!fuzzer->options->player.persistent || play_good(fuzzer, &well, out)) &&
           play(fuzzer, session, patience, out);
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
 * in growing parts, until one of them is wrong: fuzzer->flood_times tells which. */
static bool play_flood(struct fuzzer *fuzzer, const struct fuzz_session *session, unsigned patience,
                       unsigned parts, struct played *out)
{
    struct fuzz_session some;
    uint64_t half_us = UINT64_MAX; /* nothing to compare with */
    if (!fuzz_session_copy(session, &some))
        return fail(fuzzer, "out of memory");
    struct fuzz_step *step = fuzz_session_flood(&some);
    const uint32_t times = step->times;
    while (parts > WHOLE && times / parts < FUZZ_FLOOD_TIMES)
        parts /= 2;
    bool good = true;
    for (bool more = true; more; parts /= 2) {
        fuzzer->flood_times = step->times = times / parts;
        fuzzer->out->again += parts > WHOLE ? 1 : 0;
        good = play_alone(fuzzer, &some, patience, out);
        more = good && out->outcome.kind == FUZZ_WELL && parts > WHOLE;
        if (good && out->outcome.kind == FUZZ_WELL && out->cpu_us >= SLOW_US_MIN &&
            out->cpu_us / SLOW_TIMES >= half_us) {
            tell_slow(out, step->times, half_us);
            more = false;
        }
        /* Nothing is plain of the first: there was nothing to compare it with. */
        const bool plain = half_us != UINT64_MAX && out->cpu_us >= PLAIN_US && parts > HALVES;
        half_us = plain ? UINT64_MAX : out->cpu_us;
        parts = plain ? HALVES : parts; /* the whole is next, for its memory */
    }
    fuzz_session_free(&some);
    return good;
}

/* `parts`: of a flood. */
static bool play_and_compare(struct fuzzer *fuzzer, const struct fuzz_session *session, unsigned patience,
                             unsigned parts, struct played *out)
{
    const bool floods = parts != AS_ONE && fuzz_session_floods(session);
    if (!(floods ? play_flood(fuzzer, session, patience, parts, out) : play(fuzzer, session, patience, out)))
        return false;
    compare(fuzzer, session, false, out);
    return true;
}

/* A session and, where the process goes on, a right one behind it. */
static bool play_with_good(struct fuzzer *fuzzer, const struct fuzz_session *session, unsigned patience,
                           struct fuzz_outcome *outcome)
{
    struct played played;
    bool well = true;
    fuzz_player_stop_client(fuzzer->player);
    fuzzer->out->again++;
    if (!play_and_compare(fuzzer, session, patience, HALVES, &played))
        return false;
    *outcome = played.outcome;
    if (outcome->kind != FUZZ_WELL || !fuzzer->options->player.persistent)
        return true;
    if (!play_good(fuzzer, &well, &played))
        return false;
    if (well)
        return true;
    outcome->kind = FUZZ_UNUSABLE;
    struct text text = text_of(outcome->how, sizeof outcome->how);
    text_add(&text, "the next right session fails in the same process: ");
    text_add(&text, played.connected ? played.outcome.how : "it never connects");
    fuzz_player_stop_client(fuzzer->player);
    return true;
}

/* ---- findings ---- */

static bool still_fails(void *context, const struct fuzz_session *session)
{
    struct fuzzer *fuzzer = context;
    struct fuzz_outcome outcome = {.kind = FUZZ_WELL};
    if (fuzzer->broken || *fuzzer->options->player.interrupted != 0 || now_us() > fuzzer->shrink_until_us)
        return false;
    if (fuzzer->wanted.kind == FUZZ_UNUSABLE)
        return play_with_good(fuzzer, session, 1, &outcome) && fuzz_outcome_same(&outcome, &fuzzer->wanted);
    struct played played;
    const unsigned parts = fuzzer->wanted.kind == FUZZ_SLOW     ? HALVES
                           : fuzzer->wanted.kind == FUZZ_MEMORY ? WHOLE
                                                                : AS_ONE;
    fuzzer->out->again++;
    if (!play_and_compare(fuzzer, session, 1, parts, &played))
        return false;
    return fuzz_outcome_same(&played.outcome, &fuzzer->wanted);
}

/* Keeps it, as small as can be. `session` may become smaller. */
static bool keep(struct fuzzer *fuzzer, struct fuzz_session *session, const struct fuzz_outcome *outcome,
                 bool steady)
{
    struct fuzz_finding *finding = fuzz_book_add(&fuzzer->out->book, outcome);
    if (finding == NULL)
        return true;
    finding->steady = steady;
    finding->found_us = now_us() - fuzzer->began_us;
    finding->seed = session->seed;
    finding->number = session->number;
    finding->bytes_at_first = fuzz_session_bytes(session);
    if (steady && fuzzer->options->shrinks) {
        fuzzer->wanted = *outcome;
        fuzzer->shrink_until_us = now_us() + SHRINK_US_MAX;
        const bool takes_long = outcome->kind == FUZZ_MEMORY || outcome->kind == FUZZ_SLOW;
        finding->tries =
            (takes_long ? fuzz_shrink_coarse : fuzz_shrink)(session, still_fails, fuzzer, SHRINK_TRIES_MAX);
        fuzz_player_stop_client(fuzzer->player);
    }
    finding->bytes = fuzz_session_bytes(session);
    finding->steps = session->step_count;
    if (outcome->kind == FUZZ_MEMORY)
        session->memory_max = fuzzer->options->player.memory_max;
    return fuzzer->options->found(fuzzer->options->context, finding, session) ||
           fail(fuzzer, "a finding could not be kept");
}

/* A session failed. Does it again, alone, in a new process? */
static bool take(struct fuzzer *fuzzer, struct fuzz_session *session, const struct fuzz_outcome *first)
{
    struct fuzz_outcome again = {.kind = FUZZ_WELL};
    if (fuzz_book_count(&fuzzer->out->book, first) != NULL)
        return true;
    if (!play_with_good(fuzzer, session, PATIENCE, &again))
        return false;
    if (again.kind == FUZZ_WELL) /* a late machine, where it was a matter of time */
        return first->kind == FUZZ_HANG || first->kind == FUZZ_SPIN || keep(fuzzer, session, first, false);
    if (!fuzz_outcome_same(&again, first) && fuzz_book_count(&fuzzer->out->book, &again) != NULL)
        return true;
    return keep(fuzzer, session, &again, true);
}

/* A right session failed behind others: which of them is it? */
static bool find_culprit(struct fuzzer *fuzzer, const struct fuzz_outcome *first)
{
    struct fuzz_outcome outcome = {.kind = FUZZ_WELL};
    for (uint64_t n = fuzzer->since_good; n > 0; n--) {
        struct fuzz_session session;
        const uint64_t number = fuzzer->first_since + n - 1;
        bool good = fuzz_generate(&fuzzer->maker, fuzzer->options->seed, number, &session) &&
                    play_with_good(fuzzer, &session, PATIENCE, &outcome);
        const bool is_it = good && outcome.kind != FUZZ_WELL;
        if (is_it && fuzz_book_count(&fuzzer->out->book, &outcome) == NULL)
            good = keep(fuzzer, &session, &outcome, true);
        fuzz_session_free(&session);
        if (!good || is_it)
            return good;
    }
    if (first->kind == FUZZ_HANG || first->kind == FUZZ_SPIN) /* a late machine */
        return true;
    struct fuzz_session copy;
    struct fuzz_outcome unsteady = {.kind = FUZZ_UNUSABLE};
    struct text text = text_of(unsteady.how, sizeof unsteady.how);
    text_add(&text, "a right session failed after others, none of which does that alone: ");
    text_add(&text, first->how);
    if (fuzz_book_count(&fuzzer->out->book, &unsteady) != NULL)
        return true;
    bool good = fuzz_session_copy(&fuzzer->good, &copy);
    good = good && keep(fuzzer, &copy, &unsteady, false);
    fuzz_session_free(&copy);
    return good;
}

static bool check_good(struct fuzzer *fuzzer)
{
    struct played played;
    bool well = true;
    if (!play_good(fuzzer, &well, &played))
        return false;
    if (!well) {
        struct fuzz_outcome outcome = played.outcome;
        fuzz_player_stop_client(fuzzer->player);
        if (!find_culprit(fuzzer, &outcome))
            return false;
    }
    fuzzer->since_good = 0;
    return true;
}

/* ---- the run ---- */

/* Does it work at all, how long does a session take, and what does it report? */
static bool try_client(struct fuzzer *fuzzer)
{
    struct played played;
    uint64_t longest_us = 0;
    for (unsigned i = 0; i < GOOD_AT_FIRST; i++) {
        fuzzer->out->good++;
        if (!play(fuzzer, &fuzzer->good, 2 * PATIENCE, &played))
            return false;
        if (played.outcome.kind != FUZZ_WELL || !played.connected || played.exit_code > 1) {
            char sentence[PLAYER_ERROR_MAX];
            snprintf(sentence, sizeof sentence, "the client fails in a right session already: %s, exit %d",
                     played.outcome.kind != FUZZ_WELL ? played.outcome.how
                     : played.connected               ? "it connects"
                                                      : "it never connects",
                     played.exit_code);
            return fail(fuzzer, sentence);
        }
        longest_us = i > 0 && played.took_us > longest_us ? played.took_us : longest_us;
        fuzz_player_set_usual_us(fuzzer->player, longest_us);
    }
    for (size_t i = 0; i < played.seen_count; i++)
        fuzzer->kinds |= (1U << played.seen[i].kind) & fuzz_reading_kinds();
    fuzzer->out->compared = fuzzer->kinds != 0;
    compare(fuzzer, &fuzzer->good, true, &played);
    return played.outcome.kind == FUZZ_WELL || fail(fuzzer, played.outcome.how);
}

static bool is_enough(const struct fuzzer *fuzzer)
{
    const struct fuzzer_options *options = fuzzer->options;
    if (options->until_found && fuzzer->out->book.count > 0)
        return true;
    if (options->cases_max > 0 && fuzzer->out->sessions >= options->cases_max)
        return true;
    return *options->player.interrupted != 0 ||
           (options->time_max_us > 0 && now_us() - fuzzer->began_us >= options->time_max_us);
}

static bool run_one(struct fuzzer *fuzzer, uint64_t number)
{
    struct fuzz_session session;
    struct played played;
    bool good = fuzz_generate(&fuzzer->maker, fuzzer->options->seed, number, &session) ||
                fail(fuzzer, "out of memory");
    if (good)
        note_situations(fuzzer, &session);
    struct fuzz_step *flood = good ? fuzz_session_flood(&session) : NULL;
    if (flood != NULL && fuzzer->since_good > 0 && fuzzer->options->player.persistent)
        good = check_good(fuzzer); /* it begins with a new process */
    if (fuzzer->since_good == 0)
        fuzzer->first_since = number;
    good = good && play_and_compare(fuzzer, &session, 1, FLOOD_PARTS, &played);
    if (good) {
        fuzzer->out->sessions++;
        fuzzer->since_good++;
    }
    if (good && played.outcome.kind != FUZZ_WELL) {
        const struct fuzz_outcome outcome = played.outcome;
        if (flood != NULL)
            flood->times = fuzzer->flood_times;
        good = take(fuzzer, &session, &outcome);
        fuzzer->since_good = 0;
    } else if (good && fuzzer->options->player.persistent &&
               (fuzzer->since_good == GOOD_EVERY || !played.connected || is_enough(fuzzer))) {
        good = check_good(fuzzer);
    }
    fuzz_session_free(&session);
    return good;
}

static bool prepare(struct fuzzer *fuzzer)
{
    const struct fuzz_player_options *options = &fuzzer->options->player;
    char error[PLAYER_ERROR_MAX];
    if (options->class->family->picture_width > 0)
        fuzzer->persona = persona_new(PICTURE_WIDTH, PICTURE_HEIGHT, error);
    fuzzer->seeds = fuzz_seeds_new(options->class, options->profile, fuzzer->persona);
    fuzzer->maker = (struct fuzz_maker){.class = options->class,
                                        .seeds = fuzzer->seeds,
                                        .mutations = mutate_class_by_family(options->class->family->name)};
    if (fuzzer->seeds == NULL || fuzzer->maker.mutations == NULL)
        return fail(fuzzer, "no sessions can be made of this family");
    if (!fuzz_generate_good(&fuzzer->maker, &fuzzer->good))
        return fail(fuzzer, "out of memory");
    fuzzer->player = fuzz_player_new(options, error);
    return fuzzer->player != NULL || fail(fuzzer, error);
}

bool fuzzer_run(const struct fuzzer_options *options, struct fuzzer_result *out)
{
    struct fuzzer *fuzzer = calloc(1, sizeof *fuzzer);
    *out = (struct fuzzer_result){.sessions = 0};
    if (fuzzer == NULL) {
        snprintf(out->error, sizeof out->error, "out of memory");
        return false;
    }
    fuzzer->options = options;
    fuzzer->out = out;
    bool good = prepare(fuzzer) && try_client(fuzzer);
    fuzzer->began_us = now_us();
    for (uint64_t number = options->first; good && !is_enough(fuzzer); number++) {
        good = run_one(fuzzer, number);
        out->took_us = now_us() - fuzzer->began_us;
        if (options->progress != NULL)
            options->progress(options->context);
    }
    fuzz_player_free(fuzzer->player);
    fuzz_session_free(&fuzzer->good);
    fuzz_seeds_free(fuzzer->seeds);
    persona_free(fuzzer->persona);
    const bool broken = fuzzer->broken;
    free(fuzzer);
    return !broken;
}
