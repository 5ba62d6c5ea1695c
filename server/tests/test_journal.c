/* The journal: what is written reads back the same, judges the same and gives the same session again. */
#include <stdlib.h>
#include <string.h>

#include "codec/ojin/profile.h"
#include "codec/rules/ojin/classes.h"
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/crc32.h"
#include "server/ojin/session_class.h"
#include "server/ojin/tests/bench.h"
#include "server/persona/persona.h"
#include "server/tests/conversation.h"

static struct persona *small_persona(void)
{
    char error[PERSONA_ERROR_MAX];
    struct persona *persona = persona_new(BENCH_WIDTH, BENCH_HEIGHT, error);
    ck_assert_ptr_nonnull(persona);
    return persona;
}

/* A played conversation's journal, written and read back. */
struct pair {
    struct persona *persona;
    struct conversation conversation;
    struct buffer text;
    struct journal *read;
};

static void pair_make(struct pair *pair)
{
    char error[200] = "";
    pair->persona = small_persona();
    conversation_begin(&pair->conversation, pair->persona);
    conversation_play(&pair->conversation);
    conversation_write(pair->conversation.journal, &pair->text);
    struct exact_copy copy = exact_copy_of(buffer_bytes(&pair->text));
    pair->read = journal_read(copy.bytes, SESSION_CLASSES, bytes_of_text(CONVERSATION_KEY), error);
    exact_copy_free(copy);
    ck_assert_msg(pair->read != NULL, "%s", error);
}

static void pair_free(struct pair *pair)
{
    journal_free(pair->read);
    buffer_free(&pair->text);
    conversation_free(&pair->conversation);
    persona_free(pair->persona);
}

static void check_wire(const struct wire_event *a, const struct wire_event *b)
{
    ck_assert_uint_eq(a->at_us, b->at_us);
    ck_assert_int_eq(a->direction, b->direction);
    ck_assert_int_eq(a->kind, b->kind);
    ck_assert_uint_eq(a->code, b->code);
    ck_assert_int_eq(a->fault, b->fault);
    ck_assert_uint_eq(a->message_bytes, b->message_bytes);
    ck_assert_uint_eq(a->data.len, b->data.len);
    ck_assert(bytes_equal(a->data, b->data));
}

static void check_frame(const struct frame_summary *a, const struct frame_summary *b)
{
    ck_assert_int_eq(a->decodes, b->decodes);
    ck_assert_uint_eq(a->is_final, b->is_final);
    ck_assert_uint_eq(a->index, b->index);
    ck_assert_mem_eq(a->interaction, b->interaction, UUID_BYTES);
    ck_assert_int_eq(a->has_audio, b->has_audio);
    ck_assert_int_eq(a->has_image, b->has_image);
    ck_assert_int_eq(a->has_checksums || !(a->has_audio || a->has_image),
                     b->has_checksums || !(b->has_audio || b->has_image));
    ck_assert_uint_eq(a->audio_crc, b->audio_crc);
    ck_assert_uint_eq(a->image_crc, b->image_crc);
    ck_assert_uint_eq(a->audio_bytes, b->audio_bytes);
    ck_assert_uint_eq(a->image_bytes, b->image_bytes);
}

static void check_finding(const struct finding *a, const struct finding *b)
{
    ck_assert_str_eq(a->requirement, b->requirement);
    ck_assert_int_eq(a->note, b->note);
    ck_assert_uint_eq(a->at_us, b->at_us);
    ck_assert_uint_eq(a->event, b->event);
    ck_assert_str_eq(a->expected, b->expected);
    ck_assert_str_eq(a->actual, b->actual);
}

