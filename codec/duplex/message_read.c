#include "codec/duplex/message_read_parts.h"
#include "codec/wire/json.h"

/* A parsed value takes some 64 bytes of memory, so a text of nothing but brackets would grow thirtyfold.
 * Messages have a dozen values; these are the characters that make more of them, wherever they stand. */
enum { STRUCTURE_MAX = 65536 };

static const char *const NOTHING_ELSE[] = {"type", NULL};

static void read_slices(const struct member_reader *reader)
{
    struct duplex_message *message = reader->message;
    message->has_max_slices = member_integer(reader, "max_slice_nums", MEMBER_OPTIONAL, DUPLEX_SLICES_MIN,
                                             DUPLEX_SLICES_MAX, &message->max_slices);
}

static void read_kv_cache_length(const struct member_reader *reader, enum member_need need)
{
    struct duplex_message *message = reader->message;
    message->has_kv_cache_length =
        member_integer(reader, "kv_cache_length", need, 0, INT64_MAX, &message->kv_cache_length);
}

static void read_update(const struct member_reader *reader)
{
    const struct duplex_dialect *dialect = reader->options->profile->dialect;
    const char *const names[] = {dialect->instructions, "max_slice_nums", "ref_audio", "tts_ref_audio", NULL};
    const char *const outer[] = {"type", dialect->update_object, NULL};
    struct duplex_message *message = reader->message;
    struct member_reader session;
    member_note_unknown(reader, outer);
    if (!member_object(reader, dialect->update_object, MEMBER_REQUIRED, &session))
        return;
    message->has_instructions = member_text(
        &session, dialect->instructions, dialect->instructions_optional ? MEMBER_OPTIONAL : MEMBER_REQUIRED,
        &message->instructions);
    read_slices(&session);
    member_wav(&session, "ref_audio", &message->ref_audio);
    member_wav(&session, "tts_ref_audio", &message->tts_ref_audio);
    member_note_unknown(&session, names);
}

static void check_length(const struct member_reader *reader)
{
    const size_t count = float32_count(reader->message->audio);
    char found[DUPLEX_FOUND_MAX];
    struct text text = text_of(found, sizeof found);
    text_add_u64(&text, count);
    text_add(&text, " samples");
    if (count < DUPLEX_APPEND_SAMPLES_MIN)
        member_fail(reader, DUPLEX_FAULT_TOO_SHORT, "audio", "4000 samples (250 ms) or more", found);
    else if (count > DUPLEX_APPEND_SAMPLES_MAX)
        member_fail(reader, DUPLEX_FAULT_TOO_LONG, "audio", "a minute of samples at most", found);
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
        member_note_unknown(reader, outer);
        if (!member_object(reader, dialect->append_object, MEMBER_REQUIRED, &input))
            return;
    }
    if (member_audio(&input, "audio"))
        check_length(&input);
    member_pictures(&input, "video_frames");
    message->has_force_listen = member_bool(&input, "force_listen", MEMBER_OPTIONAL, &message->force_listen);
    read_slices(&input);
    member_note_unknown(&input, names);
}

static const char *const REASON_MEMBERS[] = {"type", "reason", NULL};

static void read_close(const struct member_reader *reader)
{
    reader->message->has_reason = member_text(reader, "reason", MEMBER_OPTIONAL, &reader->message->reason);
    member_note_unknown(reader, REASON_MEMBERS);
}

static void read_closed(const struct member_reader *reader)
{
    reader->message->has_reason = member_text(reader, "reason", MEMBER_REQUIRED, &reader->message->reason);
    member_note_unknown(reader, REASON_MEMBERS);
}

static void read_place(const struct member_reader *reader)
{
    static const char *const names[] = {"type",         "position",  "estimated_wait_s",
                                        "queue_length", "ticket_id", NULL};
    struct duplex_message *message = reader->message;
    message->has_position =
        member_integer(reader, "position", MEMBER_OPTIONAL, 0, INT64_MAX, &message->position);
    message->has_wait = member_number(reader, "estimated_wait_s", &message->wait_s);
    message->has_queue_length =
        member_integer(reader, "queue_length", MEMBER_OPTIONAL, 0, INT64_MAX, &message->queue_length);
    member_text(reader, "ticket_id", MEMBER_OPTIONAL, &message->ticket_id);
    member_note_unknown(reader, names);
}

