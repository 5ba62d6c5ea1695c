/* The sessions of a fuzzer, how they are made smaller, what a right reader makes of them, and the book of
 * findings. */
#include <check.h>
#include <stdlib.h>

#include "codec/ojin/frame.h"
#include "codec/rules/requirements.h"
#include "codec/tests/suite.h"
#include "conformance/fuzz/finding.h"
#include "conformance/fuzz/generate.h"
#include "conformance/fuzz/reading.h"
#include "conformance/fuzz/shrink.h"
#include "conformance/script/case_script.h"

enum { SESSIONS = 1000, TRIES_MAX = 5000 };

static struct fuzz_maker maker_of(const struct session_class *class, struct fuzz_seeds *seeds)
{
    return (struct fuzz_maker){
        .class = class, .seeds = seeds, .mutations = mutate_class_by_family(class->family->name)};
}

static struct fuzz_seeds *seeds_of(const struct session_class *class)
{
    struct fuzz_seeds *seeds = fuzz_seeds_new(class, class->family->profiles[0], NULL);
    ck_assert_msg(seeds != NULL, "%s: no seeds", class->family->name);
    return seeds;
}

static void text_of_session(const struct fuzz_maker *maker, uint64_t seed, uint64_t number,
                            struct buffer *out)
{
    struct fuzz_session session;
    buffer_clear(out);
    ck_assert(fuzz_generate(maker, seed, number, &session));
    ck_assert(fuzz_session_write(&session, NULL, "", out));
    fuzz_session_free(&session);
}

/* Whatever was made before it, a session is the same; another seed makes others. */
START_TEST(a_session_depends_on_seed_and_number)
{
    struct buffer first, again;
    buffer_init(&first, SCRIPT_BYTES_MAX);
    buffer_init(&again, SCRIPT_BYTES_MAX);
    for (size_t f = 0; SESSION_CLASSES[f] != NULL; f++) {
        struct fuzz_seeds *seeds = seeds_of(SESSION_CLASSES[f]);
        const struct fuzz_maker maker = maker_of(SESSION_CLASSES[f], seeds);
        size_t differing = 0;
        for (uint64_t n = 0; n < 40; n++) {
            text_of_session(&maker, 7, n, &first);
            text_of_session(&maker, 8, n, &again);
            differing += bytes_equal(buffer_bytes(&first), buffer_bytes(&again)) ? 0 : 1;
            text_of_session(&maker, 7, 39 - n, &again);
            text_of_session(&maker, 7, n, &again);
            ck_assert_msg(bytes_equal(buffer_bytes(&first), buffer_bytes(&again)), "session %d", (int)n);
        }
        ck_assert_uint_eq(differing, 40);
        fuzz_seeds_free(seeds);
    }
    buffer_free(&first);
    buffer_free(&again);
}
END_TEST

/* Each is a right case, in its language and its limits. */
START_TEST(every_session_is_a_case)
{
    char error[SCRIPT_ERROR_MAX];
    struct buffer text;
    buffer_init(&text, SCRIPT_BYTES_MAX);
    for (size_t f = 0; SESSION_CLASSES[f] != NULL; f++) {
        struct fuzz_seeds *seeds = seeds_of(SESSION_CLASSES[f]);
        const struct fuzz_maker maker = maker_of(SESSION_CLASSES[f], seeds);
        for (uint64_t n = 0; n < SESSIONS; n++) {
            text_of_session(&maker, 3, n, &text);
            struct case_script *script = case_script_parse(
                "x", buffer_bytes(&text), case_family_by_name(SESSION_CLASSES[f]->family->name), error);
            ck_assert_msg(script != NULL, "%s %d: %s", SESSION_CLASSES[f]->family->name, (int)n, error);
            case_script_free(script);
        }
        fuzz_seeds_free(seeds);
    }
    buffer_free(&text);
}
END_TEST

/* ---- shrinking ---- */

/* It fails where a binary message holds the byte 0xEE at all. */
static bool holds_a_byte(void *context, const struct fuzz_session *session)
{
    unsigned *asked = context;
    (*asked)++;
    for (size_t i = 0; i < session->step_count; i++)
        if (session->steps[i].kind == FUZZ_MESSAGE &&
            bytes_find_byte(bytes_of(session->steps[i].data, session->steps[i].len), 0xEE) <
                session->steps[i].len)
            return true;
    return false;
}