static void check_entry(const struct journal_entry *a, const struct journal_entry *b)
{
    ck_assert_uint_eq(a->sequence, b->sequence);
    ck_assert_uint_eq(a->at_us, b->at_us);
    ck_assert_uint_eq(a->connection, b->connection);
    ck_assert_int_eq(a->kind, b->kind);
    ck_assert_str_eq(a->label, b->label);
    ck_assert_str_eq(a->step, b->step);
    ck_assert_uint_eq(a->line, b->line);
    ck_assert_int_eq(a->has_interaction, b->has_interaction);
    ck_assert_mem_eq(a->interaction, b->interaction, UUID_BYTES);
    ck_assert_int_eq(a->has_frame, b->has_frame);
    ck_assert_uint_eq(a->order, b->order);
    ck_assert_int_eq(a->begins, b->begins);
    ck_assert_uint_eq(a->seed, b->seed);
    ck_assert_int_eq(a->by_host, b->by_host);
    check_wire(&a->wire, &b->wire);
    check_frame(&a->frame, &b->frame);
    if (a->kind == JOURNAL_FINDING)
        check_finding(&a->finding, &b->finding);
}

START_TEST(a_written_journal_reads_back_the_same)
{
    struct pair pair;
    pair_make(&pair);
    const struct journal *written = pair.conversation.journal;
    const struct journal_header *header = journal_header_of(pair.read);
    ck_assert_str_eq(header->family, pair.conversation.header.family);
    ck_assert_str_eq(header->profile, pair.conversation.header.profile);
    ck_assert_str_eq(header->config, pair.conversation.header.config);
    ck_assert_uint_eq(header->epoch_ms, pair.conversation.header.epoch_ms);
    ck_assert_uint_eq(header->seed, pair.conversation.header.seed);
    ck_assert_uint_eq(header->picture_width, BENCH_WIDTH);
    ck_assert_uint_eq(header->picture_height, BENCH_HEIGHT);
    ck_assert_uint_eq(header->silence_percent, SILENCE_PERCENT_DEFAULT);
    ck_assert_uint_eq(header->speech_percent, SPEECH_PERCENT_DEFAULT);
    ck_assert_uint_eq(header->speed, 1);
    ck_assert(header->key_known);
    ck_assert_uint_gt(journal_count(written), 60);
    ck_assert_uint_eq(journal_count(written), pair.conversation.sink_calls);
    ck_assert_uint_eq(journal_count(pair.read), journal_count(written));
    for (size_t i = 0; i < journal_count(written); i++)
        check_entry(journal_at(written, i), journal_at(pair.read, i));
    pair_free(&pair);
}
END_TEST

START_TEST(the_key_never_stands_in_a_written_journal)
{
    struct pair pair;
    pair_make(&pair);
    ck_assert(buffer_append(&pair.text, bytes_of("", 1)));
    ck_assert_ptr_null(strstr((const char *)pair.text.data, CONVERSATION_KEY));
    ck_assert_ptr_nonnull(strstr((const char *)pair.text.data, "Authorization: {key}\\r\\n"));
    ck_assert_ptr_nonnull(strstr((const char *)pair.text.data, "api_key={key} HTTP"));
    ck_assert_ptr_nonnull(strstr((const char *)pair.text.data, "my key is {key}"));
    pair_free(&pair);
}
END_TEST

START_TEST(a_read_journal_is_judged_like_the_live_one)
{
    struct pair pair;
    pair_make(&pair);
    const struct rule_context context = {.profile = pair.conversation.config.profile,
                                         .key = bytes_of_text(CONVERSATION_KEY),
                                         .config = bytes_of_text(CONVERSATION_CONFIG),
                                         .epoch_ms = pair.conversation.header.epoch_ms};
    struct rule_set *rules = OJIN_RULES.create(&context);
    ck_assert_ptr_nonnull(rules);
    size_t next = 0;
    size_t findings = 0;
    for (size_t i = 0; i <= journal_count(pair.read); i++) {
        const struct journal_entry *entry = journal_at(pair.read, i);
        if (entry == NULL)
            OJIN_RULES.finish(rules, pair.conversation.now_us);
        else if (entry->kind == JOURNAL_WIRE)
            OJIN_RULES.event(rules, &entry->wire);
        struct finding finding;
        while (OJIN_RULES.take_finding(rules, &finding)) {
            while (journal_at(pair.read, next) != NULL &&
                   journal_at(pair.read, next)->kind != JOURNAL_FINDING)
                next++;
            ck_assert_ptr_nonnull(journal_at(pair.read, next));
            check_finding(&finding, &journal_at(pair.read, next)->finding);
            next++;
            findings++;
        }
    }
    ck_assert_uint_ge(findings, 1);
    for (size_t n = 0; n < OJIN_RULES.count; n++)
        ck_assert_msg(OJIN_RULES.verdict(rules, n) == recorder_verdict(pair.conversation.recorder, n), "%s",
                      OJIN_RULES.requirement(n));
    OJIN_RULES.destroy(rules);
    pair_free(&pair);
}
END_TEST

