#include "conformance/judge/pattern.h"

#include "codec/wire/crc32.h"
#include "codec/wire/json.h"
#include "codec/ws/frame.h"

enum { HEARD_BYTES_MAX = 1024 * 1024 };

bool side_is_seen(enum event_side side)
{
    switch (side) {
    case EVENT_SEEN:
        return true;
    case EVENT_RECEIVED:
    case EVENT_SENT:
    case EVENT_MARK:
    case EVENT_STEP:
        return false;
    }
    return false;
}

size_t stream_length(const struct judge_input *input, enum event_side side)
{
    return side_is_seen(side) ? input->observation_count : journal_count(input->journal);
}

enum frame_kind frame_kind_of_index(const struct session_messages *messages, int64_t index)
{
    if (index == messages->index_silence)
        return FRAME_SILENCE;
    return index == messages->index_speech ? FRAME_SPEECH : FRAME_OTHER;
}

/* ---- types ---- */

static bool type_is_listed(const struct event_pattern *source, const char *type)
{
    for (size_t i = 0; i < source->type_count; i++)
        if (strcmp(source->types[i], type) == 0)
            return true;
    return false;
}

/* The word `frame` stands for whatever the mock sends as a frame. */
static bool label_is_frame(const char *label)
{
    static const char *const FRAMES[] = {"silence", "speech", "fade", "final", "frame"};
    for (size_t i = 0; i < sizeof FRAMES / sizeof FRAMES[0]; i++)
        if (strcmp(FRAMES[i], label) == 0)
            return true;
    return false;
}

/* What `any` takes in: whatever a peer meant to say, not how the transport fared. */
static bool wire_is_message(enum wire_event_kind kind)
{
    switch (kind) {
    case WIRE_EVENT_REQUEST:
    case WIRE_EVENT_RESPONSE:
    case WIRE_EVENT_TEXT:
    case WIRE_EVENT_BINARY:
    case WIRE_EVENT_PING:
    case WIRE_EVENT_PONG:
    case WIRE_EVENT_CLOSE:
        return true;
    case WIRE_EVENT_VIOLATION:
    case WIRE_EVENT_END:
    case WIRE_EVENT_TRANSPORT:
        return false;
    }
    return false;
}

static bool wire_type_matches(const struct event_pattern *source, const struct journal_entry *entry,
                              enum wire_direction direction)
{
    if ((entry->kind != JOURNAL_WIRE && entry->kind != JOURNAL_TRANSPORT) ||
        entry->wire.direction != direction)
        return false;
    if (type_is_listed(source, entry->label))
        return true;
    if (entry->kind == JOURNAL_WIRE && type_is_listed(source, "any") && wire_is_message(entry->wire.kind))
        return true;
    return direction == WIRE_FROM_SERVER && type_is_listed(source, "frame") && label_is_frame(entry->label);
}

static bool step_is_listed(const struct pattern *pattern, unsigned line)
{
    for (size_t i = 0; i < pattern->source->type_count; i++)
        if (line != 0 && pattern->step_lines[i] == line)
            return true;
    return false;
}

static bool entry_type_matches(const struct pattern *pattern, const struct journal_entry *entry)
{
    const struct event_pattern *source = pattern->source;
    switch (source->side) {
    case EVENT_RECEIVED:
        return wire_type_matches(source, entry, WIRE_FROM_CLIENT);
    case EVENT_SENT:
        return wire_type_matches(source, entry, WIRE_FROM_SERVER);
    case EVENT_MARK:
        return entry->kind == JOURNAL_MARK && type_is_listed(source, entry->label);
    case EVENT_STEP:
        return entry->kind == JOURNAL_STEP && step_is_listed(pattern, entry->line);
    case EVENT_SEEN:
        return false;
    }
    return false;
}

/* ---- filters ---- */

static bool close_is_clean(uint16_t code)
{
    return code == WS_CLOSE_NORMAL || code == WS_CLOSE_GOING_AWAY;
}

static bool number_equals_text(uint64_t number, const char *value)
{
    char digits[24];
    struct text text = text_of(digits, sizeof digits);
    text_add_u64(&text, number);
    return strcmp(digits, value) == 0;
}

