#include "codec/duplex/message_read_parts.h"

static const char NOT_NEGATIVE[] = "an integer that is not negative";
static const char *const NOTHING_ELSE[] = {"type", NULL};

static void read_slices(const struct member_reader *reader)
{
    struct duplex_message *message = reader->message;
    message->has_max_slices =
        json_read_integer(&reader->json, "max_slice_nums", JSON_OPTIONAL, DUPLEX_SLICES_MIN,
                          DUPLEX_SLICES_MAX, "an integer from 1 to 9", &message->max_slices);
}

static void read_kv_cache_length(const struct member_reader *reader, enum json_need need)
{
    struct duplex_message *message = reader->message;
    message->has_kv_cache_length = json_read_integer(&reader->json, "kv_cache_length", need, 0, INT64_MAX,
                                                     NOT_NEGATIVE, &message->kv_cache_length);
}

static void read_update(const struct member_reader *reader)
{
    const struct duplex_dialect *dialect = reader->options->profile->dialect;
    const char *const names[] = {dialect->instructions, "max_slice_nums", "ref_audio", "tts_ref_audio", NULL};
    const char *const outer[] = {"type", dialect->update_object, NULL};
    struct duplex_message *message = reader->message;
    struct member_reader session;
    json_note_unknown(&reader->json, outer);
    if (!member_object(reader, dialect->update_object, JSON_REQUIRED, &session))
        return;
    message->has_instructions = json_read_text(&session.json, dialect->instructions,
                                               dialect->instructions_optional ? JSON_OPTIONAL : JSON_REQUIRED,
                                               &message->instructions);
    read_slices(&session);
    member_wav(&session, "ref_audio", &message->ref_audio);
    member_wav(&session, "tts_ref_audio", &message->tts_ref_audio);
    json_note_unknown(&session.json, names);
}

static void check_length(const struct member_reader *reader)
{
    const size_t count = float32_count(reader->message->audio);
    if (count < DUPLEX_APPEND_SAMPLES_MIN)
        json_fail_count(&reader->json, JSON_FAULT_TOO_SHORT, "audio", "4000 samples (250 ms) or more", count,
                        " samples");
    else if (count > DUPLEX_APPEND_SAMPLES_MAX)
        json_fail_count(&reader->json, JSON_FAULT_TOO_LONG, "audio", "a minute of samples at most", count,
                        " samples");
}

static void read_append(const struct member_reader *reader)
{
    static const char *const names[] = {"type",         "audio",          "video_frames",
                                        "force_listen", "max_slice_nums", NULL};
    const struct duplex_dialect *dialect = reader->options->profile->dialect;
    struct duplex_message *message = reader->message;
    struct member_reader input = *reader;
    if (dialect->append_object != NULL) {
        const char *const outer[] = {"type", dialect->append_object, NULL};
        json_note_unknown(&reader->json, outer);
        if (!member_object(reader, dialect->append_object, JSON_REQUIRED, &input))
            return;
    }
    if (member_audio(&input, "audio"))
        check_length(&input);
    member_pictures(&input, "video_frames");
    message->has_force_listen =
        json_read_bool(&input.json, "force_listen", JSON_OPTIONAL, &message->force_listen);
    read_slices(&input);
    json_note_unknown(&input.json, names);
}

static const char *const REASON_MEMBERS[] = {"type", "reason", NULL};

static void read_close(const struct member_reader *reader)
{
    reader->message->has_reason =
        json_read_text(&reader->json, "reason", JSON_OPTIONAL, &reader->message->reason);
    json_note_unknown(&reader->json, REASON_MEMBERS);
}

static void read_closed(const struct member_reader *reader)
{
    reader->message->has_reason =
        json_read_text(&reader->json, "reason", JSON_REQUIRED, &reader->message->reason);
    json_note_unknown(&reader->json, REASON_MEMBERS);
}

