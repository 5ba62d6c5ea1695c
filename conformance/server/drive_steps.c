/* Each kind of step. */
#include "conformance/server/drive_parts.h"

enum {
    WITHIN_DEFAULT_US = 5000000,
    CLOSE_WAIT_US = 2000000,
    CONNECT_WAIT_US = 10000000,
    LIMIT_SLACK_US = 3000000, /* what clocks, the way and a timer may be off */
    LIMIT_SLACK_PART = 50     /* ... and this part of a limit */
};

static void look_from_here(struct drive *drive)
{
    drive->cursor = drive->scanned = drive->seen_count;
    drive->matches = 0;
}

/* ---- connect ---- */

static enum step_status connect_play(struct drive *drive, const struct client_step *step)
{
    if (!drive->entered) {
        drive_reconnect(drive);
        look_from_here(drive);
        return STEP_STATUS_WAITS;
    }
    switch (drive->transport) {
    case TRANSPORT_NONE:
        return STEP_STATUS_FAILED; /* not_connected says why */
    case TRANSPORT_WANTED:
    case TRANSPORT_ENDING:
    case TRANSPORT_HOLDING:
        return STEP_STATUS_WAITS;
    case TRANSPORT_UP:
        break;
    }
    uint8_t nonce[16];
    struct buffer *message = &drive->message;
    link_random(&drive->link, nonce);
    buffer_clear(message);
    const bool good = client_request_write(drive_side(drive), &drive->options.target,
                                           drive->options.rules.profile, step, nonce, message) &&
                      link_queue(&drive->link, buffer_bytes(message));
    return good ? STEP_STATUS_DONE : STEP_STATUS_FAILED;
}

/* ---- recv, none ---- */

static uint64_t patience(const struct drive *drive)
{
    return drive->options.patience == 0 ? 1 : drive->options.patience;
}

/* A limit as this server has it, and some time beyond. */
static uint64_t due_us(const struct drive *drive, const struct client_step *step)
{
    const uint32_t speed = drive->options.rules.speed;
    const uint64_t limit = step->duration_us / (speed == 0 ? 1 : speed);
    return limit + limit / LIMIT_SLACK_PART + LIMIT_SLACK_US * patience(drive);
}

static uint64_t within_us(const struct drive *drive, const struct client_step *step)
{
    if (step->is_limit)
        return due_us(drive, step);
    return (step->duration_us == 0 ? WITHIN_DEFAULT_US : step->duration_us) * patience(drive);
}

/* "a pong within 2 s" */
static void wanted_say(const struct drive *drive, struct text *out, const struct client_step *step,
                       uint64_t us, const char *before)
{
    seen_describe_wanted(drive_side(drive), out, step);
    text_add(out, before);
    text_add_double(out, (double)us / 1e6, 3);
    text_add(out, " s");
}

/* Everything before `end`, counted from the cursor. */
static void came_say(const struct drive *drive, size_t end, struct text *out)
{
    const struct seen *from = drive->seen == NULL ? NULL : drive->seen + drive->cursor;
    seen_describe(drive_side(drive), out, from, end - drive->cursor);
}

static bool is_seen(const struct drive *drive, size_t at, const struct client_step *step, const char *codes)
{
    return seen_matches(drive_side(drive), &drive->seen[at], step, codes);
}

/* False: what excuses the step came first. */
static bool scan(struct drive *drive, const struct client_step *step, uint64_t wanted)
{
    for (; drive->scanned < drive->seen_count && drive->matches < wanted; drive->scanned++) {
        if (step->kind == CLIENT_STEP_RECV && step->other[0] != '\0' &&
            is_seen(drive, drive->scanned, step, step->other))
            return false;
        if (is_seen(drive, drive->scanned, step, step->codes))
            drive->matches++;
    }
    return true;
}

static enum step_status stop_excused(struct drive *drive, const struct client_step *step)
{
    char why[DRIVE_TEXT_MAX];
    struct text text = text_of(why, sizeof why);
    came_say(drive, drive->scanned + 1, &text);
    text_add(&text, ": no occasion for it");
    drive_break_off(drive, step->line, why);
    return STEP_STATUS_STOPPED;
}

