/* What an endpoint sends, what it refuses to send, and what it sends against the rules when it is asked to.
 */
#include "codec/tests/suite.h"
#include "codec/tests/ws_rig.h"

/* ---- what it sends ---- */

START_TEST(frames_are_those_of_the_documents)
{
    static struct rig rig;
    static uint8_t zeros[65536];
    rig_open(&rig, RIG_ACCEPTS);
    ck_assert(rig_send_text(&rig, "Hello"));
    rig_assert_sent(&rig, BYTES("\x81\x05Hello"));
    struct ws_cut cut = {.at = 3};
    ck_assert(ws_endpoint_send_cut(rig.endpoint, WS_OPCODE_TEXT, bytes_of_text("Hello"), &cut));
    rig_assert_sent(&rig, BYTES("\x01\x03Hel\x80\x02lo"));
    ck_assert(ws_endpoint_ping(rig.endpoint, bytes_of_text("Hello")));
    rig_assert_sent(&rig, BYTES("\x89\x05Hello"));
    ck_assert(ws_endpoint_pong(rig.endpoint, bytes_of_text("Hello")));
    rig_assert_sent(&rig, BYTES("\x8a\x05Hello"));
    static const struct {
        size_t len;
        const char *header;
        size_t header_len;
    } sizes[] = {{0, BYTES("\x82\x00")},
                 {125, BYTES("\x82\x7d")},
                 {126, BYTES("\x82\x7e\x00\x7e")},
                 {256, BYTES("\x82\x7e\x01\x00")},
                 {65535, BYTES("\x82\x7e\xff\xff")},
                 {65536, BYTES("\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00")}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const struct ws_part part = {.bytes = bytes_of(zeros, sizes[i].len), .life = WS_PART_LASTING};
        ck_assert(ws_endpoint_send(rig.endpoint, WS_OPCODE_BINARY, &part, 1));
        struct bytes pieces[2] = {{0}};
        ck_assert_uint_eq(ws_endpoint_pieces(rig.endpoint, pieces, 2), sizes[i].len == 0 ? 1 : 2);
        ck_assert(bytes_equal(pieces[0], bytes_of(sizes[i].header, sizes[i].header_len)));
        ck_assert(sizes[i].len == 0 || pieces[1].data == zeros); /* from where it lies */
        ck_assert_uint_eq(pieces[1].len, sizes[i].len);
        rig_drain(&rig, 1, SIZE_MAX);
        rig_forget(&rig);
    }
    rig_free(&rig);
    /* RFC 7692 7.2.3.1, 7.2.3.2 and 7.2.3.6 */
    rig_open(&rig, RIG_COMPRESSES);
    ck_assert(rig_send_text(&rig, "Hello"));
    rig_assert_sent(&rig, BYTES("\xc1\x07\xf2\x48\xcd\xc9\xc9\x07\x00"));
    ck_assert(ws_endpoint_send_cut(rig.endpoint, WS_OPCODE_TEXT, bytes_of_text("Hello"), &cut));
    rig_assert_sent(&rig, BYTES("\x41\x03\xf2\x48\xcd\x80\x04\xc9\xc9\x07\x00"));
    ck_assert(rig_send_text(&rig, ""));
    rig_assert_sent(&rig, BYTES("\xc1\x01\x00"));
    rig_free(&rig);
}
END_TEST

/* A message of `len` bytes as `cut` has it, as a word: the length of each frame, '|' behind the last. */
static const struct {
    struct ws_cut cut;
    size_t len;
    const char *frames;
} CUTS[] = {
    {{0}, 0, "0|"},
    {{0}, 5, "5|"},
    {{.at = 2}, 5, "2 3|"},
    {{.at = 5}, 5, "5|"},
    {{.every = 2}, 5, "2 2 1|"},
    {{.every = 5}, 5, "5|"},
    {{.every = 1}, 3, "1 1 1|"},
    {{.every = 2, .at = 3}, 6, "2 1 2 1|"},
    {{.break_off_at = 3}, 5, "3|"},
    {{.every = 2, .break_off_at = 3}, 5, "2 1|"},
    {{.every = 2, .break_off_at = 4}, 6, "2 2|"},
};

