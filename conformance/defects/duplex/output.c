/* Defects of what is heard, and of interrupting: DX-OUT. */
#include "codec/duplex/constants.h"
#include "conformance/defects/duplex/tables.h"
#include "conformance/defects/playing.h"

enum {
    GAP_SAMPLES = DUPLEX_OUTPUT_RATE / 10,
    AGAIN_SAMPLES = DUPLEX_OUTPUT_RATE / 50,
    FIVE_SECONDS = 5 * DUPLEX_OUTPUT_RATE
};

static bool is_delta(struct bytes message)
{
    return defect_holds(message, "\"response.output_audio.delta\"");
}

/* ---- what comes in ---- */

static bool hear_a_second_at_most(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    if (message->type == DUPLEX_MESSAGE_DELTA && message->audio.len > DUPLEX_DELTA_BYTES)
        message->audio.len = DUPLEX_DELTA_BYTES;
    return message->type == DUPLEX_MESSAGE_DELTA;
}

/* As one does that takes it for the rate of its own appends; what no longer fits into the delta is lost. */
static bool hear_at_16_khz(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    uint8_t *pcm = (uint8_t *)(uintptr_t)message->audio.data; /* the message's own */
    if (message->type != DUPLEX_MESSAGE_DELTA)
        return false;
    for (size_t n = float32_count(message->audio); n-- > 0;) {
        const size_t from = n * DUPLEX_INPUT_RATE / DUPLEX_OUTPUT_RATE;
        float32_put(pcm + n * FLOAT32_BYTES, float32_at(message->audio, from));
    }
    return true;
}

static bool want_text(struct defect_state *state, struct bytes message)
{
    return is_delta(message) && defect_holds(message, "\"text\":\"\"");
}

static bool want_audio(struct defect_state *state, struct bytes message)
{
    return is_delta(message) && defect_holds(message, "\"audio\":\"\"");
}

static bool leave_at_unknown(struct defect_state *state, struct bytes text)
{
    const struct duplex_read_options options = {.profile = defect_duplex_client(state)->profile};
    struct duplex_message message;
    duplex_message_read(text, &options, &message);
    const bool known = message.type < DUPLEX_MESSAGE_OTHER && !duplex_message_is_clients(message.type);
    duplex_message_free(&message);
    return !known;
}

/* ---- what is held for playing ---- */

static struct player *player_of(const struct defect_state *state)
{
    return &defect_duplex_client(state)->player;
}

static enum defect_taking note_delta(struct defect_state *state, struct bytes message)
{
    defect_note_piece(state, player_of(state), is_delta(message));
    return DEFECT_TAKE;
}

static void drop_last(struct defect_state *state)
{
    struct held_delta *delta = defect_fresh_piece(state, player_of(state));
    if (delta != NULL && delta->end_of_turn)
        defect_cut_piece(player_of(state), delta, 0);
}

static void wait_for_second(struct defect_state *state)
{
    struct held_delta *delta = defect_fresh_piece(state, player_of(state));
    if (delta != NULL && !delta->end_of_turn && delta->samples < DUPLEX_DELTA_SAMPLES)
        defect_cut_piece(player_of(state), delta, 0);
}

static void hold_five_seconds(struct defect_state *state)
{
    struct held_delta *delta = defect_fresh_piece(state, player_of(state));
    if (delta != NULL)
        defect_hold_at_most(player_of(state), delta, FIVE_SECONDS);
}

static void stutter(struct defect_state *state)
{
    struct held_delta *delta = defect_fresh_piece(state, player_of(state));
    if (delta != NULL)
        defect_play_end_twice(player_of(state), state->now_us, delta, AGAIN_SAMPLES);
}

static void put_newest_first(struct defect_state *state)
{
    struct held_delta *delta = defect_fresh_piece(state, player_of(state));
    if (delta != NULL)
        defect_put_first(player_of(state), delta);
}

/* ---- what is said ---- */

static bool never_force(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    message->force_listen = false;
    return true;
}

/* From the first time on. */
static bool force_for_good(struct defect_state *state, struct buffer *message)
{
    state->seen = state->seen || defect_holds(buffer_bytes(message), "\"force_listen\":true");
    if (state->seen)
        (void)ws_replace(message, "\"force_listen\":false", "\"force_listen\":true");
    return true;
}

/* A turn of which nothing had come before it interrupted. */
static bool note_silence(struct defect_state *state, const struct client_plan_step *step)
{
    state->seen = step->what == DO_FORCE_LISTEN && !player_of(state)->in_turn;
    return true;
}

static void stop_only_what_began(struct defect_state *state)
{
    if (state->step != NULL && state->seen)
        defect_duplex_client(state)->muted_until_us = 0;
}

static enum defect_taking note_end_of_turn(struct defect_state *state, struct bytes message)
{
    state->seen = is_delta(message) && defect_holds(message, "\"end_of_turn\":true");
    return DEFECT_TAKE;
}

static void hear_after_end(struct defect_state *state)
{
    if (state->step == NULL && state->seen)
        defect_duplex_client(state)->muted_until_us = 0;
    state->seen = false;
}

static void play_on_late(struct defect_state *state)
{
    defect_play_on(state);
    defect_start_late(state, 1000000);
}

/* ---- what is told ---- */

static bool leave_gaps(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_HEARD) {
        state->count += observation->text[0] != '\0' && state->seen ? GAP_SAMPLES : 0;
        state->seen = true;
        observation->at += (uint32_t)state->count;
    }
    return true;
}

static bool tell_of_cut_turns(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_TURN)
        observation->is_final = false;
    return true;
}