/* The code of an error that the mock sent. */
static bool error_code_equals(const struct session_messages *messages, struct bytes message,
                              const char *value)
{
    char code[SCRIPT_TEXT_MAX];
    struct text text = text_of(code, sizeof code);
    return messages->error_code(message, &text) && strcmp(code, value) == 0;
}

static bool entry_code_equals(const struct session_messages *messages, const struct journal_entry *entry,
                              const char *value)
{
    switch (entry->wire.kind) {
    case WIRE_EVENT_RESPONSE:
    case WIRE_EVENT_CLOSE:
        return number_equals_text(entry->wire.code, value);
    case WIRE_EVENT_TEXT:
        return error_code_equals(messages, entry->wire.data, value);
    case WIRE_EVENT_REQUEST:
    case WIRE_EVENT_BINARY:
    case WIRE_EVENT_PING:
    case WIRE_EVENT_PONG:
    case WIRE_EVENT_VIOLATION:
    case WIRE_EVENT_END:
    case WIRE_EVENT_TRANSPORT:
        return false;
    }
    return false;
}

static bool entry_interaction_equals(const struct journal_entry *entry, const uint8_t wanted[UUID_BYTES])
{
    if (entry->has_frame && entry->frame.decodes)
        return memcmp(entry->frame.interaction, wanted, UUID_BYTES) == 0;
    return entry->has_interaction && memcmp(entry->interaction, wanted, UUID_BYTES) == 0;
}

static bool entry_interrupts(const struct session_messages *messages, const struct journal_entry *entry)
{
    const bool message = entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_CLIENT &&
                         (entry->wire.kind == WIRE_EVENT_TEXT || entry->wire.kind == WIRE_EVENT_BINARY);
    return message && messages->interrupts != NULL &&
           messages->interrupts(entry->wire.kind == WIRE_EVENT_BINARY, entry->wire.data);
}

/* Does a message of the client hold a sound other than zeros? False for one that holds none at all. */
static bool entry_is_heard(const struct session_messages *messages, const struct journal_entry *entry,
                           bool *heard)
{
    const bool binary = entry->wire.kind == WIRE_EVENT_BINARY;
    struct buffer samples;
    *heard = false;
    if (entry->kind != JOURNAL_WIRE || entry->wire.direction != WIRE_FROM_CLIENT ||
        (!binary && entry->wire.kind != WIRE_EVENT_TEXT))
        return false;
    buffer_init(&samples, HEARD_BYTES_MAX);
    const bool input =
        messages->input_audio(binary, entry->wire.data, &samples, HEARD_BYTES_MAX) != SESSION_NO_INPUT;
    for (size_t i = 0; i < samples.len && !*heard; i++)
        *heard = samples.data[i] != 0;
    buffer_free(&samples);
    return input;
}

bool pattern_entry_is_heard(const struct session_messages *messages, const struct journal_entry *entry)
{
    bool heard = false;
    return entry->kind == JOURNAL_WIRE && entry_is_heard(messages, entry, &heard) && heard;
}

static bool entry_heard_is(const struct filter *filter, const struct journal_entry *entry)
{
    bool heard = false;
    return entry_is_heard(filter->messages, entry, &heard) && heard == filter->flag;
}

static bool entry_filter_matches(const struct filter *filter, const struct journal_entry *entry)
{
    bool frame = entry->has_frame && entry->frame.decodes;
    bool closing = entry->kind == JOURNAL_WIRE && entry->wire.kind == WIRE_EVENT_CLOSE;
    switch (filter->kind) {
    case FILTER_KIND:
        return frame && frame_kind_of_index(filter->messages, entry->frame.index) == filter->frame;
    case FILTER_INDEX:
        return frame && entry->frame.index == filter->number;
    case FILTER_INTERACTION:
        return entry_interaction_equals(entry, filter->interaction);
    case FILTER_CODE:
        return entry->kind == JOURNAL_WIRE && entry_code_equals(filter->messages, entry, filter->value);
    case FILTER_TEXT:
        return entry->kind == JOURNAL_WIRE && bytes_equal_text(entry->wire.data, filter->value);
    case FILTER_STEP:
        return strcmp(entry->step, filter->value) == 0;
    case FILTER_FINAL:
        return frame && (entry->frame.is_final != 0) == filter->flag;
    case FILTER_CLEAN:
        return closing && close_is_clean(entry->wire.code) == filter->flag;
    case FILTER_BYTES:
        return entry->kind == JOURNAL_WIRE && entry->wire.message_bytes == filter->number;
    case FILTER_HEARD:
        return entry_heard_is(filter, entry);
    case FILTER_TELLS:
    case FILTER_PICTURED:
    case FILTER_LOAD:
    case FILTER_POSITION:
    case FILTER_SAMPLES:
    case FILTER_CACHE:
    case FILTER_TIMESTAMP:
    case FILTER_OWN:
        return false;
    case FILTER_INTERRUPTS:
        return entry_interrupts(filter->messages, entry) == filter->flag;
    }
    return false;
}

