/* The recorder: names what it sees, notices our own mistakes, and keeps the worst verdict. */
#include "codec/ojin/frame.h"
#include "codec/ojin/input.h"
#include "codec/ojin/profile.h"
#include "codec/rules/ojin/classes.h"
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "server/ojin/session_class.h"
#include "server/tests/conversation.h"

#define BYTES(literal) literal, sizeof(literal) - 1

static struct recorder *recorder_make(struct journal *journal)
{
    const struct recorder_config config = {.rules = {.profile = &OJIN_PROFILES[0].base},
                                           .journal = journal,
                                           .session_class = &OJIN_SESSION_CLASS};
    struct recorder *recorder = recorder_new(&config);
    ck_assert_ptr_nonnull(recorder);
    return recorder;
}

static struct journal *journal_make(void)
{
    const struct journal_header header = {
        .family = "ojin", .class = &OJIN_SESSION_CLASS, .profile = "oris-1.0"};
    struct journal *journal = journal_new(&header, (struct bytes){0});
    ck_assert_ptr_nonnull(journal);
    return journal;
}

static const struct {
    enum wire_event_kind kind;
    const char *data;
    const char *label;
} CLIENT_EVENTS[] = {
    {WIRE_EVENT_REQUEST, "GET /realtime?config_id=c HTTP/1.1\r\n\r\n", "upgrade"},
    {WIRE_EVENT_TEXT, "{\"type\":\"cancelInteraction\",\"payload\":{}}", "cancelInteraction"},
    {WIRE_EVENT_TEXT, "{\"type\":\"endInteraction\",\"payload\":{\"timestamp\":1}}", "endInteraction"},
    {WIRE_EVENT_TEXT, "hello", "other"},
    {WIRE_EVENT_BINARY, "\1", "other"},
    {WIRE_EVENT_PING, "p", "ping"},
    {WIRE_EVENT_PONG, "p", "pong"},
    {WIRE_EVENT_CLOSE, "bye", "close"},
    {WIRE_EVENT_VIOLATION, "a sentence", "violation"},
    {WIRE_EVENT_END, "", "end"},
};

START_TEST(what_the_client_sends_is_kept_whole_under_its_name)
{
    struct journal *journal = journal_make();
    struct recorder *recorder = recorder_make(journal);
    struct exact_copy copy = exact_copy_of(bytes_of_text(CLIENT_EVENTS[_i].data));
    const struct wire_event event = {.at_us = 5, .kind = CLIENT_EVENTS[_i].kind, .data = copy.bytes};
    recorder_connection(recorder, 0);
    recorder_client_event(recorder, &event);
    exact_copy_free(copy);
    const struct journal_entry *entry = journal_at(journal, 0);
    ck_assert_int_eq(entry->kind, JOURNAL_WIRE);
    ck_assert_int_eq(entry->wire.kind, CLIENT_EVENTS[_i].kind);
    ck_assert_str_eq(entry->label, CLIENT_EVENTS[_i].label);
    ck_assert_uint_eq(entry->connection, 1);
    ck_assert_uint_eq(entry->at_us, 5);
    ck_assert(bytes_equal_text(entry->wire.data, CLIENT_EVENTS[_i].data));
    recorder_free(recorder);
    journal_free(journal);
}
END_TEST

/* 000 InteractionInputMessage params: the line says what holds for the chunk. */
START_TEST(an_input_shows_the_params_in_force)
{
    static const char params[] = "{\"speech_filter_amount\":2.5,\"client_frame_index\":40}";
    static const char expected[] = ",\"params\":{\"speech_filter_amount\":2.5,\"idle_filter_amount\":1000,"
                                   "\"idle_mouth_opening_scale\":0,\"speech_mouth_opening_scale\":1,"
                                   "\"client_frame_index\":40}";
    uint8_t message[OJIN_INPUT_HEADER_BYTES + sizeof params];
    for (size_t len = 0; len < sizeof params; len += sizeof params - 1) {
        struct writer writer = writer_of(message, sizeof message);
        const struct ojin_input input = {.payload_type = OJIN_PAYLOAD_AUDIO, .params = bytes_of(params, len)};
        ojin_input_write(&writer, &input);
        struct journal_entry entry = {.kind = JOURNAL_WIRE, .class = &OJIN_SESSION_CLASS};
        entry.wire = (struct wire_event){.kind = WIRE_EVENT_BINARY, .data = bytes_of(message, writer.len)};
        struct buffer line;
        buffer_init(&line, 4096);
        ck_assert(journal_write_entry(&entry, &line));
        ck_assert(buffer_append(&line, bytes_of("", 1)));
        ck_assert((strstr((const char *)line.data, expected) != NULL) == (len > 0));
        buffer_free(&line);
    }
}
END_TEST

