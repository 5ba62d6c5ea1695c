#include "conformance/judge/check.h"
#include "conformance/judge/check_words.h"

/* One without a byte, whose checksum is 0, is none to many. */
static bool payload_equal(bool sent, uint32_t sent_crc, bool seen, uint32_t seen_crc)
{
    return (sent ? sent_crc : 0) == (seen ? seen_crc : 0);
}

/* What a check wants to find of each frame that was sent. */
struct wanted {
    enum check_expect expect;
    const struct frame_summary *sent;
    const struct frame_summary *before, *behind; /* the matching frames sent next to it; NULL: none */
};

static enum observation_kind kind_wanted(enum check_expect expect)
{
    return expect == CHECK_DELIVERED ? OBSERVED_FRAME : OBSERVED_PLAYED;
}

static bool sound_equal(const struct frame_summary *sent, const struct observation *seen)
{
    return payload_equal(sent->has_audio, sent->audio_crc, seen->has_audio, seen->audio_crc);
}

/* What was shown is told by its picture: the sound heard with it may be the client's own. */
static bool sound_fits(const struct wanted *wanted, const struct observation *seen)
{
    switch (wanted->expect) {
    case CHECK_DELIVERED:
    case CHECK_HEARD:
    case CHECK_SOUNDED:
        return sound_equal(wanted->sent, seen);
    case CHECK_TOGETHER:
        return sound_equal(wanted->sent, seen) ||
               (wanted->before != NULL && sound_equal(wanted->before, seen)) ||
               (wanted->behind != NULL && sound_equal(wanted->behind, seen));
    case CHECK_SHOWN:
    case CHECK_NONE:
    case CHECK_SOME:
    case CHECK_COUNT:
    case CHECK_BYTES:
    case CHECK_SEAMLESS:
    case CHECK_SAMPLES:
    case CHECK_ONLY:
    case CHECK_TIMED:
    case CHECK_GROWING:
    case CHECK_SLOWER:
        return true;
    }
    return true;
}

/* Whether it was taken for the final one is asked for where that is the question: a client that is wrong
 * about it would else break every requirement about the reading of frames. */
static bool frame_fits(const struct wanted *wanted, const struct observation *seen)
{
    static const uint8_t NIL[UUID_BYTES];
    const struct frame_summary *sent = wanted->sent;
    /* The client's own speech runs on where a frame never came: its sound is with another picture then. */
    if (wanted->expect == CHECK_SOUNDED)
        return seen->kind == OBSERVED_PLAYED && sound_equal(sent, seen);
    const uint8_t *interaction = seen->has_interaction ? seen->interaction : NIL;
    return seen->kind == kind_wanted(wanted->expect) && sent->index == seen->index &&
           memcmp(sent->interaction, interaction, UUID_BYTES) == 0 && sound_fits(wanted, seen) &&
           payload_equal(sent->has_image, sent->image_crc, seen->has_image, seen->image_crc);
}

bool check_is_report_of(const struct observation *seen, const struct journal_entry *sent)
{
    const struct wanted wanted = {.expect = CHECK_DELIVERED, .sent = &sent->frame};
    return frame_fits(&wanted, seen);
}

static size_t observation_next(const struct judge_input *input, enum observation_kind kind, size_t from)
{
    while (from < input->observation_count && input->observations[from].kind != kind)
        from++;
    return from;
}

/* One of the same index and interaction, which is most likely the frame itself, read otherwise. */
static size_t lookalike_next(const struct judge_input *input, const struct wanted *wanted, size_t from)
{
    static const uint8_t NIL[UUID_BYTES];
    for (; from < input->observation_count; from++) {
        const struct observation *seen = &input->observations[from];
        if (seen->kind == kind_wanted(wanted->expect) && seen->index == wanted->sent->index &&
            seen->has_interaction && memcmp(seen->interaction, NIL, UUID_BYTES) != 0 &&
            memcmp(seen->interaction, wanted->sent->interaction, UUID_BYTES) == 0)
            return from;
    }
    return from;
}

/* What stands where the missing frame should: the nearer the first difference, the better to read. */
static void difference_describe(struct text *out, const struct wanted *wanted, const struct observation *seen)
{
    const struct frame_summary *sent = wanted->sent;
    bool image = payload_equal(sent->has_image, sent->image_crc, seen->has_image, seen->image_crc);
    if (sent->index != seen->index)
        text_add(out, " (another index)");
    else if (!seen->has_interaction || memcmp(sent->interaction, seen->interaction, UUID_BYTES) != 0)
        text_add(out, " (another interaction)");
    else if (wanted->expect != CHECK_DELIVERED && !image)
        text_add(out, seen->has_image ? " (another picture)" : " (no picture)");
    else if (!sound_fits(wanted, seen))
        text_add(out, seen->has_audio ? " (another sound)" : " (no sound)");
    else if (!image)
        text_add(out, seen->has_image ? " (another picture)" : " (no picture)");
}