static bool observation_is_frame(const struct observation *observation)
{
    return observation->kind == OBSERVED_FRAME || observation->kind == OBSERVED_PLAYED;
}

/* Some report the zeros of silence as a sound. */
static bool observation_is_heard(const struct session_messages *messages,
                                 const struct observation *observation)
{
    static const uint8_t ZEROS[SESSION_SILENCE_BYTES_MAX];
    return observation->has_audio &&
           (messages->silence_bytes == 0 ||
            observation->audio_crc != crc32_of(bytes_of(ZEROS, messages->silence_bytes)));
}

static bool observation_is_final(const struct observation *observation, bool final)
{
    const bool tells = observation_is_frame(observation) || observation->kind == OBSERVED_DELTA ||
                       observation->kind == OBSERVED_TURN || observation->kind == OBSERVED_TRANSCRIPT;
    return tells && observation->is_final == final;
}

/* Is it among the numbers of a text for people? */
static bool text_holds_number(const char *text, const char *digits)
{
    const size_t len = strlen(digits);
    for (const char *at = strstr(text, digits); at != NULL; at = strstr(at + 1, digits)) {
        const bool begins = at == text || at[-1] < '0' || at[-1] > '9';
        if (begins && (at[len] < '0' || at[len] > '9'))
            return true;
    }
    return false;
}

static bool observation_cache_is(const struct observation *observation, const struct filter *filter)
{
    if (observation->kind == OBSERVED_STATE)
        return text_holds_number(observation->text, filter->value);
    return observation->has_cache && observation->cache == filter->number;
}

static bool text_holds_word(const char *text, const char *word)
{
    const size_t len = strlen(text), word_len = strlen(word);
    for (size_t at = 0; word_len > 0 && word_len <= len - at; at++)
        if (bytes_equal_text_ignoring_case(bytes_of(text + at, word_len), word))
            return true;
    return false;
}

/* Is one of the words of that list part of what it says? */
static bool observation_tells(const struct observation *observation, const char *words)
{
    while (*words != '\0') {
        const size_t len = strcspn(words, "+");
        char word[SCRIPT_TEXT_MAX];
        struct text text = text_of(word, sizeof word);
        text_add_bytes(&text, bytes_of(words, len));
        if (text_holds_word(observation->code, word) || text_holds_word(observation->text, word))
            return true;
        words += len + (words[len] == '+' ? 1 : 0);
    }
    return false;
}

/* To the digits that observations are written with. */
static bool number_is(double number, const char *value)
{
    cJSON *json = NULL;
    if (json_parse(bytes_of_text(value), &json).status != WIRE_OK)
        return false;
    double difference = cJSON_IsNumber(json) ? json->valuedouble - number : 1;
    cJSON_Delete(json);
    return difference < 1e-6 && difference > -1e-6;
}

/* Is the picture of a frame that was played that of the one which the client had read with its timestamp? Or,
 * with `own` false, of another? Neither, where it tells of none. */
static bool picture_is_own(const struct judge_input *input, const struct observation *played, bool own)
{
    bool read = false, same = false;
    if (played->kind != OBSERVED_PLAYED || !played->has_image || played->timestamp[0] == '\0')
        return false;
    for (size_t i = 0; i < input->observation_count; i++) {
        const struct observation *frame = &input->observations[i];
        if (frame->kind != OBSERVED_FRAME || !frame->has_image || frame->index != played->index ||
            strcmp(frame->timestamp, played->timestamp) != 0)
            continue;
        read = true;
        same = same || frame->image_crc == played->image_crc;
    }
    return read && same == own;
}