static const struct {
    const char *label; /* of the action */
    enum action_kind kind;
    uint16_t code;
    enum journal_kind entry;
    enum wire_event_kind event;
    const char *recorded; /* label of the entry */
    uint16_t wire_code;
    unsigned line;
} ACTIONS[] = {
    {"x", ACTION_ACCEPT, 0, JOURNAL_WIRE, WIRE_EVENT_RESPONSE, "accept", 101, 0},
    {"x", ACTION_REFUSE, 401, JOURNAL_WIRE, WIRE_EVENT_RESPONSE, "refusal", 401, 0},
    {"text", ACTION_SEND_TEXT, 0, JOURNAL_WIRE, WIRE_EVENT_TEXT, "text", 0, 0},
    {"ping", ACTION_SEND_PING, 0, JOURNAL_WIRE, WIRE_EVENT_PING, "ping", 0, 0},
    {"x", ACTION_CLOSE, 1008, JOURNAL_WIRE, WIRE_EVENT_CLOSE, "close", 1008, 0},
    {"x", ACTION_RESET, 0, JOURNAL_WIRE, WIRE_EVENT_END, "reset", 1, 0},
    {"drop", ACTION_DROP, 0, JOURNAL_WIRE, WIRE_EVENT_END, "drop", 0, 0},
    {"speech", ACTION_SEND_RAW, 0, JOURNAL_TRANSPORT, WIRE_EVENT_TRANSPORT, "speech", WIRE_ACT_RAW, 0},
    {"half-close", ACTION_HALF_CLOSE, 0, JOURNAL_TRANSPORT, WIRE_EVENT_TRANSPORT, "half-close",
     WIRE_ACT_HALF_CLOSE, 0},
    {"stop-reading", ACTION_STOP_READING, 0, JOURNAL_TRANSPORT, WIRE_EVENT_TRANSPORT, "stop-reading",
     WIRE_ACT_STOP_READING, 0},
    {"here", ACTION_MARK, 0, JOURNAL_MARK, WIRE_EVENT_REQUEST, "here", 0, 0},
    {"name", ACTION_CAPTURE, 0, JOURNAL_CAPTURE, WIRE_EVENT_REQUEST, "name", 0, 0},
    {"send", ACTION_STEP, 12, JOURNAL_STEP, WIRE_EVENT_REQUEST, "send", 0, 12},
    {"recv", ACTION_STEP_FAILED, 13, JOURNAL_FAILED, WIRE_EVENT_REQUEST, "recv", 0, 13},
    {"", ACTION_SCRIPT_DONE, 0, JOURNAL_DONE, WIRE_EVENT_REQUEST, "", 0, 0},
};

START_TEST(each_action_becomes_its_entry)
{
    struct journal *journal = journal_make();
    struct recorder *recorder = recorder_make(journal);
    struct actions actions;
    struct action *action = NULL;
    actions_init(&actions);
    ck_assert_ptr_nonnull(actions_add(&actions, ACTIONS[_i].kind, ACTIONS[_i].label, 0, &action));
    action->code = ACTIONS[_i].code;
    memcpy(action->step, "named", sizeof "named");
    recorder_connection(recorder, 0);
    recorder_action(recorder, 9, &actions, action);
    ck_assert_uint_eq(journal_count(journal), 1);
    const struct journal_entry *entry = journal_at(journal, 0);
    ck_assert_int_eq(entry->kind, ACTIONS[_i].entry);
    ck_assert_str_eq(entry->label, ACTIONS[_i].recorded);
    ck_assert_str_eq(entry->step, "named");
    ck_assert_uint_eq(entry->line, ACTIONS[_i].line);
    if (entry->kind == JOURNAL_WIRE || entry->kind == JOURNAL_TRANSPORT) {
        ck_assert_int_eq(entry->wire.kind, ACTIONS[_i].event);
        ck_assert_int_eq(entry->wire.direction, WIRE_FROM_SERVER);
        ck_assert_uint_eq(entry->wire.code, ACTIONS[_i].wire_code);
    }
    actions_free(&actions);
    recorder_free(recorder);
    journal_free(journal);
}
END_TEST

