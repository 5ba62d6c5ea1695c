/* Messages changed on purpose: the same from the same seed, within bounds, and where a parser reads. */
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"

#include "codec/interview/messages.h"
#include "codec/mutate/mutate.h"
#include "codec/ojin/frame.h"
#include "codec/ojin/input.h"
#include "codec/ojin/messages.h"
#include "codec/wire/crc32.h"
#include "codec/wire/json.h"

enum { ROOM = 4096, AUDIO_BYTES = 128, IMAGE_BYTES = 300, DRAWS = 20000, KINDS_MAX = 64 };

static const char PARAMS[] = "{\"speech_filter_amount\":5,\"client_frame_index\":7}";

static size_t make_frame(uint8_t *out, size_t capacity)
{
    uint8_t data[IMAGE_BYTES];
    const struct ojin_frame frame = {
        .timestamp_ms = 1700000000123, .usage = 40, .index = 1, .payload_count = 2, .interaction = {7, 8, 9}};
    struct writer writer = writer_of(out, capacity);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7);
    ojin_frame_write_header(&writer, &frame);
    ojin_frame_write_entry(&writer, OJIN_PAYLOAD_AUDIO, bytes_of(data, AUDIO_BYTES));
    ojin_frame_write_entry(&writer, OJIN_PAYLOAD_IMAGE, bytes_of(data, IMAGE_BYTES));
    return writer.len;
}

static size_t make_input(uint8_t *out, size_t capacity)
{
    static const uint8_t SOUND[AUDIO_BYTES] = {1, 2, 3};
    const struct ojin_input input = {.payload_type = 1,
                                     .timestamp_ms = 1700000000123,
                                     .params = bytes_of_text(PARAMS),
                                     .audio = bytes_of(SOUND, sizeof SOUND)};
    struct writer writer = writer_of(out, capacity);
    ojin_input_write(&writer, &input);
    return writer.len;
}

static size_t make_text(uint8_t *out, const char *text)
{
    memcpy(out, text, strlen(text));
    return strlen(text);
}

/* Messages of each form of each family, and what all mutants of DRAWS seeds come to. */
static const struct {
    const char *name, *family, *form;
    const char *text; /* NULL: a binary message */
    uint32_t crc;     /* of all mutants, one after another */
    size_t kinds;     /* of changes that came up */
} FORMS[] = {
    {"frame", "ojin", "frame", NULL, 0x78dd39d4, 15},
    {"input", "ojin", "input", NULL, 0x7bda06ad, 10},
    {"sessionReady", "ojin", "text",
     "{\"type\":\"sessionReady\",\"payload\":{\"trace_id\":\"123e4567-e89b-12d3-a456-426614174000\","
     "\"status\":\"success\",\"load\":0.25,\"timestamp\":1700000000123,\"parameters\":null}}",
     0xd81fa9b8, 19},
    {"append", "duplex", "text",
     "{\"type\":\"input_audio_buffer.append\",\"audio\":\"AAAAAAAAgD8AAABAAABAQAAAgEA=\",\"video_frames\":["
     "\"/9j/"
     "2wBDAAMC\"],\"force_listen\":false,\"max_slice_nums\":1}",
     0x2e2d5b73, 19},
    {"transcript", "interview", "text",
     "{\"type\":\"transcript\",\"speaker\":\"ai\",\"text\":\"Tell me about yourself, "
     "please.\",\"timestamp\":1700000000}",
     0xa324dc0d, 19},
};

static const struct mutate_form *form_of(int row)
{
    const struct mutate_class *mutate_class = mutate_class_by_family(FORMS[row].family);
    ck_assert_ptr_nonnull(mutate_class);
    const struct mutate_form *form = mutate_form_by_name(mutate_class, FORMS[row].form);
    ck_assert_ptr_nonnull(form);
    return form;
}

static size_t make(int row, uint8_t *out, size_t capacity)
{
    if (FORMS[row].text != NULL)
        return make_text(out, FORMS[row].text);
    return strcmp(FORMS[row].form, "frame") == 0 ? make_frame(out, capacity) : make_input(out, capacity);
}