START_TEST(only_what_makes_it_fail_is_left)
{
    uint8_t data[300];
    unsigned asked = 0;
    struct fuzz_session session;
    memset(data, 7, sizeof data);
    data[211] = 0xEE;
    fuzz_session_init(&session, SESSION_CLASSES[0]);
    session.plan = FUZZ_PLAN_SPEAK;
    session.opening = 2;
    for (int i = 0; i < 10; i++)
        ck_assert_ptr_nonnull(
            fuzz_session_add(&session, FUZZ_MESSAGE, bytes_of(data, i == 6 ? sizeof data : 200)));
    session.steps[6].bits.opcode = WS_OPCODE_BINARY;
    session.steps[6].fragment_every = 3;
    session.steps[6].times = 9;
    const unsigned tries = fuzz_shrink(&session, holds_a_byte, &asked, TRIES_MAX);
    ck_assert_uint_eq(tries, asked);
    ck_assert_uint_lt(tries, 200);
    ck_assert_uint_eq(session.step_count, 1);
    ck_assert_uint_eq(session.steps[0].len, 1);
    ck_assert_uint_eq(session.steps[0].data[0], 0xEE);
    ck_assert_uint_eq(session.steps[0].times, 1);
    ck_assert_uint_eq(session.steps[0].fragment_every, 0);
    ck_assert_uint_eq(session.plan, FUZZ_PLAN_LISTEN);
    ck_assert_uint_eq(session.opening, 0);
    fuzz_session_free(&session);
}
END_TEST

/* As often as there are tries, and never more; then what is there stands. */
START_TEST(it_stops_when_it_may_not_try_again)
{
    uint8_t data[300];
    unsigned asked = 0;
    struct fuzz_session session;
    memset(data, 0xEE, sizeof data);
    fuzz_session_init(&session, SESSION_CLASSES[0]);
    ck_assert_ptr_nonnull(fuzz_session_add(&session, FUZZ_MESSAGE, bytes_of(data, sizeof data)));
    ck_assert_uint_eq(fuzz_shrink(&session, holds_a_byte, &asked, 3), 3);
    ck_assert_uint_eq(asked, 3);
    ck_assert(holds_a_byte(&asked, &session));
    fuzz_session_free(&session);
}
END_TEST

/* It fails as long as a thousand bytes leave in all. */
static bool sends_much(void *context, const struct fuzz_session *session)
{
    unsigned *asked = context;
    size_t sent = 0;
    (*asked)++;
    for (size_t i = 0; i < session->step_count; i++)
        sent += session->steps[i].len * session->steps[i].payload_times * session->steps[i].times;
    return sent >= 1000;
}

/* Down to less than four times what is needed, in few tries. */
START_TEST(what_takes_long_is_halved_and_no_more)
{
    uint8_t data[100];
    unsigned asked = 0;
    struct fuzz_session session;
    memset(data, 7, sizeof data);
    fuzz_session_init(&session, SESSION_CLASSES[0]);
    for (int i = 0; i < 5; i++)
        ck_assert_ptr_nonnull(fuzz_session_add(&session, FUZZ_FRAME, bytes_of(data, sizeof data)));
    session.steps[3].times = 70000;
    ck_assert_uint_eq(fuzz_shrink_coarse(&session, sends_much, &asked, TRIES_MAX), asked);
    ck_assert_uint_lt(asked, 40);
    ck_assert_uint_eq(session.step_count, 1);
    ck_assert(sends_much(&asked, &session));
    ck_assert_uint_eq(fuzz_session_bytes(&session), 1);
    ck_assert_uint_eq(session.steps[0].payload_times, sizeof data);
    ck_assert_uint_lt(session.steps[0].payload_times * session.steps[0].times, 4000);
    fuzz_session_free(&session);
}
END_TEST

/* It fails where much is sent in frames of some size. */
static bool sends_large(void *context, const struct fuzz_session *session)
{
    (*(unsigned *)context)++;
    for (size_t i = 0; i < session->step_count; i++) {
        const size_t size = session->steps[i].len * session->steps[i].payload_times;
        if (size >= 90 && size * session->steps[i].times > 100000)
            return true;
    }
    return false;
}