static bool observation_filter_matches(const struct judge_input *input, const struct filter *filter,
                                       const struct observation *observation)
{
    static const uint8_t NIL[UUID_BYTES];
    bool frame = observation_is_frame(observation);
    bool closed = observation->kind == OBSERVED_CLOSED;
    switch (filter->kind) {
    case FILTER_KIND:
        return frame && frame_kind_of_index(filter->messages, observation->index) == filter->frame;
    case FILTER_INDEX:
        return frame && observation->index >= 0 && (uint64_t)observation->index == filter->number;
    case FILTER_INTERACTION:
        return frame && memcmp(observation->has_interaction ? observation->interaction : NIL,
                               filter->interaction, UUID_BYTES) == 0;
    case FILTER_CODE:
        return closed ? number_equals_text(observation->close_code, filter->value)
                      : strcmp(observation->code, filter->value) == 0;
    case FILTER_TEXT:
        return strstr(observation->text, filter->value) != NULL;
    case FILTER_TELLS:
        return observation_tells(observation, filter->value);
    case FILTER_FINAL:
        return observation_is_final(observation, filter->flag);
    case FILTER_CLEAN:
        return closed && close_is_clean(observation->close_code) == filter->flag;
    case FILTER_HEARD:
        return observation->kind == OBSERVED_PLAYED &&
               observation_is_heard(filter->messages, observation) == filter->flag;
    case FILTER_PICTURED:
        return observation->kind == OBSERVED_PLAYED && observation->has_image == filter->flag;
    case FILTER_LOAD:
        return observation->has_load && number_is(observation->load, filter->value);
    case FILTER_POSITION:
        return observation->has_position && observation->position == filter->number;
    case FILTER_SAMPLES:
        return observation->has_samples && observation->samples == filter->number;
    case FILTER_CACHE:
        return observation_cache_is(observation, filter);
    case FILTER_TIMESTAMP:
        return strcmp(observation->timestamp, filter->value) == 0;
    case FILTER_OWN:
        return picture_is_own(input, observation, filter->flag);
    case FILTER_STEP:
    case FILTER_BYTES:
    case FILTER_INTERRUPTS:
        return false;
    }
    return false;
}

/* ---- patterns ---- */

static bool observation_matches(const struct pattern *pattern, const struct observation *observation)
{
    const struct event_pattern *source = pattern->source;
    if (!type_is_listed(source, "any") && !type_is_listed(source, observation_kind_name(observation->kind)))
        return false;
    for (size_t i = 0; i < pattern->filter_count; i++)
        if (!observation_filter_matches(pattern->input, &pattern->filters[i], observation))
            return false;
    return true;
}

static bool entry_matches(const struct pattern *pattern, const struct journal_entry *entry)
{
    if (!entry_type_matches(pattern, entry))
        return false;
    for (size_t i = 0; i < pattern->filter_count; i++)
        if (!entry_filter_matches(&pattern->filters[i], entry))
            return false;
    return true;
}

/* The mock's close with which it answers the client's own: nothing that it sent of itself. */
static bool answers_a_close(const struct journal *journal, size_t position)
{
    const struct journal_entry *close = journal_at(journal, position);
    if (close->kind != JOURNAL_WIRE || close->wire.kind != WIRE_EVENT_CLOSE ||
        close->wire.direction != WIRE_FROM_SERVER)
        return false;
    for (size_t i = position; i > 0; i--) {
        const struct journal_entry *entry = journal_at(journal, i - 1);
        if (entry->kind == JOURNAL_WIRE && entry->connection == close->connection &&
            entry->wire.kind == WIRE_EVENT_CLOSE && entry->wire.direction == WIRE_FROM_CLIENT)
            return true;
    }
    return false;
}

bool pattern_matches(const struct pattern *pattern, size_t position)
{
    const struct journal *journal = pattern->input->journal;
    if (side_is_seen(pattern->source->side))
        return observation_matches(pattern, &pattern->input->observations[position]);
    return entry_matches(pattern, journal_at(journal, position)) &&
           !(pattern->source->side == EVENT_SENT && answers_a_close(journal, position));
}

size_t pattern_find(const struct pattern *pattern, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (pattern_matches(pattern, i))
            return i;
    return to;
}

uint64_t pattern_count(const struct pattern *pattern, size_t from, size_t to)
{
    uint64_t count = 0;
    for (size_t i = from; i < to; i++)
        count += pattern_matches(pattern, i) ? 1 : 0;
    return count;
}
