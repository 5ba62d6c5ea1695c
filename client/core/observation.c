#include "client/core/observation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "codec/wire/json.h"

static const char *const KIND_NAMES[] = {
    [OBSERVED_READY] = "ready",         [OBSERVED_FRAME] = "frame",           [OBSERVED_PLAYED] = "played",
    [OBSERVED_CANCELLED] = "cancelled", [OBSERVED_ERROR] = "error",           [OBSERVED_CLOSED] = "closed",
    [OBSERVED_STATE] = "state",         [OBSERVED_QUEUE] = "queue",           [OBSERVED_DELTA] = "delta",
    [OBSERVED_HEARD] = "heard",         [OBSERVED_LISTEN] = "listen",         [OBSERVED_TURN] = "turn",
    [OBSERVED_STATUS] = "status",       [OBSERVED_TRANSCRIPT] = "transcript", [OBSERVED_RESULT] = "result",
};
static_assert(sizeof KIND_NAMES / sizeof KIND_NAMES[0] == OBSERVATION_KIND_COUNT, "each kind has a name");

const char *observation_kind_name(enum observation_kind kind)
{
    return KIND_NAMES[kind];
}

/* ---- writing ---- */

static void write_frame(struct text *out, const struct observation *observation)
{
    text_add(out, ",\"index\":");
    text_add_i64(out, observation->index);
    text_add(out, observation->is_final ? ",\"final\":true" : ",\"final\":false");
    if (observation->has_interaction) {
        text_add(out, ",\"interaction\":\"");
        text_add_uuid(out, observation->interaction);
        text_add_char(out, '"');
    }
    if (observation->timestamp[0] != '\0')
        text_add_json_text_member(out, "timestamp", observation->timestamp);
    if (observation->has_audio)
        text_add_json_number_member(out, "audio", observation->audio_crc);
    if (observation->has_image)
        text_add_json_number_member(out, "image", observation->image_crc);
}

static void write_number(struct text *out, bool has, const char *name, uint32_t value)
{
    if (has)
        text_add_json_number_member(out, name, value);
}

/* What only families have whose loudspeaker runs on a clock of its own. */
static void write_speech(struct text *out, const struct observation *observation)
{
    write_number(out, observation->has_position, "position", observation->position);
    write_number(out, observation->has_at, "at", observation->at);
    write_number(out, observation->has_samples, "samples", observation->samples);
    write_number(out, observation->has_audio, "audio", observation->audio_crc);
    if (observation->kind == OBSERVED_DELTA || observation->kind == OBSERVED_TURN)
        text_add(out, observation->is_final ? ",\"final\":true" : ",\"final\":false");
    write_number(out, observation->has_cache, "cache", observation->cache);
}

void observation_error(struct observation *out, const char *code, struct bytes sentence)
{
    *out = (struct observation){.kind = OBSERVED_ERROR};
    struct text text = text_of(out->code, sizeof out->code);
    text_add(&text, code);
    text = text_of(out->text, sizeof out->text);
    text_add_bytes(&text, sentence);
}

void observation_write(struct text *out, const struct observation *observation)
{
    text_add(out, "{\"conform\":1,\"seen\":\"");
    text_add(out, observation_kind_name(observation->kind));
    text_add_char(out, '"');
    switch (observation->kind) {
    case OBSERVED_READY:
        if (observation->has_load) {
            text_add(out, ",\"load\":");
            text_add_double(out, observation->load, 9);
        }
        break;
    case OBSERVED_FRAME:
    case OBSERVED_PLAYED:
        write_frame(out, observation);
        break;
    case OBSERVED_ERROR:
    case OBSERVED_STATUS:
    case OBSERVED_RESULT:
        text_add_json_text_member(out, "code", observation->code);
        break;
    case OBSERVED_TRANSCRIPT:
        text_add_json_text_member(out, "code", observation->code);
        text_add(out, observation->is_final ? ",\"final\":true" : ",\"final\":false");
        break;
    case OBSERVED_CLOSED:
        text_add_json_number_member(out, "code", observation->close_code);
        break;
    case OBSERVED_STATE:
        if (observation->code[0] != '\0')
            text_add_json_text_member(out, "code", observation->code);
        if (observation->has_delay)
            text_add_json_number_member(out, "ms", observation->delay_ms);
        break;
    case OBSERVED_CANCELLED:
    case OBSERVED_QUEUE:
    case OBSERVED_DELTA:
    case OBSERVED_HEARD:
    case OBSERVED_LISTEN:
    case OBSERVED_TURN:
        write_speech(out, observation);
        break;
    }
    if (observation->text[0] != '\0' || observation->kind == OBSERVED_ERROR ||
        observation->kind == OBSERVED_STATE)
        text_add_json_text_member(out, "text", observation->text);
    text_add_char(out, '}');
}

