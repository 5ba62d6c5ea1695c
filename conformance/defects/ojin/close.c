/* Defects of closing, of what breaks RFC 6455, and of reconnecting: OJ-CLS, OJ-FLD-07. */
#include "conformance/defects/ojin/tables.h"

enum {
    PRIVATE_CODE = 4000,
    CONTROL_BYTES_MAX = 125,
    CLOSE_CODE_BYTES = 2,
    CLOSE_RESERVED = 1004,
    PRIVATE_FROM = 3000,
    CLOSE_CODES_END = 5000
};

/* ---- what breaks RFC 6455, mended so that the client takes it ---- */

static bool is_control(const struct ws_frame *frame)
{
    return frame->opcode >= WS_OPCODE_CLOSE;
}

static bool unmask(struct defect_state *state, struct ws_frame *frame)
{
    frame->masked = false;
    return true;
}

static bool clear_bit_1(struct defect_state *state, struct ws_frame *frame)
{
    frame->reserved &= 3;
    return true;
}

static bool clear_bits_2_and_3(struct defect_state *state, struct ws_frame *frame)
{
    frame->reserved &= 4;
    return true;
}

static bool drop_reserved_data(struct defect_state *state, struct ws_frame *frame)
{
    return frame->opcode <= WS_OPCODE_BINARY || is_control(frame);
}

static bool drop_reserved_control(struct defect_state *state, struct ws_frame *frame)
{
    return frame->opcode <= WS_OPCODE_PONG;
}

/* Follows the messages, for those who look at where a frame stands in one. */
static bool stands_within(struct defect_state *state, const struct ws_frame *frame)
{
    const bool within = state->down.within;
    if (!is_control(frame))
        state->down.within = !frame->fin;
    return within;
}

static bool drop_bare_continuation(struct defect_state *state, struct ws_frame *frame)
{
    if (frame->opcode == WS_OPCODE_CONTINUATION && !state->down.within)
        return false;
    (void)stands_within(state, frame);
    return true;
}

static bool join_message_within(struct defect_state *state, struct ws_frame *frame)
{
    const bool within = stands_within(state, frame);
    if (within && (frame->opcode == WS_OPCODE_TEXT || frame->opcode == WS_OPCODE_BINARY))
        frame->opcode = WS_OPCODE_CONTINUATION;
    return true;
}

static bool cut_control(struct defect_state *state, struct ws_frame *frame)
{
    if (is_control(frame) && frame->payload.len > CONTROL_BYTES_MAX)
        frame->payload.len = CONTROL_BYTES_MAX;
    return true;
}

static bool finish_control(struct defect_state *state, struct ws_frame *frame)
{
    if (is_control(frame))
        frame->fin = true;
    return true;
}

static bool pass_absurd(struct defect_state *state, struct ws_frame *frame)
{
    return !frame->absurd;
}

static void replace_high_bytes(struct ws_frame *frame)
{
    for (size_t i = 0; i < frame->payload.len; i++)
        if (frame->payload.data[i] >= 0x80)
            frame->payload.data[i] = '?';
}

static bool mend_text(struct defect_state *state, struct ws_frame *frame)
{
    if (frame->opcode == WS_OPCODE_TEXT && frame->fin)
        replace_high_bytes(frame);
    return true;
}

static bool mend_text_in_pieces(struct defect_state *state, struct ws_frame *frame)
{
    if (frame->opcode == WS_OPCODE_TEXT || frame->opcode == WS_OPCODE_BINARY)
        state->down.opcode = frame->opcode;
    if (!is_control(frame) && state->down.opcode == WS_OPCODE_TEXT &&
        !(frame->opcode == WS_OPCODE_TEXT && frame->fin))
        replace_high_bytes(frame);
    return true;
}

static unsigned close_code(const struct ws_frame *frame)
{
    return (unsigned)frame->payload.data[0] << 8 | frame->payload.data[1];
}

static bool pass_bad_close_code(struct defect_state *state, struct ws_frame *frame)
{
    if (frame->opcode != WS_OPCODE_CLOSE || frame->payload.len != CLOSE_CODE_BYTES)
        return true;
    const unsigned code = close_code(frame);
    return code >= OJIN_CLOSE_NORMAL && code < CLOSE_CODES_END &&
           (code < CLOSE_RESERVED || code > WS_CLOSE_NO_FRAME) && code != WS_CLOSE_TLS_FAILED &&
           (code <= WS_CLOSE_TLS_FAILED || code >= PRIVATE_FROM);
}