static void read_queue_done(const struct member_reader *reader)
{
    member_note_unknown(reader, NOTHING_ELSE);
}

static void read_created(const struct member_reader *reader)
{
    static const char *const names[] = {"type", "session_id", "prompt_length", NULL};
    struct duplex_message *message = reader->message;
    message->has_session_id = member_text(reader, "session_id", MEMBER_REQUIRED, &message->session_id);
    message->has_prompt_length =
        member_integer(reader, "prompt_length", MEMBER_OPTIONAL, 0, INT64_MAX, &message->prompt_length);
    member_note_unknown(reader, names);
}

/* --- deltas --- */

static void read_delta_parts(const struct member_reader *reader, bool text, bool audio, enum member_need rest)
{
    struct duplex_message *message = reader->message;
    if (text)
        message->has_text = member_text(reader, "text", MEMBER_REQUIRED, &message->text);
    if (audio)
        (void)member_audio(reader, "audio");
    message->has_end_of_turn = member_bool(reader, "end_of_turn", rest, &message->end_of_turn);
    read_kv_cache_length(reader, rest);
}

/* field notes: newer servers put the measurements into an object of their own. */
static void read_metrics(const struct member_reader *reader)
{
    struct member_reader metrics;
    if (!reader->message->has_kv_cache_length && member_object(reader, "metrics", MEMBER_OPTIONAL, &metrics))
        read_kv_cache_length(&metrics, MEMBER_OPTIONAL);
}