/* Frames that `session` has made by `now_us`, compared with those that the journal holds from *next on. */
static void replay_until(struct session *session, struct actions *actions, const struct journal *journal,
                         size_t *next, uint64_t now_us)
{
    const struct session_event tick = {.kind = SESSION_TICK, .now_us = now_us};
    OJIN_SESSION_CLASS.step(session, &tick, actions);
    for (size_t i = 0; i < actions->count; i++) {
        if (actions->list[i].kind != ACTION_SEND_BINARY)
            continue;
        while (journal_at(journal, *next) != NULL && !journal_at(journal, *next)->has_frame)
            (*next)++;
        const struct journal_entry *entry = journal_at(journal, *next);
        ck_assert_ptr_nonnull(entry);
        struct ojin_frame frame;
        ck_assert_int_eq(ojin_frame_decode(actions_bytes(actions, &actions->list[i]), &frame).status,
                         WIRE_OK);
        ck_assert_uint_eq(entry->frame.audio_crc, crc32_of(frame.audio));
        ck_assert_uint_eq(entry->frame.image_crc, crc32_of(frame.image));
        ck_assert_mem_eq(entry->frame.interaction, frame.interaction, UUID_BYTES);
        ck_assert_str_eq(entry->label, actions->list[i].label);
        ck_assert_uint_eq(entry->at_us, now_us);
        (*next)++;
    }
    actions_clear(actions);
}

START_TEST(a_read_journal_gives_the_same_frames_again)
{
    struct pair pair;
    pair_make(&pair);
    struct session_config config = conversation_config(journal_header_of(pair.read), pair.persona);
    struct session *session = OJIN_SESSION_CLASS.create(&config);
    struct actions actions;
    size_t next = 0;
    size_t frames = 0;
    actions_init(&actions);
    for (size_t i = 0; i < journal_count(pair.read); i++) {
        const struct journal_entry *entry = journal_at(pair.read, i);
        if (entry->kind != JOURNAL_WIRE)
            continue;
        frames += entry->has_frame ? 1u : 0u;
        struct session_event event = {
            .now_us = entry->at_us, .data = entry->wire.data, .message_bytes = entry->wire.message_bytes};
        if (entry->wire.direction == WIRE_FROM_SERVER && entry->wire.code != 101) {
            replay_until(session, &actions, pair.read, &next, entry->at_us);
            continue;
        }
        if (entry->wire.kind == WIRE_EVENT_REQUEST)
            event.kind = SESSION_OPENED;
        else if (entry->wire.kind == WIRE_EVENT_TEXT)
            event.kind = SESSION_TEXT;
        else if (entry->wire.kind == WIRE_EVENT_BINARY)
            event.kind = SESSION_BINARY;
        else
            continue;
        OJIN_SESSION_CLASS.step(session, &event, &actions);
        actions_clear(&actions);
    }
    ck_assert_uint_gt(frames, 50);
    while (journal_at(pair.read, next) != NULL && !journal_at(pair.read, next)->has_frame)
        next++;
    ck_assert_uint_eq(next, journal_count(pair.read));
    actions_free(&actions);
    OJIN_SESSION_CLASS.destroy(session);
    pair_free(&pair);
}
END_TEST

