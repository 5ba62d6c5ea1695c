/* The pipes of a step on a message: its bytes changed, its delivery said, its frame put together here. */
#include "server/engine/engine_state.h"

bool action_is_send(const struct action *action)
{
    return action->kind == ACTION_SEND_TEXT || action->kind == ACTION_SEND_BINARY ||
           action->kind == ACTION_SEND_PING || action->kind == ACTION_SEND_RAW;
}

bool message_is_meant(const struct script_condition *on, const char *label)
{
    static const char *const FRAMES[] = {"silence", "speech", "fade", "final"};
    if (strcmp(on->name, "any") == 0 || strcmp(on->name, label) == 0)
        return true;
    for (size_t i = 0; i < sizeof FRAMES / sizeof FRAMES[0]; i++)
        if (strcmp(FRAMES[i], label) == 0)
            return strcmp(on->name, "frame") == 0;
    return false;
}

/* ---- changes of the bytes ---- */

static bool too_short(struct text *why, const char *pipe, uint64_t at, size_t len)
{
    text_add(why, pipe);
    text_add(why, " at=");
    text_add_u64(why, at);
    text_add(why, ": the message has ");
    text_add_u64(why, len);
    text_add(why, " bytes");
    return false;
}

/* The seed of one message: seeds that are near each other give nothing alike. */
static struct seeded seed_of(uint64_t seed, uint64_t number)
{
    struct seeded mixed = {.state = seed};
    mixed.state = seeded_next(&mixed) + number;
    return mixed;
}

static void bytes_mutate(struct seeded seeded, uint64_t count, uint8_t *data, size_t len)
{
    for (uint64_t i = 0; i < count && len > 0; i++) {
        const uint64_t place = seeded_next(&seeded) % len;
        data[place] ^= (uint8_t)(1 + seeded_next(&seeded) % UINT8_MAX);
    }
}

static const char *change_name(enum change_kind kind)
{
    switch (kind) {
    case CHANGE_CORRUPT:
        return "corrupt";
    case CHANGE_MUTATE:
        return "mutate";
    case CHANGE_TRUNCATE:
        return "truncate";
    case CHANGE_PATCH:
        return "patch";
    case CHANGE_APPEND:
        return "append";
    }
    return "";
}

/* The length of the message after the change; SIZE_MAX when it is too short for it. */
static size_t change_length(const struct script_change *change, uint64_t at, size_t len)
{
    switch (change->kind) {
    case CHANGE_CORRUPT:
        return at < len ? len : SIZE_MAX;
    case CHANGE_MUTATE:
        return len;
    case CHANGE_TRUNCATE:
        return at <= len ? (size_t)at : SIZE_MAX;
    case CHANGE_PATCH:
        return at <= len && change->data.len <= len - at ? len : SIZE_MAX;
    case CHANGE_APPEND:
        return len + change->data.len;
    }
    return len;
}

static void change_do(const struct engine *engine, const struct script_change *change, uint64_t number,
                      uint8_t *data, size_t old_len)
{
    const uint64_t at = cursor_number(engine, &change->at);
    switch (change->kind) {
    case CHANGE_CORRUPT:
        data[at] ^= change->mask;
        break;
    case CHANGE_MUTATE:
        bytes_mutate(seed_of(cursor_number(engine, &change->seed), number), change->count, data, old_len);
        break;
    case CHANGE_TRUNCATE:
        break;
    case CHANGE_PATCH:
        memcpy(data + at, change->data.data, change->data.len);
        break;
    case CHANGE_APPEND:
        memcpy(data + old_len, change->data.data, change->data.len);
        break;
    }
}

/* All lengths before anything is changed: a message is changed as asked for, or not at all. */
static bool changes_fit(const struct engine *engine, const struct server_step *step, size_t *len,
                        struct text *why)
{
    for (size_t i = 0; i < step->change_count; i++) {
        const struct script_change *change = &step->changes[i];
        const uint64_t at = cursor_number(engine, &change->at);
        const size_t changed = change_length(change, at, *len);
        if (changed == SIZE_MAX)
            return too_short(why, change_name(change->kind), at, *len);
        *len = changed;
    }
    return true;
}

