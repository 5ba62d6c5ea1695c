/* What a full-duplex server sent, for cases about servers: 002 Message Format. */
#include "codec/duplex/messages.h"
#include "conformance/script/duplex/client_side.h"

const struct client_receive DUPLEX_CLIENT_RECEIVES[] = {
    {"queued", "session.queued", "session.queued", false},
    {"queue_update", "session.queue_update", "session.queue_update", false},
    {"queue_done", "session.queue_done", "session.queue_done", false},
    {"created", "session.created", "session.created", false},
    {"delta", "a delta", "response.output_audio.delta", false},
    {"turn-end", "a delta with end_of_turn", "response.output_audio.delta with end_of_turn true", false},
    {"listen", "response.listen", "response.listen", false},
    {"output", "a delta or a listen", "response.output_audio.delta or response.listen", false},
    {"closed", "session.closed", "session.closed; `code=` is its reason", true},
    {NULL, NULL, NULL, false}};

enum {
    TYPE_QUEUED,
    TYPE_QUEUE_UPDATE,
    TYPE_QUEUE_DONE,
    TYPE_CREATED,
    TYPE_DELTA,
    TYPE_LISTEN,
    TYPE_CLOSED,
    TYPE_OTHER,
    TYPE_BINARY
};

const struct seen_message DUPLEX_SEEN_MESSAGES[] = {
    [TYPE_QUEUED] = {"queued", "session.queued", false},
    [TYPE_QUEUE_UPDATE] = {"queue_update", "session.queue_update", false},
    [TYPE_QUEUE_DONE] = {"queue_done", "session.queue_done", false},
    [TYPE_CREATED] = {"created", "session.created", false},
    [TYPE_DELTA] = {"delta", "delta", false},
    [TYPE_LISTEN] = {"listen", "listen", false},
    [TYPE_CLOSED] = {"closed", "session.closed", true},
    [TYPE_OTHER] = {"text", "text", true},
    [TYPE_BINARY] = {"binary", "binary message", false},
};

/* Of the messages that a server sends. */
static int type_of(enum duplex_message_type type)
{
    switch (type) {
    case DUPLEX_MESSAGE_QUEUED:
        return TYPE_QUEUED;
    case DUPLEX_MESSAGE_QUEUE_UPDATE:
        return TYPE_QUEUE_UPDATE;
    case DUPLEX_MESSAGE_QUEUE_DONE:
        return TYPE_QUEUE_DONE;
    case DUPLEX_MESSAGE_CREATED:
        return TYPE_CREATED;
    case DUPLEX_MESSAGE_DELTA:
        return TYPE_DELTA;
    case DUPLEX_MESSAGE_LISTEN:
        return TYPE_LISTEN;
    case DUPLEX_MESSAGE_CLOSED:
        return TYPE_CLOSED;
    case DUPLEX_MESSAGE_UPDATE:
    case DUPLEX_MESSAGE_APPEND:
    case DUPLEX_MESSAGE_CLOSE:
    case DUPLEX_MESSAGE_ERROR:
    case DUPLEX_MESSAGE_OTHER:
    case DUPLEX_MESSAGE_NO_OBJECT:
    case DUPLEX_MESSAGE_UNREADABLE:
    case DUPLEX_MESSAGE_NOT_JSON:
        break;
    }
    return TYPE_OTHER;
}

static void see_text(const struct profile *profile, struct bytes text, struct seen *out)
{
    const struct duplex_read_options options = {.profile = duplex_profile_of(profile)};
    struct duplex_message message;
    duplex_message_read(text, &options, &message);
    out->type = type_of(message.type);
    out->is_final = message.type == DUPLEX_MESSAGE_DELTA && message.end_of_turn;
    if (message.type == DUPLEX_MESSAGE_ERROR) {
        out->kind = SEEN_ERROR;
        seen_word_set(out, message.code);
    } else if (message.type == DUPLEX_MESSAGE_NOT_JSON) {
        out->kind = SEEN_PLAIN_TEXT;
        seen_word_set(out, text);
    } else if (message.type == DUPLEX_MESSAGE_CLOSED) {
        seen_word_set(out, message.reason);
    } else if (out->type == TYPE_OTHER) {
        seen_word_set(out, text);
    }
    duplex_message_free(&message);
}

void duplex_client_see(const struct profile *profile, const struct wire_event *event, struct seen *out,
                       struct frame_summary *frame)
{
    (void)frame;
    out->kind = SEEN_MESSAGE;
    if (event->kind == WIRE_EVENT_BINARY)
        out->type = TYPE_BINARY;
    else
        see_text(profile, event->data, out);
}

void duplex_client_see_body(struct bytes body, struct seen *out)
{
    const struct duplex_read_options options = {.profile = &DUPLEX_PROFILES[DUPLEX_PROFILE_VIDEO]};
    struct duplex_message message;
    duplex_message_read(body, &options, &message);
    if (message.type == DUPLEX_MESSAGE_ERROR)
        seen_word_set(out, message.code);
    else if (message.type == DUPLEX_MESSAGE_NOT_JSON)
        seen_word_set(out, bytes_of_text(SEEN_CODE_PLAIN_TEXT));
    duplex_message_free(&message);
}

bool duplex_client_matches(const struct seen *seen, int receive)
{
    switch (RECEIVE_FAMILY + receive) {
    case DUPLEX_RECEIVE_QUEUED:
        return seen->type == TYPE_QUEUED;
    case DUPLEX_RECEIVE_QUEUE_UPDATE:
        return seen->type == TYPE_QUEUE_UPDATE;
    case DUPLEX_RECEIVE_QUEUE_DONE:
        return seen->type == TYPE_QUEUE_DONE;
    case DUPLEX_RECEIVE_CREATED:
        return seen->type == TYPE_CREATED;
    case DUPLEX_RECEIVE_DELTA:
        return seen->type == TYPE_DELTA;
    case DUPLEX_RECEIVE_TURN_END:
        return seen->type == TYPE_DELTA && seen->is_final;
    case DUPLEX_RECEIVE_LISTEN:
        return seen->type == TYPE_LISTEN;
    case DUPLEX_RECEIVE_OUTPUT:
        return seen->type == TYPE_DELTA || seen->type == TYPE_LISTEN;
    case DUPLEX_RECEIVE_CLOSED:
        return seen->type == TYPE_CLOSED;
    }
    return false;
}
