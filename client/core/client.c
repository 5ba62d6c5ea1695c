#include "client/core/client.h"

#include <assert.h>
#include <stdlib.h>

#include "client/core/internal.h"
#include "codec/ojin/messages.h"

struct client *client_new(const struct client_config *config)
{
    struct client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return NULL;
    const struct ojin_profile *profile = config->profile;
    client->profile = profile;
    if (config->seams != NULL)
        client->seams = *config->seams;
    client->epoch_ms = config->epoch_ms;
    client->phase = CLIENT_CONNECTING;
    speech_init(&client->speech, profile->played_audio == OJIN_PLAY_OWN_SPEECH);
    frame_buffer_init(&client->buffer,
                      config->buffer_target != 0 ? config->buffer_target : OJIN_BUFFER_TARGET_FRAMES);
    client->buffer.never_skip = client->seams.no_silence_dropping;
    uint32_t profile_chunk =
        profile->chunk_samples != 0 ? profile->chunk_samples : CLIENT_CHUNK_SAMPLES_DEFAULT;
    client->sender = (struct sender){
        .chunk_samples = config->chunk_samples != 0 ? config->chunk_samples : profile_chunk,
        .whole_chunks = config->chunk_samples == 0 && profile->chunk_samples != 0,
        .no_rate_limit = client->seams.no_rate_limit,
        .last_speech_us = UINT64_MAX,
    };
    client->ready_deadline_us = CLIENT_READY_WAIT_US;
    client->final_deadline_us = UINT64_MAX;
    client->close_at_us = UINT64_MAX;
    client->close_deadline_us = UINT64_MAX;
    return client;
}

void client_free(struct client *client)
{
    if (client == NULL)
        return;
    client_release_outgoing(client);
    frame_buffer_free(&client->buffer);
    speech_free(&client->speech);
    free(client);
}

struct client_action *client_add_action(struct client_actions *actions, enum client_action_kind kind)
{
    assert(actions->count < CLIENT_ACTIONS_MAX);
    struct client_action *action = &actions->list[actions->count++];
    *action = (struct client_action){.kind = kind};
    return action;
}

void client_observe(struct client *client, struct observation *observation, struct client_actions *actions)
{
    if (observation->kind == OBSERVED_ERROR) {
        client->summary.errors++;
        client->progress.errors++;
    }
    if (client->seams.observe != NULL && !client->seams.observe(client->seams.context, observation))
        return;
    client_add_action(actions, CLIENT_OBSERVE)->observation = *observation;
}

void client_report_bytes(struct client *client, const char *code, struct bytes text,
                         struct client_actions *actions)
{
    struct observation observation = {.kind = OBSERVED_ERROR};
    struct text out = text_of(observation.code, sizeof observation.code);
    text_add(&out, code);
    out = text_of(observation.text, sizeof observation.text);
    text_add_bytes(&out, text);
    client_observe(client, &observation, actions);
}

void client_report(struct client *client, const char *code, const char *text, struct client_actions *actions)
{
    client_report_bytes(client, code, bytes_of_text(text), actions);
}

/* ---- the end of the session ---- */

void client_begin_close(struct client *client, uint64_t now_us, uint64_t at_us, uint16_t code)
{
    if (client->phase == CLIENT_CLOSING || client->phase == CLIENT_OVER)
        return;
    client->phase = CLIENT_CLOSING;
    client->playing = false;
    client->close_code = code;
    client->close_at_us = at_us;
    client->close_deadline_us = (at_us > now_us ? at_us : now_us) + CLIENT_CLOSE_WAIT_US;
}

void client_finish(struct client *client)
{
    client->phase = CLIENT_OVER;
    client->playing = false;
    client->progress.over = true;
}

static void observe_closed(struct client *client, uint16_t code, struct bytes reason,
                           struct client_actions *actions)
{
    struct observation observation = {.kind = OBSERVED_CLOSED, .close_code = code};
    struct text text = text_of(observation.text, sizeof observation.text);
    text_add_bytes(&text, reason);
    client_observe(client, &observation, actions);
}

/* The final frame has come and everything held was shown. */
static bool is_played_out(const struct client *client)
{
    return client->buffer.count == 0 && (!client->playing || client->starved);
}

static void check_final(struct client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->phase != CLIENT_ENDING || !client->end_sent)
        return;
    if (client->final_waived && !client->turn.settling) {
        client->final_waived = false;
        client->flush = true;
        client->final_deadline_us = UINT64_MAX;
        client_play_arrived(client, now_us);
    }
    if (now_us >= client->final_deadline_us) {
        client_report(client, "FINAL_TIMEOUT", "no final frame came after endInteraction", actions);
        client_begin_close(client, now_us, now_us, OJIN_CLOSE_NORMAL);
    } else if (client->final_deadline_us == UINT64_MAX && is_played_out(client)) {
        if (client->closed)
            client_finish(client);
        else
            client_begin_close(client, now_us, now_us, OJIN_CLOSE_NORMAL);
    }
}