static void read_place(const struct member_reader *reader)
{
    static const char *const names[] = {"type",         "position",  "estimated_wait_s",
                                        "queue_length", "ticket_id", NULL};
    struct duplex_message *message = reader->message;
    message->has_position = json_read_integer(&reader->json, "position", JSON_OPTIONAL, 0, INT64_MAX,
                                              NOT_NEGATIVE, &message->position);
    message->has_wait = json_read_number(&reader->json, "estimated_wait_s", &message->wait_s);
    message->has_queue_length = json_read_integer(&reader->json, "queue_length", JSON_OPTIONAL, 0, INT64_MAX,
                                                  NOT_NEGATIVE, &message->queue_length);
    json_read_text(&reader->json, "ticket_id", JSON_OPTIONAL, &message->ticket_id);
    json_note_unknown(&reader->json, names);
}

static void read_queue_done(const struct member_reader *reader)
{
    json_note_unknown(&reader->json, NOTHING_ELSE);
}

static void read_created(const struct member_reader *reader)
{
    static const char *const names[] = {"type", "session_id", "prompt_length", NULL};
    struct duplex_message *message = reader->message;
    message->has_session_id =
        json_read_text(&reader->json, "session_id", JSON_REQUIRED, &message->session_id);
    message->has_prompt_length = json_read_integer(&reader->json, "prompt_length", JSON_OPTIONAL, 0,
                                                   INT64_MAX, NOT_NEGATIVE, &message->prompt_length);
    json_note_unknown(&reader->json, names);
}

/* --- deltas --- */

static void read_delta_parts(const struct member_reader *reader, bool text, bool audio, enum json_need rest)
{
    struct duplex_message *message = reader->message;
    if (text)
        message->has_text = json_read_text(&reader->json, "text", JSON_REQUIRED, &message->text);
    if (audio)
        (void)member_audio(reader, "audio");
    message->has_end_of_turn = json_read_bool(&reader->json, "end_of_turn", rest, &message->end_of_turn);
    read_kv_cache_length(reader, rest);
}

/* field notes: newer servers put the measurements into an object of their own. */
static void read_metrics(const struct member_reader *reader)
{
    struct member_reader metrics;
    if (!reader->message->has_kv_cache_length && member_object(reader, "metrics", JSON_OPTIONAL, &metrics))
        read_kv_cache_length(&metrics, JSON_OPTIONAL);
}

static void read_delta_by_kind(const struct member_reader *reader)
{
    static const char *const names[] = {"type",    "kind", "text", "audio", "end_of_turn", "kv_cache_length",
                                        "metrics", NULL};
    struct bytes kind;
    if (!json_read_text(&reader->json, "kind", JSON_REQUIRED, &kind))
        return;
    const bool is_text = bytes_equal_text(kind, "text");
    const bool is_audio = bytes_equal_text(kind, "audio");
    json_note_unknown(&reader->json, names);
    if (bytes_equal_text(kind, "listen")) {
        reader->message->type = DUPLEX_MESSAGE_LISTEN;
        read_kv_cache_length(reader, JSON_OPTIONAL);
    } else if (is_text || is_audio) {
        read_delta_parts(reader, is_text, is_audio, JSON_OPTIONAL);
    } else {
        reader->message->type = DUPLEX_MESSAGE_OTHER;
        json_fail(&reader->json, JSON_FAULT_UNKNOWN_TYPE, "kind", "listen, text or audio", "another kind");
        return;
    }
    read_metrics(reader);
}

static void read_delta(const struct member_reader *reader)
{
    static const char *const names[] = {"type", "text", "audio", "end_of_turn", "kv_cache_length", NULL};
    if (reader->options->profile->dialect->by_kind) {
        read_delta_by_kind(reader);
        return;
    }
    read_delta_parts(reader, true, true, JSON_REQUIRED);
    json_note_unknown(&reader->json, names);
}

static void read_listen(const struct member_reader *reader)
{
    static const char *const names[] = {"type", "kv_cache_length", NULL};
    read_kv_cache_length(reader, JSON_REQUIRED);
    json_note_unknown(&reader->json, names);
}

static void read_error(const struct member_reader *reader)
{
    static const char *const names[] = {"code", "message", "type", NULL};
    static const char *const outer[] = {"type", "error", NULL};
    struct duplex_message *message = reader->message;
    struct member_reader error;
    json_note_unknown(&reader->json, outer);
    if (!member_object(reader, "error", JSON_REQUIRED, &error))
        return;
    json_read_text(&error.json, "code", JSON_REQUIRED, &message->code);
    json_read_text(&error.json, "message", JSON_REQUIRED, &message->error_message);
    json_read_text(&error.json, "type", JSON_REQUIRED, &message->error_type);
    json_note_unknown(&error.json, names);
}

