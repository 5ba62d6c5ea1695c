#include "conformance/server/drive.h"

#include <stdlib.h>

#include "conformance/server/drive_parts.h"

enum {
    MESSAGE_BYTES_MAX = 4 * 1024 * 1024,
    CLOSING_WAIT_US = 1500000 /* for the server's part of the closing handshake, at the end of a case */
};

struct drive *drive_new(const struct drive_options *options)
{
    struct drive *drive = calloc(1, sizeof *drive);
    if (drive == NULL)
        return NULL;
    drive->options = *options;
    buffer_init(&drive->message, MESSAGE_BYTES_MAX);
    drive->verdicts = calloc(drive_rules(drive)->count + 1, sizeof *drive->verdicts);
    if (drive->verdicts == NULL) {
        free(drive);
        return NULL;
    }
    drive->levels[0] =
        (struct level){.steps = options->script->client_steps, .count = options->script->client_step_count};
    drive->depth = 1;
    return drive;
}

void drive_free(struct drive *drive)
{
    if (drive == NULL)
        return;
    if (drive->linked)
        link_free(&drive->link);
    buffer_free(&drive->message);
    free(drive->seen);
    free(drive->verdicts);
    free(drive);
}

/* ---- playing ---- */

static void level_push(struct drive *drive, const struct client_step *steps, size_t count, uint64_t rounds,
                       bool prelude)
{
    if (count > 0 && drive->depth < DRIVE_LEVELS_MAX)
        drive->levels[drive->depth++] =
            (struct level){.steps = steps, .count = count, .rounds_left = rounds - 1, .prelude = prelude};
}

/* The step at hand is done: what it opens, and on to the next. */
static void step_leave(struct drive *drive, const struct client_step *step)
{
    drive->levels[drive->depth - 1].next++;
    drive->entered = false;
    if (step->kind == CLIENT_STEP_REPEAT) {
        level_push(drive, step->children, step->child_count, step->count, false);
    } else if (step->kind == CLIENT_STEP_BEGIN) {
        size_t count = 0;
        const struct client_step *prelude = drive_side(drive)->prelude(drive->options.rules.profile, &count);
        drive->begin_line = step->line;
        level_push(drive, prelude, count, 1, true);
    }
}

/* The step at hand, past the ends of blocks; NULL when all is played. */
static const struct client_step *step_at_hand(struct drive *drive)
{
    while (drive->depth > 0) {
        struct level *level = &drive->levels[drive->depth - 1];
        if (level->next < level->count)
            return &level->steps[level->next];
        if (level->rounds_left > 0) {
            level->rounds_left--;
            level->next = 0;
        } else {
            drive->depth--;
        }
    }
    return NULL;
}

static uint64_t limit_us(const struct drive *drive)
{
    return drive->began_us + drive->rescue_us +
           drive->options.script->limit_us * (drive->options.patience == 0 ? 1 : drive->options.patience);
}

static const char *failure_of(const struct drive *drive)
{
    if (drive->not_connected[0] != '\0')
        return drive->not_connected;
    if (drive->outcome_count > 0 && !drive->outcomes[drive->outcome_count - 1].held)
        return drive->outcomes[drive->outcome_count - 1].actual;
    return "the message does not fit";
}

/* The finding stands; the case goes on another way. */
static bool is_rescued(struct drive *drive, const struct client_step *step)
{
    size_t count = 0;
    const struct client_side *side = drive_side(drive);
    const struct client_step *rescue = side->rescue == NULL ? NULL : side->rescue(step, &count);
    if (rescue == NULL || drive->link.ended)
        return false;
    drive->rescue_us += drive->now_us - drive->entered_us;
    step_leave(drive, step);
    level_push(drive, rescue, count, 1, true);
    return true;
}

static void play(struct drive *drive)
{
    for (;;) {
        const struct client_step *step = step_at_hand(drive);
        if (step == NULL)
            return;
        const unsigned line = drive_is_prelude(drive) ? drive->begin_line : step->line;
        if (drive->now_us >= limit_us(drive) || drive->flooded) {
            drive_break_off(drive, line, drive->flooded ? "the server floods" : "the case's time is up");
            return;
        }
        if (!drive->entered)
            drive->entered_us = drive->now_us;
        const enum step_status status = drive_play(drive, step);
        drive->entered = true;
        switch (status) {
        case STEP_STATUS_WAITS:
        case STEP_STATUS_STOPPED:
            return;
        case STEP_STATUS_FAILED:
            if (is_rescued(drive, step))
                break;
            drive_break_off(drive, line, failure_of(drive));
            return;
        case STEP_STATUS_DONE:
            step_leave(drive, step);
            break;
        }
    }
}

/* A polite end, so that nothing of this case is left with the server. */
static void closing_begin(struct drive *drive)
{
    drive->phase = DRIVE_CLOSING;
    drive->entered_us = drive->now_us;
    if (!drive->linked || drive->transport != TRANSPORT_UP)
        return;
    if (drive->link.open)
        (void)link_queue_close(&drive->link, WS_CLOSE_NORMAL);
    else
        drive->transport = TRANSPORT_ENDING;
}

static void closing_go_on(struct drive *drive)
{
    const bool waited = drive->now_us - drive->entered_us >= CLOSING_WAIT_US;
    if (drive->transport == TRANSPORT_UP && !drive->link.ended && !waited)
        return;
    if (drive->transport != TRANSPORT_NONE && !waited) {
        drive->transport = TRANSPORT_ENDING;
        return;
    }
    drive_unlink(drive);
    drive->phase = DRIVE_OVER;
}

void drive_step(struct drive *drive, uint64_t now_us)
{
    if (!drive->begun)
        drive->began_us = now_us;
    drive->begun = true;
    drive->now_us = now_us;
    if (drive->phase == DRIVE_PLAYING) {
        drive_feed(drive);
        play(drive);
        if (step_at_hand(drive) == NULL)
            closing_begin(drive);
    }
    if (drive->phase == DRIVE_CLOSING)
        closing_go_on(drive);
}

bool drive_is_over(const struct drive *drive)
{
    return drive->phase == DRIVE_OVER;
}

uint64_t drive_deadline_us(const struct drive *drive)
{
    if (drive->phase != DRIVE_PLAYING)
        return drive->entered_us + CLOSING_WAIT_US;
    const struct level *level = &drive->levels[drive->depth > 0 ? drive->depth - 1 : 0];
    const uint64_t limit = limit_us(drive);
    if (drive->depth == 0 || level->next >= level->count)
        return drive->now_us;
    const uint64_t deadline = drive_step_deadline_us(drive, &level->steps[level->next]);
    const uint64_t feed = drive_feed_deadline_us(drive);
    const uint64_t first = deadline < feed ? deadline : feed;
    return first < limit ? first : limit;
}

/* ---- what came of it ---- */

size_t drive_outcome_count(const struct drive *drive)
{
    return drive->outcome_count;
}

const struct drive_outcome *drive_outcome_at(const struct drive *drive, size_t n)
{
    return &drive->outcomes[n];
}

enum rule_verdict drive_rule_verdict(const struct drive *drive, size_t n)
{
    return drive->verdicts[n];
}

unsigned drive_blur(const struct drive *drive)
{
    return drive->blur;
}

const char *drive_violation(const struct drive *drive)
{
    return drive->violation;
}

unsigned drive_broken_line(const struct drive *drive)
{
    return drive->broken_line;
}

const char *drive_broken_why(const struct drive *drive)
{
    return drive->broken_why;
}
