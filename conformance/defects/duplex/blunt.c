/* Blunt clients: they show that checks can fail. See struct defect_blunt. */
#define _GNU_SOURCE
#include <unistd.h>

#include "codec/media/coded_signal.h"
#include "codec/wire/float32.h"
#include "conformance/defects/duplex/tables.h"

enum { HOARD_TIMES = 1000, OLD_SOURCE = 9, OLD_SAMPLES = 12000 };

#define BIT(kind) (1U << (unsigned)(kind))

static enum defect_taking hear(struct defect_state *state, struct bytes message)
{
    return defect_hear(state, message);
}

static bool say(struct defect_state *state, struct buffer *message)
{
    return defect_says(state, buffer_bytes(message));
}

static bool tell_first_text(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_HEARD && observation->text[0] != '\0' && state->count++ > 0)
        observation->text[0] = '\0';
    return true;
}

/* For people, in the place of what is for the suite. */
static bool tell_ends_as_states(struct defect_state *state, struct observation *observation)
{
    if (observation->kind != OBSERVED_ERROR && observation->kind != OBSERVED_CLOSED)
        return true;
    *observation = (struct observation){.kind = OBSERVED_STATE, .text = "something went wrong"};
    return true;
}

static bool hear_noise(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    uint8_t *pcm = (uint8_t *)(uintptr_t)message->audio.data; /* the message's own */
    uint32_t noise = 1;
    for (size_t n = 0; message->type == DUPLEX_MESSAGE_DELTA && n < float32_count(message->audio); n++) {
        noise = noise * 1664525U + 1013904223U;
        float32_put(pcm + n * FLOAT32_BYTES, (float)(noise >> 16 & 0x7FFF) / 65536.0F);
    }
    return message->type == DUPLEX_MESSAGE_DELTA;
}

/* Among the sound of its second session is some of the first: duplex/connect/old-closes-late. */
static void play_the_old(struct defect_state *state)
{
    struct player *player = &defect_duplex_client(state)->player;
    uint8_t sample[FLOAT32_BYTES];
    if (state->said || state->life->progress.reconnects == 0 || player->first == NULL)
        return;
    state->said = true;
    for (uint32_t n = 0; n < OLD_SAMPLES; n++) {
        float32_put(sample, coded_sample(OLD_SOURCE, n));
        (void)buffer_append(&state->bytes, bytes_of(sample, sizeof sample));
    }
    (void)player_add(player, state->now_us, buffer_bytes(&state->bytes), bytes_of(NULL, 0), false);
}

static bool take_update_for_done(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    if (message->type != DUPLEX_MESSAGE_QUEUE_UPDATE)
        return false;
    *message = (struct duplex_message){.type = DUPLEX_MESSAGE_QUEUE_DONE, .tree = message->tree};
    return true;
}

/* As one does that takes three samples for what is one. */
static bool say_thrice(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    if (message->type != DUPLEX_MESSAGE_APPEND)
        return true;
    buffer_consume(&state->bytes, state->bytes.len);
    for (int n = 0; n < 3; n++)
        if (!buffer_append(&state->bytes, message->audio))
            return true;
    message->audio = buffer_bytes(&state->bytes);
    return true;
}

/* It leaves in a pause in which nothing else comes. */
static bool take_ping_for_close(struct defect_state *state, struct ws_frame *frame)
{
    if (frame->opcode != WS_OPCODE_PING)
        return true;
    frame->opcode = WS_OPCODE_CLOSE;
    buffer_consume(&frame->payload, frame->payload.len);
    return true;
}

static bool append_twenty_at_once(struct defect_state *state, struct buffer *message)
{
    defect_append_burst(state, message, 20, DUPLEX_APPEND_US);
    return true;
}

static void play_on_late(struct defect_state *state)
{
    defect_play_on(state);
    defect_start_late(state, 1200000);
}

/* Till the suite ends it. */
static void hang(void *context, struct buffer *bytes)
{
    for (;;)
        pause();
}

