/* Each frame by itself: OJ-SRV-07, OJ-SRV-15, OJ-SRV-19. 000 InteractionResponse. */
#include "codec/rules/ojin/server_rule_set.h"

/* Decoding is dear: unless a session is about its pictures, only one in PICTURE_DECODED_EVERY is decoded, and
 * the first of each kind of frame; the others are looked at for a JPEG's beginning. */
enum { PICTURE_DECODED_EVERY = 13 };

/* How far a timestamp may go back, as clocks are set. */
static const uint64_t BACK_MAX_MS = 1000;

/* --- OJ-SRV-19 --- */

/* Newer servers append a byte that tells the type of the frame (field notes, Frames); the documents know of
 * none. */
static const char *frame_type_meaning(uint8_t type)
{
    static const char *const MEANINGS[] = {"0, idle", "1, speech", "2, fade-out after a cancel",
                                           "3, start of speech"};
    return type < sizeof MEANINGS / sizeof MEANINGS[0] ? MEANINGS[type] : NULL;
}

static void add_trailing(struct text *out, const struct server_seen *seen)
{
    const struct frame_view *frame = &seen->frame;
    const struct bytes data = seen->event->data;
    text_add_u64(out, frame->left);
    text_add(out, frame->left == 1 ? " byte after the last of " : " bytes after the last of ");
    text_add_u64(out, frame->header.payload_count);
    text_add(out, " entries");
    const char *meaning = frame->left == 1 ? frame_type_meaning(data.data[data.len - 1]) : NULL;
    if (meaning != NULL) {
        text_add(out, ": a frame-type byte (");
        text_add(out, meaning);
        text_add(out, "), which the documents do not know");
    }
}

static void add_layout(struct text *out, const struct server_seen *seen)
{
    const struct frame_view *frame = &seen->frame;
    if (frame->fault == FRAME_FAULT_SHORT) {
        text_add(out, "a message of ");
        text_add_u64(out, seen->event->message_bytes);
        text_add(out, " bytes");
    } else if (frame->fault == FRAME_FAULT_TRAILING) {
        add_trailing(out, seen);
    } else {
        text_add(out, "entry ");
        text_add_u64(out, frame->entry + (uint64_t)1);
        text_add(out, " of ");
        text_add_u64(out, frame->header.payload_count);
        if (frame->fault == FRAME_FAULT_ENTRY_SIZE) {
            text_add(out, " claims ");
            text_add_u64(out, frame->entry_bytes);
            text_add(out, " bytes of data");
        } else {
            text_add(out, " has no whole header");
        }
        text_add(out, ", and ");
        text_add_u64(out, frame->left);
        text_add(out, " bytes are left");
    }
}

static void number_broken(struct server_rule_set *rules, enum server_rule rule, uint64_t at_us,
                          const char *expected, const char *name, uint64_t value)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, expected);
    text_add(&draft.actual, name);
    text_add_u64(&draft.actual, value);
    server_finding_end(rules, rule, &draft, at_us);
}

/* What the other rules cannot read of it. */
static unsigned blur_of(const struct frame_view *frame)
{
    unsigned blur = 0;
    if (frame->fault == FRAME_FAULT_SHORT)
        return SERVER_BLUR_INDEX | SERVER_BLUR_ENTRIES | SERVER_BLUR_FINAL;
    if (frame->fault == FRAME_FAULT_ENTRY_HEADER || frame->fault == FRAME_FAULT_ENTRY_SIZE)
        blur |= SERVER_BLUR_ENTRIES;
    if (frame->header.index > OJIN_INDEX_SPEECH)
        blur |= SERVER_BLUR_INDEX;
    return frame->header.is_final > 1 ? blur | SERVER_BLUR_FINAL : blur;
}

void server_rule_layout(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    const struct frame_view *frame = &seen->frame;
    if (!seen->is_frame)
        return;
    rules->blur |= blur_of(frame);
    if (frame->fault != FRAME_FAULT_NONE && frame->fault != FRAME_FAULT_CUT) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected,
                 "a 37-byte header and 5-byte entries, big-endian, whose sizes add up to the message");
        add_layout(&draft.actual, seen);
        server_finding_end(rules, rule, &draft, seen->event->at_us);
    } else if (frame->header.is_final > 1) {
        number_broken(rules, rule, seen->event->at_us, "is_final 0 or 1", "is_final ",
                      frame->header.is_final);
    } else if (frame->header.index > OJIN_INDEX_SPEECH) {
        number_broken(rules, rule, seen->event->at_us, "index 0 or 1", "index ", frame->header.index);
    } else if (frame->fault == FRAME_FAULT_NONE) {
        server_kept(rules, rule);
    }
}

/* --- OJ-SRV-07 --- */

static bool begins_as_jpeg(struct bytes image)
{
    return image.len >= 4 && image.data[0] == 0xFF && image.data[1] == 0xD8 && image.data[2] == 0xFF;
}

/* The first of each kind, and now and then another. */
static bool is_to_be_decoded(struct picture_state *picture, const struct ojin_frame *header)
{
    bool *seen = header->index == OJIN_INDEX_SPEECH ? &picture->speech_seen : &picture->silence_seen;
    const bool first = !*seen || (header->is_final != 0 && !picture->final_seen);
    *seen = true;
    picture->final_seen = picture->final_seen || header->is_final != 0;
    return picture->frames++ % PICTURE_DECODED_EVERY == 0 || first;
}