static bool note_fragment(void *context, const struct ws_fragment *fragment)
{
    struct text *text = context;
    text_add_u64(text, fragment->payload_bytes);
    text_add(text, fragment->last ? "|" : " ");
    ck_assert_uint_eq(fragment->header_bytes, 2);
    return true;
}

START_TEST(messages_are_cut_as_asked)
{
    static struct rig rig;
    char word[64];
    struct text text = text_of(word, sizeof word);
    struct ws_cut cut = CUTS[_i].cut;
    cut.queued = note_fragment;
    cut.context = &text;
    rig_open(&rig, RIG_ACCEPTS);
    ck_assert(ws_endpoint_send_cut(rig.endpoint, WS_OPCODE_BINARY, bytes_of("abcdef", CUTS[_i].len), &cut));
    ck_assert_str_eq(word, CUTS[_i].frames);
    ck_assert(rig_send_text(&rig, "x") == (cut.break_off_at == 0)); /* nothing follows what was broken off */
    rig_free(&rig);
}
END_TEST

START_TEST(a_message_has_at_most_so_many_fragments)
{
    static struct rig rig;
    static uint8_t payload[WS_FRAGMENTS_MAX + 1];
    struct ws_cut cut = {.every = 1};
    rig_open(&rig, RIG_ACCEPTS);
    ck_assert(ws_endpoint_send_cut(rig.endpoint, WS_OPCODE_BINARY, bytes_of(payload, sizeof payload), &cut));
    ck_assert_uint_eq(ws_endpoint_unsent(rig.endpoint), sizeof payload + 2 * (size_t)WS_FRAGMENTS_MAX);
    rig_free(&rig);
}
END_TEST

static bool ping_between(void *context, const struct ws_fragment *fragment)
{
    struct rig *rig = context;
    if (fragment->last)
        return true;
    ck_assert(!rig_send_text(rig, "within another"));
    ck_assert(ws_endpoint_ping(rig->endpoint, bytes_of_text("!")));
    return true;
}

static bool close_between(void *context, const struct ws_fragment *fragment)
{
    struct rig *rig = context;
    if (!fragment->last)
        ck_assert(ws_endpoint_close(rig->endpoint, 1, WS_CLOSE_GOING_AWAY, bytes_of(NULL, 0)));
    return true;
}

static bool leave_off(void *context, const struct ws_fragment *fragment)
{
    (void)context;
    (void)fragment;
    return false;
}

START_TEST(a_message_can_be_left_off_and_gone_on_with)
{
    static struct rig rig;
    struct ws_cut cut = {.every = 2, .queued = leave_off};
    rig_open(&rig, RIG_ACCEPTS);
    for (size_t begun = 2; begun <= 4; begun += 2) {
        ck_assert(ws_endpoint_send_cut(rig.endpoint, WS_OPCODE_TEXT, bytes_of_text("abcde"), &cut));
        ck_assert_uint_eq(cut.begun_bytes, begun);
        ck_assert(!rig_send_text(&rig, "within another"));
        ck_assert(ws_endpoint_ping(rig.endpoint, bytes_of_text("!")));
    }
    ck_assert(ws_endpoint_send_cut(rig.endpoint, WS_OPCODE_TEXT, bytes_of_text("abcde"), &cut));
    ck_assert_uint_eq(cut.begun_frames, 0);
    rig_assert_sent(&rig, BYTES("\x01\x02"
                                "ab\x89\x01!\x00\x02"
                                "cd\x89\x01!\x80\x01"
                                "e"));
    ck_assert(rig_send_text(&rig, "x"));
    rig_free(&rig);
}
END_TEST

START_TEST(control_frames_may_go_between_fragments)
{
    static struct rig rig;
    struct ws_cut cut = {.every = 1, .queued = ping_between, .context = &rig};
    rig_open(&rig, RIG_ACCEPTS);
    ck_assert(ws_endpoint_send_cut(rig.endpoint, WS_OPCODE_TEXT, bytes_of_text("ab"), &cut));
    rig_assert_sent(&rig, BYTES("\x01\x01"
                                "a\x89\x01!\x80\x01"
                                "b"));
    cut.queued = close_between;
    ck_assert(ws_endpoint_send_cut(rig.endpoint, WS_OPCODE_TEXT, bytes_of_text("ab"), &cut));
    rig_assert_sent(&rig, BYTES("\x01\x01"
                                "a\x88\x02\x03\xe9"));
    rig_free(&rig);
}
END_TEST