START_TEST(every_cut_of_a_journal_is_refused_or_read)
{
    struct pair pair;
    pair_make(&pair);
    size_t read = 0;
    const size_t len = pair.text.len < 6000 ? pair.text.len : 6000;
    for (size_t cut = 0; cut < len; cut++) {
        char error[200] = "";
        struct exact_copy copy = exact_copy_of(bytes_of(pair.text.data, cut));
        struct journal *journal =
            journal_read(copy.bytes, SESSION_CLASSES, bytes_of_text(CONVERSATION_KEY), error);
        exact_copy_free(copy);
        ck_assert(journal != NULL || strncmp(error, "line ", 5) == 0);
        read += journal != NULL ? 1u : 0u;
        journal_free(journal);
    }
    ck_assert_uint_gt(read, 3);
    pair_free(&pair);
}
END_TEST

#define HEADER "{\"journal\":1,\"family\":\"ojin\",\"profile\":\"oris-1.0\"}\n"

static const struct {
    const char *text;
    const char *error;
} BAD[] = {
    {"", "line 1: this is no journal"},
    {"hello", "line 1: this is no JSON object"},
    {"[]", "line 1: this is no JSON object"},
    {"{}", "line 1: this is no journal of version 1"},
    {"{\"journal\":2}", "line 1: this is no journal of version 1"},
    {"{\"journal\":1,\"family\":\"a name that is far too long\"}", "line 1: a string is too long"},
    {"{\"journal\":1,\"speed\":4294967296}", "line 1: a number is out of range"},
    {"{\"journal\":1,\"seed\":\"1x\"}", "line 1: a member that should be a number is none"},
    {HEADER "\n", "line 2: this is no JSON object"},
    {HEADER "{\"kind\":\"mark\"}\n{}", "line 3: the kind is not known"},
    {HEADER "{\"kind\":\"wire\"}", "line 2: from is neither client nor server"},
    {HEADER "{\"kind\":\"wire\",\"from\":\"client\",\"event\":\"smoke\"}", "line 2: the event is not known"},
    {HEADER "{\"kind\":\"mark\",\"at_us\":-1}", "line 2: a member that should be a number is none"},
    {HEADER "{\"kind\":\"mark\",\"interaction\":\"x\"}", "line 2: an interaction is no UUID"},
    {HEADER "{\"kind\":\"mark\",\"base64\":\"x\"}", "line 2: base64 holds no base64"},
    {HEADER "{\"kind\":\"finding\",\"requirement\":\"OJ-NO-99\"}", "line 2: the requirement is not known"},
    {HEADER "{\"kind\":\"wire\",\"from\":\"server\",\"event\":\"binary\",\"frame\":1}",
     "line 2: frame is no object"},
    {HEADER "{\"kind\":\"taken\",\"label\":\"tick\"}", "line 2: order is missing"},
    {HEADER "{\"kind\":\"taken\",\"order\":-1}", "line 2: a member that should be a number is none"},
    {HEADER "{\"kind\":\"taken\",\"order\":0,\"code\":65536}", "line 2: a number is out of range"},
    {HEADER "{\"kind\":\"taken\",\"order\":0,\"begins\":1}",
     "line 2: a member that should be true or false is neither"},
    {HEADER "{\"kind\":\"taken\",\"order\":0,\"begins\":true}", "line 2: seed is missing"},
    {HEADER "{\"kind\":\"dropped\",\"label\":\"silence\"}", "line 2: order is missing"},
    {"{\"journal\":1,\"script\":5}", "line 1: a member that should be a string is none"},
};

START_TEST(a_broken_journal_is_refused_with_its_line)
{
    char error[200] = "";
    struct exact_copy copy = exact_copy_of(bytes_of_text(BAD[_i].text));
    ck_assert_ptr_null(journal_read(copy.bytes, SESSION_CLASSES, (struct bytes){0}, error));
    ck_assert_str_eq(error, BAD[_i].error);
    exact_copy_free(copy);
}
END_TEST

