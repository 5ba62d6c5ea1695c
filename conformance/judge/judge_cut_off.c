/* What did not come, as the session was over first by a time that the case sets: on a machine that stood
 * still that says nothing of the client. */
#include "conformance/judge/judge_parts.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool judge_saw_error(const struct judge_input *input)
{
    for (size_t i = 0; i < input->observation_count; i++)
        if (input->observations[i].kind == OBSERVED_ERROR)
            return true;
    return false;
}

bool judge_stood_still(const struct judge_input *input)
{
    return input->lateness_us > JUDGE_FROZEN_US || input->waited_long_us > JUDGE_STARVED_US;
}

uint64_t judge_lateness_us(const struct judge_input *input)
{
    return later(input->lateness_us, input->waited_long_us);
}

bool judge_broke_off(const struct judge_input *input)
{
    if (input->script_line != 0)
        return true;
    for (size_t i = 0; i < journal_count(input->journal); i++)
        if (journal_at(input->journal, i)->kind == JOURNAL_FAILED)
            return true;
    return false;
}

/* A client may begin its waits a little before its request is there, and its clock is not ours. */
static uint64_t shortened(uint64_t wait_us)
{
    return wait_us - wait_us / 5;
}

/* The step of the plan by which a client leaves by the clock: behind a wait of so much time, and not itself
 * after something; NULL: there is none. `wait_us`: all that it has to wait until then. */
static const struct plan_step *leaving_step(const struct case_script *script, uint64_t *wait_us)
{
    const struct plan_step *wait = NULL;
    *wait_us = 0;
    for (size_t i = 0; i < script->plan_count; i++) {
        const struct plan_step *step = &script->plan[i];
        switch (step->kind) {
        case PLAN_WAIT:
            wait = step;
            *wait_us += step->wait_us;
            break;
        case PLAN_CLOSE:
        case PLAN_END:
            return wait != NULL && wait->wait_us > 0 && step->after.name[0] == '\0' ? step : NULL;
        case PLAN_CONNECT:
        case PLAN_SPEAK:
        case PLAN_RECONNECT:
        case PLAN_CANCEL:
        case PLAN_FORCE_LISTEN:
            break;
        }
    }
    return NULL;
}

/* When the client ended its last connection, if it did so before the mock, and how long that had lasted. */
struct leave {
    bool first;
    uint64_t at_us, lasted_us;
};

/* The message by which clients of this family take their leave, before the mock closes. */
static bool is_farewell(const struct free_act *acts, const struct journal_entry *entry)
{
    for (const struct free_act *act = acts; act != NULL && act->requirement != NULL; act++)
        if (strcmp(act->step, "close") == 0 && strcmp(act->message, entry->label) == 0)
            return true;
    return false;
}

static struct leave leave_of(const struct journal *journal, const struct free_act *acts)
{
    struct leave leave = {.first = false};
    uint64_t since_us = 0;
    bool ended = false;
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        const bool of_client = entry->wire.direction == WIRE_FROM_CLIENT;
        if (entry->kind != JOURNAL_WIRE)
            continue;
        if (of_client && entry->wire.kind == WIRE_EVENT_REQUEST) {
            since_us = entry->at_us;
            leave.first = ended = false;
        }
        const bool leaves = entry->wire.kind == WIRE_EVENT_CLOSE || entry->wire.kind == WIRE_EVENT_END ||
                            (of_client && is_farewell(acts, entry));
        if (ended || !leaves)
            continue;
        ended = true;
        leave =
            (struct leave){.first = of_client, .at_us = entry->at_us, .lasted_us = entry->at_us - since_us};
    }
    return leave;
}

bool judge_is_broken_off(const struct judge_input *input, uint64_t sequence)
{
    const struct journal_entry *entry =
        sequence < journal_count(input->journal) ? journal_at(input->journal, sequence) : NULL;
    return entry != NULL && entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_CLIENT &&
           entry->wire.kind == WIRE_EVENT_END;
}

bool judge_is_leaving(const struct judge_input *input, uint64_t sequence)
{
    const struct journal_entry *entry =
        sequence < journal_count(input->journal) ? journal_at(input->journal, sequence) : NULL;
    return entry != NULL && entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_CLIENT &&
           (entry->wire.kind == WIRE_EVENT_CLOSE || entry->wire.kind == WIRE_EVENT_END ||
            is_farewell(judge_rules_of(input)->free_acts, entry));
}

bool judge_client_left_first(const struct journal *journal)
{
    return leave_of(journal, NULL).first;
}

/* It did as its plan says. One that waits to be answered to the end before it leaves (`end`) reads all that
 * was sent; so of that plan it counts only that the mock had not come to the end of its script. */
