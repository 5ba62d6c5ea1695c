/* Defects of the queue and of session.update: DX-CON, DX-SES, DX-FLD-01, DX-FLD-02. */
#include <string.h>

#include "conformance/defects/duplex/tables.h"

enum { IMPATIENT_US = 2000000 };

/* ---- connecting ---- */

static void ask_for_no_mode(struct defect_state *state, struct buffer *head)
{
    if (!ws_replace(head, "?mode=video", ""))
        (void)ws_replace(head, "?mode=audio", "");
}

static void ask_for_other_mode(struct defect_state *state, struct buffer *head)
{
    if (!ws_replace(head, "?mode=video", "?mode=Video"))
        (void)ws_replace(head, "?mode=audio", "?mode=Audio");
}

/* As a listener that is attached only when the upgrade is through: what came behind the head is lost. */
static void lose_what_follows_upgrade(void *context, struct buffer *bytes)
{
    static const char END[] = "\r\n\r\n";
    struct defect_state *state = context;
    if (state->seen)
        return;
    for (size_t i = 0; i + sizeof END - 1 <= bytes->len; i++)
        if (memcmp(bytes->data + i, END, sizeof END - 1) == 0) {
            state->seen = true;
            bytes->len = i + sizeof END - 1;
        }
}

/* ---- the queue ---- */

static bool want_queued_first(struct defect_state *state, struct bytes message)
{
    state->seen = state->seen || defect_holds(message, "\"session.queued\"");
    return defect_holds(message, "\"session.queue_done\"") && !state->seen;
}

static void note_opening(struct defect_state *state, struct client_event *event)
{
    if (event->kind == CLIENT_OPENED)
        state->count = event->now_us;
}

static void be_impatient(struct defect_state *state)
{
    if (state->life->stage == DUPLEX_CLIENT_QUEUED)
        state->life->deadline_us = state->count + IMPATIENT_US;
}

/* A session.queue_done that says nothing new. */
static enum defect_taking note_done(struct defect_state *state, struct bytes message)
{
    state->seen =
        defect_holds(message, "\"session.queue_done\"") && state->life->stage != DUPLEX_CLIENT_QUEUED;
    return DEFECT_TAKE;
}

static void update_again(struct defect_state *state)
{
    if (state->seen && state->life->standing == CLIENT_STANDS_UP)
        duplex_client_send_update(defect_duplex_client(state), state->now_us, state->actions);
    state->seen = false;
}

static void update_at_once(struct defect_state *state)
{
    state->seen = state->seen || state->life->stage == DUPLEX_CLIENT_QUEUED;
    update_again(state);
}

static bool tell_first_place(struct defect_state *state, struct observation *observation)
{
    return observation->kind != OBSERVED_QUEUE || observation->position == 0 || state->count++ == 0;
}

/* ---- session.update ---- */

static bool say_nothing_of_instructions(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    if (message->type == DUPLEX_MESSAGE_UPDATE)
        message->has_instructions = false;
    return true;
}

static bool send_no_wav(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    static const char MP3[] = "ID3 this is no WAV at all";
    if (message->type == DUPLEX_MESSAGE_UPDATE)
        message->ref_audio = bytes_of_text(MP3);
    return true;
}

/* ---- session.created ---- */

static bool is_created(struct bytes message)
{
    return defect_holds(message, "\"session.created\"");
}

static bool want_prompt_length(struct defect_state *state, struct bytes message)
{
    return is_created(message) && !defect_holds(message, "\"prompt_length\"");
}

static bool forget_session_id(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_READY)
        observation->text[0] = '\0';
    return true;
}

static bool hide_place(struct defect_state *state, struct observation *observation)
{
    return observation->kind != OBSERVED_QUEUE;
}

static const struct defect ROWS[] = {
    {.name = "asks-for-no-mode",
     .requirement = "DX-CON-01",
     .wrong = "connects without a mode",
     .request = ask_for_no_mode},
    {.name = "asks-for-other-mode",
     .requirement = "DX-CON-01",
     .wrong = "connects with a mode that is none",
     .request = ask_for_other_mode},
    {.name = "no-queue-wait",
     .requirement = "DX-CON-02",
     .wrong = "sends session.update as soon as it is connected, and again when it is time",
     .hear = note_done,
     .after = update_at_once},
    {.name = "wants-queued-first",
     .requirement = "DX-CON-03",
     .wrong = "does not see a session.queue_done that nothing comes before",
     .ends_badly = true,
     .hides = want_queued_first},
    {.name = "no-created-wait",
     .requirement = "DX-CON-04",
     .wrong = "appends as soon as session.update is sent",
     .cases = "duplex/connect/closed-while-created-awaited", /* in others session.created may be faster */
     .hear = defect_note_created,
     .after = defect_stream_at_once},
    {.name = "no-queue-report",
     .requirement = "DX-CON-05",
     .wrong = "says nothing of its place in the queue",
     .tell = hide_place},
    {.name = "tells-first-place",
     .requirement = "DX-CON-05",
     .wrong = "tells only the first of its places in the queue",
     .tell = tell_first_place},
    {.name = "duplex-no-pong",
     .requirement = "DX-CON-06",
     .wrong = "answers no ping",
     .up = defect_drop_pong},
    {.name = "duplex-empty-pong",
     .requirement = "DX-CON-06",
     .wrong = "answers pings without their data",
     .up = defect_empty_pong},
    {.name = "duplex-no-pong-inside",
     .requirement = "DX-CON-06",
     .wrong = "answers no ping that comes between the fragments of a message",
     .cases = "duplex/connect/ping-inside",
     .down = defect_overlook_ping_inside},
    {.name = "duplex-unmasked",
     .requirement = "DX-CON-07",
     .wrong = "leaves the mask off its frames",
     .up = defect_leave_unmasked},
    {.name = "no-instructions",
     .requirement = "DX-SES-01",
     .wrong = "sends session.update without instructions",
     .say = defect_say_changed,
     .change = say_nothing_of_instructions},
    {.name = "quotes-slices",
     .requirement = "DX-SES-01",
     .wrong = "sends max_slice_nums of session.update as a string",
     .swap = {"\"instructions\":", "\"max_slice_nums\":\"2\",\"instructions\":"},
     .say = defect_swap_in_message},
    {.name = "no-wav",
     .requirement = "DX-SES-01",
     .wrong = "sends a ref_audio that is no WAV",
     .say = defect_say_changed,
     .change = send_no_wav},
    {.name = "wants-prompt-length",
     .requirement = "DX-SES-02",
     .wrong = "does not read a session.created without prompt_length",
     .ends_badly = true,
     .hides = want_prompt_length},
    {.name = "forgets-session-id",
     .requirement = "DX-SES-02",
     .wrong = "does not keep the session_id",
     .tell = forget_session_id},
    {.name = "deaf-behind-upgrade",
     .requirement = "DX-FLD-01",
     .wrong = "does not see what comes in the same segment as the upgrade's response",
     .implies = {"DX-CON-03"},
     .ends_badly = true,
     .seams.channel.down = lose_what_follows_upgrade},
    {.name = "impatient-in-queue",
     .requirement = "DX-FLD-02",
     .wrong = "gives up two seconds after it was connected, whatever the queue says",
     .event = note_opening,
     .after = be_impatient},
    {.name = "updates-again",
     .requirement = "DX-CON-04",
     .wrong = "sends session.update with each session.queue_done",
     .hear = note_done,
     .after = update_again},
};

const struct defect_table DUPLEX_DEFECTS_OPEN = DEFECT_TABLE(ROWS);