static size_t mutant(int row, uint64_t seed, uint8_t out[ROOM], struct mutation *mutation)
{
    struct seeded seeded = {.state = seed};
    uint8_t other[ROOM];
    const size_t others = make(row, other, sizeof other);
    return mutate_message(form_of(row), &seeded, bytes_of(other, others), out, make(row, out, ROOM), ROOM,
                          mutation);
}

START_TEST(the_same_seed_makes_the_same_bytes)
{
    uint32_t crc = 0;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        uint8_t a[ROOM];
        struct mutation mutation;
        const size_t len = mutant(_i, seed, a, &mutation);
        crc = crc32_of(bytes_of(a, len)) ^ (crc << 1 | crc >> 31);
    }
    ck_assert_msg(crc == FORMS[_i].crc, "%s: 0x%08x", FORMS[_i].name, crc);
}
END_TEST

START_TEST(every_mutant_differs_and_tells_how)
{
    const char *kinds[KINDS_MAX];
    size_t count = 0;
    uint8_t plain[ROOM], out[ROOM];
    const size_t len = make(_i, plain, sizeof plain);
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        struct mutation mutation;
        const size_t now = mutant(_i, seed, out, &mutation);
        ck_assert(!bytes_equal(bytes_of(plain, len), bytes_of(out, now)));
        ck_assert_ptr_nonnull(mutation.what);
        ck_assert_uint_le(mutation.offset, len);
        ck_assert_msg(mutation.offset <= now && memcmp(plain, out, mutation.offset) == 0,
                      "%s: %s changed what is before %zu", FORMS[_i].name, mutation.what, mutation.offset);
        size_t at = 0;
        while (at < count && kinds[at] != mutation.what)
            at++;
        if (at == count)
            kinds[count++] = mutation.what;
    }
    ck_assert_uint_eq(count, FORMS[_i].kinds);
}
END_TEST

/* Every prefix as what is changed, in a block of just the room that there is. */
START_TEST(bounds_hold_for_what_is_cut_off)
{
    uint8_t plain[ROOM];
    const size_t len = make(_i, plain, sizeof plain);
    for (size_t cut = 0; cut <= len; cut++)
        for (uint64_t seed = 0; seed < 40; seed++) {
            const size_t room = cut + (size_t)seed % 5;
            struct exact_copy copy = exact_copy_of(bytes_of(plain, room));
            struct seeded seeded = {.state = seed * 1000003 + cut};
            struct mutation mutation;
            const size_t now = mutate_message(form_of(_i), &seeded, bytes_of(plain, seed % 3 == 0 ? len : 0),
                                              copy.owned, cut, room, &mutation);
            ck_assert_uint_le(now, room);
            const bool same = bytes_equal(bytes_of(plain, cut), bytes_of(copy.owned, now));
            ck_assert_msg(same == (mutation.what == NULL), "%s cut to %zu, seed %u", FORMS[_i].name, cut,
                          (unsigned)seed);
            ck_assert(!same || room == 0);
            exact_copy_free(copy);
        }
}
END_TEST

/* --- how many touch what a parser reads, as our own parsers tell --- */

static bool frame_reads_differ(struct bytes message, const struct ojin_frame *plain)
{
    struct ojin_frame frame;
    if (ojin_frame_decode(message, &frame).status != WIRE_OK)
        return true;
    return frame.is_final != plain->is_final ||
           memcmp(frame.interaction, plain->interaction, UUID_BYTES) != 0 ||
           frame.timestamp_ms != plain->timestamp_ms || frame.usage != plain->usage ||
           frame.index != plain->index || frame.payload_count != plain->payload_count ||
           frame.has_audio != plain->has_audio || frame.has_image != plain->has_image ||
           frame.audio.len != plain->audio.len || frame.image.len != plain->image.len ||
           frame.trailing.len != plain->trailing.len;
}