START_TEST(a_frame_that_only_has_a_size_becomes_a_byte)
{
    uint8_t data[100];
    char text[2000];
    unsigned asked = 0;
    struct fuzz_session session;
    struct buffer out;
    memset(data, 7, sizeof data);
    fuzz_session_init(&session, SESSION_CLASSES[0]);
    struct fuzz_step *step = fuzz_session_add(&session, FUZZ_FRAME, bytes_of(data, sizeof data));
    step->bits.opcode = WS_OPCODE_BINARY;
    step->times = 1500;
    (void)fuzz_shrink_coarse(&session, sends_large, &asked, TRIES_MAX);
    ck_assert_uint_eq(session.step_count, 1);
    ck_assert_uint_eq(fuzz_session_bytes(&session), 1);
    buffer_init(&out, sizeof text - 1);
    ck_assert(fuzz_session_write(&session, NULL, "", &out));
    memcpy(text, out.data, out.len);
    text[out.len] = '\0';
    ck_assert_msg(strstr(text, "  repeat 1500 {\n    raw opcode=binary times=100 hex=\"00\"\n") != NULL, "%s",
                  text);
    buffer_free(&out);
    fuzz_session_free(&session);
}
END_TEST

enum { WHOLE_BYTES = 4055, HEADER_BYTES = 42 };

/* It fails where much comes in messages with that header. */
static bool sends_right_ones(void *context, const struct fuzz_session *session)
{
    uint8_t header[HEADER_BYTES];
    (*(unsigned *)context)++;
    memset(header, 7, sizeof header);
    for (size_t i = 0; i < session->step_count; i++) {
        const struct fuzz_step *step = &session->steps[i];
        const size_t size = step->len + step->tail_times - 1;
        if (step->kind == FUZZ_FRAME && step->len >= HEADER_BYTES && size == WHOLE_BYTES &&
            step->times > 1000 && memcmp(step->data, header, sizeof header) == 0)
            return true;
    }
    return false;
}

/* Many bytes are few in the script: the header, then one byte and how often. */
START_TEST(of_a_large_message_the_header_is_left)
{
    uint8_t data[WHOLE_BYTES];
    char text[2000];
    unsigned asked = 0;
    struct fuzz_session session;
    struct buffer out;
    memset(data, 7, sizeof data);
    fuzz_session_init(&session, SESSION_CLASSES[0]);
    for (int i = 0; i < 4; i++)
        ck_assert_ptr_nonnull(fuzz_session_add(&session, FUZZ_MESSAGE, bytes_of(data, 100)));
    struct fuzz_step *step = fuzz_session_add(&session, FUZZ_FRAME, bytes_of(data, sizeof data));
    step->bits.opcode = WS_OPCODE_BINARY;
    step->times = 1500;
    (void)fuzz_shrink_coarse(&session, sends_right_ones, &asked, TRIES_MAX);
    ck_assert_uint_lt(asked, 40);
    ck_assert_uint_eq(session.step_count, 1);
    ck_assert_uint_eq(fuzz_session_bytes(&session), HEADER_BYTES + 1);
    ck_assert_uint_eq(session.steps[0].tail_times, WHOLE_BYTES - HEADER_BYTES);
    buffer_init(&out, sizeof text - 1);
    ck_assert(fuzz_session_write(&session, NULL, "", &out));
    memcpy(text, out.data, out.len);
    text[out.len] = '\0';
    ck_assert_ptr_nonnull(strstr(text, "\nlimit 6s\n")); /* 4055 bytes 1500 times */
    ck_assert_ptr_nonnull(strstr(text, "  repeat 1500 {\n    raw opcode=binary fin=no hex=\"0707"));
    ck_assert_msg(strstr(text, "07\"\n    raw opcode=continuation times=4013 hex=\"00\"\n  }\n") != NULL,
                  "%s", text);
    buffer_free(&out);
    fuzz_session_free(&session);
}
END_TEST

/* It fails where a right frame has sound of no length. */
static bool has_no_sound(void *context, const struct fuzz_session *session)
{
    struct ojin_frame frame;
    (*(unsigned *)context)++;
    for (size_t i = 0; i < session->step_count; i++)
        if (ojin_frame_decode(bytes_of(session->steps[i].data, session->steps[i].len), &frame).status ==
                WIRE_OK &&
            frame.has_audio && frame.audio.len == 0)
            return true;
    return false;
}