/* An entry of each kind that only a replay needs, and the lines they make. */
static const struct {
    struct journal_entry entry;
    const char *line;
} FOR_REPLAY[] = {
    {{.kind = JOURNAL_TAKEN,
      .at_us = 5,
      .connection = 2,
      .label = "request",
      .begins = true,
      .seed = UINT64_MAX},
     "{\"n\":0,\"at_us\":5,\"connection\":2,\"kind\":\"taken\",\"label\":\"request\",\"order\":0,\"begins\":"
     "true,"
     "\"seed\":\"18446744073709551615\"}"},
    {{.kind = JOURNAL_TAKEN, .label = "binary", .order = 9, .wire = {.message_bytes = 13}},
     "{\"n\":0,\"at_us\":0,\"connection\":0,\"kind\":\"taken\",\"label\":\"binary\",\"order\":9,\"bytes\":"
     "13}"},
    {{.kind = JOURNAL_TAKEN, .label = "close", .order = 9, .wire = {.code = 1001}},
     "{\"n\":0,\"at_us\":0,\"connection\":0,\"kind\":\"taken\",\"label\":\"close\",\"order\":9,\"code\":"
     "1001}"},
    {{.kind = JOURNAL_DROPPED, .label = "silence", .order = 10},
     "{\"n\":0,\"at_us\":0,\"connection\":0,\"kind\":\"dropped\",\"label\":\"silence\",\"order\":10}"},
    {{.kind = JOURNAL_WIRE,
      .label = "close",
      .by_host = true,
      .wire = {.direction = WIRE_FROM_SERVER, .kind = WIRE_EVENT_CLOSE, .code = 1001}},
     "{\"n\":0,\"at_us\":0,\"connection\":0,\"kind\":\"wire\",\"label\":\"close\",\"from\":\"server\","
     "\"event\":\"close\",\"code\":1001,\"host\":true}"},
};

START_TEST(what_a_replay_needs_reads_back_the_same)
{
    const struct journal_header header = {
        .family = "ojin", .class = &OJIN_SESSION_CLASS, .profile = "oris-1.0", .script = "ojin/a/b"};
    char error[200] = "";
    struct buffer text;
    struct journal *journal = journal_new(&header, (struct bytes){0});
    buffer_init(&text, 4096);
    ck_assert_ptr_nonnull(journal);
    ck_assert(journal_append(journal, &FOR_REPLAY[_i].entry));
    ck_assert(journal_write_header(journal, &text) && buffer_append(&text, bytes_of_text("\n")));
    const size_t begin = text.len;
    ck_assert(journal_write_entry(journal_at(journal, 0), &text));
    ck_assert(bytes_equal_text(bytes_of(text.data + begin, text.len - begin), FOR_REPLAY[_i].line));
    struct journal *read = journal_read(buffer_bytes(&text), SESSION_CLASSES, (struct bytes){0}, error);
    ck_assert_msg(read != NULL, "%s", error);
    ck_assert_str_eq(journal_header_of(read)->script, "ojin/a/b");
    check_entry(journal_at(journal, 0), journal_at(read, 0));
    journal_free(read);
    journal_free(journal);
    buffer_free(&text);
}
END_TEST

/* Where `text` stands in the lines; NULL. */
static const uint8_t *memmem_text(const struct buffer *lines, const char *text)
{
    const size_t len = strlen(text);
    for (size_t i = 0; i + len <= lines->len; i++)
        if (memcmp(lines->data + i, text, len) == 0)
            return lines->data + i;
    return NULL;
}

static void append_below(struct journal *journal, const char *label, struct bytes data, uint64_t bytes,
                         uint64_t duration_us)
{
    struct journal_entry entry = {.at_us = 7,
                                  .kind = JOURNAL_TRANSPORT,
                                  .wire = {.direction = WIRE_FROM_SERVER,
                                           .kind = WIRE_EVENT_BINARY,
                                           .fault = true,
                                           .message_bytes = bytes,
                                           .data = data},
                                  .duration_us = duration_us};
    struct text text = text_of(entry.label, sizeof entry.label);
    text_add(&text, label);
    ck_assert(journal_append(journal, &entry));
}