START_TEST(most_frames_differ_in_what_is_read)
{
    uint8_t plain[ROOM], out[ROOM];
    struct ojin_frame frame;
    unsigned differ = 0, refused = 0, media = 0;
    const size_t len = make_frame(plain, sizeof plain);
    ck_assert(ojin_frame_decode(bytes_of(plain, len), &frame).status == WIRE_OK);
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        struct mutation mutation;
        struct ojin_frame other;
        const size_t now = mutant(0, seed, out, &mutation);
        differ += frame_reads_differ(bytes_of(out, now), &frame);
        refused += ojin_frame_decode(bytes_of(out, now), &other).status != WIRE_OK;
        media += mutation.is_media;
    }
    /* A change of 37 and ten bytes of some 470 at random would touch them in one of ten. */
    ck_assert_uint_ge(differ, DRAWS / 10 * 9);
    ck_assert_uint_ge(refused, DRAWS / 10 * 3);
    ck_assert_uint_le(refused, DRAWS / 10 * 7);
    ck_assert(media > 0 && media < DRAWS / 20);
}
END_TEST

START_TEST(texts_are_broken_and_whole)
{
    uint8_t out[ROOM];
    unsigned broken = 0, faulty = 0, media = 0, known[OJIN_MESSAGE_PLAIN_TEXT + 1] = {0};
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        struct mutation mutation;
        struct ojin_message message;
        const size_t now = mutant(2, seed, out, &mutation);
        ojin_message_read(bytes_of(out, now), &message);
        broken += json_check(bytes_of(out, now)).status == WIRE_NOT_JSON;
        faulty += message.error.status != WIRE_OK;
        media += mutation.is_media;
        known[message.type]++;
    }
    ck_assert_uint_ge(broken, DRAWS / 10);
    ck_assert_uint_le(broken, DRAWS / 2);
    ck_assert_uint_ge(faulty, DRAWS / 2);
    ck_assert_uint_lt(media, DRAWS / 20);
    for (int type = 0; type <= OJIN_MESSAGE_PLAIN_TEXT; type++)
        ck_assert_msg(known[type] > 0, "no mutant is read as %s",
                      ojin_message_type_name((enum ojin_message_type)type));
}
END_TEST

START_TEST(a_form_is_found_by_what_a_message_is)
{
    const struct mutate_class *ojin = mutate_class_by_family("ojin");
    ck_assert_str_eq(mutate_form_of(ojin, true, false)->name, "frame");
    ck_assert_str_eq(mutate_form_of(ojin, true, true)->name, "input");
    ck_assert_str_eq(mutate_form_of(ojin, false, true)->name, "text");
    ck_assert_ptr_null(mutate_form_of(mutate_class_by_family("duplex"), true, true));
    ck_assert_ptr_null(mutate_form_by_name(ojin, "no such form"));
    ck_assert_ptr_null(mutate_class_by_family("no such family"));
}
END_TEST

/* --- smaller --- */

enum { WAYS_OF_MANY = 126 };

/* Without an entry, then with its data shorter by all, by half, by a quarter, … */
START_TEST(a_smaller_frame_is_as_right_as_it_was)
{
    enum { WAYS = 34 };
    const struct mutate_form *form = mutate_form_by_name(mutate_class_by_family("ojin"), "frame");
    uint8_t data[ROOM];
    for (size_t n = 0; n < WAYS; n++) {
        struct ojin_frame frame;
        const bool first = n < WAYS / 2;
        const size_t way = n % (WAYS / 2), whole = first ? AUDIO_BYTES : IMAGE_BYTES;
        const size_t there = way == 0 ? 0 : whole - (whole >> (way - 1));
        const size_t len = form->smaller(WAYS_OF_MANY + n, data, make_frame(data, sizeof data));
        ck_assert(ojin_frame_decode(bytes_of(data, len), &frame).status == WIRE_OK);
        ck_assert_uint_eq(frame.payload_count, way == 0 ? 1 : 2);
        ck_assert(way > 0 || (first ? !frame.has_audio : !frame.has_image));
        ck_assert_uint_eq(frame.audio.len, first ? there : AUDIO_BYTES);
        ck_assert_uint_eq(frame.image.len, first ? IMAGE_BYTES : there);
        ck_assert_uint_eq(frame.trailing.len, 0);
    }
    ck_assert(form->smaller(WAYS_OF_MANY + WAYS, data, make_frame(data, sizeof data)) == MUTATE_NO_MORE);
}
END_TEST

