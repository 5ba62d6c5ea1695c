/* Defects of what is heard, and of interrupting: DX-OUT. */
#include "codec/duplex/constants.h"
#include "conformance/defects/duplex/tables.h"

enum {
    GAP_SAMPLES = DUPLEX_OUTPUT_RATE / 10,
    AGAIN_BYTES = DUPLEX_OUTPUT_RATE / 50 * DUPLEX_SAMPLE_BYTES,
    FIVE_SECONDS = 5 * DUPLEX_OUTPUT_RATE
};

static bool is_delta(struct bytes message)
{
    return defect_holds(message, "\"response.output_audio.delta\"");
}

/* ---- what comes in ---- */

static void hear_a_second_at_most(void *context, struct duplex_message *message)
{
    (void)context;
    if (message->type == DUPLEX_MESSAGE_DELTA && message->audio.len > DUPLEX_DELTA_BYTES)
        message->audio.len = DUPLEX_DELTA_BYTES;
}

/* As one does that takes it for the rate of its own appends; what no longer fits into the delta is lost. */
static void hear_at_16_khz(void *context, struct duplex_message *message)
{
    (void)context;
    uint8_t *pcm = (uint8_t *)(uintptr_t)message->audio.data; /* the message's own */
    if (message->type != DUPLEX_MESSAGE_DELTA)
        return;
    for (size_t n = float32_count(message->audio); n-- > 0;) {
        const size_t from = n * DUPLEX_INPUT_RATE / DUPLEX_OUTPUT_RATE;
        float32_put(pcm + n * FLOAT32_BYTES, float32_at(message->audio, from));
    }
}

static enum client_taking want_text(void *context, struct bytes message)
{
    (void)context;
    return is_delta(message) && defect_holds(message, "\"text\":\"\"") ? CLIENT_GIVE_UP : CLIENT_TAKE;
}

static enum client_taking want_audio(void *context, struct bytes message)
{
    (void)context;
    return is_delta(message) && defect_holds(message, "\"audio\":\"\"") ? CLIENT_GIVE_UP : CLIENT_TAKE;
}

/* ---- what is held for playing ---- */

static struct bytes drop_last(void *context, const struct duplex_message *message, struct bytes audio,
                              uint64_t held)
{
    (void)context;
    (void)held;
    return message->end_of_turn ? (struct bytes){0} : audio;
}

static struct bytes wait_for_second(void *context, const struct duplex_message *message, struct bytes audio,
                                    uint64_t held)
{
    (void)context;
    (void)held;
    return !message->end_of_turn && audio.len < DUPLEX_DELTA_BYTES ? (struct bytes){0} : audio;
}

static struct bytes hold_five_seconds(void *context, const struct duplex_message *message, struct bytes audio,
                                      uint64_t held)
{
    (void)context;
    (void)message;
    const uint64_t room = held < FIVE_SECONDS ? FIVE_SECONDS - held : 0;
    if (float32_count(audio) > room)
        audio.len = (size_t)room * DUPLEX_SAMPLE_BYTES;
    return audio;
}

static struct bytes stutter(void *context, const struct duplex_message *message, struct bytes audio,
                            uint64_t held)
{
    struct defect_state *state = context;
    const size_t len = audio.len < AGAIN_BYTES ? audio.len : AGAIN_BYTES;
    (void)message;
    (void)held;
    if (len == 0)
        return audio;
    buffer_clear(&state->bytes);
    const bool good = buffer_append(&state->bytes, audio) &&
                      buffer_append(&state->bytes, bytes_of(audio.data + audio.len - len, len));
    return good ? buffer_bytes(&state->bytes) : audio;
}

/* ---- what is said ---- */

static bool never_force(void *context, struct duplex_message *message)
{
    (void)context;
    message->force_listen = false;
    return true;
}

/* ---- what is told ---- */

static bool leave_gaps(void *context, struct observation *observation)
{
    struct defect_state *state = context;
    if (observation->kind == OBSERVED_HEARD) {
        state->count += observation->text[0] != '\0' && state->seen ? GAP_SAMPLES : 0;
        state->seen = true;
        observation->at += (uint32_t)state->count;
    }
    return true;
}

static bool tell_of_cut_turns(void *context, struct observation *observation)
{
    (void)context;
    if (observation->kind == OBSERVED_TURN)
        observation->is_final = false;
    return true;
}