/* A byte less alone would make the frame wrong: sizes and counts go down with what they count. */
START_TEST(a_frame_gets_smaller_by_its_entries)
{
    uint8_t data[4000];
    const uint8_t media[1200] = {1, 2, 3};
    unsigned asked = 0;
    struct fuzz_session session;
    struct writer writer = writer_of(data, sizeof data);
    ojin_frame_write_header(&writer, &(struct ojin_frame){.index = 1, .payload_count = 4});
    ojin_frame_write_entry(&writer, OJIN_PAYLOAD_IMAGE, bytes_of(media, sizeof media));
    ojin_frame_write_entry(&writer, 77, bytes_of(media, 700));
    ojin_frame_write_entry(&writer, OJIN_PAYLOAD_AUDIO, bytes_of(media, 0));
    ojin_frame_write_entry(&writer, OJIN_PAYLOAD_IMAGE, bytes_of(media, 13));
    fuzz_session_init(&session, session_class_by_family("ojin"));
    struct fuzz_step *step = fuzz_session_add(&session, FUZZ_MESSAGE, bytes_of(data, writer.len));
    ck_assert_ptr_nonnull(step);
    step->bits.opcode = WS_OPCODE_BINARY;
    ck_assert_uint_lt(fuzz_shrink(&session, has_no_sound, &asked, TRIES_MAX), 400);
    ck_assert_uint_eq(session.step_count, 1);
    ck_assert_uint_eq(session.steps[0].len, OJIN_FRAME_HEADER_BYTES + OJIN_ENTRY_HEADER_BYTES);
    fuzz_session_free(&session);
}
END_TEST

/* ---- the right reader ---- */

static void read_good(const struct session_class *class, struct fuzz_reading *right)
{
    struct fuzz_seeds *seeds = seeds_of(class);
    const struct fuzz_maker maker = maker_of(class, seeds);
    struct fuzz_session session;
    ck_assert(fuzz_generate_good(&maker, &session));
    ck_assert(fuzz_reading_make(&session, class->family->profiles[0], true, right));
    fuzz_session_free(&session);
    fuzz_seeds_free(seeds);
}

/* What a right client reports is right; one report less, more or other is not. */
START_TEST(a_report_that_differs_is_found)
{
    struct fuzz_reading *right = calloc(1, sizeof *right);
    size_t closed = 0;
    char place[FUZZ_DIFFERENCE_MAX], how[FUZZ_DIFFERENCE_MAX];
    for (size_t f = 0; SESSION_CLASSES[f] != NULL; f++) {
        struct observation seen[FUZZ_READ_MAX];
        read_good(SESSION_CLASSES[f], right);
        ck_assert_uint_gt(right->count, 0);
        ck_assert_uint_eq(right->due, right->count);
        memcpy(seen, right->of, sizeof seen);
        const unsigned kinds = fuzz_reading_kinds();
        const size_t last = right->count - 1;
        ck_assert(fuzz_reading_same(right, seen, right->count, kinds, place, how));
        ck_assert(!fuzz_reading_same(right, seen, last, kinds, place, how));
        ck_assert(fuzz_reading_same(right, seen, 0, 0, place, how)); /* it reports nothing at all */
        seen[last + 1] = seen[last];
        /* After session.closed nothing of it is looked at. */
        ck_assert(right->closed != fuzz_reading_same(right, seen, right->count + 1, kinds, place, how));
        closed += right->closed ? 1 : 0;
        seen[last].has_audio = right->of[last].has_audio = true;
        seen[last].audio_crc = right->of[last].audio_crc + 1;
        ck_assert(!fuzz_reading_same(right, seen, right->count, kinds, place, how));
        ck_assert_ptr_nonnull(strstr(place, "sound"));
    }
    ck_assert_uint_gt(closed, 0);
    free(right);
}
END_TEST