START_TEST(what_was_done_below_the_messages_reads_back_the_same)
{
    static const char SECRET[] = "secret-key-1234";
    const struct bytes key = bytes_of_text(SECRET);
    const struct journal_header header = {.family = "ojin",
                                          .class = &OJIN_SESSION_CLASS,
                                          .profile = "oris-1.0",
                                          .quirks = {.value = {[0] = 1, [5] = 7}}};
    struct journal *journal = journal_new(&header, key);
    struct buffer lines;
    char error[200] = "";
    ck_assert_ptr_nonnull(journal);
    append_below(journal, "raw", bytes_of("\xc2\x00\xff", 3), 70000, 0);
    append_below(journal, "raw", key, key.len, 0);
    append_below(journal, "stop-reading", bytes_of(NULL, 0), 0, UINT64_MAX);
    append_below(journal, "half-close", bytes_of(NULL, 0), 0, 0);
    buffer_init(&lines, 65536);
    ck_assert(journal_write_header(journal, &lines));
    for (size_t i = 0; i < journal_count(journal); i++)
        ck_assert(buffer_append(&lines, bytes_of("\n", 1)) &&
                  journal_write_entry(journal_at(journal, i), &lines));
    ck_assert_ptr_nonnull(memmem_text(&lines, "\"hex\":\"c200ff\""));
    ck_assert_ptr_null(memmem_text(&lines, "7365637265742d6b65792d31323334"));
    struct journal *read = journal_read(buffer_bytes(&lines), SESSION_CLASSES, key, error);
    ck_assert_msg(read != NULL, "%s", error);
    ck_assert_uint_eq(journal_count(read), 4);
    ck_assert_mem_eq(&journal_header_of(read)->quirks, &header.quirks, sizeof header.quirks);
    ck_assert(bytes_equal(journal_at(read, 0)->wire.data, bytes_of("\xc2\x00\xff", 3)));
    ck_assert_uint_eq(journal_at(read, 0)->wire.message_bytes, 70000);
    ck_assert(journal_at(read, 0)->wire.fault);
    ck_assert_uint_eq(journal_at(read, 2)->duration_us, UINT64_MAX);
    ck_assert_int_eq(journal_at(read, 2)->wire.code, WIRE_ACT_STOP_READING);
    ck_assert_str_eq(journal_at(read, 3)->label, "half-close");
    ck_assert_int_eq(journal_at(read, 3)->wire.kind, WIRE_EVENT_TRANSPORT);
    ck_assert_int_eq(journal_at(read, 3)->wire.code, WIRE_ACT_HALF_CLOSE);
    buffer_free(&lines);
    journal_free(read);
    journal_free(journal);
}
END_TEST

static const struct {
    const char *name;
    const char *key;
    const char *head;
    const char *shows;
    const char *hides;
} SECRETS[] = {
    {"the key", "k1", "GET / HTTP/1.1\r\nAuthorization: k1\r\n\r\n", "Authorization: {key}\\r\\n", "k1"},
    {"with a scheme", "k1", "GET / HTTP/1.1\r\nAuthorization: Bearer k1\r\n\r\n", "Bearer {key}\\r", "k1"},
    {"another key", "k1", "GET / HTTP/1.1\r\nAuthorization: hunter2\r\n\r\n",
     "Authorization: {other:f52fbd32}", "hunter2"},
    {"another key with a scheme", "k1", "GET / HTTP/1.1\r\nauthorization: Basic hunter2\r\n\r\n",
     "authorization: Basic {other:f52fbd32}", "hunter2"},
    {"an unknown key", "", "GET / HTTP/1.1\r\nAuthorization: hunter2\r\n\r\n", "Authorization: {key}",
     "hunter2"},
    {"an unknown key with a scheme", "", "GET / HTTP/1.1\r\nAuthorization: Bearer hunter2\r\n\r\n",
     "Authorization: Bearer {key}", "hunter2"},
    {"another word in front", "k1", "GET / HTTP/1.1\r\nAuthorization: my hunter2\r\n\r\n",
     "Authorization: {scheme} {other:f52fbd32}", "my"},
    {"a query parameter", "k1", "GET /?config_id=c&api_key=k1&x=1 HTTP/1.1\r\n\r\n",
     "config_id=c&api_key={key}&x=1 HTTP", "k1"},
    {"percent-encoded", "k 1", "GET /?who=k%201 HTTP/1.1\r\n\r\n", "?who={key} HTTP", "k%201"},
    {"another in the query", "k1", "GET /?token=hunter2 HTTP/1.1\r\n\r\n", "?token={other:f52fbd32} HTTP",
     "hunter2"},
    {"in another header", "k123456", "GET / HTTP/1.1\r\nX-Api: k123456\r\n\r\n", "X-Api: {key}", "k123456"},
    {"in the path", "k123456", "GET /k123456/realtime HTTP/1.1\r\n\r\n", "GET /{key}/realtime", "k123456"},
    {"not a secret", "k1", "GET /?config_id=abc HTTP/1.1\r\nHost: h\r\n\r\n", "config_id=abc HTTP", "{"},
};