static bool pass_one_byte_close(struct defect_state *state, struct ws_frame *frame)
{
    return frame->opcode != WS_OPCODE_CLOSE || frame->payload.len != 1;
}

static bool pass_bad_reason(struct defect_state *state, struct ws_frame *frame)
{
    return frame->opcode != WS_OPCODE_CLOSE || frame->payload.len <= CLOSE_CODE_BYTES ||
           frame->payload.data[CLOSE_CODE_BYTES] < 0x80;
}

/* ---- closing ---- */

static bool drop_close(struct defect_state *state, struct ws_frame *frame)
{
    return frame->opcode != WS_OPCODE_CLOSE;
}

static bool close_with_4000(struct defect_state *state, struct client_action *action)
{
    if (action->kind == CLIENT_SEND_CLOSE)
        action->code = PRIVATE_CODE;
    return true;
}

/* ---- another session ---- */

static bool ends_session(const struct client_event *event)
{
    return event->kind == CLIENT_CLOSED || event->kind == CLIENT_REFUSED;
}

/* The core drops no speech of a session in which it said none. */
static void keep_speech(struct defect_state *state, struct client_event *event)
{
    state->seen = ends_session(event) && defect_client(state)->sent_speech;
    if (state->seen)
        defect_client(state)->sent_speech = false;
}

static void say_kept_speech(struct defect_state *state)
{
    struct speech *speech = &defect_client(state)->speech;
    if (!state->seen || state->life->standing != CLIENT_STANDS_WAITING)
        return;
    speech->sent = speech->base;
    speech->played = speech->base;
    speech->turn_count = 0;
}

static void keep_frames(struct defect_state *state, struct client_event *event)
{
    state->seen = state->seen || ends_session(event);
    if (ends_session(event))
        defect_take_frames(state);
}

/* They are played on, from one session into the next. */
static void play_kept_frames(struct defect_state *state)
{
    struct ojin_client *client = defect_client(state);
    defect_put_frames_back(state);
    client->playing =
        client->playing || (state->seen && !client->life.progress.ready &&
                            client->life.standing != CLIENT_STANDS_CLOSING && client->buffer.count > 0);
}

static bool drop_opening_again(struct defect_state *state, struct buffer *message)
{
    return state->life->progress.reconnects == 0 || defect_keep_no_opening(state, message);
}

static void be_ready_again(struct defect_state *state)
{
    if (state->life->progress.reconnects > 0)
        defect_be_ready(state);
}

static bool report_loss_for_close(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_CLOSED)
        observation->close_code = WS_CLOSE_NO_FRAME;
    return true;
}

static bool hide_loss(struct defect_state *state, struct observation *observation)
{
    return observation->kind != OBSERVED_CLOSED || observation->close_code != WS_CLOSE_NO_FRAME;
}