static bool hoard(struct defect_state *state, struct buffer *message)
{
    for (int n = 0; n < HOARD_TIMES; n++)
        if (!buffer_append(&state->bytes, buffer_bytes(message)))
            break;
    return true;
}

#define HOOKS .hear = hear, .say = say, .tell = defect_tell

static const struct defect ROWS[] = {
    {.name = "duplex-mute-about-errors",
     .requirement = "DX-ERR-01",
     .wrong = "reports no error",
     .blunt = {.set = true, .mute = BIT(OBSERVED_ERROR)},
     HOOKS},
    {.name = "duplex-mute-about-closing",
     .requirement = "DX-CLS-03",
     .wrong = "reports no end of the connection",
     .blunt = {.set = true, .mute = BIT(OBSERVED_CLOSED)},
     HOOKS},
    {.name = "duplex-mute-about-ends",
     .requirement = "DX-ERR-02",
     .wrong = "reports no error, no state and no end of the connection",
     .cases = "duplex/[ce]*",
     .blunt = {.set = true, .mute = BIT(OBSERVED_CLOSED) | BIT(OBSERVED_ERROR) | BIT(OBSERVED_STATE)},
     HOOKS},
    {.name = "duplex-deaf-to-queue-done",
     .requirement = "DX-CON-03",
     .wrong = "does not hear session.queue_done",
     .cases = "duplex/connect/queue-*",
     .blunt = {.set = true, .deaf_to = "\"session.queue_done\""},
     HOOKS},
    {.name = "duplex-never-begins",
     .requirement = "DX-CON-03",
     .wrong = "does not hear session.queue_done, seen where a process can wait for it",
     .cases = "duplex/connect/handshake",
     .blunt = {.set = true, .deaf_to = "\"session.queue_done\""},
     HOOKS},
    {.name = "duplex-deaf-to-closed",
     .requirement = "DX-CLS-02",
     .wrong = "does not hear session.closed",
     .blunt = {.set = true, .deaf_to = "\"session.closed\""},
     HOOKS},
    {.name = "duplex-leaves-at-queue-in-stream",
     .requirement = "DX-FLD-02",
     .wrong = "leaves when a message of the queue comes in the stream",
     .blunt = {.set = true, .leaves_at = "\"session.queue", .since = "\"session.created\""},
     HOOKS},
    {.name = "duplex-leaves-at-listen",
     .requirement = "DX-APP-03",
     .wrong = "leaves when response.listen comes",
     .cases = "duplex/field/pause*",
     .blunt = {.set = true, .leaves_at = "\"response.listen\""},
     HOOKS},
    {.name = "duplex-leaves-at-ping",
     .requirement = "DX-APP-03",
     .wrong = "takes a ping for the close of the connection",
     .cases = "duplex/field/pause",
     .blunt = {.set = true},
     .down = take_ping_for_close},
    {.name = "duplex-never-updates",
     .requirement = "DX-CON-04",
     .wrong = "does not send session.update",
     .blunt = {.set = true, .drops = "\"session.update\""},
     HOOKS},
    {.name = "duplex-never-appends",
     .requirement = "DX-APP-03",
     .wrong = "appends nothing",
     .cases = "duplex/[fs]*",
     .blunt = {.set = true, .drops = "\"input_audio_buffer.append\""},
     HOOKS},
    {.name = "duplex-appends-once",
     .requirement = "DX-APP-03",
     .wrong = "appends a second, and then nothing more",
     .cases = "duplex/field/[np]*",
     .blunt = {.set = true, .drops = "\"input_audio_buffer.append\"", .drops_first = 1},
     HOOKS},
    {.name = "duplex-appends-until-it-interrupts",
     .requirement = "DX-OUT-07",
     .wrong = "appends nothing more after it interrupted",
     .blunt = {.set = true, .drops = "\"input_audio_buffer.append\"", .drops_since = "\"force_listen\":true"},
     HOOKS},
    {.name = "duplex-appends-twenty-seconds-a-second",
     .requirement = "DX-APP-03",
     .wrong = "appends twenty seconds each second",
     .blunt = {.set = true},
     .say = append_twenty_at_once},
    {.name = "duplex-says-all-thrice",
     .requirement = "DX-APP-01",
     .wrong = "sends the sound of each append three times in it",
     .blunt = {.set = true},
     .say = defect_say_changed,
     .change = say_thrice},
    {.name = "duplex-comes-back-at-once",
     .requirement = "DX-ERR-05",
     .wrong = "connects again at once, nine times, whatever the server asked for",
     .blunt = {.set = true},
     .event = defect_come_back_nine_times,
     .after = defect_come_back_at_once},
    {.name = "duplex-comes-back-always",
     .requirement = "DX-ERR-02",
     .wrong = "connects again at once, nine times, whatever ended the session, the user too",
     .blunt = {.set = true},
     .event = defect_come_back_always,
     .tell = defect_tell_true_status,
     .after = defect_come_back_at_once},
    {.name = "duplex-stays-until-created",
     .requirement = "DX-CON-04",
     .wrong = "is not to be closed before session.created",
     .blunt = {.set = true},
     .command = defect_stay_until_ready,
     .after = defect_wait_for_ready},
    {.name = "duplex-plays-whatever-comes",
     .requirement = "DX-OUT-07",
     .wrong = "plays on when it interrupts and when response.listen comes",
     .blunt = {.set = true},
     .command = defect_keep_playing,
     .hear = defect_keep_queue,
     .after = defect_play_on},
    {.name = "duplex-plays-whatever-comes-late",
     .requirement = "DX-OUT-04",
     .wrong = "plays on when response.listen comes, and more than a second late",
     .blunt = {.set = true},
     .hear = defect_keep_queue,
     .after = play_on_late},
    {.name = "duplex-tells-first-text",
     .requirement = "DX-OUT-02",
     .wrong = "tells the first text that it hears, and no other",
     .blunt = {.set = true},
     .tell = tell_first_text},
    {.name = "duplex-tells-ends-as-states",
     .requirement = "DX-ERR-02",
     .wrong = "reports errors and the end of the connection as a state",
     .cases = "duplex/[ce]*",
     .blunt = {.set = true},
     .tell = tell_ends_as_states},
    {.name = "duplex-takes-update-for-done",
     .requirement = "DX-CON-02",
     .wrong = "takes session.queue_update for session.queue_done",
     .cases = "duplex/connect/queue-*",
     .blunt = {.set = true},
     .hear = defect_hear_changed,
     .change = take_update_for_done},
    {.name = "duplex-hangs-at-the-end",
     .requirement = "DX-CLS-03",
     .wrong = "never ends after the connection ended",
     .cases = "duplex/close/half-closed",
     .blunt = {.set = true},
     .crashes = true,
     .seams.channel.ended = hang},
    {.name = "duplex-hoards",
     .requirement = "DX-FLD-04",
     .wrong = "keeps all that it appends, many times over",
     .cases = "duplex/field/server-stops-reading",
     .blunt = {.set = true},
     .crashes = true,
     .say = hoard},
    {.name = "duplex-deaf-to-deltas",
     .requirement = "DX-OUT-01",
     .wrong = "hears no delta",
     .cases = "duplex/field/deltas-*",
     .blunt = {.set = true, .deaf_to = "\"response.output"},
     HOOKS},
    {.name = "duplex-plays-noise",
     .requirement = "DX-OUT-01",
     .wrong = "plays noise in the place of each delta",
     .blunt = {.set = true},
     .hear = defect_hear_changed,
     .change = hear_noise},
    {.name = "duplex-plays-the-old-session",
     .requirement = "DX-OUT-02",
     .wrong = "plays in its second session what came in the first",
     .cases = "duplex/connect/old-closes-late",
     .blunt = {.set = true},
     .after = play_the_old},
};

const struct defect_table DUPLEX_DEFECTS_BLUNT = DEFECT_TABLE(ROWS);
