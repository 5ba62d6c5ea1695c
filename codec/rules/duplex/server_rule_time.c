/* Time and pace: DX-SRV-10 and 15, 12, 16. 002 Mode Constraints, Silent Drop, Features Not Included; field
 * notes. */
#include "codec/rules/duplex/server_rule_set.h"

/* --- how long a session lasts --- */

static const char LASTS[] =
    "session.closed with timeout when the session has lasted its time, queueing included";

static uint64_t limit_us(const struct server_rule_set *rules)
{
    const uint32_t speed = rules->context.speed == 0 ? 1 : rules->context.speed;
    return rules->watch.profile->session_us / speed;
}

/* What a clock, a network and a timer may be off. */
static uint64_t tolerance_us(uint64_t limit)
{
    return 1000000 + limit / 50;
}

static enum duplex_server_rule lasting_rule(const struct server_rule_set *rules)
{
    return rules->watch.profile->mode == DUPLEX_MODE_VIDEO ? DUPLEX_SERVER_RULE_10 : DUPLEX_SERVER_RULE_15;
}

void duplex_server_lasting(struct server_rule_set *rules, enum duplex_server_rule rule,
                           const struct duplex_seen *seen)
{
    const uint64_t limit = limit_us(rules);
    const uint64_t lasted = duplex_since(rules->watch.open_us, seen->event->at_us);
    (void)rule;
    if (!rules->watch.open || rules->time_judged || !duplex_server_sent(seen, DUPLEX_MESSAGE_CLOSED))
        return;
    rules->time_judged = true;
    if (!bytes_equal_text(seen->message.reason, duplex_reason_name(DUPLEX_REASON_TIMEOUT)))
        return;
    if (lasted + tolerance_us(limit) < limit)
        duplex_server_broken_number(rules, lasting_rule(rules), seen->event->at_us, LASTS, "it came after ",
                                    lasted / 1000, " ms");
    else
        duplex_server_kept(rules, lasting_rule(rules));
}

void duplex_server_lasting_clock(struct server_rule_set *rules, enum duplex_server_rule rule, uint64_t now_us)
{
    const uint64_t limit = limit_us(rules);
    const uint64_t lasted = duplex_since(rules->watch.open_us, now_us);
    (void)rule;
    if (!rules->watch.open || rules->time_judged || rules->watch.phase == DUPLEX_PHASE_CLOSED ||
        lasted <= limit + tolerance_us(limit))
        return;
    rules->time_judged = true;
    duplex_server_broken_number(rules, lasting_rule(rules), now_us, LASTS, "none in ", lasted / 1000, " ms");
}

/* --- chunks that come too fast --- */

enum { BURST_APPENDS = 3 };
static const uint64_t BURST_US = 500000;
static const uint64_t AFTER_BURST_US = 2000000;

void duplex_server_burst(struct server_rule_set *rules, enum duplex_server_rule rule,
                         const struct duplex_seen *seen)
{
    const uint64_t at_us = seen->event->at_us;
    enum duplex_error_code code = DUPLEX_ERROR_COUNT;
    if (rules->burst && rules->awaited_count == 0 && duplex_server_sent(seen, DUPLEX_MESSAGE_ERROR) &&
        duplex_error_by_name(seen->message.code, &code) && duplex_error_close(code) == 0 &&
        strcmp(duplex_error_type(code), DUPLEX_ERROR_TYPE_CLIENT) == 0) {
        rules->burst = false;
        duplex_server_broken(rules, rule, at_us, "no error for appends that come too fast",
                             duplex_error_name(code));
    }
    if (seen->ends || seen->from_server)
        return;
    if (!duplex_server_right_append(rules, seen)) {
        rules->append_time_count = 0;
        return;
    }
    memmove(rules->append_times + 1, rules->append_times,
            (BURST_APPENDS - 1) * sizeof rules->append_times[0]);
    rules->append_times[0] = at_us;
    if (rules->append_time_count < BURST_APPENDS)
        rules->append_time_count++;
    if (rules->append_time_count == BURST_APPENDS && !rules->burst &&
        duplex_since(rules->append_times[BURST_APPENDS - 1], at_us) <= BURST_US) {
        rules->burst = true;
        rules->burst_us = at_us;
    }
}

void duplex_server_burst_clock(struct server_rule_set *rules, enum duplex_server_rule rule, uint64_t now_us)
{
    if (!rules->burst || duplex_since(rules->burst_us, now_us) < AFTER_BURST_US)
        return;
    rules->burst = false;
    duplex_server_kept(rules, rule);
}

/* --- no chunks at all --- */

static const uint64_t IDLE_US = 5000000;
static const uint64_t IDLE_BROKEN_US = 2000000;

void duplex_server_idle(struct server_rule_set *rules, enum duplex_server_rule rule,
                        const struct duplex_seen *seen)
{
    const uint64_t at_us = seen->event->at_us;
    const uint64_t idle_us = duplex_since(rules->idle_since_us, at_us);
    if (duplex_server_sent(seen, DUPLEX_MESSAGE_CREATED))
        rules->idle_since_us = at_us;
    if (rules->watch.phase != DUPLEX_PHASE_ACTIVE)
        return;
    if (seen->from_client) {
        rules->idle_done =
            duplex_server_right_append(rules, seen) && (rules->idle_done || idle_us >= IDLE_US);
        rules->idle_since_us = at_us;
    } else if (duplex_server_ends(seen)) {
        if (idle_us >= IDLE_BROKEN_US && !duplex_server_ends_lawfully(rules, seen))
            duplex_server_broken_number(rules, rule, at_us, "without appends the session stays, and listens",
                                        "the server ended it after ", idle_us / 1000, " ms without one");
    } else if (rules->idle_done && duplex_server_output(seen)) {
        duplex_server_kept(rules, rule);
    }
}