static bool hide_cache(struct defect_state *state, struct observation *observation)
{
    observation->has_cache = false;
    return true;
}

/* Each text with the next sound that is heard, whatever delta that came with. */
static bool tell_text_early(struct defect_state *state, struct observation *observation)
{
    char *waiting = state->kept[0].text;
    struct text text = {.data = waiting, .capacity = sizeof state->kept[0].text, .len = strlen(waiting)};
    if (observation->kind == OBSERVED_DELTA) {
        text_add(&text, observation->text);
    } else if (observation->kind == OBSERVED_HEARD) {
        memcpy(observation->text, waiting, sizeof observation->text);
        waiting[0] = '\0';
    }
    return true;
}

static const struct defect ROWS[] = {
    {.name = "drops-short-deltas",
     .requirement = "DX-OUT-01",
     .wrong = "plays nothing of a delta that is shorter than a second",
     .hear = note_delta,
     .after = wait_for_second},
    {.name = "cuts-long-deltas",
     .requirement = "DX-OUT-01",
     .wrong = "plays only the first second of a longer delta",
     .hear = defect_hear_changed,
     .change = hear_a_second_at_most},
    {.name = "plays-at-16-khz",
     .requirement = "DX-OUT-01",
     .wrong = "plays what it hears at 16 kHz",
     .hear = defect_hear_changed,
     .change = hear_at_16_khz},
    {.name = "plays-newest-first",
     .requirement = "DX-OUT-02",
     .wrong = "plays the delta first that came last",
     .implies = {"DX-OUT-01", "DX-OUT-03"},
     .hear = note_delta,
     .after = put_newest_first},
    {.name = "leaves-gaps",
     .requirement = "DX-OUT-02",
     .wrong = "leaves a tenth of a second between deltas",
     .tell = leave_gaps},
    {.name = "holds-five-seconds",
     .requirement = "DX-OUT-02",
     .wrong = "drops what comes while five seconds are queued for playing",
     .cases = "duplex/playing/*ten-seconds*",
     .hear = note_delta,
     .after = hold_five_seconds},
    {.name = "stutters",
     .requirement = "DX-OUT-02",
     .wrong = "plays the last 20 ms of each delta twice",
     .implies = {"DX-OUT-01"},
     .hear = note_delta,
     .after = stutter},
    {.name = "tells-text-early",
     .requirement = "DX-OUT-02",
     .wrong = "tells the text of a delta when it comes, not when it is played",
     .tell = tell_text_early},
    {.name = "drops-last-delta",
     .requirement = "DX-OUT-03",
     .wrong = "plays nothing of the delta that ends a turn",
     .hear = note_delta,
     .after = drop_last},
    {.name = "sees-no-end",
     .requirement = "DX-OUT-03",
     .wrong = "takes every turn for one that was cut off",
     .tell = tell_of_cut_turns},
    {.name = "keeps-queue-on-listen",
     .requirement = "DX-OUT-04",
     .wrong = "plays on what is queued when response.listen comes",
     .hear = defect_keep_queue,
     .after = defect_put_queue_back},
    {.name = "leaves-at-empty-text",
     .requirement = "DX-OUT-05",
     .wrong = "leaves when a delta without text comes",
     .implies = {"DX-OUT-07"},
     .leaves_at = want_text},
    {.name = "leaves-at-empty-audio",
     .requirement = "DX-OUT-05",
     .wrong = "leaves when a delta without sound comes",
     .implies = {"DX-OUT-07"},
     .leaves_at = want_audio},
    {.name = "hides-cache",
     .requirement = "DX-OUT-06",
     .wrong = "says nothing of kv_cache_length",
     .tell = hide_cache},
    {.name = "keeps-playing",
     .requirement = "DX-OUT-07",
     .wrong = "plays on when it interrupts",
     .command = defect_keep_playing,
     .after = defect_play_on},
    {.name = "plays-before-listen",
     .requirement = "DX-OUT-07",
     .wrong = "plays what comes between its interruption and response.listen",
     .after = defect_play_on},
    {.name = "stops-only-what-began",
     .requirement = "DX-OUT-07",
     .wrong = "plays a turn of which nothing had come yet when it interrupted",
     .cases = "duplex/interrupt/before-first-delta",
     .command = note_silence,
     .after = stop_only_what_began},
    {.name = "hears-the-next-turn-before-listen",
     .requirement = "DX-OUT-07",
     .wrong = "plays what comes between the end of the turn that it interrupted and response.listen",
     .cases = "duplex/interrupt/next-turn-under-way",
     .hear = note_end_of_turn,
     .after = hear_after_end},
    {.name = "starts-late-and-plays-before-listen",
     .requirement = "DX-OUT-07",
     .wrong = "plays what comes between its interruption and response.listen, and starts a second late",
     .implies = {"DX-OUT-01",
                 "DX-OUT-03"}, /* where the session is over, or response.listen comes, within that second */
     .after = play_on_late},
    {.name = "no-force-listen",
     .requirement = "DX-OUT-07",
     .wrong = "stops playing, and does not tell the server",
     .say = defect_say_changed,
     .change = never_force},
    {.name = "forces-for-good",
     .requirement = "DX-OUT-07",
     .wrong = "puts force_listen into every append from the first interruption on",
     .say = force_for_good},
    {.name = "leaves-at-unknown-event",
     .requirement = "DX-OUT-08",
     .wrong = "leaves when an event of an unknown type comes",
     .leaves_at = leave_at_unknown},
};

const struct defect_table DUPLEX_DEFECTS_OUTPUT = DEFECT_TABLE(ROWS);