static bool left_by_the_clock(const struct judge_input *input)
{
    uint64_t wait_us = 0;
    const struct plan_step *step = leaving_step(input->script, &wait_us);
    const struct leave leave = leave_of(input->journal, judge_rules_of(input)->free_acts);
    if (step == NULL || input->tier < TIER_PLAN || !leave.first)
        return false;
    if (step->kind == PLAN_END && !judge_broke_off(input))
        return false;
    return leave.lasted_us + judge_lateness_us(input) >= shortened(wait_us);
}

/* Had all come by then that its plan waits for before it leaves? Of what is not known from its reports that
 * is not so. */
static bool plan_had_come_to(const struct judge_input *input, const struct plan_step *leaving)
{
    for (const struct plan_step *step = input->script->plan; step < leaving; step++) {
        bool came = step->after.name[0] == '\0';
        for (size_t i = 0; !came && strcmp(step->after.name, "ready") == 0 && i < input->observation_count;
             i++)
            came = input->observations[i].kind == OBSERVED_READY;
        if (!came)
            return false;
    }
    return true;
}

bool judge_left_as_planned(const struct judge_input *input, uint64_t sequence)
{
    uint64_t wait_us = 0;
    const struct plan_step *step = leaving_step(input->script, &wait_us);
    const struct free_act *farewells = judge_rules_of(input)->free_acts;
    const struct leave leave = leave_of(input->journal, farewells);
    if (step == NULL || step->kind == PLAN_END || input->tier < TIER_PLAN || !leave.first ||
        sequence >= journal_count(input->journal))
        return false;
    return journal_at(input->journal, sequence)->at_us >= leave.at_us &&
           leave.lasted_us >= shortened(wait_us) && plan_had_come_to(input, step);
}

bool judge_was_cut_off(const struct judge_input *input)
{
    return judge_stood_still(input) && (input->end == CLIENT_TIMED_OUT || left_by_the_clock(input));
}

/* The lateness is that of ten seconds: of what had longer for it than that, as much may be lost in each ten.
 */
static uint64_t in_ten_seconds(uint64_t had_us)
{
    static const uint64_t TEN_SECONDS_US = 10000000;
    return had_us < TEN_SECONDS_US ? had_us : TEN_SECONDS_US;
}

bool judge_gave_up_late(const struct judge_input *input)
{
    const struct leave leave = leave_of(input->journal, judge_rules_of(input)->free_acts);
    return judge_stood_still(input) && judge_saw_error(input) && leave.first &&
           judge_lateness_us(input) > in_ten_seconds(leave.lasted_us) / 2;
}

bool judge_is_excused(const struct judge_input *input, uint64_t excuse_us, uint64_t had_us)
{
    if (!judge_stood_still(input))
        return false;
    if (excuse_us != CHECK_NEVER)
        return judge_lateness_us(input) > excuse_us / 2;
    const bool by_clock = judge_was_cut_off(input) || !judge_client_left_first(input->journal);
    return by_clock && judge_lateness_us(input) > in_ten_seconds(had_us) / 2;
}

/* Of what was sent: not where the client had much more time for it than the machine was late. */
static bool had_no_time(const struct judge_input *input, const struct check_outcome *outcome)
{
    const size_t count = journal_count(input->journal);
    if (outcome->journal_sequence >= count || input->end == CLIENT_TIMED_OUT)
        return true;
    const uint64_t sent_us = journal_at(input->journal, outcome->journal_sequence)->at_us;
    const uint64_t left_us = leave_of(input->journal, judge_rules_of(input)->free_acts).at_us;
    return left_us < sent_us || (left_us - sent_us) / 2 < judge_lateness_us(input);
}

/* What ended the window is an act of the mock: something was too late for it. */
static bool was_too_late(const struct judge_input *input, const struct check_outcome *outcome)
{
    const size_t count = journal_count(input->journal);
    const struct journal_entry *end = outcome->due < count ? journal_at(input->journal, outcome->due) : NULL;
    const bool of_client =
        end == NULL || (end->kind == JOURNAL_WIRE && end->wire.direction == WIRE_FROM_CLIENT);
    return !of_client && outcome->excuse_us > 0 &&
           judge_is_excused(input, outcome->excuse_us, outcome->had_us);
}

bool judge_is_cut_off(const struct judge_input *input, const struct check_outcome *outcome)
{
    if (!outcome->missing || outcome->overtaken || !judge_stood_still(input))
        return false;
    if (!outcome->to_end)
        return was_too_late(input, outcome);
    return judge_was_cut_off(input) && had_no_time(input, outcome);
}