static void check_ready(struct client *client, uint64_t now_us, struct client_actions *actions)
{
    if (now_us < client->ready_deadline_us)
        return;
    if (client->phase == CLIENT_CONNECTING)
        client_report(client, "READY_TIMEOUT", "the upgrade was not answered in time", actions);
    else if (client->phase == CLIENT_AWAITING_READY)
        client_report(client, "READY_TIMEOUT", "no sessionReady came in time", actions);
    else
        return;
    client_begin_close(client, now_us, now_us, OJIN_CLOSE_NORMAL);
}

static void check_closing(struct client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->phase != CLIENT_CLOSING)
        return;
    if (client->opened && now_us >= client->close_at_us) {
        client->close_at_us = UINT64_MAX;
        client_add_action(actions, CLIENT_SEND_CLOSE)->code = client->close_code;
    }
    if (now_us >= client->close_deadline_us) {
        observe_closed(client, 1006, (struct bytes){0}, actions);
        client_finish(client);
    }
}

/* ---- time ---- */

static void advance(struct client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->turn.settling && now_us >= client->turn.cancelled_us + CLIENT_SETTLE_WAIT_US)
        turn_settle(&client->turn);
    client_send_due(client, now_us, actions);
    check_ready(client, now_us, actions);
    check_final(client, now_us, actions);
    check_closing(client, now_us, actions);
}

static void lower(uint64_t *deadline_us, uint64_t candidate_us)
{
    if (candidate_us < *deadline_us)
        *deadline_us = candidate_us;
}

uint64_t client_deadline_us(const struct client *client)
{
    uint64_t deadline_us = UINT64_MAX;
    if (client->phase == CLIENT_OVER)
        return deadline_us;
    if (client->phase == CLIENT_CONNECTING || client->phase == CLIENT_AWAITING_READY)
        lower(&deadline_us, client->ready_deadline_us);
    if (client->phase == CLIENT_CLOSING) {
        lower(&deadline_us, client->close_deadline_us);
        if (client->opened)
            lower(&deadline_us, client->close_at_us);
        return deadline_us;
    }
    lower(&deadline_us, client_send_deadline_us(client));
    lower(&deadline_us, client_play_deadline_us(client));
    if (client->turn.settling)
        lower(&deadline_us, client->turn.cancelled_us + CLIENT_SETTLE_WAIT_US);
    if (client->phase == CLIENT_ENDING)
        lower(&deadline_us, client->final_deadline_us);
    return deadline_us;
}

/* ---- events ---- */

/* The body of a refusal may be an errorResponse: 000 WebSocket Handshake (401). */
static void refused(struct client *client, const struct client_event *event, struct client_actions *actions)
{
    char code[OBSERVATION_CODE_MAX];
    struct text code_text = text_of(code, sizeof code);
    if (event->code == 0)
        text_add(&code_text, "NO_CONNECTION");
    else
        text_add_u64(&code_text, event->code);
    struct ojin_message message;
    ojin_message_read(event->data, &message);
    if (message.type == OJIN_MESSAGE_ERROR_RESPONSE) {
        char sentence[2 * OJIN_TEXT_FIELD_MAX];
        struct text text = text_of(sentence, sizeof sentence);
        text_add(&text, message.code);
        text_add(&text, ": ");
        text_add(&text, message.message);
        client_report(client, code, sentence, actions);
    } else {
        client_report_bytes(client, code, event->data, actions);
    }
    observe_closed(client, 1006, (struct bytes){0}, actions);
    client_finish(client);
}

static void connection_closed(struct client *client, const struct client_event *event,
                              struct client_actions *actions)
{
    client->closed = true;
    observe_closed(client, event->code, event->data, actions);
    /* After the final frame the server may close first; what is held is still played. */
    bool plays_on = client->phase == CLIENT_ENDING && client->end_sent &&
                    client->final_deadline_us == UINT64_MAX && !is_played_out(client);
    if (!plays_on)
        client_finish(client);
}

static void opened(struct client *client, uint64_t now_us)
{
    client->opened = true;
    if (client->phase != CLIENT_CONNECTING)
        return;
    client->phase = CLIENT_AWAITING_READY;
    client->ready_deadline_us = now_us + CLIENT_READY_WAIT_US;
}