#define NO_ENTRIES                                                                                           \
    "\0"                                                                                                     \
    "0123456789abcdef"                                                                                       \
    "\0\0\0\0\0\0\0\1"                                                                                       \
    "\0\0\0\0"                                                                                               \
    "\0\0\0\0"                                                                                               \
    "\0\0\0\0"
#define ONE_ENTRY                                                                                            \
    "\0"                                                                                                     \
    "0123456789abcdef"                                                                                       \
    "\0\0\0\0\0\0\0\1"                                                                                       \
    "\0\0\0\0"                                                                                               \
    "\0\0\0\0"                                                                                               \
    "\0\0\0\1"
#define LETTERS_41  "abcdefghijklmnopqrstuvwxyzabcdefghijklmno"
#define LETTERS_123 LETTERS_41 LETTERS_41 LETTERS_41
#define READY(load)                                                                                          \
    "{\"type\":\"sessionReady\",\"payload\":{\"trace_id\":\"01234567-89ab-4def-8123-456789abcdef\","         \
    "\"status\":\"success\",\"load\":" load "}}"

static const struct {
    const char *name;
    const char *data;
    size_t len;
    enum action_kind kind;
    bool mistake;
} MISTAKES[] = {
    {"a frame of a header", BYTES(NO_ENTRIES), ACTION_SEND_BINARY, false},
    {"a frame that lacks its entry", BYTES(ONE_ENTRY), ACTION_SEND_BINARY, true},
    {"a frame with short audio", BYTES(ONE_ENTRY "\0\0\0\2\1aa"), ACTION_SEND_BINARY, true},
    {"a frame with a picture alone", BYTES(ONE_ENTRY "\0\0\0\2\2aa"), ACTION_SEND_BINARY, false},
    {"rubbish", BYTES("rubbish"), ACTION_SEND_BINARY, true},
    {"plain text", BYTES("No backend"), ACTION_SEND_TEXT, false},
    {"another type", BYTES("{\"type\":\"sessionPing\"}"), ACTION_SEND_TEXT, false},
    {"a right sessionReady", BYTES(READY("0.5")), ACTION_SEND_TEXT, false},
    {"an overloaded sessionReady", BYTES(READY("1.5")), ACTION_SEND_TEXT, true},
    {"an errorResponse without a code", BYTES("{\"type\":\"errorResponse\",\"payload\":{}}"),
     ACTION_SEND_TEXT, true},
};

static size_t own_error_count(const struct journal *journal)
{
    size_t count = 0;
    for (size_t i = 0; i < journal_count(journal); i++)
        count += journal_at(journal, i)->kind == JOURNAL_OWN_ERROR ? 1u : 0u;
    return count;
}

/* How many own errors the action gives. */
static size_t own_errors(size_t n, bool fault)
{
    struct journal *journal = journal_make();
    struct recorder *recorder = recorder_make(journal);
    struct actions actions;
    struct action *action = NULL;
    actions_init(&actions);
    uint8_t *data = actions_add(&actions, MISTAKES[n].kind, "label", MISTAKES[n].len, &action);
    ck_assert_ptr_nonnull(data);
    memcpy(data, MISTAKES[n].data, MISTAKES[n].len);
    action->fault = fault;
    recorder_connection(recorder, 0);
    recorder_action(recorder, 0, &actions, action);
    ck_assert_int_eq(journal_at(journal, 0)->wire.fault, fault);
    const size_t count = own_error_count(journal);
    if (count > 0)
        ck_assert_uint_gt(journal_at(journal, 1)->wire.data.len, 20);
    actions_free(&actions);
    recorder_free(recorder);
    journal_free(journal);
    return count;
}

START_TEST(our_own_mistake_is_recorded_unless_it_was_asked_for)
{
    ck_assert_msg(own_errors((size_t)_i, false) == (MISTAKES[_i].mistake ? 1 : 0), "%s", MISTAKES[_i].name);
    ck_assert_uint_eq(own_errors((size_t)_i, true), 0);
}
END_TEST

static const struct {
    const char *name;
    const char *reason;
    size_t len;
    uint16_t code; /* 0: the frame is empty */
    bool mistake;
} CLOSES[] = {
    {"nothing", BYTES(""), 0, false},
    {"no code may say that there was none", BYTES(""), 1005, true},
    {"nor that there was no frame", BYTES(""), 1006, true},
    {"a code of the standard", BYTES("bye"), 1000, false},
    {"a code of one's own", BYTES("\xc3\xa9"), 4001, false},
    {"one below all", BYTES(""), 999, true},
    {"one between", BYTES(""), 1015, true},
    {"a reason that is no UTF-8", BYTES("\xff\xfe"), 1000, true},
    {"the longest reason", LETTERS_123, 123, 1000, false},
    {"one longer", LETTERS_123 "x", 124, 1000, true},
};