/* ---- reading ---- */

/* Reads members one after another; the first fault is kept and the rest does nothing. */
struct member_reader {
    const cJSON *object;
    char *error;
};

static void fail(struct member_reader *reader, const char *name, const char *what)
{
    if (reader->error[0] != '\0')
        return;
    struct text text = text_of(reader->error, 200);
    text_add_char(&text, '"');
    text_add(&text, name);
    text_add(&text, "\" ");
    text_add(&text, what);
}

/* The member, or NULL when it is absent or null. What a client tells of a server as it came may be anything,
 * so such members are never wrong: those that make no sense are as though they were absent. */
static const cJSON *member(struct member_reader *reader, const char *name, bool required)
{
    const cJSON *value = json_member(reader->object, name);
    if (value != NULL && cJSON_IsNull(value))
        value = NULL;
    if (value == NULL && required)
        fail(reader, name, "is missing");
    return value;
}

static uint64_t read_number(struct member_reader *reader, const char *name, bool required, uint64_t max,
                            bool *given)
{
    const cJSON *value = member(reader, name, required);
    if (given != NULL)
        *given = value != NULL;
    if (value == NULL)
        return 0;
    int64_t number = 0;
    if (!json_integer(value, &number) || number < 0 || (uint64_t)number > max) {
        fail(reader, name,
             max == UINT16_MAX ? "is no whole number from 0 to 65535"
                               : "is no whole number from 0 to 4294967295");
        return 0;
    }
    return (uint64_t)number;
}

static uint32_t read_servers_number(struct member_reader *reader, const char *name, bool *given)
{
    const cJSON *value = member(reader, name, false);
    int64_t number = 0;
    *given = value != NULL && json_integer(value, &number) && number >= 0 && number <= UINT32_MAX;
    return *given ? (uint32_t)number : 0;
}

static void read_servers_string(struct member_reader *reader, const char *name, char *out, size_t capacity)
{
    const cJSON *value = member(reader, name, false);
    struct text text = text_of(out, capacity);
    if (value != NULL && cJSON_IsString(value))
        text_add(&text, value->valuestring);
}

static void read_own_code(struct member_reader *reader, struct observation *out)
{
    const cJSON *code = member(reader, "code", false);
    if (code != NULL && !cJSON_IsString(code))
        fail(reader, "code", "is no string");
    read_servers_string(reader, "code", out->code, sizeof out->code);
}

static void read_final(struct member_reader *reader, struct observation *out)
{
    const cJSON *final = member(reader, "final", false);
    if (final != NULL && !cJSON_IsBool(final))
        fail(reader, "final", "is neither true nor false");
    out->is_final = final != NULL && cJSON_IsTrue(final);
}

/* is_final, as it came. */
static void read_servers_final(struct member_reader *reader, struct observation *out)
{
    const cJSON *final = member(reader, "final", false);
    out->is_final = final != NULL && cJSON_IsTrue(final);
}

/* JSON that a client may have written anew, with other blanks and escapes than it came with: what is kept is
 * compact and escapes no letter. */
static void read_result(struct member_reader *reader, struct observation *out)
{
    const cJSON *value = member(reader, "text", false);
    cJSON *json = NULL;
    if (value == NULL || !cJSON_IsString(value) ||
        json_parse_last(bytes_of_text(value->valuestring), &json).status != WIRE_OK) {
        read_servers_string(reader, "text", out->text, sizeof out->text);
        return;
    }
    char *printed = json_print(json);
    struct text text = text_of(out->text, sizeof out->text);
    text_add(&text, printed == NULL ? value->valuestring : printed);
    cJSON_free(printed);
    cJSON_Delete(json);
}

