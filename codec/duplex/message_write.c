#include "codec/duplex/messages.h"
#include "codec/wire/base64.h"

/* A wait of a millisecond is finer than any queue knows. */
enum { WAIT_DECIMALS = 3, NUMBER_ROOM = 64 };

/* A JSON object as it is written: members separated by commas, objects within it. */
struct object_writer {
    struct buffer *out;
    bool fits;
    bool first; /* no member yet in the object that is open */
};

static void put(struct object_writer *writer, struct bytes bytes)
{
    writer->fits = writer->fits && buffer_append(writer->out, bytes);
}

static void put_text(struct object_writer *writer, const char *text)
{
    put(writer, bytes_of_text(text));
}

static void put_string(struct object_writer *writer, struct bytes value)
{
    /* Each byte may become six characters; and the quotes and the terminator. */
    const size_t room = 6 * value.len + 3;
    uint8_t *to = writer->fits ? buffer_reserve(writer->out, room) : NULL;
    if (to == NULL) {
        writer->fits = false;
        return;
    }
    struct text text = text_of((char *)to, room);
    text_add_json_string(&text, value);
    writer->out->len += text.len;
}

static void put_name(struct object_writer *writer, const char *name)
{
    put_text(writer, writer->first ? "\"" : ",\"");
    put_text(writer, name);
    put_text(writer, "\":");
    writer->first = false;
}

static void put_text_member(struct object_writer *writer, bool has, const char *name, struct bytes value)
{
    if (!has)
        return;
    put_name(writer, name);
    put_string(writer, value);
}

static void put_bool_member(struct object_writer *writer, bool has, const char *name, bool value)
{
    if (!has)
        return;
    put_name(writer, name);
    put_text(writer, value ? "true" : "false");
}

static void put_integer_member(struct object_writer *writer, bool has, const char *name, int64_t value)
{
    char number[NUMBER_ROOM];
    struct text text = text_of(number, sizeof number);
    if (!has)
        return;
    text_add_i64(&text, value);
    put_name(writer, name);
    put_text(writer, number);
}

static void put_number_member(struct object_writer *writer, bool has, const char *name, double value)
{
    char number[NUMBER_ROOM];
    struct text text = text_of(number, sizeof number);
    if (!has)
        return;
    text_add_double(&text, value, WAIT_DECIMALS);
    put_name(writer, name);
    put_text(writer, number);
}

static void put_base64(struct object_writer *writer, struct bytes data)
{
    put_text(writer, "\"");
    writer->fits = writer->fits && base64_encode(data, writer->out);
    put_text(writer, "\"");
}

static void put_base64_member(struct object_writer *writer, const char *name, struct bytes data)
{
    if (data.len == 0)
        return;
    put_name(writer, name);
    put_base64(writer, data);
}

static void put_audio(struct object_writer *writer, const struct duplex_message *message)
{
    if (!message->has_audio)
        return;
    put_name(writer, "audio");
    if (message->audio_encoded.len == 0) {
        put_base64(writer, message->audio);
        return;
    }
    put_text(writer, "\"");
    put(writer, message->audio_encoded);
    put_text(writer, "\"");
}

static void put_pictures(struct object_writer *writer, const struct duplex_message *message)
{
    if (!message->has_pictures)
        return;
    put_name(writer, "video_frames");
    for (size_t i = 0; i < message->picture_count; i++) {
        put_text(writer, i == 0 ? "[" : ",");
        put_base64(writer, message->pictures[i].jpeg);
    }
    put_text(writer, message->picture_count == 0 ? "[]" : "]");
}

static void open_object(struct object_writer *writer, const char *name)
{
    if (name == NULL)
        return;
    put_name(writer, name);
    put_text(writer, "{");
    writer->first = true;
}

static void close_object(struct object_writer *writer, const char *name)
{
    if (name != NULL)
        put_text(writer, "}");
    writer->first = false;
}

/* --- the messages --- */

static void write_update(struct object_writer *writer, const struct duplex_dialect *dialect,
                         const struct duplex_message *message)
{
    open_object(writer, dialect->update_object);
    put_text_member(writer, message->has_instructions, dialect->instructions, message->instructions);
    put_integer_member(writer, message->has_max_slices, "max_slice_nums", message->max_slices);
    put_base64_member(writer, "ref_audio", message->ref_audio);
    put_base64_member(writer, "tts_ref_audio", message->tts_ref_audio);
    close_object(writer, dialect->update_object);
}