START_TEST(a_close_frame_that_none_may_send_is_our_own_mistake_unless_it_was_asked_for)
{
    for (int fault = 0; fault < 2; fault++) {
        struct journal *journal = journal_make();
        struct recorder *recorder = recorder_make(journal);
        struct actions actions;
        struct action *action = NULL;
        actions_init(&actions);
        uint8_t *reason = actions_add(&actions, ACTION_CLOSE, "close", CLOSES[_i].len, &action);
        ck_assert_ptr_nonnull(reason);
        memcpy(reason, CLOSES[_i].reason, CLOSES[_i].len);
        action->code = CLOSES[_i].code;
        action->fault = fault == 1;
        recorder_connection(recorder, 0);
        recorder_action(recorder, 0, &actions, action);
        ck_assert_msg(own_error_count(journal) == (CLOSES[_i].mistake && fault == 0 ? 1 : 0), "%s",
                      CLOSES[_i].name);
        actions_free(&actions);
        recorder_free(recorder);
        journal_free(journal);
    }
}
END_TEST

START_TEST(so_is_one_that_the_host_sends_by_itself)
{
    struct journal *journal = journal_make();
    struct recorder *recorder = recorder_make(journal);
    const uint8_t *reason = (const uint8_t *)CLOSES[_i].reason;
    const struct wire_event close = {.direction = WIRE_FROM_SERVER,
                                     .kind = WIRE_EVENT_CLOSE,
                                     .code = CLOSES[_i].code == 0 ? WS_CLOSE_NO_CODE : CLOSES[_i].code,
                                     .data = bytes_of(reason, CLOSES[_i].len)};
    recorder_connection(recorder, 0);
    recorder_host_event(recorder, &close);
    /* 1005 is how the host says that there is none. */
    const bool mistake = CLOSES[_i].mistake && CLOSES[_i].code != WS_CLOSE_NO_CODE;
    ck_assert_msg(own_error_count(journal) == (mistake ? 1 : 0), "%s", CLOSES[_i].name);
    recorder_free(recorder);
    journal_free(journal);
}
END_TEST

static const struct {
    const char *name;
    struct taken_event taken;
    uint64_t seed; /* in the journal */
} TAKEN[] = {
    {"a request begins an engine",
     {.now_us = 7, .event = "request", .begins = true, .seed = UINT64_MAX},
     UINT64_MAX},
    {"a message", {.now_us = 8, .event = "binary", .message_bytes = 1293, .order = 3}, 0},
    {"a close with its code", {.now_us = 9, .event = "close", .code = 1000, .order = 4}, 0},
    {"no seed but of an engine that begins", {.now_us = 10, .event = "tick", .order = 5, .seed = 6}, 0},
};

START_TEST(what_the_engine_was_told_is_recorded_with_what_it_had_sent)
{
    const struct taken_event *taken = &TAKEN[_i].taken;
    struct journal *journal = journal_make();
    struct recorder *recorder = recorder_make(journal);
    recorder_connection(recorder, 0);
    recorder_taken(recorder, taken);
    ck_assert_uint_eq(journal_count(journal), 1);
    const struct journal_entry *entry = journal_at(journal, 0);
    ck_assert_int_eq(entry->kind, JOURNAL_TAKEN);
    ck_assert_uint_eq(entry->connection, 1);
    ck_assert_uint_eq(entry->at_us, taken->now_us);
    ck_assert_str_eq(entry->label, taken->event);
    ck_assert_uint_eq(entry->wire.code, taken->code);
    ck_assert_uint_eq(entry->wire.message_bytes, taken->message_bytes);
    ck_assert_uint_eq(entry->order, taken->order);
    ck_assert_int_eq(entry->begins, taken->begins);
    ck_assert_uint_eq(entry->seed, TAKEN[_i].seed);
    recorder_free(recorder);
    journal_free(journal);
}
END_TEST