static void read_speech(struct member_reader *reader, struct observation *out)
{
    const bool heard = out->kind == OBSERVED_HEARD;
    out->position = read_servers_number(reader, "position", &out->has_position);
    out->at = (uint32_t)read_number(reader, "at", heard, UINT32_MAX, &out->has_at);
    out->samples = (uint32_t)read_number(reader, "samples", heard, UINT32_MAX, &out->has_samples);
    out->audio_crc = (uint32_t)read_number(reader, "audio", false, UINT32_MAX, &out->has_audio);
    out->cache = read_servers_number(reader, "cache", &out->has_cache);
    if (out->kind == OBSERVED_DELTA)
        read_servers_final(reader, out);
    else
        read_final(reader, out);
}

/* What a client makes of it is judged, not what it may be: a width or a sign that it takes wrongly shows. */
static void read_index(struct member_reader *reader, struct observation *out)
{
    const cJSON *index = member(reader, "index", true);
    if (index != NULL && !json_integer(index, &out->index))
        fail(reader, "index", "is no whole number");
}

/* A sign, a fraction or an exponent: what a client made of a number that its own cannot hold. */
static bool is_decimal(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "+-.0123456789Ee")] == '\0' &&
           text[strcspn(text, "0123456789")] != '\0' && strlen(text) < OBSERVATION_TIMESTAMP_MAX;
}

/* A text: not every reader of JSON can hold 64 bits in a number. One is taken up to where all can. What a
 * client makes of it is judged, not what it may be. */
static void read_timestamp(struct member_reader *reader, struct observation *out)
{
    const cJSON *value = member(reader, "timestamp", false);
    struct text text = text_of(out->timestamp, sizeof out->timestamp);
    int64_t number = 0;
    if (value == NULL)
        return;
    if (cJSON_IsString(value) && is_decimal(value->valuestring))
        text_add(&text, value->valuestring);
    else if (json_integer(value, &number))
        text_add_i64(&text, number);
    else
        fail(reader, "timestamp", "is no text of digits, such as \"1700000000000\"");
}

static void read_frame(struct member_reader *reader, struct observation *out)
{
    read_index(reader, out);
    read_final(reader, out);
    const cJSON *interaction = member(reader, "interaction", false);
    if (interaction != NULL) {
        out->has_interaction = cJSON_IsString(interaction) &&
                               uuid_parse(bytes_of_text(interaction->valuestring), out->interaction);
        if (!out->has_interaction)
            fail(reader, "interaction", "is no UUID");
    }
    read_timestamp(reader, out);
    out->audio_crc = (uint32_t)read_number(reader, "audio", false, UINT32_MAX, &out->has_audio);
    out->image_crc = (uint32_t)read_number(reader, "image", false, UINT32_MAX, &out->has_image);
}

static void read_load(struct member_reader *reader, struct observation *out)
{
    const cJSON *load = member(reader, "load", false);
    out->has_load = load != NULL && cJSON_IsNumber(load) && isfinite(load->valuedouble);
    if (out->has_load)
        out->load = load->valuedouble;
}

static bool read_kind(struct member_reader *reader, enum observation_kind *out)
{
    const cJSON *seen = member(reader, "seen", true);
    if (seen == NULL)
        return false;
    for (int i = 0; cJSON_IsString(seen) && i < OBSERVATION_KIND_COUNT; i++)
        if (strcmp(KIND_NAMES[i], seen->valuestring) == 0) {
            *out = (enum observation_kind)i;
            return true;
        }
    fail(reader, "seen",
         "is none of ready, frame, played, cancelled, error, closed, state, queue, delta, heard, listen, "
         "turn, status, transcript, result");
    return false;
}