START_TEST(secrets_in_a_request_are_replaced)
{
    const struct journal_entry entry = {
        .kind = JOURNAL_WIRE,
        .wire = {.kind = WIRE_EVENT_REQUEST, .data = bytes_of_text(SECRETS[_i].head)},
        .key = bytes_of_text(SECRETS[_i].key)};
    struct buffer line;
    buffer_init(&line, 4096);
    ck_assert(journal_write_entry(&entry, &line));
    ck_assert(buffer_append(&line, bytes_of("", 1)));
    const char *text = strstr((const char *)line.data, "\"text\":");
    ck_assert_ptr_nonnull(text);
    ck_assert_msg(strstr(text, SECRETS[_i].shows) != NULL, "%s: %s", SECRETS[_i].name, text);
    ck_assert_msg(strstr(text + 1, SECRETS[_i].hides) == NULL, "%s: %s", SECRETS[_i].name, text);
    buffer_free(&line);
}
END_TEST

static void to_text(void *context, const struct journal_entry *entry)
{
    ck_assert(journal_write_entry(entry, context));
    ck_assert(buffer_append(context, bytes_of_text("\n")));
}

/* Whatever a client puts it into. With a journal (1), and handed to the sink alone (0). */
START_TEST(a_key_nobody_knew_is_learnt_from_the_request_and_replaced)
{
    static const char head[] = "GET /realtime?config_id=hun%74er2secret HTTP/1.1\r\nHost: hunter2secret\r\n"
                               "Authorization: Bearer hunter2secret\r\n\r\n";
    static const char text[] = "{\"type\":\"endInteraction\",\"key\":\"h\\u0075nter2secret\"}";
    static const char binary[] = "\1\0\0\0\0\0\0\0\0\0\0\0\rhunter2secret";
    const struct journal_header header = {
        .family = "ojin", .class = &OJIN_SESSION_CLASS, .profile = "oris-1.0"};
    struct buffer lines;
    buffer_init(&lines, 65536);
    struct journal *journal = _i == 1 ? journal_new(&header, (struct bytes){0}) : NULL;
    struct recorder *recorder =
        recorder_new(&(struct recorder_config){.rules = {.profile = ojin_profile_by_name("oris-1.0")},
                                               .journal = journal,
                                               .session_class = session_class_by_family("ojin"),
                                               .sink = to_text,
                                               .context = &lines});
    ck_assert_ptr_nonnull(recorder);
    recorder_connection(recorder, 0);
    const struct wire_event events[] = {
        {.kind = WIRE_EVENT_REQUEST, .data = bytes_of_text(head)},
        {.kind = WIRE_EVENT_TEXT, .data = bytes_of_text(text)},
        {.kind = WIRE_EVENT_BINARY, .data = bytes_of(binary, sizeof binary - 1)},
    };
    for (int i = 0; i < TABLE_COUNT(events); i++) {
        struct wire_event event = events[i];
        event.message_bytes = event.data.len;
        recorder_client_event(recorder, &event);
    }
    recorder_free(recorder);
    ck_assert(buffer_append(&lines, bytes_of("", 1)));
    const char *written = (const char *)lines.data;
    ck_assert_msg(strstr(written, "nter2secret") == NULL && strstr(written, "er2secret") == NULL, "%s",
                  written);
    ck_assert_ptr_nonnull(strstr(written, "config_id={key} HTTP"));
    ck_assert_ptr_nonnull(strstr(written, "Host: {key}\\r"));
    ck_assert_ptr_nonnull(strstr(written, "Authorization: Bearer {key}"));
    ck_assert_ptr_nonnull(strstr(written, "\\\"key\\\":\\\"{key}\\\""));
    ck_assert_ptr_nonnull(strstr(written, "KioqKioqKioqKi")); /* only stars */
    ck_assert_ptr_nonnull(strstr(written, "OJ-END-01"));
    journal_free(journal);
    buffer_free(&lines);
}
END_TEST