/* Whatever a client reports of a frame is compared, and told by its name; what it leaves out is not. */
START_TEST(each_member_that_is_reported_is_compared)
{
    struct fuzz_reading *right = calloc(1, sizeof *right);
    char place[FUZZ_DIFFERENCE_MAX], how[FUZZ_DIFFERENCE_MAX];
    struct observation seen[FUZZ_READ_MAX];
    const unsigned kinds = fuzz_reading_kinds();
    for (unsigned i = 0; i < 8; i++) {
        static const char *const PLACES[] = {"frame: index",   "frame: final", "frame: timestamp",
                                             "frame: picture", "frame: sound", "frame: interaction"};
        read_good(session_class_by_family("ojin"), right);
        memcpy(seen, right->of, sizeof seen);
        struct observation *last = &seen[right->count - 1];
        ck_assert(last->is_final && last->timestamp[0] != '\0' && last->has_interaction);
        last->index += i == 0 ? 1 : 0;
        last->is_final = i != 1;
        last->timestamp[0] ^= i == 2 ? 1 : 0;
        last->has_image = last->has_audio = true;
        last->image_crc = right->of[right->count - 1].image_crc + (i == 3 ? 1 : 0);
        last->audio_crc = right->of[right->count - 1].audio_crc + (i == 4 ? 1 : 0);
        last->interaction[15] ^= i == 5 ? 1 : 0;
        if (i == 6) {
            last->has_image = last->has_audio = last->has_interaction = false;
            last->timestamp[0] = '\0';
        }
        const bool same = fuzz_reading_same(right, seen, right->count, kinds, place, how);
        ck_assert_msg(same == (i > 5), "%u: %s", i, same ? "is the same" : place);
        if (!same)
            ck_assert_str_eq(place, PLACES[i]);
    }
    free(right);
}
END_TEST

/* Neither 0 nor 1: true for one client, false for another. */
START_TEST(an_odd_final_is_read_either_way)
{
    struct fuzz_seeds *seeds = seeds_of(session_class_by_family("ojin"));
    const struct fuzz_maker maker = maker_of(session_class_by_family("ojin"), seeds);
    struct fuzz_reading *right = calloc(1, sizeof *right);
    char place[FUZZ_DIFFERENCE_MAX], how[FUZZ_DIFFERENCE_MAX];
    struct fuzz_session session;
    for (uint8_t final = 0; final < 4; final++) {
        ck_assert(fuzz_generate_good(&maker, &session));
        struct fuzz_step *step = &session.steps[1];
        ck_assert_uint_eq(step->bits.opcode, WS_OPCODE_BINARY);
        step->data[0] = final;
        step->changed = true;
        ck_assert(fuzz_reading_make(&session, session.class->family->profiles[0], true, right));
        struct observation seen[FUZZ_READ_MAX];
        memcpy(seen, right->of, sizeof seen);
        ck_assert_int_eq(seen[0].is_final, final == 1);
        seen[0].is_final = !seen[0].is_final;
        ck_assert_int_eq(fuzz_reading_same(right, seen, right->count, fuzz_reading_kinds(), place, how),
                         final > 1);
        fuzz_session_free(&session);
    }
    free(right);
    fuzz_seeds_free(seeds);
}
END_TEST

/* ---- findings ---- */

