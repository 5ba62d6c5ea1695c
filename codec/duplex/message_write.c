#include "codec/duplex/messages.h"
#include "codec/wire/object_writer.h"

static void put_voice(struct object_writer *writer, const char *name, struct bytes file)
{
    object_put_base64(writer, file.len > 0, name, file, bytes_of(NULL, 0));
}

static void put_audio(struct object_writer *writer, const struct duplex_message *message)
{
    object_put_base64(writer, message->has_audio, "audio", message->audio, message->audio_encoded);
}

static void put_pictures(struct object_writer *writer, const struct duplex_message *message)
{
    if (!message->has_pictures)
        return;
    object_put_list_begin(writer, "video_frames");
    for (size_t i = 0; i < message->picture_count; i++)
        object_put_list_item(writer, message->pictures[i].jpeg);
    object_put_list_end(writer);
}

/* --- the messages --- */

static void write_update(struct object_writer *writer, const struct duplex_dialect *dialect,
                         const struct duplex_message *message)
{
    object_put_inner_begin(writer, dialect->update_object);
    object_put_text(writer, message->has_instructions, dialect->instructions, message->instructions);
    object_put_integer(writer, message->has_max_slices, "max_slice_nums", message->max_slices);
    put_voice(writer, "ref_audio", message->ref_audio);
    put_voice(writer, "tts_ref_audio", message->tts_ref_audio);
    object_put_inner_end(writer, dialect->update_object);
}

static void write_append(struct object_writer *writer, const struct duplex_dialect *dialect,
                         const struct duplex_message *message)
{
    object_put_inner_begin(writer, dialect->append_object);
    put_audio(writer, message);
    put_pictures(writer, message);
    object_put_bool(writer, message->has_force_listen, "force_listen", message->force_listen);
    object_put_integer(writer, message->has_max_slices, "max_slice_nums", message->max_slices);
    object_put_inner_end(writer, dialect->append_object);
}

static void write_place(struct object_writer *writer, const struct duplex_message *message)
{
    object_put_integer(writer, message->has_position, "position", message->position);
    object_put_number(writer, message->has_wait, "estimated_wait_s", message->wait_s);
    object_put_text(writer, message->ticket_id.len > 0, "ticket_id", message->ticket_id);
    object_put_integer(writer, message->has_queue_length, "queue_length", message->queue_length);
}

static void write_output(struct object_writer *writer, const struct duplex_dialect *dialect,
                         const struct duplex_message *message)
{
    const bool listens = message->type == DUPLEX_MESSAGE_LISTEN;
    const bool speaks = !listens && message->has_audio;
    if (dialect->by_kind)
        object_put_text(writer, true, "kind", bytes_of_text(listens ? "listen" : speaks ? "audio" : "text"));
    if (!listens)
        object_put_text(writer, message->has_text && !(dialect->by_kind && speaks), "text", message->text);
    if (speaks)
        put_audio(writer, message);
    if (!listens)
        object_put_bool(writer, message->has_end_of_turn, "end_of_turn", message->end_of_turn);
    if (!message->has_kv_cache_length)
        return;
    object_put_inner_begin(writer, dialect->measures);
    object_put_integer(writer, true, "kv_cache_length", message->kv_cache_length);
    object_put_inner_end(writer, dialect->measures);
}

static void write_error(struct object_writer *writer, const struct duplex_message *message)
{
    object_put_inner_begin(writer, "error");
    object_put_text(writer, true, "code", message->code);
    object_put_text(writer, true, "message", message->error_message);
    object_put_text(writer, true, "type", message->error_type);
    object_put_inner_end(writer, "error");
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
        object_put_text(writer, message->has_reason, "reason", message->reason);
        break;
    case DUPLEX_MESSAGE_QUEUED:
    case DUPLEX_MESSAGE_QUEUE_UPDATE:
        write_place(writer, message);
        break;
    case DUPLEX_MESSAGE_CREATED:
        object_put_text(writer, message->has_session_id, "session_id", message->session_id);
        object_put_integer(writer, message->has_prompt_length, "prompt_length", message->prompt_length);
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
    const char *type = duplex_message_type_in(dialect, message->type);
    /* In a dialect by kind the listen is a delta. */
    if (type == NULL && message->type == DUPLEX_MESSAGE_LISTEN)
        type = dialect->delta;
    if (type == NULL)
        return false;
    struct object_writer writer = object_writer_of(out);
    object_put_text(&writer, true, "type", bytes_of_text(type));
    write_members(&writer, dialect, message);
    return object_writer_end(&writer);
}