static bool hide_cache(void *context, struct observation *observation)
{
    (void)context;
    observation->has_cache = false;
    return true;
}

/* Each text with the next sound that is heard, whatever delta that came with. */
static bool tell_text_early(void *context, struct observation *observation)
{
    struct defect_state *state = context;
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
     .seams.duplex.hold = wait_for_second},
    {.name = "cuts-long-deltas",
     .requirement = "DX-OUT-01",
     .wrong = "plays only the first second of a longer delta",
     .seams.duplex.read = hear_a_second_at_most},
    {.name = "plays-at-16-khz",
     .requirement = "DX-OUT-01",
     .wrong = "plays what it hears at 16 kHz",
     .seams.duplex.read = hear_at_16_khz},
    {.name = "plays-newest-first",
     .requirement = "DX-OUT-02",
     .wrong = "plays the delta first that came last",
     .implies = {"DX-OUT-01", "DX-OUT-03"},
     .seams.duplex.reverse = true},
    {.name = "leaves-gaps",
     .requirement = "DX-OUT-02",
     .wrong = "leaves a tenth of a second between deltas",
     .seams.duplex.life.observe = leave_gaps},
    {.name = "holds-five-seconds",
     .requirement = "DX-OUT-02",
     .wrong = "drops what comes while five seconds are queued for playing",
     .cases = "duplex/playing/*ten-seconds*",
     .seams.duplex.hold = hold_five_seconds},
    {.name = "stutters",
     .requirement = "DX-OUT-02",
     .wrong = "plays the last 20 ms of each delta twice",
     .implies = {"DX-OUT-01"},
     .seams.duplex.hold = stutter},
    {.name = "tells-text-early",
     .requirement = "DX-OUT-02",
     .wrong = "tells the text of a delta when it comes, not when it is played",
     .seams.duplex.life.observe = tell_text_early},
    {.name = "drops-last-delta",
     .requirement = "DX-OUT-03",
     .wrong = "plays nothing of the delta that ends a turn",
     .seams.duplex.hold = drop_last},
    {.name = "sees-no-end",
     .requirement = "DX-OUT-03",
     .wrong = "takes every turn for one that was cut off",
     .seams.duplex.life.observe = tell_of_cut_turns},
    {.name = "keeps-queue-on-listen",
     .requirement = "DX-OUT-04",
     .wrong = "plays on what is queued when response.listen comes",
     .seams.duplex.keep_queue_on_listen = true},
    {.name = "leaves-at-empty-text",
     .requirement = "DX-OUT-05",
     .wrong = "leaves when a delta without text comes",
     .implies = {"DX-OUT-07"},
     .seams.duplex.incoming = want_text},
    {.name = "leaves-at-empty-audio",
     .requirement = "DX-OUT-05",
     .wrong = "leaves when a delta without sound comes",
     .implies = {"DX-OUT-07"},
     .seams.duplex.incoming = want_audio},
    {.name = "hides-cache",
     .requirement = "DX-OUT-06",
     .wrong = "says nothing of kv_cache_length",
     .seams.duplex.life.observe = hide_cache},
    {.name = "keeps-playing",
     .requirement = "DX-OUT-07",
     .wrong = "plays on when it interrupts",
     .seams.duplex.keep_playing_on_interrupt = true},
    {.name = "plays-before-listen",
     .requirement = "DX-OUT-07",
     .wrong = "plays what comes between its interruption and response.listen",
     .seams.duplex.play_before_listen = true},
    {.name = "starts-late-and-plays-before-listen",
     .requirement = "DX-OUT-07",
     .wrong = "plays what comes between its interruption and response.listen, and starts a second late",
     .seams.duplex = {.play_before_listen = true, .start_us = 1000000}},
    {.name = "no-force-listen",
     .requirement = "DX-OUT-07",
     .wrong = "stops playing, and does not tell the server",
     .seams.duplex.message = never_force},
    {.name = "forces-for-good",
     .requirement = "DX-OUT-07",
     .wrong = "puts force_listen into every append from the first interruption on",
     .seams.duplex.force_for_good = true},
    {.name = "leaves-at-unknown-event",
     .requirement = "DX-OUT-08",
     .wrong = "leaves when an event of an unknown type comes",
     .seams.duplex.unknown_is_end = true},
};

const struct defect_table DUPLEX_DEFECTS_OUTPUT = DEFECT_TABLE(ROWS);