static size_t make_entries(uint8_t *data, size_t room, uint32_t count)
{
    const uint8_t number[1] = {9};
    struct writer writer = writer_of(data, room);
    ojin_frame_write_header(&writer, &(struct ojin_frame){.index = 1, .payload_count = count});
    for (uint32_t i = 0; i < count; i++)
        ojin_frame_write_entry(&writer, (uint8_t)i, bytes_of(number, i % 2));
    return writer.len;
}

/* Half of a hundred entries, the other half, a quarter, …: a part of more than one. */
START_TEST(many_entries_are_left_out_at_once)
{
    const struct mutate_form *form = mutate_form_by_name(mutate_class_by_family("ojin"), "frame");
    uint8_t data[ROOM];
    size_t n = 0;
    for (uint32_t parts = 2; parts <= 64; parts *= 2) {
        for (uint32_t part = 0; part < parts; part++, n++) {
            struct ojin_frame frame;
            const uint32_t gone = 100 / parts > 1 ? 100 / parts : 0;
            const size_t len = form->smaller(n, data, make_entries(data, sizeof data, 100));
            ck_assert(ojin_frame_decode(bytes_of(data, len), &frame).status == WIRE_OK);
            ck_assert_uint_eq(frame.payload_count, 100 - gone);
            ck_assert_uint_eq(frame.trailing.len, 0);
            if (gone > 0 && part == 0) /* the first that is left */
                ck_assert_uint_eq(data[OJIN_FRAME_HEADER_BYTES + 4], gone);
        }
    }
    ck_assert_uint_eq(n, WAYS_OF_MANY);
}
END_TEST

/* Of every prefix, in a block of its size. */
START_TEST(what_is_cut_off_gets_smaller_too)
{
    const struct mutate_form *form = mutate_form_by_name(mutate_class_by_family("ojin"), "frame");
    uint8_t plain[ROOM];
    struct ojin_frame frame;
    const size_t whole = make_frame(plain, sizeof plain);
    for (size_t cut = 0; cut < whole; cut++) {
        size_t len = 0;
        for (size_t n = 0; len != MUTATE_NO_MORE; n++) {
            struct exact_copy copy = exact_copy_of(bytes_of(plain, cut));
            len = form->smaller(n, copy.owned, cut);
            ck_assert(len == MUTATE_NO_MORE || (len >= OJIN_FRAME_HEADER_BYTES && len <= cut));
            if (len != MUTATE_NO_MORE &&
                ojin_frame_decode(bytes_of(copy.owned, len), &frame).status == WIRE_OK)
                ck_assert_uint_lt(frame.payload_count, 2); /* what was cut off has gone */
            exact_copy_free(copy);
        }
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("mutate");
    tcase_add_test(tcase, a_smaller_frame_is_as_right_as_it_was);
    tcase_add_test(tcase, many_entries_are_left_out_at_once);
    tcase_add_test(tcase, what_is_cut_off_gets_smaller_too);
    tcase_add_loop_test(tcase, the_same_seed_makes_the_same_bytes, 0, TABLE_COUNT(FORMS));
    tcase_add_loop_test(tcase, every_mutant_differs_and_tells_how, 0, TABLE_COUNT(FORMS));
    tcase_add_loop_test(tcase, bounds_hold_for_what_is_cut_off, 0, TABLE_COUNT(FORMS));
    tcase_add_test(tcase, most_frames_differ_in_what_is_read);
    tcase_add_test(tcase, texts_are_broken_and_whole);
    tcase_add_test(tcase, a_form_is_found_by_what_a_message_is);
    return suite_run("mutate", tcase);
}