/* --- the message --- */

static const struct message_kind {
    const char *name; /* NULL: the dialect's own */
    void (*read)(const struct member_reader *reader);
} KINDS[] = {
    [DUPLEX_MESSAGE_UPDATE] = {NULL, read_update},
    [DUPLEX_MESSAGE_APPEND] = {NULL, read_append},
    [DUPLEX_MESSAGE_CLOSE] = {"session.close", read_close},
    [DUPLEX_MESSAGE_QUEUED] = {"session.queued", read_place},
    [DUPLEX_MESSAGE_QUEUE_UPDATE] = {"session.queue_update", read_place},
    [DUPLEX_MESSAGE_QUEUE_DONE] = {"session.queue_done", read_queue_done},
    [DUPLEX_MESSAGE_CREATED] = {"session.created", read_created},
    [DUPLEX_MESSAGE_DELTA] = {NULL, read_delta},
    [DUPLEX_MESSAGE_LISTEN] = {NULL, read_listen},
    [DUPLEX_MESSAGE_CLOSED] = {"session.closed", read_closed},
    [DUPLEX_MESSAGE_ERROR] = {"error", read_error},
};

enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

const char *duplex_message_type_in(const struct duplex_dialect *dialect, enum duplex_message_type type)
{
    switch (type) {
    case DUPLEX_MESSAGE_UPDATE:
        return dialect->update;
    case DUPLEX_MESSAGE_APPEND:
        return dialect->append;
    case DUPLEX_MESSAGE_DELTA:
        return dialect->delta;
    case DUPLEX_MESSAGE_LISTEN:
        return dialect->listen;
    case DUPLEX_MESSAGE_CLOSE:
    case DUPLEX_MESSAGE_QUEUED:
    case DUPLEX_MESSAGE_QUEUE_UPDATE:
    case DUPLEX_MESSAGE_QUEUE_DONE:
    case DUPLEX_MESSAGE_CREATED:
    case DUPLEX_MESSAGE_CLOSED:
    case DUPLEX_MESSAGE_ERROR:
        return KINDS[type].name;
    case DUPLEX_MESSAGE_OTHER:
    case DUPLEX_MESSAGE_NO_OBJECT:
    case DUPLEX_MESSAGE_UNREADABLE:
    case DUPLEX_MESSAGE_NOT_JSON:
        return NULL;
    }
    return NULL;
}

static void read_object(const struct member_reader *reader)
{
    struct bytes type;
    if (!json_read_text(&reader->json, "type", JSON_REQUIRED, &type))
        return;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        const char *name =
            duplex_message_type_in(reader->options->profile->dialect, (enum duplex_message_type)i);
        if (name == NULL || !bytes_equal_text(type, name))
            continue;
        reader->message->type = (enum duplex_message_type)i;
        KINDS[i].read(reader);
        return;
    }
    json_fail_word(&reader->json, JSON_FAULT_UNKNOWN_TYPE, "type", "an event of the protocol", type);
}

void duplex_message_read(struct bytes text, const struct duplex_read_options *options,
                         struct duplex_message *out)
{
    struct member_reader reader = {.message = out, .options = options};
    *out = (struct duplex_message){.type = DUPLEX_MESSAGE_OTHER};
    switch (json_message_parse(text, &out->faults, &out->tree, &reader.json)) {
    case JSON_FORM_OBJECT:
        read_object(&reader);
        break;
    case JSON_FORM_NO_OBJECT:
        out->type = DUPLEX_MESSAGE_NO_OBJECT;
        break;
    case JSON_FORM_UNREADABLE:
        out->type = DUPLEX_MESSAGE_UNREADABLE;
        break;
    case JSON_FORM_NOT_JSON:
        out->type = DUPLEX_MESSAGE_NOT_JSON;
        break;
    }
}

void duplex_message_free(struct duplex_message *message)
{
    cJSON_Delete(message->tree);
    *message = (struct duplex_message){.type = DUPLEX_MESSAGE_OTHER};
}
