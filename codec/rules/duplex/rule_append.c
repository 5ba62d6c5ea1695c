/* What an append holds. 002 input_audio_buffer.append; field
 * notes. */
#include <math.h>

#include "codec/rules/duplex/rule_set.h"
#include "codec/wire/float32.h"

/* What of float32 can be sound, full scale being 1: far more than any microphone gives. */
static const float SOUND_LEAST = 1e-6F;
static const float SOUND_MOST = 100;
/* Fewer samples tell nothing. */
enum { SAMPLES_TO_TELL = 1000 };

static const char *member(const struct rule_set *rules, const char *name, const char *within)
{
    return rules->watch.profile->dialect->append_object == NULL ? name : within;
}

static const struct json_fault *fault_of(const struct rule_set *rules, const struct duplex_seen *seen,
                                         const char *name, const char *within)
{
    return json_fault_of(&seen->message.faults, member(rules, name, within));
}

static bool is_about_length(const struct json_fault *fault)
{
    return fault->kind == JSON_FAULT_TOO_SHORT || fault->kind == JSON_FAULT_TOO_LONG;
}

/* Would be heard as sound: neither next to nothing nor beyond all measure. */
static bool is_sound(float sample)
{
    return fabsf(sample) >= SOUND_LEAST && fabsf(sample) <= SOUND_MOST;
}

/* As they stand its samples are no sound, and with their bytes turned round most of them are. Of what a
 * microphone without noise leaves, a tenth would be by chance. */
static bool is_big_endian(struct bytes audio)
{
    size_t heard = 0, turned = 0, told = 0;
    for (size_t i = 0; i < float32_count(audio); i++) {
        const uint8_t *at = audio.data + i * FLOAT32_BYTES;
        const uint8_t other_way[FLOAT32_BYTES] = {at[3], at[2], at[1], at[0]};
        told += float32_at(audio, i) != 0 ? 1 : 0;
        const bool as_it_stands = is_sound(float32_at(audio, i));
        if (!as_it_stands && !is_sound(float32_at(bytes_of(other_way, sizeof other_way), 0)))
            continue; /* silence either way */
        heard++;
        turned += as_it_stands ? 0 : 1;
    }
    return heard >= SAMPLES_TO_TELL && turned > heard / 2 && turned > told / 2;
}

void duplex_rule_audio(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    static const char expected[] = "canonical base64 of little-endian float32, 16 kHz mono, all finite";
    const bool active = rules->watch.phase == DUPLEX_PHASE_ACTIVE;
    /* 002 Mode Constraints, frame format. Another protocol's way to send audio is raw and binary. */
    if (active && seen->from_client && !seen->is_cut &&
        (seen->is_binary || seen->message.type == DUPLEX_MESSAGE_NOT_JSON)) {
        duplex_broken(rules, rule, seen->event->at_us, "JSON in text messages",
                      seen->is_binary ? "a binary message" : "a text that is no JSON");
        return;
    }
    if (!duplex_is_append(rules, seen))
        return;
    const struct json_fault *fault = fault_of(rules, seen, "audio", "input.audio");
    if (seen->message.has_audio && is_big_endian(seen->message.audio))
        duplex_broken(rules, rule, seen->event->at_us, expected, "samples whose bytes are big-endian");
    else if (fault != NULL && !is_about_length(fault))
        duplex_broken_by_fault(rules, rule, seen->event->at_us, expected, fault);
    else if (seen->message.has_audio)
        duplex_kept(rules, rule);
    else if (seen->message.faults.count > 0)
        duplex_broken_by_fault(rules, rule, seen->event->at_us, expected, &seen->message.faults.list[0]);
}

void duplex_rule_audio_length(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    if (!duplex_is_append(rules, seen) || !seen->message.has_audio)
        return;
    const size_t count = float32_count(seen->message.audio);
    if (count >= DUPLEX_APPEND_SAMPLES_MIN) {
        duplex_kept(rules, rule);
        return;
    }
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "4000 samples (250 ms) or more in each append");
    text_add_u64(&draft.actual, count);
    text_add(&draft.actual, " samples");
    duplex_finding_end(rules, rule, &draft, seen->event->at_us);
}