START_TEST(what_is_never_sent_is_recorded_by_its_order_and_judged_by_nobody)
{
    const struct action action = {.kind = ACTION_SEND_BINARY, .label = "silence", .order = 41};
    struct journal *journal = journal_make();
    struct recorder *recorder = recorder_make(journal);
    recorder_connection(recorder, 0);
    recorder_dropped(recorder, 12, &action);
    ck_assert_uint_eq(journal_count(journal), 1);
    const struct journal_entry *entry = journal_at(journal, 0);
    ck_assert_int_eq(entry->kind, JOURNAL_DROPPED);
    ck_assert_str_eq(entry->label, "silence");
    ck_assert_uint_eq(entry->at_us, 12);
    ck_assert_uint_eq(entry->order, 41);
    ck_assert_uint_eq(entry->wire.data.len, 0);
    recorder_free(recorder);
    journal_free(journal);
}
END_TEST

START_TEST(what_a_host_sends_by_itself_is_marked)
{
    struct journal *journal = journal_make();
    struct recorder *recorder = recorder_make(journal);
    struct actions actions;
    struct action *action = NULL;
    actions_init(&actions);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_ptr_nonnull(actions_add(&actions, ACTION_CLOSE, "close", 0, &action));
        action->by_host = i == 1;
        recorder_action(recorder, 0, &actions, action);
        ck_assert_int_eq(journal_at(journal, i)->by_host, i == 1);
    }
    actions_free(&actions);
    recorder_free(recorder);
    journal_free(journal);
}
END_TEST

static size_t rule_number(const char *requirement)
{
    size_t n = 0;
    while (n < OJIN_RULES.count && strcmp(OJIN_RULES.requirement(n), requirement) != 0)
        n++;
    ck_assert_uint_lt(n, OJIN_RULES.count);
    return n;
}

static void request(struct recorder *recorder, uint64_t now_us, const char *head)
{
    const struct wire_event event = {
        .at_us = now_us, .kind = WIRE_EVENT_REQUEST, .data = bytes_of_text(head)};
    recorder_connection(recorder, now_us);
    recorder_client_event(recorder, &event);
}

START_TEST(the_worst_verdict_of_all_connections_stands)
{
    const size_t rule = rule_number("OJ-CON-01");
    struct journal *journal = journal_make();
    struct recorder *recorder = recorder_make(journal);
    ck_assert_int_eq(recorder_verdict(recorder, rule), RULE_NOT_REACHED);
    request(recorder, 1,
            "GET /realtime?config_id=c HTTP/1.1\r\nUpgrade: websocket\r\nAuthorization: k\r\n\r\n");
    ck_assert_int_eq(recorder_verdict(recorder, rule), RULE_KEPT);
    request(recorder, 2, "GET /realtime HTTP/1.1\r\nUpgrade: websocket\r\nAuthorization: k\r\n\r\n");
    ck_assert_int_eq(recorder_verdict(recorder, rule), RULE_BROKEN);
    request(recorder, 3,
            "GET /realtime?config_id=c HTTP/1.1\r\nUpgrade: websocket\r\nAuthorization: k\r\n\r\n");
    recorder_finish(recorder, 4);
    recorder_finish(recorder, 5);
    ck_assert_int_eq(recorder_verdict(recorder, rule), RULE_BROKEN);
    ck_assert_uint_eq(journal_at(journal, journal_count(journal) - 1)->connection, 3);
    recorder_free(recorder);
    journal_free(journal);
}
END_TEST

static void count_entry(void *context, const struct journal_entry *entry)
{
    size_t *count = context;
    ck_assert_uint_eq(entry->sequence, *count);
    ck_assert_uint_eq(entry->connection, 1);
    (*count)++;
}

START_TEST(without_a_journal_the_sink_still_gets_each_entry)
{
    size_t count = 0;
    const struct recorder_config config = {.rules = {.profile = &OJIN_PROFILES[0].base},
                                           .session_class = &OJIN_SESSION_CLASS,
                                           .sink = count_entry,
                                           .context = &count};
    struct recorder *recorder = recorder_new(&config);
    ck_assert_ptr_nonnull(recorder);
    request(recorder, 0, "GET /realtime HTTP/1.1\r\nUpgrade: websocket\r\n\r\n");
    ck_assert_uint_ge(count, 2);
    recorder_free(recorder);
}
END_TEST

/* ---- a frame whose picture is borrowed ---- */

enum { PICTURE_BYTES = 100 };

struct seen_frame {
    struct frame_summary summary;
    char picture; /* the first byte of it */
    bool head_is_whole;
};