START_TEST(an_entry_that_does_not_fit_leaves_nothing)
{
    const struct journal_entry entry = {.kind = JOURNAL_WIRE,
                                        .wire = {.kind = WIRE_EVENT_TEXT, .data = bytes_of_text("hello")}};
    for (size_t room = 0; room < 60; room++) {
        struct buffer line;
        buffer_init(&line, room);
        ck_assert(!journal_write_entry(&entry, &line));
        ck_assert_uint_eq(line.len, 0);
        buffer_free(&line);
    }
}
END_TEST

START_TEST(a_full_journal_says_so_in_its_last_entry)
{
    const struct journal_header header = {.family = "ojin", .class = &OJIN_SESSION_CLASS};
    const struct journal_entry entry = {.kind = JOURNAL_DONE};
    struct journal *journal = journal_new(&header, (struct bytes){0});
    ck_assert_ptr_nonnull(journal);
    for (size_t i = 0; i < JOURNAL_ENTRIES_MAX - 1; i++)
        ck_assert(journal_append(journal, &entry));
    ck_assert(!journal_append(journal, &entry));
    ck_assert(!journal_append(journal, &entry));
    ck_assert_uint_eq(journal_count(journal), JOURNAL_ENTRIES_MAX);
    ck_assert_int_eq(journal_at(journal, JOURNAL_ENTRIES_MAX - 1)->kind, JOURNAL_MARK);
    ck_assert_str_eq(journal_at(journal, JOURNAL_ENTRIES_MAX - 1)->label, JOURNAL_FULL_MARK);
    ck_assert_ptr_null(journal_at(journal, JOURNAL_ENTRIES_MAX));
    journal_free(journal);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("journal");
    tcase_set_timeout(tcase, 100);
    tcase_add_test(tcase, a_written_journal_reads_back_the_same);
    tcase_add_test(tcase, the_key_never_stands_in_a_written_journal);
    tcase_add_test(tcase, a_read_journal_is_judged_like_the_live_one);
    tcase_add_test(tcase, a_read_journal_gives_the_same_frames_again);
    tcase_add_test(tcase, what_was_done_below_the_messages_reads_back_the_same);
    tcase_add_test(tcase, every_cut_of_a_journal_is_refused_or_read);
    tcase_add_loop_test(tcase, what_a_replay_needs_reads_back_the_same, 0, TABLE_COUNT(FOR_REPLAY));
    tcase_add_loop_test(tcase, a_broken_journal_is_refused_with_its_line, 0, TABLE_COUNT(BAD));
    tcase_add_loop_test(tcase, secrets_in_a_request_are_replaced, 0, TABLE_COUNT(SECRETS));
    tcase_add_loop_test(tcase, a_key_nobody_knew_is_learnt_from_the_request_and_replaced, 0, 2);
    tcase_add_test(tcase, an_entry_that_does_not_fit_leaves_nothing);
    tcase_add_test(tcase, a_full_journal_says_so_in_its_last_entry);
    return suite_run("journal", tcase);
}
