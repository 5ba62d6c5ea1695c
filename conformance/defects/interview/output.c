/* Defects of what is heard: IV-OUT-01, IV-OUT-02. */
#include "conformance/defects/interview/tables.h"
#include "conformance/defects/playing.h"

enum {
    OTHER_RATE = 16000,
    SECOND = INTERVIEW_RATE,
    SHORT_SAMPLES = INTERVIEW_RATE / 10,
    GAP_SAMPLES = INTERVIEW_RATE / 10,
    AGAIN_SAMPLES = INTERVIEW_RATE / 50,
    QUIET_US = 8000000
};

/* ---- what comes in ---- */

static bool is_chunk(const struct interview_message *message)
{
    return message->type == INTERVIEW_MESSAGE_AI_AUDIO_CHUNK;
}

static bool hear_a_second_at_most(struct defect_state *state, void *given)
{
    struct interview_message *message = given;
    const size_t bytes_max = SECOND * INTERVIEW_SAMPLE_BYTES;
    if (!is_chunk(message))
        return false;
    if (message->audio.len > bytes_max)
        message->audio.len = bytes_max;
    return true;
}

/* What no longer fits into the chunk is lost. */
static bool hear_at_16_khz(struct defect_state *state, void *given)
{
    struct interview_message *message = given;
    uint8_t *pcm = (uint8_t *)(uintptr_t)message->audio.data; /* the message's own */
    if (!is_chunk(message))
        return false;
    for (size_t n = interview_sample_count(message->audio); n-- > 0;) {
        const size_t from = n * OTHER_RATE / INTERVIEW_RATE;
        memcpy(pcm + n * INTERVIEW_SAMPLE_BYTES, pcm + from * INTERVIEW_SAMPLE_BYTES, INTERVIEW_SAMPLE_BYTES);
    }
    return true;
}

static bool hear_big_endian(struct defect_state *state, void *given)
{
    struct interview_message *message = given;
    uint8_t *pcm = (uint8_t *)(uintptr_t)message->audio.data; /* the message's own */
    for (size_t at = 0; is_chunk(message) && at + 1 < message->audio.len; at += INTERVIEW_SAMPLE_BYTES) {
        const uint8_t low = pcm[at];
        pcm[at] = pcm[at + 1];
        pcm[at + 1] = low;
    }
    return is_chunk(message);
}

static bool want_transcript(struct defect_state *state, void *given)
{
    struct interview_message *message = given;
    const bool wanting = is_chunk(message) && message->text.len == 0;
    if (wanting)
        message->audio.len = 0;
    return wanting;
}

static bool leave_without_transcript(struct defect_state *state, struct bytes text)
{
    return defect_interview_is(state, text, INTERVIEW_MESSAGE_AI_AUDIO_CHUNK) &&
           !defect_holds(text, "\"transcript\"");
}

static bool take_for_final(struct defect_state *state, void *given)
{
    struct interview_message *message = given;
    message->is_final = true;
    return is_chunk(message);
}

static bool take_for_not_final(struct defect_state *state, void *given)
{
    struct interview_message *message = given;
    message->is_final = false;
    return is_chunk(message);
}

/* ---- when nothing comes in ---- */

static enum defect_taking note_message(struct defect_state *state, struct bytes message)
{
    state->due_us = state->now_us + QUIET_US;
    return DEFECT_TAKE;
}

static void leave_when_quiet(struct defect_state *state)
{
    if (state->now_us < state->due_us)
        return;
    state->due_us = UINT64_MAX;
    if (answers_are_empty(&defect_interview_client(state)->answers))
        defect_leave(state, true);
}

/* ---- what is held for playing ---- */

static struct player *player_of(const struct defect_state *state)
{
    return &defect_interview_client(state)->player;
}

static enum defect_taking note_chunk(struct defect_state *state, struct bytes message)
{
    defect_note_piece(state, player_of(state),
                      defect_interview_is(state, message, INTERVIEW_MESSAGE_AI_AUDIO_CHUNK));
    return DEFECT_TAKE;
}

static void drop_last(struct defect_state *state)
{
    struct held_delta *chunk = defect_fresh_piece(state, player_of(state));
    if (chunk != NULL && chunk->end_of_turn)
        defect_cut_piece(player_of(state), chunk, 0);
}

static void drop_short(struct defect_state *state)
{
    struct held_delta *chunk = defect_fresh_piece(state, player_of(state));
    if (chunk != NULL && chunk->samples < SHORT_SAMPLES)
        defect_cut_piece(player_of(state), chunk, 0);
}