static void keep_frame(void *context, const struct journal_entry *entry)
{
    struct seen_frame *seen = context;
    if (!entry->has_frame)
        return;
    seen->summary = entry->frame;
    seen->picture = (char)entry->wire.data.data[entry->wire.data.len - PICTURE_BYTES];
    seen->head_is_whole = entry->wire.data.data[JOURNAL_HEAD_BYTES_MAX - 1] == 's';
}

/* Where it is borrowed the arena has room of '-' for it. */
static void borrowing_frame_add(struct actions *actions)
{
    static uint8_t sound[OJIN_FRAME_AUDIO_BYTES], picture[PICTURE_BYTES];
    const struct bytes borrowed = bytes_of(picture, sizeof picture);
    const struct ojin_frame header = {.payload_count = 2};
    const size_t own_bytes = OJIN_FRAME_HEADER_BYTES + 2 * OJIN_ENTRY_HEADER_BYTES + sizeof sound;
    memset(sound, 's', sizeof sound);
    memset(picture, 'p', sizeof picture);
    uint8_t *out = actions_add(actions, ACTION_SEND_BINARY, "silence", own_bytes, NULL);
    ck_assert_ptr_nonnull(out);
    struct writer writer = writer_of(out, own_bytes);
    ojin_frame_write_header(&writer, &header);
    ojin_frame_write_entry(&writer, OJIN_PAYLOAD_AUDIO, bytes_of(sound, sizeof sound));
    writer_u32(&writer, PICTURE_BYTES);
    writer_u8(&writer, OJIN_PAYLOAD_IMAGE);
    ck_assert(actions_borrow(actions, &borrowed, 1));
    actions_grown(actions);
    memset(actions->arena.data + own_bytes, '-', PICTURE_BYTES);
}

/* With checksums or without them. */
START_TEST(what_a_frame_borrows_is_fetched_for_checksums_alone)
{
    struct seen_frame seen = {.picture = 0};
    struct actions actions;
    const struct recorder_config config = {.rules = {.profile = &OJIN_PROFILES[0].base},
                                           .session_class = &OJIN_SESSION_CLASS,
                                           .without_checksums = _i == 1,
                                           .sink = keep_frame,
                                           .context = &seen};
    struct recorder *recorder = recorder_new(&config);
    ck_assert_ptr_nonnull(recorder);
    actions_init(&actions);
    borrowing_frame_add(&actions);
    recorder_connection(recorder, 0);
    recorder_action(recorder, 9, &actions, &actions.list[0]);
    ck_assert(seen.head_is_whole && seen.summary.decodes);
    ck_assert_uint_eq(seen.summary.image_bytes, PICTURE_BYTES);
    ck_assert_int_eq(seen.picture, config.without_checksums ? '-' : 'p');
    ck_assert_int_eq(seen.summary.image_crc != 0, !config.without_checksums);
    actions_free(&actions);
    recorder_free(recorder);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("recorder");
    tcase_add_test(tcase, an_input_shows_the_params_in_force);
    tcase_add_loop_test(tcase, what_the_client_sends_is_kept_whole_under_its_name, 0,
                        TABLE_COUNT(CLIENT_EVENTS));
    tcase_add_loop_test(tcase, each_action_becomes_its_entry, 0, TABLE_COUNT(ACTIONS));
    tcase_add_loop_test(tcase, our_own_mistake_is_recorded_unless_it_was_asked_for, 0, TABLE_COUNT(MISTAKES));
    tcase_add_loop_test(tcase, a_close_frame_that_none_may_send_is_our_own_mistake_unless_it_was_asked_for, 0,
                        TABLE_COUNT(CLOSES));
    tcase_add_loop_test(tcase, so_is_one_that_the_host_sends_by_itself, 0, TABLE_COUNT(CLOSES));
    tcase_add_loop_test(tcase, what_the_engine_was_told_is_recorded_with_what_it_had_sent, 0,
                        TABLE_COUNT(TAKEN));
    tcase_add_test(tcase, what_is_never_sent_is_recorded_by_its_order_and_judged_by_nobody);
    tcase_add_test(tcase, what_a_host_sends_by_itself_is_marked);
    tcase_add_test(tcase, the_worst_verdict_of_all_connections_stands);
    tcase_add_test(tcase, without_a_journal_the_sink_still_gets_each_entry);
    tcase_add_loop_test(tcase, what_a_frame_borrows_is_fetched_for_checksums_alone, 0, 2);
    return suite_run("recorder", tcase);
}