void duplex_rule_pictures_present(struct rule_set *rules, enum duplex_rule rule,
                                  const struct duplex_seen *seen)
{
    if (!duplex_is_append(rules, seen))
        return;
    const struct json_fault *fault = fault_of(rules, seen, "video_frames", "input.video_frames");
    if (fault != NULL && fault->kind == JSON_FAULT_RANGE)
        duplex_remark(rules, rule, seen->event->at_us,
                      "at most 4 pictures in an append: servers in use, and the mock, refuse more", fault);
    /* A picture that is none is DX-APP-08's. */
    if (seen->message.picture_count > 0 || fault != NULL)
        duplex_kept(rules, rule);
    else
        duplex_broken(rules, rule, seen->event->at_us, "a picture at least in each append of video mode",
                      seen->message.has_pictures ? "an empty video_frames" : "no video_frames");
}

void duplex_rule_pictures_absent(struct rule_set *rules, enum duplex_rule rule,
                                 const struct duplex_seen *seen)
{
    if (!duplex_is_append(rules, seen))
        return;
    if (seen->message.has_pictures || fault_of(rules, seen, "video_frames", "input.video_frames") != NULL)
        duplex_broken(rules, rule, seen->event->at_us, "no video_frames in audio mode", "video_frames");
    else
        duplex_kept(rules, rule);
}

void duplex_rule_append_members(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    static const char expected[] = "max_slice_nums an integer from 1 to 9, force_listen true or false";
    if (!duplex_is_append(rules, seen))
        return;
    const struct json_fault *fault = fault_of(rules, seen, "max_slice_nums", "input.max_slice_nums");
    if (fault == NULL)
        fault = fault_of(rules, seen, "force_listen", "input.force_listen");
    if (fault != NULL)
        duplex_broken_by_fault(rules, rule, seen->event->at_us, expected, fault);
    else if (seen->message.has_max_slices || seen->message.has_force_listen)
        duplex_kept(rules, rule);
}

/* Where nobody gave a decoder, the first three bytes of a JPEG are looked for. */
static bool looks_like_jpeg(struct bytes jpeg)
{
    return jpeg.len > 3 && memcmp(jpeg.data, "\xff\xd8\xff", 3) == 0;
}

void duplex_rule_pictures(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    static const char expected[] = "base64 of JPEGs that decode, without a data: prefix";
    const struct duplex_message *message = &seen->message;
    if (!duplex_is_append(rules, seen))
        return;
    const struct json_fault *fault = fault_of(rules, seen, "video_frames", "input.video_frames");
    /* More than DUPLEX_PICTURES_MAX is not forbidden by the document. */
    if (fault != NULL && fault->kind != JSON_FAULT_RANGE) {
        duplex_broken_by_fault(rules, rule, seen->event->at_us, expected, fault);
        return;
    }
    for (size_t i = 0; i < message->picture_count; i++) {
        if (rules->options.picture_size == NULL && !looks_like_jpeg(message->pictures[i].jpeg)) {
            duplex_broken(rules, rule, seen->event->at_us, expected,
                          "a picture that does not begin as a JPEG");
            return;
        }
    }
    if (message->picture_count > 0)
        duplex_kept(rules, rule);
}

/* Interrupting has no event of its own; those of other protocols for it show that a client tries another way.
 */
static bool asks_to_cancel(const struct duplex_message *message)
{
    static const char *const words[] = {"\"response.cancel\"", "\"input_audio_buffer.clear\"",
                                        "\"response.interrupt\"", "\"conversation.item.truncate\""};
    const struct json_fault *fault = json_fault_of(&message->faults, "type");
    for (size_t i = 0; fault != NULL && i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(fault->found, words[i]) == 0)
            return true;
    }
    return false;
}

void duplex_rule_interrupt(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    if (!seen->from_client || seen->is_cut)
        return;
    if (seen->message.type == DUPLEX_MESSAGE_OTHER && asks_to_cancel(&seen->message))
        duplex_broken(rules, rule, seen->event->at_us, "an append with force_listen true to interrupt",
                      json_fault_of(&seen->message.faults, "type")->found);
    else if (duplex_is_append(rules, seen) && seen->message.force_listen)
        duplex_kept(rules, rule);
}
