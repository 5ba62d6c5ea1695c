/* The parts of an InteractionInput: OJ-IN-01 to OJ-IN-05. 000 InteractionInput; 001 Optional parameters. */
#include "codec/ojin/constants.h"
#include "codec/rules/ojin/rule_set.h"
#include "codec/wire/json.h"

enum { SHOWN_MAX = 60 };

static void describe_header(struct text *out, const struct input_view *input, uint64_t message_bytes)
{
    switch (input->fault) {
    case INPUT_HEADER_GOOD:
        break;
    case INPUT_HEADER_SHORT:
        text_add(out, "a message of ");
        text_add_u64(out, message_bytes);
        text_add(out, " bytes, shorter than the header");
        break;
    case INPUT_HEADER_TYPE:
        text_add(out, "payload type ");
        text_add_u64(out, input->payload_type);
        break;
    case INPUT_HEADER_NONE:
        text_add(out, "no header: the message begins with byte ");
        text_add_u64(out, input->payload_type);
        text_add(out, " and no timestamp follows");
        break;
    case INPUT_HEADER_LITTLE_ENDIAN:
        text_add(out, "a little-endian header: timestamp reads ");
        text_add_u64(out, input->timestamp_ms);
        text_add(out, " and params size ");
        text_add_u64(out, input->params_bytes);
        break;
    case INPUT_HEADER_PADDED:
        text_add(out, "a header of 20 bytes with the padding of a C struct");
        break;
    case INPUT_HEADER_PAST_END:
        text_add(out, "params size ");
        text_add_u64(out, input->params_bytes);
        text_add(out, " in a message of ");
        text_add_u64(out, message_bytes);
        text_add(out, " bytes");
        break;
    }
}

void rule_input_header(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    if (!seen->is_input)
        return;
    if (seen->input.fault == INPUT_HEADER_GOOD) {
        rule_kept(rules, rule);
        return;
    }
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected,
             "13 bytes: payload type 1, uint64 timestamp and uint32 params size, big-endian");
    describe_header(&draft.actual, &seen->input, seen->event->message_bytes);
    finding_end(rules, rule, &draft, seen->event->at_us, false);
}

void rule_input_timestamp(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    /* Less than three years since the epoch: a clock that began at the start of the machine or the program.
     */
    static const uint64_t monotonic_ms_max = 100000000000u;
    if (!seen->is_input || !seen->input.clock_judged)
        return;
    if (seen->input.clock == INPUT_CLOCK_RIGHT) {
        rule_kept(rules, rule);
        return;
    }
    uint64_t now_ms = rules->context.epoch_ms + seen->event->at_us / 1000;
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "milliseconds since the Unix epoch, within 60 s of ");
    text_add_u64(&draft.expected, now_ms);
    text_add(&draft.actual, "timestamp ");
    text_add_u64(&draft.actual, seen->input.timestamp_ms);
    text_add(&draft.actual, input_clock_sentence(seen->input.clock));
    if (seen->input.clock == INPUT_CLOCK_OTHER && seen->input.timestamp_ms < monotonic_ms_max &&
        now_ms > monotonic_ms_max)
        text_add(&draft.actual, ": a monotonic clock, not the epoch's");
    finding_end(rules, rule, &draft, seen->event->at_us, false);
}

void rule_input_params(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    const struct input_view *input = &seen->input;
    if (!seen->is_input || !input->params_known)
        return;
    bool unreadable = input->params_error.status == WIRE_UNREADABLE_JSON;
    bool broken =
        input->params_error.status == WIRE_NOT_JSON || input->params_error.status == WIRE_NOT_AN_OBJECT;
    if (!broken)
        rule_kept(rules, rule);
    const bool repeats = !broken && !unreadable && json_repeats(input->params);
    if (!broken && !unreadable && !repeats)
        return;
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "params size 0, or the byte length of the one JSON object that follows");
    text_add(&draft.actual, "params of ");
    text_add_u64(&draft.actual, input->params.len);
    text_add(&draft.actual, " bytes");
    text_add(&draft.actual, input->params_misplaced ? " where the JSON object has another length: "
                            : repeats ? " in which a member comes twice, the last one counts here"
                                      : ": ");
    if (!input->params_misplaced && !repeats)
        text_add(&draft.actual, wire_status_sentence(input->params_error.status));
    if (unreadable) {
        text_add(&draft.actual, ", ");
        text_add(&draft.actual, input->params_error.field);
    }
    if (!input->params_misplaced)
        text_add(&draft.actual, ": ");
    finding_add_sent(rules, &draft.actual, input->params, SHOWN_MAX);
    finding_end(rules, rule, &draft, seen->event->at_us, unreadable || repeats);
}

void rule_input_param_types(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    const struct input_view *input = &seen->input;
    if (!seen->is_input || !input->params_known || input->params.len == 0)
        return;
    if (input->params_error.status == WIRE_OK) {
        rule_kept(rules, rule);
    } else if (input->params_error.status != WIRE_NOT_JSON &&
               input->params_error.status != WIRE_UNREADABLE_JSON &&
               input->params_error.status != WIRE_NOT_AN_OBJECT) {
        struct finding_draft draft;
        const bool too_far =
            input->params_error.status == WIRE_OUT_OF_RANGE; /* of the right type all the same */
        finding_begin(&draft);
        text_add(&draft.expected, too_far
                                      ? "numbers that a double holds, client_frame_index from -2^53 to 2^53"
                                      : "numbers in the known params, an integer in client_frame_index");
        finding_add_fault(&draft.actual, input->params, &input->params_error);
        text_add(&draft.actual, " in ");
        finding_add_sent(rules, &draft.actual, input->params, SHOWN_MAX);
        finding_end(rules, rule, &draft, seen->event->at_us, too_far);
    }
}

void rule_input_even(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    if (!seen->has_audio || seen->audio.empty)
        return;
    if (seen->input.audio_bytes % OJIN_SAMPLE_BYTES == 0) {
        rule_kept(rules, rule);
        return;
    }
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "16-bit samples: an even number of audio bytes");
    text_add_u64(&draft.actual, seen->input.audio_bytes);
    text_add(&draft.actual, " bytes of audio");
    finding_end(rules, rule, &draft, seen->event->at_us, false);
}