static void read_members(struct member_reader *reader, struct observation *out)
{
    if (!read_kind(reader, &out->kind))
        return;
    switch (out->kind) {
    case OBSERVED_READY:
        read_load(reader, out);
        break;
    case OBSERVED_FRAME:
    case OBSERVED_PLAYED:
        read_frame(reader, out);
        break;
    case OBSERVED_ERROR:
    case OBSERVED_STATUS:
    case OBSERVED_RESULT:
        read_servers_string(reader, "code", out->code, sizeof out->code);
        break;
    case OBSERVED_TRANSCRIPT:
        read_servers_string(reader, "code", out->code, sizeof out->code);
        read_servers_final(reader, out);
        break;
    case OBSERVED_CLOSED:
        out->close_code = (uint16_t)read_number(reader, "code", true, UINT16_MAX, NULL);
        break;
    case OBSERVED_STATE:
        read_own_code(reader, out);
        out->delay_ms = (uint32_t)read_number(reader, "ms", false, UINT32_MAX, &out->has_delay);
        break;
    case OBSERVED_CANCELLED:
    case OBSERVED_QUEUE:
    case OBSERVED_DELTA:
    case OBSERVED_HEARD:
    case OBSERVED_LISTEN:
    case OBSERVED_TURN:
        read_speech(reader, out);
        break;
    }
    if (out->kind == OBSERVED_RESULT)
        read_result(reader, out);
    else
        read_servers_string(reader, "text", out->text, sizeof out->text);
}

/* Does a line that is no good JSON look like an observation all the same? Then its writer should be told. */
static bool means_to_be_one(struct bytes line)
{
    static const char NAME[] = "\"conform\"";
    size_t len = sizeof NAME - 1;
    if (line.len == 0 || line.data[0] != '{')
        return false;
    for (size_t i = 0; i + len <= line.len; i++)
        if (memcmp(line.data + i, NAME, len) == 0)
            return true;
    return false;
}

/* Many report what they got as it came, and JSON can hold a NUL where our texts cannot: the escape for it is
 * read as U+FFFD. Changes `line`, which keeps its length. */
static void replace_nul(uint8_t *line, size_t len)
{
    static const char ESCAPE[] = "\\u0000";
    const size_t escape = sizeof ESCAPE - 1;
    for (size_t i = 0; i + escape <= len; i++) {
        if (line[i] != '\\')
            continue;
        if (memcmp(line + i, ESCAPE, escape) == 0)
            memcpy(line + i, "\\ufffd", escape);
        i++; /* what is escaped is not looked at again */
    }
}

static struct wire_error parse_line(struct bytes line, cJSON **json)
{
    struct wire_error problem = json_parse(line, json);
    if (problem.status == WIRE_OK || line.len == 0)
        return problem;
    uint8_t *copy = malloc(line.len);
    if (copy == NULL)
        return problem;
    memcpy(copy, line.data, line.len);
    replace_nul(copy, line.len);
    problem = json_parse(bytes_of(copy, line.len), json);
    free(copy);
    return problem;
}

enum observation_status observation_read(struct bytes line, struct observation *out, char error[200])
{
    error[0] = '\0';
    cJSON *json = NULL;
    struct wire_error problem = parse_line(line, &json);
    if (problem.status != WIRE_OK) {
        if (!means_to_be_one(line))
            return OBSERVATION_NONE;
        struct text text = text_of(error, 200);
        text_add(&text, "not JSON at byte ");
        text_add_u64(&text, problem.offset);
        text_add(&text, ": ");
        text_add(&text, problem.field != NULL ? problem.field : wire_status_sentence(problem.status));
        return OBSERVATION_BAD;
    }
    struct member_reader reader = {.object = json, .error = error};
    const cJSON *conform = cJSON_IsObject(json) ? json_member(json, "conform") : NULL;
    if (conform == NULL) {
        cJSON_Delete(json);
        return OBSERVATION_NONE;
    }
    int64_t version = 0;
    if (!json_integer(conform, &version) || version != 1)
        fail(&reader, "conform", "is not 1");
    struct observation read = {0};
    if (error[0] == '\0')
        read_members(&reader, &read);
    cJSON_Delete(json);
    if (error[0] != '\0')
        return OBSERVATION_BAD;
    *out = read;
    return OBSERVATION_GOOD;
}

void observation_error_add(struct text *text, const char *code, const char *sentence)
{
    text_add_printable(text, bytes_of_text(code), OBSERVATION_CODE_MAX);
    text_add(text, code[0] != '\0' && sentence[0] != '\0' ? ": " : "");
    text_add_printable(text, bytes_of_text(sentence), OBSERVATION_TEXT_MAX);
}