static void missing_describe(struct text *out, const struct judge_input *input,
                             const struct journal_entry *entry, const struct wanted *wanted, uint64_t number,
                             size_t from)
{
    const enum observation_kind kind = kind_wanted(wanted->expect);
    text_add(out, "frame ");
    text_add_u64(out, number);
    check_words_step(out, input->script, entry);
    text_add(out, ", ");
    event_describe(out, input, EVENT_SENT, (size_t)entry->sequence);
    text_add(out, ", ");
    text_add(out,
             kind == OBSERVED_PLAYED ? "was not played; instead came " : "was not reported; instead came ");
    size_t instead = lookalike_next(input, wanted, from);
    if (instead == input->observation_count)
        instead = observation_next(input, kind, from);
    if (instead < input->observation_count) {
        event_describe(out, input, EVENT_SEEN, instead);
        difference_describe(out, wanted, &input->observations[instead]);
        return;
    }
    text_add(out, "no ");
    text_add(out, observation_kind_name(kind));
    text_add(out, from == 0 ? " report at all" : " report after the one before it");
    size_t error = observation_next(input, OBSERVED_ERROR, from);
    if (error < input->observation_count) {
        text_add(out, " but ");
        event_describe(out, input, EVENT_SEEN, error);
    }
}

/* The next frame sent that matches, from `from` on, with a sound where that is the question; `window->to`
 * when there is none. */
static size_t frame_next(const struct pattern *sent, const struct check_window *window,
                         enum check_expect expect, size_t from)
{
    for (size_t i = from; i < window->to; i++) {
        const struct journal_entry *entry = journal_at(sent->input->journal, i);
        const bool wanted = expect != CHECK_SOUNDED || entry->frame.has_audio;
        if (entry->has_frame && entry->frame.decodes && wanted && pattern_matches(sent, i))
            return i;
    }
    return window->to;
}

static const struct frame_summary *frame_at(const struct pattern *sent, const struct check_window *window,
                                            size_t position)
{
    return position < window->to ? &journal_at(sent->input->journal, position)->frame : NULL;
}

/* Was that sent before entry `at` of the journal? What none of those sent is like is not known to have been.
 */
static bool was_sent_before(const struct judge_input *input, const struct observation *seen,
                            enum check_expect expect, size_t at)
{
    struct wanted wanted = {.expect = expect};
    for (size_t i = 0; i < at; i++) {
        const struct journal_entry *entry = journal_at(input->journal, i);
        wanted.sent = &entry->frame;
        if (entry->has_frame && entry->frame.decodes && frame_fits(&wanted, seen))
            return true;
    }
    return false;
}

/* Had the client come further than to entry `at`, whose frame is missing? From observation `from` on. */
static bool is_overtaken(const struct judge_input *input, enum check_expect expect, size_t at, size_t from)
{
    const enum observation_kind kind = kind_wanted(expect);
    for (size_t i = observation_next(input, kind, from); i < input->observation_count;
         i = observation_next(input, kind, i + 1))
        if (!was_sent_before(input, &input->observations[i], expect, at))
            return true;
    return false;
}

/* Clocks that part do not explain this many sounds that were never played, not even with another picture. */
enum { SOUNDS_TO_BE_SURE = 5 };

static bool sound_was_played(const struct judge_input *input, const struct frame_summary *sent)
{
    for (size_t i = 0; i < input->observation_count; i++)
        if (input->observations[i].kind == OBSERVED_PLAYED && sound_equal(sent, &input->observations[i]))
            return true;
    return false;
}

/* Was none of the sounds played of the frames that match? */
static bool all_are_unheard(const struct pattern *sent, const struct check_window *window)
{
    size_t count = 0;
    for (size_t i = frame_next(sent, window, CHECK_SOUNDED, window->from); i < window->to;
         i = frame_next(sent, window, CHECK_SOUNDED, i + 1), count++)
        if (sound_was_played(sent->input, frame_at(sent, window, i)))
            return false;
    return count >= SOUNDS_TO_BE_SURE;
}

/* Sent and seen keep their order, so taking the first that fits each time finds all that can be found. */
void check_delivered(const struct pattern *sent, const struct check_window *window, enum check_expect expect,
                     struct check_outcome *out, struct text *actual)
{
    const struct judge_input *input = sent->input;
    size_t seen = 0;
    uint64_t number = 0;
    struct wanted wanted = {.expect = expect};
    size_t i = frame_next(sent, window, expect, window->from);
    while (i < window->to) {
        const size_t next = frame_next(sent, window, expect, i + 1);
        wanted.sent = frame_at(sent, window, i);
        wanted.behind = frame_at(sent, window, next);
        number++;
        size_t found = seen;
        while (found < input->observation_count && !frame_fits(&wanted, &input->observations[found]))
            found++;
        if (found == input->observation_count) {
            const struct journal_entry *entry = journal_at(input->journal, i);
            missing_describe(actual, input, entry, &wanted, number, seen);
            out->status = CHECK_BROKEN;
            out->missing = true;
            out->overtaken = is_overtaken(input, expect, i, seen);
            out->timeless = (expect == CHECK_HEARD || expect == CHECK_SOUNDED || expect == CHECK_TOGETHER) &&
                            all_are_unheard(sent, window);
            out->journal_sequence = entry->sequence;
            return;
        }
        seen = found + 1;
        wanted.before = wanted.sent;
        i = next;
    }
    out->status = number == 0 ? CHECK_UNMET : CHECK_HOLDS;
    if (number == 0) {
        text_add(actual, "the mock sent no such frame");
        return;
    }
    text_add(actual, "all ");
    text_add_u64(actual, number);
    text_add(actual,
             kind_wanted(expect) == OBSERVED_PLAYED ? " frames were played" : " frames were reported");
}
