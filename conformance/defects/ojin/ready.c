/* Defects of the begin of a session: OJ-RDY, OJ-FHL. */
#include "conformance/defects/ojin/tables.h"

static bool is_ready(const struct defect_state *state, struct bytes message)
{
    return !state->binary && defect_holds(message, "\"sessionReady\"");
}

static bool want_timestamp(struct defect_state *state, struct bytes message)
{
    return is_ready(state, message) && !defect_holds(message, "\"timestamp\"");
}

static bool want_parameters(struct defect_state *state, struct bytes message)
{
    const bool absent =
        !defect_holds(message, "\"parameters\"") || defect_holds(message, "\"parameters\":null");
    return is_ready(state, message) && absent;
}

static bool want_known_parameters(struct defect_state *state, struct bytes message)
{
    return is_ready(state, message) && defect_holds(message, "\"nested\"");
}

static bool want_point_in_load(struct defect_state *state, struct bytes message)
{
    const bool whole = defect_holds(message, "\"load\":0,") || defect_holds(message, "\"load\":0}") ||
                       defect_holds(message, "\"load\":1,") || defect_holds(message, "\"load\":1}");
    return is_ready(state, message) && whole;
}

static bool want_no_exponent(struct defect_state *state, struct bytes message)
{
    return is_ready(state, message) && defect_holds(message, "e-1,");
}

static bool give_up_on_extra(struct defect_state *state, struct bytes message)
{
    return is_ready(state, message) && defect_holds(message, "\"server_id\"");
}

static bool give_up_on_second(struct defect_state *state, struct bytes message)
{
    if (!is_ready(state, message))
        return false;
    return state->count++ > 0;
}

static enum defect_taking note_second(struct defect_state *state, struct bytes message)
{
    state->seen = state->seen || (is_ready(state, message) && state->count++ > 0);
    return DEFECT_TAKE;
}

/* What is still to be played when the second sessionReady comes. */
static bool lose_after_second(struct defect_state *state, struct observation *observation)
{
    enum { LOST = 5 };
    if (!state->seen || observation->kind != OBSERVED_PLAYED || observation->index != OJIN_INDEX_SPEECH ||
        observation->is_final)
        return true;
    return state->count++ > LOST + 1;
}

/* ---- the opening silence ---- */

static bool is_opening(struct defect_state *state)
{
    return state->binary && state->count++ == 0;
}

static bool halve_opening(struct defect_state *state, struct buffer *message)
{
    if (is_opening(state))
        message->len -= OJIN_FRAME_AUDIO_BYTES / 2;
    return true;
}

static bool hum_at_opening(struct defect_state *state, struct buffer *message)
{
    if (is_opening(state))
        message->data[message->len - 1] = 1;
    return true;
}

/* Speech waits until the opening has left. */
static enum defect_taking note_ready(struct defect_state *state, struct bytes message)
{
    state->seen = is_ready(state, message) && state->life->ready_at_us == UINT64_MAX &&
                  defect_client(state)->profile->opening_silence_rule == NULL;
    if (state->seen)
        defect_client(state)->sender.paused_until_us = state->now_us + 1;
    return DEFECT_TAKE;
}

static void open_always(struct defect_state *state)
{
    struct ojin_client *client = defect_client(state);
    if (!state->seen)
        return;
    state->seen = false;
    client->opening_due = true;
    client->sender.paused_until_us = 0;
    ojin_client_send_due(client, state->now_us, state->actions);
}

/* ---- frames before speech ---- */

static bool note_speech(struct defect_state *state, struct buffer *message)
{
    state->seen = state->seen || state->binary;
    return true;
}

static bool hide_before_speech(struct defect_state *state, struct bytes message)
{
    return state->binary && !state->seen;
}

/* ---- what is told ---- */

static bool hide_load(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_READY) {
        observation->has_load = false;
    }
    return true;
}

static bool hide_parameters(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_READY)
        observation->text[0] = '\0';
    return true;
}

static const struct defect ROWS[] = {
    {.name = "ready-needs-timestamp",
     .requirement = "OJ-RDY-01",
     .wrong = "does not take a sessionReady without a timestamp",
     .hides = want_timestamp},
    {.name = "ready-needs-parameters",
     .requirement = "OJ-RDY-02",
     .wrong = "does not take a sessionReady without parameters",
     .hides = want_parameters},
    {.name = "ready-knows-parameters",
     .requirement = "OJ-RDY-02",
     .wrong = "does not take a sessionReady with parameters it does not know",
     .hides = want_known_parameters},
    {.name = "load-needs-point",
     .requirement = "OJ-RDY-03",
     .wrong = "does not take a load of 0 or 1",
     .hides = want_point_in_load},
    {.name = "load-without-exponent",
     .requirement = "OJ-RDY-03",
     .wrong = "does not take a load with an exponent",
     .hides = want_no_exponent},
    {.name = "no-opening-silence",
     .requirement = "OJ-RDY-04",
     .wrong = "does not open the stream with silence",
     .implies = {"OJ-FHL-01"},
     .say = defect_keep_no_opening},
    {.name = "half-an-opening",
     .requirement = "OJ-RDY-04",
     .wrong = "opens the stream with half a frame of silence",
     .implies = {"OJ-FHL-01"},
     .say = halve_opening},
    {.name = "opening-hum",
     .requirement = "OJ-RDY-04",
     .wrong = "opens the stream with a frame that is not silent",
     .implies = {"OJ-FHL-01"},
     .say = hum_at_opening},
    {.name = "deaf-before-speech",
     .requirement = "OJ-RDY-05",
     .wrong = "reads no frame before it has spoken",
     .say = note_speech,
     .hides = hide_before_speech},
    {.name = "hides-load",
     .requirement = "OJ-RDY-06",
     .wrong = "keeps the load to itself",
     .tell = hide_load},
    {.name = "hides-parameters",
     .requirement = "OJ-RDY-06",
     .wrong = "keeps the parameters of the session to itself",
     .tell = hide_parameters},
    {.name = "opens-with-silence",
     .requirement = "OJ-RDY-07",
     .wrong = "opens the stream with silence where nobody asks for it",
     .hear = note_ready,
     .after = open_always},
    {.name = "strict-ready",
     .requirement = "OJ-RDY-08",
     .wrong = "leaves when sessionReady has members it does not know",
     .leaves_at = give_up_on_extra},
    {.name = "one-ready-only",
     .requirement = "OJ-RDY-08",
     .wrong = "leaves when sessionReady comes twice",
     .implies = {"OJ-CLS-04"},
     .leaves_at = give_up_on_second},
    {.name = "second-ready-clears",
     .requirement = "OJ-RDY-08",
     .wrong = "loses frames that are still to be played when sessionReady comes twice",
     .cases = "ojin/ready/twice-in-speech",
     .hear = note_second,
     .tell = lose_after_second},
    {.name = "no-opening-silence-flashhead",
     .requirement = "OJ-FHL-01",
     .wrong = "does not open the stream with silence",
     .implies = {"OJ-RDY-04"},
     .say = defect_keep_no_opening},
};

const struct defect_table OJIN_DEFECTS_READY = DEFECT_TABLE(ROWS);
