/* Defects of the begin of a session: OJ-RDY, OJ-FHL. */
#include "conformance/defects/ojin/tables.h"

static bool is_ready(bool binary, struct bytes message)
{
    return !binary && defect_holds(message, "\"sessionReady\"");
}

static enum client_taking want_timestamp(void *context, bool *binary, struct bytes message)
{
    (void)context;
    return is_ready(*binary, message) && !defect_holds(message, "\"timestamp\"") ? CLIENT_HIDE : CLIENT_TAKE;
}

static enum client_taking want_parameters(void *context, bool *binary, struct bytes message)
{
    (void)context;
    const bool absent =
        !defect_holds(message, "\"parameters\"") || defect_holds(message, "\"parameters\":null");
    return is_ready(*binary, message) && absent ? CLIENT_HIDE : CLIENT_TAKE;
}

static enum client_taking want_known_parameters(void *context, bool *binary, struct bytes message)
{
    (void)context;
    return is_ready(*binary, message) && defect_holds(message, "\"nested\"") ? CLIENT_HIDE : CLIENT_TAKE;
}

static enum client_taking want_point_in_load(void *context, bool *binary, struct bytes message)
{
    (void)context;
    const bool whole = defect_holds(message, "\"load\":0,") || defect_holds(message, "\"load\":0}") ||
                       defect_holds(message, "\"load\":1,") || defect_holds(message, "\"load\":1}");
    return is_ready(*binary, message) && whole ? CLIENT_HIDE : CLIENT_TAKE;
}

static enum client_taking want_no_exponent(void *context, bool *binary, struct bytes message)
{
    (void)context;
    return is_ready(*binary, message) && defect_holds(message, "e-1,") ? CLIENT_HIDE : CLIENT_TAKE;
}

static enum client_taking give_up_on_extra(void *context, bool *binary, struct bytes message)
{
    (void)context;
    return is_ready(*binary, message) && defect_holds(message, "\"server_id\"") ? CLIENT_GIVE_UP
                                                                                : CLIENT_TAKE;
}

static enum client_taking give_up_on_second(void *context, bool *binary, struct bytes message)
{
    struct defect_state *state = context;
    if (!is_ready(*binary, message))
        return CLIENT_TAKE;
    return state->count++ > 0 ? CLIENT_GIVE_UP : CLIENT_TAKE;
}

static enum client_taking note_second(void *context, bool *binary, struct bytes message)
{
    struct defect_state *state = context;
    state->seen = state->seen || (is_ready(*binary, message) && state->count++ > 0);
    return CLIENT_TAKE;
}

/* What came shortly before the second sessionReady and was still to be played would be gone: here it is what
 * comes shortly after, which the core can be kept from holding. */
static bool lose_after_second(void *context, const struct ojin_frame *frame)
{
    enum { LOST = 5 };
    struct defect_state *state = context;
    if (!state->seen || frame->index != OJIN_INDEX_SPEECH || frame->is_final == 1)
        return true;
    return state->count++ > LOST + 1;
}

/* ---- the opening silence ---- */

static bool is_opening(struct defect_state *state, bool binary)
{
    return binary && state->count++ == 0;
}

static bool halve_opening(void *context, bool binary, struct buffer *message)
{
    if (is_opening(context, binary))
        message->len -= OJIN_FRAME_AUDIO_BYTES / 2;
    return true;
}

static bool hum_at_opening(void *context, bool binary, struct buffer *message)
{
    if (is_opening(context, binary))
        message->data[message->len - 1] = 1;
    return true;
}

/* ---- frames before speech ---- */

static bool note_speech(void *context, bool binary, struct buffer *message)
{
    struct defect_state *state = context;
    (void)message;
    state->seen = state->seen || binary;
    return true;
}

static enum client_taking hide_before_speech(void *context, bool *binary, struct bytes message)
{
    const struct defect_state *state = context;
    (void)message;
    return *binary && !state->seen ? CLIENT_HIDE : CLIENT_TAKE;
}