static bool comes_in(const struct client *client, bool binary, struct bytes message)
{
    return client->seams.incoming == NULL || client->seams.incoming(client->seams.context, binary, message);
}

static void handle(struct client *client, const struct client_event *event, struct client_actions *actions)
{
    bool open = client->opened && !client->closed;
    switch (event->kind) {
    case CLIENT_OPENED:
        opened(client, event->now_us);
        break;
    case CLIENT_REFUSED:
        refused(client, event, actions);
        break;
    case CLIENT_TEXT:
        if (open && client->phase != CLIENT_CLOSING && comes_in(client, false, event->data))
            client_receive_text(client, event->now_us, event->data, actions);
        break;
    case CLIENT_BINARY:
        if (open && client->phase != CLIENT_CLOSING && comes_in(client, true, event->data))
            client_receive_frame(client, event->now_us, event->data, actions);
        break;
    case CLIENT_CLOSED:
        if (!client->closed)
            connection_closed(client, event, actions);
        break;
    case CLIENT_TICK:
        break;
    }
}

void client_step(struct client *client, const struct client_event *event, struct client_actions *actions)
{
    client_release_outgoing(client);
    frame_buffer_release(&client->buffer);
    client->plays = 0;
    if (client->phase == CLIENT_OVER)
        return;
    handle(client, event, actions);
    if (client->phase == CLIENT_OVER)
        return;
    client_play_due(client, event->now_us, actions);
    advance(client, event->now_us, actions);
}

/* ---- commands ---- */

bool client_speak(struct client *client, uint64_t now_us, const int16_t *samples, size_t count,
                  struct client_actions *actions)
{
    if (client->phase == CLIENT_CLOSING || client->phase == CLIENT_OVER || client->end_asked)
        return true; /* nobody is there to hear it */
    if (!speech_add(&client->speech, samples, count))
        return false;
    client->sender.last_handed_us = now_us;
    client->progress.speech_played = 0;
    client->progress.idle = false;
    client->spoke = false;
    client_send_due(client, now_us, actions);
    return true;
}

struct cancel_scan {
    struct turn *turn;
    bool any;
};

static bool is_speech(void *context, const struct ojin_frame *frame)
{
    struct cancel_scan *scan = context;
    if (frame->index != OJIN_INDEX_SPEECH)
        return false;
    scan->any = true;
    turn_add_cancelled(scan->turn, frame->interaction);
    return true;
}

void client_cancel(struct client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->phase == CLIENT_CLOSING || client->phase == CLIENT_OVER)
        return;
    speech_drop(&client->speech);
    struct cancel_scan scan = {.turn = &client->turn};
    if (!client->seams.keep_buffer_on_cancel)
        frame_buffer_drop(&client->buffer, is_speech, &scan);
    bool asked = (scan.any || turn_is_due(&client->turn)) && !client->closed;
    turn_cancel(&client->turn, now_us, asked);
    client->cancel_due = client->cancel_due || asked;
    client->final_waived = client->final_waived || (asked && client->end_sent);
    client->spoke = true;
    struct observation observation = {.kind = OBSERVED_CANCELLED};
    client_observe(client, &observation, actions);
    advance(client, now_us, actions);
}

void client_end(struct client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->phase == CLIENT_CLOSING || client->phase == CLIENT_OVER)
        return;
    client->end_asked = true;
    if (client->phase == CLIENT_STREAMING)
        client->phase = CLIENT_ENDING;
    advance(client, now_us, actions);
}

void client_close(struct client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->closed)
        client_finish(client);
    client_begin_close(client, now_us, now_us, OJIN_CLOSE_NORMAL);
    check_closing(client, now_us, actions);
}

/* ---- looking at it ---- */

enum client_phase client_phase(const struct client *client)
{
    return client->phase;
}

const struct client_summary *client_summary(const struct client *client)
{
    return &client->summary;
}

void client_progress(const struct client *client, struct client_progress *out)
{
    *out = client->progress;
    out->sent = client->progress.ready && !client->opening_due && speech_unsent(&client->speech) == 0;
}

static bool is_unreserved(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

bool client_request_target(struct text *out, const char *path, const char *config_id)
{
    static const char HEX[] = "0123456789ABCDEF";
    text_add(out, path);
    text_add(out, "?config_id=");
    for (const char *c = config_id; *c != '\0'; c++) {
        uint8_t byte = (uint8_t)*c;
        if (is_unreserved(byte)) {
            text_add_char(out, (char)byte);
        } else {
            text_add_char(out, '%');
            text_add_char(out, HEX[byte >> 4]);
            text_add_char(out, HEX[byte & 0xF]);
        }
    }
    return !out->cut;
}