static const struct defect ROWS[] = {
    {.name = "close-code-lost",
     .requirement = "OJ-CLS-01",
     .wrong = "reports every close as a lost connection",
     .tell = report_loss_for_close},
    {.name = "close-not-answered",
     .requirement = "OJ-CLS-01",
     .wrong = "does not answer a close frame",
     .up = drop_close},
    {.name = "hides-loss",
     .requirement = "OJ-CLS-02",
     .wrong = "says nothing of a lost connection",
     .implies = {"OJ-CLS-03"},
     .tell = hide_loss},
    {.name = "takes-masked",
     .requirement = "OJ-CLS-03",
     .wrong = "takes masked frames of the server",
     .cases = "ojin/close/rfc-masked",
     .down = unmask},
    {.name = "takes-reserved-bit-1",
     .requirement = "OJ-CLS-03",
     .wrong = "does not look at the first reserved bit",
     .cases = "ojin/close/rfc-reserved-bit",
     .down = clear_bit_1},
    {.name = "takes-reserved-bits-2-and-3",
     .requirement = "OJ-CLS-03",
     .wrong = "does not look at the other reserved bits",
     .cases = "ojin/close/rfc-reserved-bit-2",
     .down = clear_bits_2_and_3},
    {.name = "passes-reserved-opcode",
     .requirement = "OJ-CLS-03",
     .wrong = "passes over frames with a reserved opcode",
     .cases = "ojin/close/rfc-reserved-opcode",
     .down = drop_reserved_data},
    {.name = "passes-reserved-control",
     .requirement = "OJ-CLS-03",
     .wrong = "passes over control frames with a reserved opcode",
     .cases = "ojin/close/rfc-reserved-control",
     .down = drop_reserved_control},
    {.name = "passes-bare-continuation",
     .requirement = "OJ-CLS-03",
     .wrong = "passes over a continuation of nothing",
     .cases = "ojin/close/rfc-bare-continuation",
     .down = drop_bare_continuation},
    {.name = "joins-messages",
     .requirement = "OJ-CLS-03",
     .wrong = "takes a message within a message for its rest",
     .cases = "ojin/close/rfc-message-within",
     .down = join_message_within},
    {.name = "takes-long-ping",
     .requirement = "OJ-CLS-03",
     .wrong = "takes control frames of any length",
     .cases = "ojin/close/rfc-long-ping",
     .down = cut_control},
    {.name = "takes-cut-ping",
     .requirement = "OJ-CLS-03",
     .wrong = "takes a control frame that is no last fragment",
     .cases = "ojin/close/rfc-cut-ping",
     .down = finish_control},
    {.name = "passes-absurd-length",
     .requirement = "OJ-CLS-03",
     .wrong = "passes over a frame with an absurd length",
     .cases = "ojin/close/rfc-huge-length",
     .down = pass_absurd},
    {.name = "takes-any-text",
     .requirement = "OJ-CLS-03",
     .wrong = "takes text that is no UTF-8",
     .cases = "ojin/close/rfc-no-utf8",
     .down = mend_text},
    {.name = "takes-any-text-in-pieces",
     .requirement = "OJ-CLS-03",
     .wrong = "takes text in fragments that is no UTF-8",
     .implies = {"OJ-OUT-12", "OJ-ERR-05"},
     .cases = "ojin/close/rfc-no-utf8-in-pieces",
     .down = mend_text_in_pieces},
    {.name = "passes-bad-close-code",
     .requirement = "OJ-CLS-03",
     .wrong = "passes over a close frame with an illegal code",
     .cases = "ojin/close/rfc-close-*code*",
     .down = pass_bad_close_code},
    {.name = "passes-one-byte-close",
     .requirement = "OJ-CLS-03",
     .wrong = "passes over a close frame with half a code",
     .cases = "ojin/close/rfc-close-one-byte",
     .down = pass_one_byte_close},
    {.name = "passes-bad-close-reason",
     .requirement = "OJ-CLS-03",
     .wrong = "passes over a close frame whose reason is no UTF-8",
     .cases = "ojin/close/rfc-close-bad-reason",
     .down = pass_bad_reason},
    {.name = "says-old-speech-again",
     .requirement = "OJ-CLS-04",
     .wrong = "sends the speech of a lost session again",
     .event = keep_speech,
     .after = say_kept_speech},
    {.name = "plays-old-session",
     .requirement = "OJ-CLS-04",
     .wrong = "plays frames of a lost session",
     .event = keep_frames,
     .after = play_kept_frames},
    {.name = "opens-once",
     .requirement = "OJ-CLS-04",
     .wrong = "opens only its first session with silence",
     .implies = {"OJ-RDY-04"},
     .say = drop_opening_again},
    {.name = "ready-once",
     .requirement = "OJ-CLS-04",
     .wrong = "waits for sessionReady only once",
     .implies = {"OJ-CON-06"},
     .hear = defect_hear_ready_late,
     .after = be_ready_again},
    {.name = "leaves-the-second-session",
     .requirement = "OJ-CLS-04",
     .wrong = "leaves the session it connected anew for a third",
     .cases = "ojin/reconnect/old-*",
     .after = defect_leave_second},
    {.name = "closes-with-4000",
     .requirement = "OJ-CLS-05",
     .wrong = "closes with a code of its own",
     .act = close_with_4000},
    {.name = "hangs-up",
     .requirement = "OJ-CLS-05",
     .wrong = "ends the connection without a close frame",
     .implies = {"OJ-CLS-01"},
     .up = drop_close},
    {.name = "connects-after-close",
     .requirement = "OJ-FLD-07",
     .wrong = "connects again after it was closed",
     .command = defect_ignore_close_while_waiting},
};

const struct defect_table OJIN_DEFECTS_CLOSE = DEFECT_TABLE(ROWS);