static enum step_status recv_play(struct drive *drive, const struct client_step *step)
{
    char expected[DRIVE_TEXT_MAX];
    char actual[DRIVE_TEXT_MAX];
    struct text first = text_of(expected, sizeof expected);
    struct text second = text_of(actual, sizeof actual);
    if (!scan(drive, step, step->count))
        return stop_excused(drive, step);
    const bool came = drive->matches >= step->count;
    const bool ended = (drive->link.ended || drive->link.lost) && drive->scanned == drive->seen_count;
    if (!came && !ended && drive->now_us - drive->entered_us < within_us(drive, step))
        return STEP_STATUS_WAITS;
    wanted_say(drive, &first, step, within_us(drive, step), " within ");
    came_say(drive, drive->scanned, &second);
    drive_outcome_add(drive, step, came, expected, actual);
    if (!came && !ended)
        drive_outcome_waited(drive, step);
    drive->cursor = drive->scanned;
    drive->matches = 0;
    return came ? STEP_STATUS_DONE : STEP_STATUS_FAILED;
}

static enum step_status none_play(struct drive *drive, const struct client_step *step)
{
    if (!drive->entered)
        look_from_here(drive);
    (void)scan(drive, step, 1);
    if (drive->matches == 0 && drive->now_us - drive->entered_us < step->duration_us)
        return STEP_STATUS_WAITS;
    char expected[DRIVE_TEXT_MAX];
    char actual[DRIVE_TEXT_MAX];
    struct text first = text_of(expected, sizeof expected);
    struct text second = text_of(actual, sizeof actual);
    const bool held = drive->matches == 0;
    text_add(&first, "not ");
    wanted_say(drive, &first, step, step->duration_us, " for ");
    came_say(drive, drive->scanned, &second);
    drive_outcome_add(drive, step, held, expected, actual);
    look_from_here(drive);
    return held ? STEP_STATUS_DONE : STEP_STATUS_FAILED;
}

/* ---- send ---- */

/* When the next message that is paced may go out. */
static uint64_t pace_us(const struct drive *drive)
{
    const struct client_pace *pace = &drive_side(drive)->pace;
    if (drive->sent_count < pace->messages)
        return 0;
    return drive->sent_us[drive->sent_count % pace->messages] + pace->window_us;
}

static struct bytes speech_of(const struct drive *drive, const char *file)
{
    for (size_t i = 0; file != NULL && i < drive->options.speech_count; i++)
        if (strcmp(drive->options.speech[i].file, file) == 0)
            return drive->options.speech[i].pcm;
    return (struct bytes){0};
}

/* The number-th message of that step. False when it does not fit. */
static bool message_send(struct drive *drive, const struct client_step *step, uint64_t number)
{
    const struct client_side *side = drive_side(drive);
    const struct client_writing with = {.profile = drive->options.rules.profile,
                                        .now_ms = drive->options.rules.epoch_ms + drive->now_us / 1000,
                                        .number = number,
                                        .pcm = speech_of(drive, client_option(step, "file")->text),
                                        .picture = drive->options.picture};
    struct buffer *message = &drive->message;
    buffer_clear(message);
    if (!client_message_write(side, step, &with, message) ||
        !link_queue_frame(&drive->link, client_message_opcode(side, step), buffer_bytes(message)))
        return false;
    if (side->pace.is_paced(step))
        drive->sent_us[drive->sent_count++ % side->pace.messages] = drive->now_us;
    return true;
}

static bool feed_begin(struct drive *drive, const struct client_step *step)
{
    if (step->every_us == 0)
        return true;
    if (drive->feed_count == CLIENT_FEEDS_MAX)
        return false;
    drive->feeds[drive->feed_count++] =
        (struct feed){.step = step, .number = 1, .due_us = drive->now_us + step->every_us};
    return true;
}

static enum step_status send_play(struct drive *drive, const struct client_step *step)
{
    if (drive_side(drive)->pace.is_paced(step) && !step->unpaced && drive->now_us < pace_us(drive))
        return STEP_STATUS_WAITS;
    if (!message_send(drive, step, 0) || !feed_begin(drive, step))
        return STEP_STATUS_FAILED;
    look_from_here(drive);
    return STEP_STATUS_DONE;
}

/* A server that ended the connection gets no more. */
void drive_feed(struct drive *drive)
{
    if (drive->link.ended || drive->link.close_sent)
        drive->feed_count = 0;
    for (size_t i = 0; i < drive->feed_count; i++) {
        struct feed *feed = &drive->feeds[i];
        if (drive->now_us < feed->due_us)
            continue;
        feed->due_us += feed->step->every_us;
        (void)message_send(drive, feed->step, feed->number++);
    }
}

