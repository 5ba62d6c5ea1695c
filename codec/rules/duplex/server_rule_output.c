/* Deltas and listens: DX-SRV-07, 08, 18. 002 Output Audio Length, Text/Audio Alignment,
 * response.output_audio.delta. */
#include "codec/rules/duplex/classes.h"
#include "codec/rules/duplex/server_rule_set.h"

enum { WHOLE_TURN_DELTAS = 3 };

void duplex_server_output_form(struct server_rule_set *rules, enum duplex_server_rule rule,
                               const struct duplex_seen *seen)
{
    if (!duplex_server_sent(seen, DUPLEX_MESSAGE_DELTA) && !duplex_server_sent(seen, DUPLEX_MESSAGE_LISTEN))
        return;
    if (seen->message.faults.count == 0) {
        duplex_server_kept(rules, rule);
        return;
    }
    struct finding_draft draft;
    rules->blur |= DUPLEX_BLUR_OUTPUT;
    finding_begin(&draft);
    text_add(&draft.expected,
             seen->message.type == DUPLEX_MESSAGE_LISTEN
                 ? "kv_cache_length in each listen"
                 : "text, audio (base64 float32), end_of_turn and kv_cache_length in each delta");
    json_fault_write(&draft.actual, &seen->message.faults.list[0]);
    duplex_server_finding_end(rules, rule, &draft, seen->event->at_us);
}

/* --- lengths --- */

static void length_broken(struct server_rule_set *rules, const char *expected, size_t count, uint64_t at_us)
{
    rules->turn.broken = true;
    duplex_server_broken_number(rules, DUPLEX_SERVER_RULE_07, at_us, expected, "a delta of ", count,
                                " samples");
}

static void judge_length(struct server_rule_set *rules, const struct duplex_message *message, uint64_t at_us)
{
    const size_t count = float32_count(message->audio);
    const bool middle = rules->turn.deltas > 0 && !message->end_of_turn;
    if (middle && count != DUPLEX_DELTA_SAMPLES)
        length_broken(rules, "exactly 24000 samples in a middle delta", count, at_us);
    else if (count > DUPLEX_DELTA_SAMPLES)
        length_broken(rules, "24000 samples at most in a first or last delta", count, at_us);
}

/* --- text and sound --- */

static size_t count_chars(struct bytes text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++)
        count += (text.data[i] & 0xc0) != 0x80;
    return count;
}

/* The text of each delta is out when the sound before it is: by then it has led by something. */
static bool text_leads(const struct duplex_turn_state *turn, size_t *at)
{
    for (size_t i = 1; i < turn->deltas && i < DUPLEX_TURN_DELTAS_MAX; i++) {
        *at = i;
        if (turn->chars_after[i] * turn->samples < turn->samples_after[i - 1] * turn->chars)
            return false;
    }
    return true;
}

static void judge_text(struct server_rule_set *rules, uint64_t at_us)
{
    static const char expected[] = "texts that join to the utterance and lead its sound";
    const struct duplex_turn_state *turn = &rules->turn;
    size_t at = 0;
    if (turn->chars == 0 && turn->samples >= DUPLEX_DELTA_SAMPLES)
        duplex_server_broken(rules, DUPLEX_SERVER_RULE_08, at_us, expected, "a turn without text");
    else if (!text_leads(turn, &at))
        duplex_server_broken_number(rules, DUPLEX_SERVER_RULE_08, at_us, expected,
                                    "the text is behind the sound at delta ", at + 1, " of the turn");
    else if (turn->deltas >= WHOLE_TURN_DELTAS)
        duplex_server_kept(rules, DUPLEX_SERVER_RULE_08);
}

/* --- turns --- */

static void take_delta(struct server_rule_set *rules, const struct duplex_message *message, uint64_t at_us)
{
    struct duplex_turn_state *turn = &rules->turn;
    const bool by_kind = rules->watch.profile->dialect->by_kind;
    if (!turn->open)
        *turn = (struct duplex_turn_state){.open = true};
    /* Text that comes by itself is no delta of sound. */
    if (!by_kind || message->has_audio) {
        judge_length(rules, message, at_us);
        turn->samples += float32_count(message->audio);
        turn->deltas++;
    }
    turn->chars += count_chars(message->text);
    if (turn->deltas > 0 && turn->deltas <= DUPLEX_TURN_DELTAS_MAX) {
        turn->samples_after[turn->deltas - 1] = turn->samples;
        turn->chars_after[turn->deltas - 1] = turn->chars;
    }
    if (!message->end_of_turn)
        return;
    turn->open = false;
    if (turn->deltas >= WHOLE_TURN_DELTAS && !turn->broken)
        duplex_server_kept(rules, DUPLEX_SERVER_RULE_07);
    judge_text(rules, at_us);
}

void duplex_server_turns(struct server_rule_set *rules, enum duplex_server_rule rule,
                         const struct duplex_seen *seen)
{
    struct duplex_turn_state *turn = &rules->turn;
    if (seen->from_client && duplex_seen_is(seen, DUPLEX_MESSAGE_APPEND) && seen->message.force_listen)
        turn->interrupted = true;
    if ((duplex_server_sent(seen, DUPLEX_MESSAGE_DELTA) && seen->message.faults.count > 0) ||
        (seen->from_server && seen->is_cut)) {
        turn->open = false; /* what follows cannot be judged */
        return;
    }
    if (duplex_server_sent(seen, DUPLEX_MESSAGE_DELTA))
        take_delta(rules, &seen->message, seen->event->at_us);
    if (!duplex_server_sent(seen, DUPLEX_MESSAGE_LISTEN))
        return;
    if (turn->open && !turn->interrupted && !rules->watch.profile->dialect->by_kind)
        duplex_server_broken(rules, rule, seen->event->at_us, "end_of_turn true in the last delta of a turn",
                             "a listen in the middle of a turn that nobody interrupted");
    *turn = (struct duplex_turn_state){.open = false};
}