static void hold_two_seconds(struct defect_state *state)
{
    struct held_delta *chunk = defect_fresh_piece(state, player_of(state));
    if (chunk != NULL)
        defect_hold_at_most(player_of(state), chunk, 2 * SECOND);
}

static void stutter(struct defect_state *state)
{
    struct held_delta *chunk = defect_fresh_piece(state, player_of(state));
    if (chunk != NULL)
        defect_play_end_twice(player_of(state), state->now_us, chunk, AGAIN_SAMPLES);
}

static void put_newest_first(struct defect_state *state)
{
    struct held_delta *chunk = defect_fresh_piece(state, player_of(state));
    if (chunk != NULL)
        defect_put_first(player_of(state), chunk);
}

/* ---- what is told ---- */

static bool leave_gaps(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_HEARD) {
        state->count += GAP_SAMPLES;
        observation->at += (uint32_t)state->count;
    }
    return true;
}

static bool tell_of_cut_replies(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_TURN)
        observation->is_final = false;
    return true;
}

static const struct defect ROWS[] = {
    {.name = "drops-short-chunks",
     .requirement = "IV-OUT-01",
     .wrong = "plays nothing of a chunk that is shorter than a tenth of a second",
     .hear = note_chunk,
     .after = drop_short},
    {.name = "cuts-long-chunks",
     .requirement = "IV-OUT-01",
     .wrong = "plays only the first second of a longer chunk",
     .cases = "interview/output/long-chunk",
     .hear = defect_interview_hear_changed,
     .change = hear_a_second_at_most},
    {.name = "interview-plays-at-16-khz",
     .requirement = "IV-OUT-01",
     .wrong = "plays what it hears at 16 kHz",
     .hear = defect_interview_hear_changed,
     .change = hear_at_16_khz},
    {.name = "plays-big-endian",
     .requirement = "IV-OUT-01",
     .wrong = "takes the samples that it hears for big-endian",
     .hear = defect_interview_hear_changed,
     .change = hear_big_endian},
    {.name = "wants-transcripts",
     .requirement = "IV-OUT-01",
     .wrong = "plays nothing of a chunk without a transcript",
     .hear = defect_interview_hear_changed,
     .change = want_transcript},
    {.name = "leaves-without-transcript",
     .requirement = "IV-OUT-01",
     .wrong = "leaves at a chunk without a transcript",
     .implies = {"IV-IN-05"},
     .leaves_at = leave_without_transcript},
    {.name = "gives-up-in-pauses",
     .requirement = "IV-OUT-01",
     .wrong = "leaves when the server has said nothing for eight seconds",
     .cases = "interview/pause/*",
     .hear = note_message,
     .after = leave_when_quiet},
    {.name = "drops-final-chunk",
     .requirement = "IV-OUT-01",
     .wrong = "plays nothing of the chunk that ends a reply",
     .hear = note_chunk,
     .after = drop_last},
    {.name = "takes-each-chunk-for-final",
     .requirement = "IV-OUT-01",
     .wrong = "takes each chunk for a reply of its own",
     .hear = defect_interview_hear_changed,
     .change = take_for_final},
    {.name = "takes-no-chunk-for-final",
     .requirement = "IV-OUT-01",
     .wrong = "takes all replies for one that does not end",
     .ends_badly = true,
     .hear = defect_interview_hear_changed,
     .change = take_for_not_final},
    {.name = "sees-no-final",
     .requirement = "IV-OUT-01",
     .wrong = "takes every reply for one that was cut off",
     .tell = tell_of_cut_replies},
    {.name = "plays-newest-chunk-first",
     .requirement = "IV-OUT-02",
     .wrong = "plays the chunk first that came last",
     .implies = {"IV-OUT-01"},
     .hear = note_chunk,
     .after = put_newest_first},
    {.name = "interview-leaves-gaps",
     .requirement = "IV-OUT-02",
     .wrong = "leaves a tenth of a second after each it plays",
     .implies = {"IV-OUT-01"},
     .tell = leave_gaps},
    {.name = "holds-two-seconds",
     .requirement = "IV-OUT-02",
     .wrong = "drops what comes while two seconds are queued for playing",
     .implies = {"IV-OUT-01"},
     .hear = note_chunk,
     .after = hold_two_seconds},
    {.name = "interview-stutters",
     .requirement = "IV-OUT-02",
     .wrong = "plays the last 20 ms of each chunk twice",
     .implies = {"IV-OUT-01"},
     .hear = note_chunk,
     .after = stutter},
};

const struct defect_table INTERVIEW_DEFECTS_OUTPUT = DEFECT_TABLE(ROWS);