static void judge_size(struct server_rule_set *rules, enum server_rule rule, uint64_t at_us, unsigned width,
                       unsigned height)
{
    struct picture_state *picture = &rules->picture;
    if (picture->width == 0 || picture->height == 0) {
        picture->width = width;
        picture->height = height;
    }
    if (picture->width == width && picture->height == height) {
        server_kept(rules, rule);
        return;
    }
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "pictures of ");
    text_add_u64(&draft.expected, picture->width);
    text_add(&draft.expected, "x");
    text_add_u64(&draft.expected, picture->height);
    text_add(&draft.actual, "one of ");
    text_add_u64(&draft.actual, width);
    text_add(&draft.actual, "x");
    text_add_u64(&draft.actual, height);
    server_finding_end(rules, rule, &draft, at_us);
}

static void judge_picture(struct server_rule_set *rules, enum server_rule rule,
                          const struct server_seen *seen)
{
    static const char expected[] = "a JPEG that can be decoded";
    const uint64_t at_us = seen->event->at_us;
    unsigned width = 0;
    unsigned height = 0;
    const bool decode = is_to_be_decoded(&rules->picture, &seen->frame.header) || rules->context.all_pictures;
    if (!begins_as_jpeg(seen->frame.image)) {
        number_broken(rules, rule, at_us, expected,
                      "an image entry that does not begin as a JPEG does, bytes: ", seen->frame.image.len);
    } else if (decode && rules->context.picture_size != NULL) {
        if (rules->context.picture_size(rules->context.picture_context, seen->frame.image, &width, &height))
            judge_size(rules, rule, at_us, width, height);
        else
            number_broken(rules, rule, at_us, expected,
                          "an image entry that cannot be decoded, bytes: ", seen->frame.image.len);
    }
}

void server_rule_payloads(struct server_rule_set *rules, enum server_rule rule,
                          const struct server_seen *seen)
{
    const struct frame_view *frame = &seen->frame;
    if (!seen->is_frame || !frame_view_has_entries(frame))
        return;
    if (frame->audio_count != 1 || frame->image_count != 1) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, "one audio entry and one image entry in each frame");
        text_add_u64(&draft.actual, frame->audio_count);
        text_add(&draft.actual, " audio entries and ");
        text_add_u64(&draft.actual, frame->image_count);
        text_add(&draft.actual, " image entries");
        server_finding_end(rules, rule, &draft, seen->event->at_us);
    } else if (frame->audio.len != OJIN_FRAME_AUDIO_BYTES) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add_u64(&draft.expected, OJIN_FRAME_AUDIO_BYTES);
        text_add(&draft.expected, " bytes of audio in a frame");
        text_add(&draft.actual, "bytes of audio: ");
        text_add_u64(&draft.actual, frame->audio.len);
        server_finding_end(rules, rule, &draft, seen->event->at_us);
    } else {
        judge_picture(rules, rule, seen);
    }
}

/* --- OJ-SRV-15 --- */

static bool judge_clock(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    struct clock_state *clock = &rules->clock;
    const uint64_t sent_ms = seen->frame.header.timestamp_ms;
    const uint64_t now_ms = server_now_ms(rules, seen->event->at_us);
    const uint64_t off_ms = sent_ms > now_ms ? sent_ms - now_ms : now_ms - sent_ms;
    const uint64_t before_ms = clock->latest_ms;
    if (off_ms > server_clock_off_ms(rules)) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, "a timestamp in Unix milliseconds, about ");
        text_add_u64(&draft.expected, now_ms);
        text_add(&draft.actual, "timestamp ");
        text_add_u64(&draft.actual, sent_ms);
        server_finding_end(rules, rule, &draft, seen->event->at_us);
        return false;
    }
    if (sent_ms > clock->latest_ms)
        clock->latest_ms = sent_ms;
    if (before_ms <= sent_ms || before_ms - sent_ms <= BACK_MAX_MS)
        return true;
    number_broken(rules, rule, seen->event->at_us, "timestamps that do not go back",
                  "a timestamp earlier than one before it, by ms: ", before_ms - sent_ms);
    return false;
}

void server_rule_identity(struct server_rule_set *rules, enum server_rule rule,
                          const struct server_seen *seen)
{
    const uint64_t at_us = seen->event->at_us;
    const struct ojin_frame *header = &seen->frame.header;
    if (!seen->is_frame || !frame_view_has_header(&seen->frame) || !judge_clock(rules, rule, seen))
        return;
    const bool nil_id = header->index == OJIN_INDEX_SPEECH && uuid_is_nil(header->interaction);
    if (server_index_counts(&rules->clock.nil_id, nil_id, seen))
        server_broken(rules, rule, at_us, "an interaction id in each speech frame", "the all-zero id");
    if (header->index != OJIN_INDEX_SPEECH || nil_id)
        return;
    if (seen->step.id_changes)
        server_broken(rules, rule, at_us, "one interaction id in all speech frames of a turn",
                      "another id in the middle of its speech");
    else if (seen->step.id_again)
        server_broken(rules, rule, at_us, "a new interaction id for speech after silence",
                      "the id of the turn before");
    /* An id is met once it had the chance to change. */
    else if (seen->step.kind != SPEECH_STEP_CANCELLED && !seen->step.turn_begins)
        server_kept(rules, rule);
}