uint64_t drive_feed_deadline_us(const struct drive *drive)
{
    uint64_t due_us = UINT64_MAX;
    for (size_t i = 0; i < drive->feed_count; i++)
        if (drive->feeds[i].due_us < due_us)
            due_us = drive->feeds[i].due_us;
    return due_us;
}

/* ---- the rest ---- */

static enum step_status close_play(struct drive *drive, const struct client_step *step)
{
    if (!drive->entered)
        (void)link_queue_close(&drive->link, step->code);
    const bool over = drive->link.ended || drive->now_us - drive->entered_us >= CLOSE_WAIT_US;
    return over ? STEP_STATUS_DONE : STEP_STATUS_WAITS;
}

static enum step_status drop_play(struct drive *drive)
{
    if (!drive->entered && drive->transport == TRANSPORT_UP)
        drive->transport = TRANSPORT_ENDING;
    return drive->transport == TRANSPORT_NONE ? STEP_STATUS_DONE : STEP_STATUS_WAITS;
}

static enum step_status hold_play(struct drive *drive)
{
    if (!drive->entered && drive->transport == TRANSPORT_UP)
        drive->transport = TRANSPORT_HOLDING;
    return drive->transport == TRANSPORT_NONE ? STEP_STATUS_DONE : STEP_STATUS_WAITS;
}

static enum step_status watch_play(struct drive *drive, const struct client_step *step)
{
    drive->watching = drive_watch_of(drive, step->text);
    if (drive->watching == NULL && drive->watch_count < CLIENT_WATCHES_MAX) {
        drive->watching = &drive->watches[drive->watch_count++];
        drive->watching->name = step->text;
    }
    if (drive->watching != NULL && !motion_take(&drive->watching->motion))
        drive->watching = NULL; /* there are takes enough */
    drive->picture_before = false;
    return STEP_STATUS_DONE;
}

enum step_status drive_play(struct drive *drive, const struct client_step *step)
{
    switch (step->kind) {
    case CLIENT_STEP_BEGIN:
    case CLIENT_STEP_CONNECT:
        return connect_play(drive, step);
    case CLIENT_STEP_RECV:
        return recv_play(drive, step);
    case CLIENT_STEP_NONE:
        return none_play(drive, step);
    case CLIENT_STEP_SEND:
        return send_play(drive, step);
    case CLIENT_STEP_REST:
        drive->feed_count = 0;
        return STEP_STATUS_DONE;
    case CLIENT_STEP_WAIT:
        return drive->now_us - drive->entered_us >= step->duration_us ? STEP_STATUS_DONE : STEP_STATUS_WAITS;
    case CLIENT_STEP_CLOSE:
        return close_play(drive, step);
    case CLIENT_STEP_DROP:
        return drop_play(drive);
    case CLIENT_STEP_HOLD:
        return hold_play(drive);
    case CLIENT_STEP_WATCH:
        return watch_play(drive, step);
    case CLIENT_STEP_COMPARE:
        return drive_compare(drive, step);
    case CLIENT_STEP_REPEAT: /* a level of its own */
        return STEP_STATUS_DONE;
    }
    return STEP_STATUS_DONE;
}

uint64_t drive_step_deadline_us(const struct drive *drive, const struct client_step *step)
{
    switch (step->kind) {
    case CLIENT_STEP_RECV:
        return drive->entered_us + within_us(drive, step);
    case CLIENT_STEP_NONE:
    case CLIENT_STEP_WAIT:
        return drive->entered_us + step->duration_us;
    case CLIENT_STEP_SEND:
        return pace_us(drive);
    case CLIENT_STEP_CLOSE:
        return drive->entered_us + CLOSE_WAIT_US;
    case CLIENT_STEP_BEGIN:
    case CLIENT_STEP_CONNECT:
        return drive->entered_us + CONNECT_WAIT_US;
    case CLIENT_STEP_REST:
    case CLIENT_STEP_DROP:
    case CLIENT_STEP_HOLD:
    case CLIENT_STEP_WATCH:
    case CLIENT_STEP_COMPARE:
    case CLIENT_STEP_REPEAT:
        break;
    }
    return drive->now_us;
}
