#include "codec/rules/pong_wait.h"

enum pong_verdict {
    PONG_NOTHING, /* no pong was due, or the event has nothing to do with it */
    PONG_KEPT,    /* a ping was answered, and all before it */
    PONG_BROKEN   /* one is overdue, or had a wrong answer: the texts say which */
};

static uint64_t elapsed(uint64_t from_us, uint64_t to_us)
{
    return to_us > from_us ? to_us - from_us : 0;
}

static void forget_oldest(struct pong_state *pong, size_t count)
{
    pong->count -= count;
    memmove(pong->pings, pong->pings + count, pong->count * sizeof pong->pings[0]);
}

static void take_ping(struct pong_state *pong, const struct wire_event *event, uint64_t number)
{
    if (event->data.len > PING_BYTES_MAX)
        return;
    /* The oldest is kept for its time: it is the second that makes room. */
    if (pong->count == PINGS_KEPT) {
        pong->count--;
        memmove(pong->pings + 1, pong->pings + 2, (pong->count - 1) * sizeof pong->pings[0]);
    }
    struct ping *ping = &pong->pings[pong->count++];
    ping->at_us = event->at_us;
    ping->event = number;
    ping->len = event->data.len;
    ping->has_other = false;
    if (ping->len > 0)
        memcpy(ping->data, event->data.data, ping->len);
}

enum { DATA_SHOWN_MAX = 32 };

static bool is_readable(struct bytes data)
{
    for (size_t i = 0; i < data.len; i++)
        if (data.data[i] < ' ' || data.data[i] > '~')
            return false;
    return data.len > 0;
}

/* "6265747765656e, the text between" */
static void write_expected(const struct ping *ping, struct text *expected)
{
    const struct bytes data = bytes_of(ping->data, ping->len < DATA_SHOWN_MAX ? ping->len : DATA_SHOWN_MAX);
    text_add_hex(expected, data);
    if (!is_readable(data))
        return;
    text_add(expected, ", the text ");
    text_add_printable(expected, data, DATA_SHOWN_MAX);
}

/* Of the `count` oldest. */
static bool one_is_wrong(const struct pong_state *pong, size_t count, struct finding_draft *draft)
{
    for (size_t i = 0; i < count; i++) {
        const struct ping *ping = &pong->pings[i];
        if (!ping->has_other)
            continue;
        text_add(&draft->expected, "a pong with the data of the ping: ");
        write_expected(ping, &draft->expected);
        text_add(&draft->actual, "a pong with other data, ");
        text_add_u64(&draft->actual, ping->other_len);
        text_add(&draft->actual,
                 ping->other_len == 1 ? " byte where the ping had " : " bytes where the ping had ");
        text_add_u64(&draft->actual, ping->len);
        draft->finding.event = ping->other_event;
        return true;
    }
    return false;
}

static enum pong_verdict take_pong(struct pong_state *pong, struct bytes data, uint64_t number,
                                   struct finding_draft *draft)
{
    for (size_t i = pong->count; i > 0; i--) {
        if (bytes_equal(bytes_of(pong->pings[i - 1].data, pong->pings[i - 1].len), data)) {
            const bool wrong = one_is_wrong(pong, i - 1, draft);
            forget_oldest(pong, i);
            return wrong ? PONG_BROKEN : PONG_KEPT;
        }
    }
    if (pong->count > 0) {
        pong->pings[pong->count - 1].has_other = true;
        pong->pings[pong->count - 1].other_len = data.len;
        pong->pings[pong->count - 1].other_event = number;
    }
    return PONG_NOTHING;
}

/* Has the newest waited for its time, or the oldest for the longer one, whatever came after it? */
static bool is_overdue(const struct pong_state *pong, const struct pong_terms *terms, uint64_t now_us)
{
    if (pong->count == 0)
        return false;
    return elapsed(pong->pings[pong->count - 1].at_us, now_us) >= terms->wait_us ||
           elapsed(pong->pings[0].at_us, now_us) >= terms->oldest_us;
}

static enum pong_verdict find_overdue(struct pong_state *pong, const struct pong_terms *terms,
                                      uint64_t now_us, struct finding_draft *draft)
{
    if (!is_overdue(pong, terms, now_us))
        return PONG_NOTHING;
    text_add(&draft->expected, "a pong with the data of the newest ping: ");
    write_expected(&pong->pings[pong->count - 1], &draft->expected);
    text_add(&draft->actual, "no such pong for ");
    text_add_u64(&draft->actual, elapsed(pong->pings[0].at_us, now_us) / 1000);
    text_add(&draft->actual, " ms");
    draft->finding.event = pong->pings[pong->count - 1].event;
    pong->count = 0;
    return PONG_BROKEN;
}

static void conclude(enum pong_verdict verdict, struct finding_draft *draft, uint64_t at_us,
                     struct finding_book *book, size_t rule)
{
    if (verdict == PONG_KEPT)
        finding_book_kept(book, rule);
    else if (verdict == PONG_BROKEN)
        finding_book_end(book, rule, draft, at_us, false);
}

void pong_wait_event(struct pong_state *pong, const struct pong_terms *terms, const struct wire_event *event,
                     struct finding_book *book, size_t rule)
{
    enum pong_verdict verdict = PONG_NOTHING;
    struct finding_draft draft;
    finding_begin(&draft);
    /* A close is judged by the ending, at its own time. */
    if (event->kind != WIRE_EVENT_CLOSE && event->kind != WIRE_EVENT_END)
        verdict = find_overdue(pong, terms, event->at_us, &draft);
    if (event->direction == terms->answerer && event->kind == WIRE_EVENT_PONG && verdict == PONG_NOTHING)
        verdict = take_pong(pong, event->data, finding_book_event(book), &draft);
    if (event->direction != terms->answerer && event->kind == WIRE_EVENT_PING && !event->fault)
        take_ping(pong, event, finding_book_event(book));
    conclude(verdict, &draft, event->at_us, book, rule);
}

void pong_wait_ending(struct pong_state *pong, const struct pong_terms *terms, uint64_t now_us,
                      struct finding_book *book, size_t rule)
{
    struct finding_draft draft;
    finding_begin(&draft);
    enum pong_verdict verdict = find_overdue(pong, terms, now_us, &draft);
    if (verdict == PONG_NOTHING && one_is_wrong(pong, pong->count, &draft))
        verdict = PONG_BROKEN;
    conclude(verdict, &draft, now_us, book, rule);
}