/* ---- what is told ---- */

static bool hide_load(void *context, struct observation *observation)
{
    (void)context;
    if (observation->kind == OBSERVED_READY) {
        observation->has_load = false;
    }
    return true;
}

static bool hide_parameters(void *context, struct observation *observation)
{
    (void)context;
    if (observation->kind == OBSERVED_READY)
        observation->text[0] = '\0';
    return true;
}

static const struct defect ROWS[] = {
    {.name = "ready-needs-timestamp",
     .requirement = "OJ-RDY-01",
     .wrong = "does not take a sessionReady without a timestamp",
     .seams.ojin.incoming = want_timestamp},
    {.name = "ready-needs-parameters",
     .requirement = "OJ-RDY-02",
     .wrong = "does not take a sessionReady without parameters",
     .seams.ojin.incoming = want_parameters},
    {.name = "ready-knows-parameters",
     .requirement = "OJ-RDY-02",
     .wrong = "does not take a sessionReady with parameters it does not know",
     .seams.ojin.incoming = want_known_parameters},
    {.name = "load-needs-point",
     .requirement = "OJ-RDY-03",
     .wrong = "does not take a load of 0 or 1",
     .seams.ojin.incoming = want_point_in_load},
    {.name = "load-without-exponent",
     .requirement = "OJ-RDY-03",
     .wrong = "does not take a load with an exponent",
     .seams.ojin.incoming = want_no_exponent},
    {.name = "no-opening-silence",
     .requirement = "OJ-RDY-04",
     .wrong = "does not open the stream with silence",
     .implies = {"OJ-FHL-01"},
     .seams.ojin.no_opening_silence = true},
    {.name = "half-an-opening",
     .requirement = "OJ-RDY-04",
     .wrong = "opens the stream with half a frame of silence",
     .implies = {"OJ-FHL-01"},
     .seams.ojin.outgoing = halve_opening},
    {.name = "opening-hum",
     .requirement = "OJ-RDY-04",
     .wrong = "opens the stream with a frame that is not silent",
     .implies = {"OJ-FHL-01"},
     .seams.ojin.outgoing = hum_at_opening},
    {.name = "deaf-before-speech",
     .requirement = "OJ-RDY-05",
     .wrong = "reads no frame before it has spoken",
     .seams.ojin = {.outgoing = note_speech, .incoming = hide_before_speech}},
    {.name = "hides-load",
     .requirement = "OJ-RDY-06",
     .wrong = "keeps the load to itself",
     .seams.ojin.life.observe = hide_load},
    {.name = "hides-parameters",
     .requirement = "OJ-RDY-06",
     .wrong = "keeps the parameters of the session to itself",
     .seams.ojin.life.observe = hide_parameters},
    {.name = "opens-with-silence",
     .requirement = "OJ-RDY-07",
     .wrong = "opens the stream with silence where nobody asks for it",
     .seams.ojin.opening_silence_always = true},
    {.name = "strict-ready",
     .requirement = "OJ-RDY-08",
     .wrong = "leaves when sessionReady has members it does not know",
     .seams.ojin.incoming = give_up_on_extra},
    {.name = "one-ready-only",
     .requirement = "OJ-RDY-08",
     .wrong = "leaves when sessionReady comes twice",
     .implies = {"OJ-CLS-04"},
     .seams.ojin.incoming = give_up_on_second},
    {.name = "second-ready-clears",
     .requirement = "OJ-RDY-08",
     .wrong = "loses frames that are still to be played when sessionReady comes twice",
     .cases = "ojin/ready/twice-in-speech",
     .seams.ojin = {.incoming = note_second, .hold = lose_after_second}},
    {.name = "no-opening-silence-flashhead",
     .requirement = "OJ-FHL-01",
     .wrong = "does not open the stream with silence",
     .implies = {"OJ-RDY-04"},
     .seams.ojin.no_opening_silence = true},
};

const struct defect_table OJIN_DEFECTS_READY = DEFECT_TABLE(ROWS);