/* The requirement is that of what differs; how it is split only where the smallest still is. */
START_TEST(a_finding_is_of_the_requirement_that_it_is_about)
{
    static const struct {
        const char *family;
        enum fuzz_kind kind;
        const char *place;
        uint32_t slices, times;
        const char *clause;
    } ROWS[] = {
        {"ojin", FUZZ_MISREAD, "frame: index", 0, 1, "OJ-OUT-07"},
        {"ojin", FUZZ_MISREAD, "frame: timestamp", 0, 1, "OJ-OUT-07"},
        {"ojin", FUZZ_MISREAD, "frame: final", 0, 1, "OJ-OUT-16"},
        {"ojin", FUZZ_MISREAD, "frame: interaction", 0, 1, "OJ-OUT-17"},
        {"ojin", FUZZ_MISREAD, "frame: sound", 0, 1, "OJ-OUT-01"},
        {"ojin", FUZZ_MISREAD, "frame: too many", 0, 1, "OJ-OUT-08"},
        {"ojin", FUZZ_MISREAD, "frame: missing", 0, 1, "OJ-OUT-14"},
        {"ojin", FUZZ_MISREAD, "frame: missing", 3, 1, "OJ-OUT-12"},
        {"duplex", FUZZ_MISREAD, "delta: missing", 3, 1, "DX-OUT-01"},
        {"duplex", FUZZ_MISREAD, "delta: final", 0, 1, "DX-OUT-03"},
        {"duplex", FUZZ_MISREAD, "queue: position", 0, 1, "DX-CON-05"},
        {"interview", FUZZ_MISREAD, "transcript: text", 0, 1, "IV-OUT-03"},
        {"interview", FUZZ_MISREAD, "result: code", 0, 1, "IV-OUT-04"},
        {"interview", FUZZ_MISREAD, "status: missing", 0, 1, "IV-OUT-05"},
        {"ojin", FUZZ_MEMORY, "", 0, 1, "OJ-OUT-10"},
        {"ojin", FUZZ_MEMORY, "", 0, 70000, "OJ-BUF-02"},
        {"ojin", FUZZ_CRASH, "killed by SIGSEGV", 0, 1, NULL},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct fuzz_session session;
        struct fuzz_outcome outcome = {.kind = ROWS[i].kind};
        struct text place = text_of(outcome.place, sizeof outcome.place);
        text_add(&place, ROWS[i].place);
        fuzz_session_init(&session, session_class_by_family(ROWS[i].family));
        struct fuzz_step *step = fuzz_session_add(&session, FUZZ_FRAME, bytes_of_text("x"));
        step->slice_every = ROWS[i].slices;
        step->times = ROWS[i].times;
        const char *clause = fuzz_outcome_clause(&outcome, &session);
        if (ROWS[i].clause == NULL) {
            ck_assert_ptr_null(clause);
        } else {
            ck_assert_str_eq(clause, ROWS[i].clause);
            ck_assert_ptr_nonnull(requirement_by_id(clause));
        }
        fuzz_session_free(&session);
    }
}
END_TEST

START_TEST(what_is_of_one_kind_and_place_is_one_finding)
{
    struct fuzz_book *book = calloc(1, sizeof *book);
    struct fuzz_outcome crash = {.kind = FUZZ_CRASH, .place = "KeyError at x.py:1"}, other = crash;
    memcpy(other.place, "KeyError at x.py:2", 19);
    ck_assert_ptr_null(fuzz_book_count(book, &crash));
    ck_assert_ptr_nonnull(fuzz_book_add(book, &crash));
    ck_assert_ptr_nonnull(fuzz_book_count(book, &crash));
    ck_assert_ptr_null(fuzz_book_count(book, &other));
    ck_assert_uint_eq(book->count, 1);
    ck_assert_uint_eq(book->of[0].times, 2);
    ck_assert_uint_eq(book->of_kind[FUZZ_CRASH], 2); /* the other is none as yet */
    ck_assert_ptr_null(fuzz_book_add(book, &crash)); /* found by two at once */
    ck_assert_uint_eq(book->of[0].times, 3);
    ck_assert_uint_eq(book->of_kind[FUZZ_CRASH], 3);
    ck_assert_uint_eq(book->not_kept, 0);
    for (int i = 1; i < FUZZ_FINDINGS_MAX; i++) {
        other.place[0] = (char)('A' + i % 26);
        other.place[1] = (char)('A' + i / 26);
        ck_assert_ptr_nonnull(fuzz_book_add(book, &other));
    }
    other.place[0] = '?';
    ck_assert_ptr_null(fuzz_book_add(book, &other));
    ck_assert_uint_eq(book->not_kept, 1);
    free(book);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("fuzz");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_session_depends_on_seed_and_number);
    tcase_add_test(tcase, every_session_is_a_case);
    tcase_add_test(tcase, only_what_makes_it_fail_is_left);
    tcase_add_test(tcase, what_takes_long_is_halved_and_no_more);
    tcase_add_test(tcase, a_frame_that_only_has_a_size_becomes_a_byte);
    tcase_add_test(tcase, of_a_large_message_the_header_is_left);
    tcase_add_test(tcase, a_frame_gets_smaller_by_its_entries);
    tcase_add_test(tcase, it_stops_when_it_may_not_try_again);
    tcase_add_test(tcase, a_report_that_differs_is_found);
    tcase_add_test(tcase, each_member_that_is_reported_is_compared);
    tcase_add_test(tcase, an_odd_final_is_read_either_way);
    tcase_add_test(tcase, a_finding_is_of_the_requirement_that_it_is_about);
    tcase_add_test(tcase, what_is_of_one_kind_and_place_is_one_finding);
    return suite_run("fuzz", tcase);
}