static void write_append(struct object_writer *writer, const struct duplex_dialect *dialect,
                         const struct duplex_message *message)
{
    open_object(writer, dialect->append_object);
    put_audio(writer, message);
    put_pictures(writer, message);
    put_bool_member(writer, message->has_force_listen, "force_listen", message->force_listen);
    put_integer_member(writer, message->has_max_slices, "max_slice_nums", message->max_slices);
    close_object(writer, dialect->append_object);
}

static void write_place(struct object_writer *writer, const struct duplex_message *message)
{
    put_integer_member(writer, message->has_position, "position", message->position);
    put_number_member(writer, message->has_wait, "estimated_wait_s", message->wait_s);
    put_text_member(writer, message->ticket_id.len > 0, "ticket_id", message->ticket_id);
    put_integer_member(writer, message->has_queue_length, "queue_length", message->queue_length);
}

static void write_output(struct object_writer *writer, const struct duplex_dialect *dialect,
                         const struct duplex_message *message)
{
    const bool listens = message->type == DUPLEX_MESSAGE_LISTEN;
    const bool speaks = !listens && message->has_audio;
    if (dialect->by_kind)
        put_text_member(writer, true, "kind", bytes_of_text(listens ? "listen" : speaks ? "audio" : "text"));
    if (!listens)
        put_text_member(writer, message->has_text && !(dialect->by_kind && speaks), "text", message->text);
    if (speaks)
        put_audio(writer, message);
    if (!listens)
        put_bool_member(writer, message->has_end_of_turn, "end_of_turn", message->end_of_turn);
    if (!message->has_kv_cache_length)
        return;
    open_object(writer, dialect->measures);
    put_integer_member(writer, true, "kv_cache_length", message->kv_cache_length);
    close_object(writer, dialect->measures);
}

static void write_error(struct object_writer *writer, const struct duplex_message *message)
{
    open_object(writer, "error");
    put_text_member(writer, true, "code", message->code);
    put_text_member(writer, true, "message", message->error_message);
    put_text_member(writer, true, "type", message->error_type);
    close_object(writer, "error");
}

static void write_members(struct object_writer *writer, const struct duplex_dialect *dialect,
                          const struct duplex_message *message)
{
    switch (message->type) {
    case DUPLEX_MESSAGE_UPDATE:
        write_update(writer, dialect, message);
        break;
    case DUPLEX_MESSAGE_APPEND:
        write_append(writer, dialect, message);
        break;
    case DUPLEX_MESSAGE_CLOSE:
    case DUPLEX_MESSAGE_CLOSED:
        put_text_member(writer, message->has_reason, "reason", message->reason);
        break;
    case DUPLEX_MESSAGE_QUEUED:
    case DUPLEX_MESSAGE_QUEUE_UPDATE:
        write_place(writer, message);
        break;
    case DUPLEX_MESSAGE_CREATED:
        put_text_member(writer, message->has_session_id, "session_id", message->session_id);
        put_integer_member(writer, message->has_prompt_length, "prompt_length", message->prompt_length);
        break;
    case DUPLEX_MESSAGE_DELTA:
    case DUPLEX_MESSAGE_LISTEN:
        write_output(writer, dialect, message);
        break;
    case DUPLEX_MESSAGE_ERROR:
        write_error(writer, message);
        break;
    case DUPLEX_MESSAGE_QUEUE_DONE:
    case DUPLEX_MESSAGE_OTHER:
    case DUPLEX_MESSAGE_NO_OBJECT:
    case DUPLEX_MESSAGE_UNREADABLE:
    case DUPLEX_MESSAGE_NOT_JSON:
        break;
    }
}

bool duplex_message_write(const struct duplex_profile *profile, const struct duplex_message *message,
                          struct buffer *out)
{
    const struct duplex_dialect *dialect = profile->dialect;
    const size_t start = out->len;
    struct object_writer writer = {.out = out, .fits = true, .first = true};
    const char *type = duplex_message_type_in(dialect, message->type);
    /* In a dialect by kind the listen is a delta. */
    if (type == NULL && message->type == DUPLEX_MESSAGE_LISTEN)
        type = dialect->delta;
    if (type == NULL)
        return false;
    put_text(&writer, "{");
    put_text_member(&writer, true, "type", bytes_of_text(type));
    write_members(&writer, dialect, message);
    put_text(&writer, "}");
    if (!writer.fits)
        out->len = start;
    return writer.fits;
}
