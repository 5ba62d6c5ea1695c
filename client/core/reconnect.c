#include "client/core/reconnect.h"

#include "codec/ws/frame.h"

/* xorshift: any sequence will do that is the same for the same seed. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

bool reconnect_next(struct reconnect *reconnect, uint64_t asked_us, uint64_t *delay_us)
{
    if (reconnect->tried >= reconnect->times || asked_us > RECONNECT_ASKED_MAX_US)
        return false;
    uint64_t delay = RECONNECT_FIRST_DELAY_US;
    for (uint32_t n = 0; n < reconnect->tried && delay < RECONNECT_DELAY_MAX_US; n++)
        delay *= 2;
    if (delay > RECONNECT_DELAY_MAX_US)
        delay = RECONNECT_DELAY_MAX_US;
    if (reconnect->random != 0)
        delay += next_random(&reconnect->random) % (delay / 4);
    reconnect->tried++;
    *delay_us = delay > asked_us ? delay : asked_us;
    return true;
}

void reconnect_healthy(struct reconnect *reconnect)
{
    reconnect->tried = 0;
}

bool reconnect_status_can_pass(uint16_t http_status)
{
    enum { NONE = 0, TIMEOUT = 408, TOO_EARLY = 425, TOO_MANY = 429, SERVER_ERROR = 500, NOT_IMPLEMENTED };
    return http_status == NONE || http_status == TIMEOUT || http_status == TOO_EARLY ||
           http_status == TOO_MANY || (http_status >= SERVER_ERROR && http_status != NOT_IMPLEMENTED);
}

bool reconnect_close_can_pass(uint16_t close_code)
{
    return close_code == WS_CLOSE_GOING_AWAY || close_code == WS_CLOSE_NO_FRAME ||
           close_code == WS_CLOSE_INTERNAL_ERROR || close_code == WS_CLOSE_RESTART ||
           close_code == WS_CLOSE_TRY_AGAIN || close_code == WS_CLOSE_BAD_GATEWAY ||
           close_code == WS_CLOSE_TLS_FAILED;
}

void reconnect_observe(const struct reconnect *reconnect, const char *code, bool waits, uint64_t delay_us,
                       struct observation *out)
{
    *out = (struct observation){.kind = OBSERVED_STATE, .has_delay = waits};
    struct text text = text_of(out->code, sizeof out->code);
    text_add(&text, code);
    text = text_of(out->text, sizeof out->text);
    if (waits) {
        out->delay_ms = (uint32_t)(delay_us / 1000);
        text_add(&text, "trying again in ");
        text_add_u64(&text, delay_us / 1000);
        text_add(&text, " ms, attempt ");
    } else {
        text_add(&text, "connecting, attempt ");
    }
    text_add_u64(&text, reconnect->tried);
    text_add(&text, " of ");
    text_add_u64(&text, reconnect->times);
}

void reconnect_say_end(const struct reconnect *reconnect, uint64_t asked_us, struct text *out)
{
    if (asked_us > RECONNECT_ASKED_MAX_US) {
        text_add(out, "the server asks to wait for ");
        text_add_u64(out, asked_us / 1000000);
        text_add(out, " s before the next attempt");
        return;
    }
    text_add(out, "no connection held after ");
    text_add_u64(out, reconnect->tried);
    text_add(out, reconnect->tried == 1 ? " further attempt" : " further attempts");
}
