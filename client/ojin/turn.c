#include "client/ojin/turn.h"

bool turn_audio_sent(struct turn *turn, uint64_t now_us)
{
    bool quiet = now_us - turn->last_audio_us >= TURN_QUIET_US;
    bool unanswered = turn->state == TURN_ASKED && now_us - turn->last_audio_us >= TURN_UNANSWERED_US;
    bool begins = (turn->state == TURN_IDLE && quiet) || unanswered;
    if (turn->state == TURN_IDLE && turn->last_audio_us == 0)
        begins = true;
    turn->last_audio_us = now_us;
    if (turn->state == TURN_IDLE)
        turn->state = TURN_ASKED;
    return begins;
}

bool turn_is_due(const struct turn *turn)
{
    return turn->state != TURN_IDLE;
}

bool turn_is_cancelled(const struct turn *turn, const uint8_t interaction[UUID_BYTES])
{
    for (size_t i = 0; i < turn->cancelled_count; i++)
        if (memcmp(turn->cancelled[i], interaction, UUID_BYTES) == 0)
            return true;
    return false;
}

void turn_add_cancelled(struct turn *turn, const uint8_t interaction[UUID_BYTES])
{
    /* The nil id belongs to silence; speech that carries it cannot be told apart by it. */
    if (uuid_is_nil(interaction) || turn_is_cancelled(turn, interaction))
        return;
    memcpy(turn->cancelled[turn->cancelled_next], interaction, UUID_BYTES);
    turn->cancelled_next = (turn->cancelled_next + 1) % TURN_CANCELLED_MAX;
    if (turn->cancelled_count < TURN_CANCELLED_MAX)
        turn->cancelled_count++;
}

static void non_speech_frame(struct turn *turn, uint64_t now_us)
{
    if (turn->settling) {
        bool in_flight = turn->unknown && !turn->unknown_seen && now_us - turn->cancelled_us < TURN_FLIGHT_US;
        if (!in_flight)
            turn_settle(turn);
        return;
    }
    if (turn->state == TURN_SPEAKING)
        turn->state = now_us - turn->last_audio_us >= TURN_QUIET_US ? TURN_IDLE : TURN_ASKED;
}

bool turn_frame(struct turn *turn, uint64_t now_us, const struct ojin_frame *frame)
{
    if (frame->index != OJIN_INDEX_SPEECH) {
        non_speech_frame(turn, now_us);
        return false;
    }
    if (turn_is_cancelled(turn, frame->interaction))
        return true;
    if (turn->settling && (turn->unknown || uuid_is_nil(frame->interaction))) {
        turn->unknown_seen = true;
        turn_add_cancelled(turn, frame->interaction);
        return true;
    }
    turn->state = TURN_SPEAKING;
    turn->has_interaction = true;
    memcpy(turn->interaction, frame->interaction, UUID_BYTES);
    return false;
}

void turn_cancel(struct turn *turn, uint64_t now_us, bool asked)
{
    turn->unknown = turn->state == TURN_ASKED;
    turn->unknown_seen = false;
    if (turn->state == TURN_SPEAKING && turn->has_interaction)
        turn_add_cancelled(turn, turn->interaction);
    turn->state = TURN_IDLE;
    if (!asked)
        return;
    turn->settling = true;
    turn->cancelled_us = now_us;
    turn->unconfirmed++;
}

bool turn_confirmed(struct turn *turn)
{
    if (turn->unconfirmed == 0)
        return false;
    turn->unconfirmed--;
    turn_settle(turn);
    return true;
}

void turn_settle(struct turn *turn)
{
    turn->settling = false;
    turn->unknown = false;
}