static bool changes_do(const struct engine *engine, const struct server_step *step, uint64_t number,
                       struct actions *actions, struct action *action, struct text *why)
{
    for (size_t i = 0; i < step->change_count; i++) {
        const struct script_change *change = &step->changes[i];
        const size_t old_len = action->len;
        const size_t len = change_length(change, cursor_number(engine, &change->at), old_len);
        uint8_t *data = actions_rewrite(actions, action, len);
        if (data == NULL) {
            text_add(why, "no room for the message");
            return false;
        }
        change_do(engine, change, number, data, old_len);
    }
    return true;
}

/* ---- one frame with its bits said ---- */

static uint8_t opcode_of(enum action_kind kind)
{
    if (kind == ACTION_SEND_TEXT)
        return WS_OPCODE_TEXT;
    return kind == ACTION_SEND_PING ? WS_OPCODE_PING : WS_OPCODE_BINARY;
}

/* The message becomes bytes for the wire; what counts bytes of the message counts the header as well. */
static bool frame_make(const struct engine *engine, const struct script_frame *frame, struct actions *actions,
                       struct action *action, struct text *why)
{
    const struct ws_frame_bits bits = {
        .opcode =
            frame->has_opcode ? (uint8_t)cursor_number(engine, &frame->opcode) : opcode_of(action->kind),
        .rsv = (uint8_t)cursor_number(engine, &frame->rsv),
        .fin = frame->fin,
        .mask = frame->mask,
        .form = frame->form,
        .length = frame->has_length ? cursor_number(engine, &frame->length) : action->len};
    uint8_t header[WS_FRAME_HEADER_BYTES_MAX];
    const size_t payload_len = action->len;
    const size_t header_len = ws_frame_write_header(&bits, header);
    uint8_t *data = actions_rewrite(actions, action, header_len + payload_len);
    if (data == NULL) {
        text_add(why, "no room for the frame");
        return false;
    }
    memmove(data + header_len, data, payload_len);
    memcpy(data, header, header_len);
    ws_frame_mask_payload(&bits, data + header_len, payload_len);
    action->kind = ACTION_SEND_RAW;
    if (action->delivery.slice_at != 0)
        action->delivery.slice_at += (uint32_t)header_len;
    if (action->delivery.end_at != 0)
        action->delivery.end_at += (uint32_t)header_len;
    return true;
}

/* ---- delivery ---- */

static uint32_t delay_of(const struct engine *engine, const struct server_step *step, uint64_t number)
{
    uint64_t delay_us = step->delivery.delay_us;
    if (step->jitter_max_us > 0) {
        struct seeded seeded = seed_of(cursor_number(engine, &step->jitter_seed), number);
        delay_us += seeded_next(&seeded) % ((uint64_t)step->jitter_max_us + 1);
    }
    return delay_us > UINT32_MAX ? UINT32_MAX : (uint32_t)delay_us;
}

static struct delivery delivery_of(const struct engine *engine, const struct server_step *step,
                                   uint64_t number)
{
    struct delivery delivery = step->delivery;
    delivery.slice_at = (uint32_t)cursor_number(engine, &step->slice_at);
    delivery.fragment_at = (uint32_t)cursor_number(engine, &step->fragment_at);
    delivery.end_at = (uint32_t)cursor_number(engine, &step->end_at);
    delivery.delay_us = delay_of(engine, step, number);
    return delivery;
}

bool message_finish(struct engine *engine, const struct server_step *step, uint64_t number,
                    struct actions *actions, size_t n, struct text *why)
{
    struct action *action = &actions->list[n];
    const struct delivery delivery = delivery_of(engine, step, number);
    size_t len = action->len;
    if (!changes_fit(engine, step, &len, why))
        return false;
    if (delivery.end_at > len)
        return too_short(why, delivery.end_by_reset ? "reset" : "drop", delivery.end_at, len);
    if (!changes_do(engine, step, number, actions, action, why))
        return false;
    action->delivery = delivery;
    if (step->frame.set && !frame_make(engine, &step->frame, actions, action, why))
        return false;
    action->fault = action->fault || step->fault;
    struct text name = text_of(action->step, sizeof action->step);
    text_add(&name, step->as);
    return true;
}