/* ---- what it does not send ---- */

START_TEST(a_text_that_is_no_utf8_is_refused_wherever_it_is_cut)
{
    static struct rig rig;
    static const char GOOD[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z";
    static const char BAD[] = "a\xc3\xa9\xe2\x82(\xf0\x9f\x98\x80z";
    rig_open(&rig, RIG_ACCEPTS);
    for (size_t a = 0; a < sizeof GOOD; a++) {
        for (size_t b = a; b < sizeof GOOD; b++) {
            struct ws_part good[] = {{.bytes = bytes_of(GOOD, a)},
                                     {.bytes = bytes_of(GOOD + a, b - a)},
                                     {.bytes = bytes_of(GOOD + b, sizeof GOOD - 1 - b)}};
            struct ws_part bad[] = {{.bytes = bytes_of(BAD, a)},
                                    {.bytes = bytes_of(BAD + a, b - a)},
                                    {.bytes = bytes_of(BAD + b, sizeof BAD - 1 - b)}};
            if (b == sizeof GOOD)
                continue;
            ck_assert_msg(ws_endpoint_send(rig.endpoint, WS_OPCODE_TEXT, good, 3), "%zu %zu", a, b);
            ck_assert_msg(!ws_endpoint_send(rig.endpoint, WS_OPCODE_TEXT, bad, 3), "%zu %zu", a, b);
            ck_assert(ws_endpoint_send(rig.endpoint, WS_OPCODE_BINARY, bad, 3));
        }
        rig_drain(&rig, 1, SIZE_MAX);
        rig_forget(&rig);
    }
    ck_assert(!rig_send_text(&rig, "half\xe2\x82"));
    struct ws_cut whole = {.any_bytes = false}, any = {.any_bytes = true};
    ck_assert(!ws_endpoint_send_cut(rig.endpoint, WS_OPCODE_TEXT, bytes_of_text("\xff"), &whole));
    ck_assert_uint_eq(ws_endpoint_unsent(rig.endpoint), 0);
    ck_assert(ws_endpoint_send_cut(rig.endpoint, WS_OPCODE_TEXT, bytes_of_text("\xff"), &any));
    rig_assert_sent(&rig, BYTES("\x81\x01\xff"));
    rig_free(&rig);
}
END_TEST

START_TEST(nothing_is_queued_once_it_is_mute_and_what_comes_is_told)
{
    static struct rig rig;
    rig_open(&rig, RIG_ACCEPTS);
    ws_endpoint_mute(rig.endpoint);
    ck_assert(!rig_send_text(&rig, "x"));
    ck_assert(!ws_endpoint_ping(rig.endpoint, bytes_of(NULL, 0)));
    ck_assert(!ws_endpoint_close(rig.endpoint, 1, WS_CLOSE_NORMAL, bytes_of(NULL, 0)));
    rig_feed(&rig, 1, bytes_of(BYTES("\x89\x80" MASK "\x81\x81" MASK "y\x88\x82" MASK "\x02\xea")));
    ck_assert_str_eq(rig.lines, "ping 0 0 \ntext 0 1 x\nclose 1000 0 \n");
    ck_assert_uint_eq(ws_endpoint_unsent(rig.endpoint), 0);
    ck_assert_int_eq(ws_endpoint_state(rig.endpoint), WS_CLOSED);
    ck_assert(ws_endpoint_send_raw(rig.endpoint, bytes_of_text("x"))); /* it breaks rules anyway */
    rig_free(&rig);
}
END_TEST

START_TEST(limits_of_what_is_sent_hold_and_one_past_them_not)
{
    static struct rig rig;
    static uint8_t bytes[RIG_OUT_MAX + 1];
    rig_open(&rig, RIG_ACCEPTS);
    ck_assert(ws_endpoint_ping(rig.endpoint, bytes_of(bytes, WS_CONTROL_BYTES_MAX)));
    ck_assert(!ws_endpoint_ping(rig.endpoint, bytes_of(bytes, WS_CONTROL_BYTES_MAX + 1)));
    ck_assert(!ws_endpoint_pong(rig.endpoint, bytes_of(bytes, WS_CONTROL_BYTES_MAX + 1)));
    rig_drain(&rig, 1, SIZE_MAX);
    rig_forget(&rig);
    struct ws_part part = {.bytes = bytes_of(bytes, RIG_OUT_MAX - 10 + 1), .life = WS_PART_LASTING};
    ck_assert(!ws_endpoint_send(rig.endpoint, WS_OPCODE_BINARY, &part, 1));
    struct ws_cut cut = {.at = 1};
    ck_assert(!ws_endpoint_send_cut(rig.endpoint, WS_OPCODE_BINARY, part.bytes, &cut));
    ck_assert_uint_eq(ws_endpoint_unsent(rig.endpoint), 0);
    part.bytes.len--;
    ck_assert(ws_endpoint_send(rig.endpoint, WS_OPCODE_BINARY, &part, 1));
    ck_assert_uint_eq(ws_endpoint_unsent(rig.endpoint), RIG_OUT_MAX);
    ck_assert(!rig_send_text(&rig, ""));
    ck_assert(!ws_endpoint_ping(rig.endpoint, bytes_of(NULL, 0)));
    ck_assert(!ws_endpoint_send_raw(rig.endpoint, bytes_of(bytes, 1)));
    /* but a ping is answered, and the connection closed */
    rig_feed(&rig, 1, bytes_of(BYTES("\x89\x80" MASK)));
    ck_assert_str_eq(rig.lines, "ping 0 0 \nown pong 0 0 \n");
    ck_assert(ws_endpoint_close(rig.endpoint, 1, WS_CLOSE_NORMAL, bytes_of(NULL, 0)));
    ck_assert_uint_eq(ws_endpoint_unsent(rig.endpoint), RIG_OUT_MAX + 2 + 4);
    rig_free(&rig);
}
END_TEST

static const struct {
    uint16_t code;
    const char *reason;
    const char *frame; /* NULL: refused */
    size_t len;
} CLOSES[] = {
    {1000, "", BYTES("\x88\x02\x03\xe8")},
    {4999, "bye",
     BYTES("\x88\x05\x13\x87"
           "bye")},
    {WS_CLOSE_NO_CODE, "", BYTES("\x88\x00")},
    {WS_CLOSE_NO_CODE, "why", NULL, 0},
    {0, "", NULL, 0},
    {999, "", NULL, 0},
    {1004, "", NULL, 0},
    {1006, "", NULL, 0},
    {1015, "", NULL, 0},
    {5000, "", NULL, 0},
    {1000, "\xff", NULL, 0},
    {1000, HUNDRED TEN TEN "123", BYTES("\x88\x7d\x03\xe8" HUNDRED TEN TEN "123")},
    {1000, HUNDRED TEN TEN "1234", BYTES("\x88\x7d\x03\xe8" HUNDRED TEN TEN "123")},
    {1000, HUNDRED TEN TEN "12\xc3\xa9", BYTES("\x88\x7c\x03\xe8" HUNDRED TEN TEN "12")},
};

START_TEST(closing_sends_what_may_be_sent)
{
    static struct rig rig;
    rig_open(&rig, RIG_ACCEPTS);
    const bool good = CLOSES[_i].frame != NULL;
    ck_assert(ws_endpoint_close(rig.endpoint, 10, CLOSES[_i].code, bytes_of_text(CLOSES[_i].reason)) == good);
    ck_assert_int_eq(ws_endpoint_state(rig.endpoint), good ? WS_CLOSING : WS_OPEN);
    ck_assert_uint_eq(ws_endpoint_deadline_us(rig.endpoint), good ? 10 + RIG_WAIT_US : UINT64_MAX);
    rig_assert_sent(&rig, good ? CLOSES[_i].frame : "", CLOSES[_i].len);
    rig_free(&rig);
}
END_TEST

START_TEST(nothing_follows_a_close_frame_unless_a_rule_is_to_be_broken)
{
    static struct rig rig;
    rig_open(&rig, RIG_ACCEPTS);
    ck_assert(ws_endpoint_close(rig.endpoint, 1, WS_CLOSE_NORMAL, bytes_of(NULL, 0)));
    ck_assert(!rig_send_text(&rig, "x"));
    ck_assert(!ws_endpoint_ping(rig.endpoint, bytes_of(NULL, 0)));
    ck_assert(!ws_endpoint_pong(rig.endpoint, bytes_of(NULL, 0)));
    ck_assert(!ws_endpoint_close(rig.endpoint, 1, WS_CLOSE_NORMAL, bytes_of(NULL, 0)));
    ck_assert(!ws_endpoint_close_with(rig.endpoint, 1, bytes_of(NULL, 0)));
    rig_feed(&rig, 1, bytes_of(BYTES("\x89\x80" MASK "\x81\x81" MASK "y")));
    ck_assert_str_eq(rig.lines, "ping 0 0 \ntext 0 1 x\n"); /* taken in, and not answered */
    ck_assert(!ws_endpoint_is_over(rig.endpoint));
    rig_feed(&rig, 1, bytes_of(BYTES("\x88\x80" MASK)));
    ck_assert(!ws_endpoint_is_over(rig.endpoint)); /* ours is not out */
    ck_assert(ws_endpoint_send_raw(rig.endpoint, bytes_of_text("raw")));
    rig_assert_sent(&rig, BYTES("\x88\x02\x03\xe8raw"));
    ck_assert(ws_endpoint_is_over(rig.endpoint));
    rig_free(&rig);
}
END_TEST

START_TEST(rules_are_broken_as_asked)
{
    static struct rig rig;
    rig_open(&rig, RIG_ACCEPTS);
    struct ws_frame_bits bits = {.opcode = 0xb,
                                 .rsv = 7,
                                 .fin = false,
                                 .mask = WS_MASK_GOOD,
                                 .length = 300,
                                 .form = WS_LENGTH_FORM_16};
    ck_assert(ws_endpoint_send_frame(rig.endpoint, &bits, bytes_of_text("a")));
    rig_assert_sent(&rig, BYTES("\x7b\xfe\x01\x2c\x5a\xc3\x96\x0f\x3b"));
    bits.mask = WS_MASK_BAD;
    ck_assert(ws_endpoint_send_frame(rig.endpoint, &bits, bytes_of_text("a")));
    rig_assert_sent(&rig, BYTES("\x7b\xfe\x01\x2c\x5a\xc3\x96\x0f"
                                "a"));
    ck_assert(ws_endpoint_send_raw(rig.endpoint, bytes_of_text("HTTP")));
    rig_assert_sent(&rig, BYTES("HTTP"));
    ck_assert(ws_endpoint_close_with(rig.endpoint, 1, bytes_of_text("\x03")));
    rig_assert_sent(&rig, BYTES("\x88\x01\x03"));
    ck_assert_int_eq(ws_endpoint_state(rig.endpoint), WS_CLOSING);
    rig_free(&rig);
    rig_open(&rig, RIG_ACCEPTS);
    static uint8_t payload[WS_CLOSE_WITH_BYTES_MAX + 1];
    ck_assert(!ws_endpoint_close_with(rig.endpoint, 1, bytes_of(payload, sizeof payload)));
    ck_assert(ws_endpoint_close_with(rig.endpoint, 1, bytes_of(payload, sizeof payload - 1)));
    rig_free(&rig);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("ws_sending");
    tcase_add_test(tcase, frames_are_those_of_the_documents);
    tcase_add_loop_test(tcase, messages_are_cut_as_asked, 0, TABLE_COUNT(CUTS));
    tcase_add_test(tcase, a_message_has_at_most_so_many_fragments);
    tcase_add_test(tcase, a_message_can_be_left_off_and_gone_on_with);
    tcase_add_test(tcase, control_frames_may_go_between_fragments);
    tcase_add_test(tcase, a_text_that_is_no_utf8_is_refused_wherever_it_is_cut);
    tcase_add_test(tcase, nothing_is_queued_once_it_is_mute_and_what_comes_is_told);
    tcase_add_test(tcase, limits_of_what_is_sent_hold_and_one_past_them_not);
    tcase_add_loop_test(tcase, closing_sends_what_may_be_sent, 0, TABLE_COUNT(CLOSES));
    tcase_add_test(tcase, nothing_follows_a_close_frame_unless_a_rule_is_to_be_broken);
    tcase_add_test(tcase, rules_are_broken_as_asked);
    return suite_run("ws_sending", tcase);
}