static void read_delta_by_kind(const struct member_reader *reader)
{
    static const char *const names[] = {"type",    "kind", "text", "audio", "end_of_turn", "kv_cache_length",
                                        "metrics", NULL};
    struct bytes kind;
    if (!member_text(reader, "kind", MEMBER_REQUIRED, &kind))
        return;
    const bool is_text = bytes_equal_text(kind, "text");
    const bool is_audio = bytes_equal_text(kind, "audio");
    member_note_unknown(reader, names);
    if (bytes_equal_text(kind, "listen")) {
        reader->message->type = DUPLEX_MESSAGE_LISTEN;
        read_kv_cache_length(reader, MEMBER_OPTIONAL);
    } else if (is_text || is_audio) {
        read_delta_parts(reader, is_text, is_audio, MEMBER_OPTIONAL);
    } else {
        reader->message->type = DUPLEX_MESSAGE_OTHER;
        member_fail(reader, DUPLEX_FAULT_UNKNOWN_TYPE, "kind", "listen, text or audio", "another kind");
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
    read_delta_parts(reader, true, true, MEMBER_REQUIRED);
    member_note_unknown(reader, names);
}

static void read_listen(const struct member_reader *reader)
{
    static const char *const names[] = {"type", "kv_cache_length", NULL};
    read_kv_cache_length(reader, MEMBER_REQUIRED);
    member_note_unknown(reader, names);
}

static void read_error(const struct member_reader *reader)
{
    static const char *const names[] = {"code", "message", "type", NULL};
    static const char *const outer[] = {"type", "error", NULL};
    struct duplex_message *message = reader->message;
    struct member_reader error;
    member_note_unknown(reader, outer);
    if (!member_object(reader, "error", MEMBER_REQUIRED, &error))
        return;
    member_text(&error, "code", MEMBER_REQUIRED, &message->code);
    member_text(&error, "message", MEMBER_REQUIRED, &message->error_message);
    member_text(&error, "type", MEMBER_REQUIRED, &message->error_type);
    member_note_unknown(&error, names);
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

static void fail_found_type(const struct member_reader *reader, struct bytes type)
{
    char found[DUPLEX_FOUND_MAX];
    struct text text = text_of(found, sizeof found);
    text_add_char(&text, '"');
    text_add_printable(&text, type, 40);
    text_add_char(&text, '"');
    member_fail(reader, DUPLEX_FAULT_UNKNOWN_TYPE, "type", "an event of the protocol", found);
}

static void read_object(const struct member_reader *reader)
{
    struct bytes type;
    reader->message->type = DUPLEX_MESSAGE_OTHER;
    if (!member_text(reader, "type", MEMBER_REQUIRED, &type))
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
    fail_found_type(reader, type);
}

static size_t count_byte(struct bytes text, char byte)
{
    const uint8_t *at = text.data, *end = text.data + text.len;
    size_t count = 0;
    while (at < end && count <= STRUCTURE_MAX && (at = memchr(at, byte, (size_t)(end - at))) != NULL) {
        at++;
        count++;
    }
    return count;
}

static bool has_many_values(struct bytes text)
{
    if (text.len <= STRUCTURE_MAX)
        return false;
    return count_byte(text, ',') + count_byte(text, '[') + count_byte(text, '{') > STRUCTURE_MAX;
}

/* What is legal JSON and not read here, by the names of json_check. */
static const struct {
    const char *field, *expected, *found;
} LIMITS[] = {
    {"size", "a message of at most 8 MB", "a longer one"},
    {"values", "at most 65,536 values", "more"},
    {"depth", "at most 64 levels of arrays and objects", "one more"},
    {"NUL", "strings without \\u0000", "one"},
    {"surrogate pair", "both halves of a surrogate pair", "one alone"},
    {"number of members", "at most 4,096 members in an object", "more"},
    {"number length", "numbers of at most 63 bytes", "a longer one"},
};
_Static_assert(DUPLEX_MESSAGE_BYTES_MAX == 8 * 1024 * 1024 && STRUCTURE_MAX == 65536 &&
                   JSON_DEPTH_MAX == 64 && JSON_MEMBERS_MAX == 4096 && JSON_NUMBER_BYTES_MAX == 63,
               "as they are told above");

static void fail_text(const struct member_reader *reader, enum duplex_message_type type,
                      const struct wire_error *error)
{
    const char *expected = error->field, *what = "something else";
    char found[DUPLEX_FOUND_MAX];
    struct text text = text_of(found, sizeof found);
    for (size_t i = 0; i < sizeof LIMITS / sizeof LIMITS[0]; i++) {
        if (type != DUPLEX_MESSAGE_UNREADABLE || strcmp(LIMITS[i].field, error->field) != 0)
            continue;
        expected = LIMITS[i].expected;
        what = LIMITS[i].found;
    }
    text_add(&text, what);
    if (type == DUPLEX_MESSAGE_NOT_JSON || error->offset > 0) { /* of the whole there is no place */
        text_add(&text, " at byte ");
        text_add_u64(&text, error->offset);
    }
    reader->message->type = type;
    member_fail(reader, type == DUPLEX_MESSAGE_UNREADABLE ? DUPLEX_FAULT_UNREADABLE : DUPLEX_FAULT_NOT_JSON,
                NULL, expected, found);
    reader->message->faults[0].offset = error->offset;
}

void duplex_message_read(struct bytes text, const struct duplex_read_options *options,
                         struct duplex_message *out)
{
    *out = (struct duplex_message){.type = DUPLEX_MESSAGE_NOT_JSON};
    struct member_reader reader = {.message = out, .options = options};
    struct wire_error error = {.status = WIRE_UNREADABLE_JSON};
    if (text.len > DUPLEX_MESSAGE_BYTES_MAX)
        error.field = "size";
    else if (has_many_values(text))
        error.field = "values";
    else
        error = json_parse_last(text, &out->tree);
    if (error.status != WIRE_OK) {
        const bool is_json = error.status != WIRE_NOT_JSON;
        fail_text(&reader, is_json ? DUPLEX_MESSAGE_UNREADABLE : DUPLEX_MESSAGE_NOT_JSON, &error);
        return;
    }
    reader.object = out->tree;
    if (cJSON_IsObject(out->tree)) {
        read_object(&reader);
    } else {
        out->type = DUPLEX_MESSAGE_NO_OBJECT;
        member_fail(&reader, DUPLEX_FAULT_NOT_OBJECT, NULL, "an object", "another value");
    }
}

void duplex_message_free(struct duplex_message *message)
{
    cJSON_Delete(message->tree);
    *message = (struct duplex_message){.type = DUPLEX_MESSAGE_OTHER};
}
