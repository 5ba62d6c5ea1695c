/* The connections of a case, one after another: what comes on them, and what the rules decide at their end.
 */
#include <stdlib.h>

#include "conformance/server/drive_parts.h"

enum { SEEN_GROWTH = 256 };

static void seen_add(struct drive *drive, const struct seen *seen)
{
    if (drive->seen_count == drive->seen_capacity) {
        const size_t capacity = drive->seen_capacity * 2 + SEEN_GROWTH;
        struct seen *grown =
            capacity > DRIVE_SEEN_MAX ? NULL : realloc(drive->seen, capacity * sizeof *drive->seen);
        drive->flooded = grown == NULL;
        if (drive->flooded)
            return;
        drive->seen = grown;
        drive->seen_capacity = capacity;
    }
    drive->seen[drive->seen_count++] = *seen;
}

static void came(void *context, const struct seen *seen, struct bytes message)
{
    struct drive *drive = context;
    seen_add(drive, seen);
    if (seen->kind == SEEN_VIOLATION && drive->violation == NULL)
        drive->violation = ws_violation_sentence((enum ws_violation)seen->code);
    if (seen->kind == SEEN_MESSAGE)
        drive_watch_picture(drive, message);
}

void drive_unlink(struct drive *drive)
{
    if (!drive->linked)
        return;
    link_finish(&drive->link, drive->now_us);
    for (size_t n = 0; n < drive_rules(drive)->count; n++) {
        const enum rule_verdict verdict = drive_rules(drive)->verdict(drive->link.rules, n);
        if (verdict > drive->verdicts[n])
            drive->verdicts[n] = verdict;
    }
    drive->blur |= drive_rules(drive)->blur(drive->link.rules);
    link_free(&drive->link);
    drive->linked = false;
}

void drive_reconnect(struct drive *drive)
{
    const struct link_options options = {.class = drive->options.script->class,
                                         .side = drive_side(drive),
                                         .rules = &drive->options.rules,
                                         .journal = drive->options.journal,
                                         .number = ++drive->connections,
                                         .seed = drive->options.seed + drive->connections,
                                         .sink = came,
                                         .context = drive};
    drive_unlink(drive);
    drive->not_connected[0] = '\0';
    drive->sent_count = 0;
    drive->feed_count = 0;
    drive->linked = link_init(&drive->link, &options);
    drive->transport = drive->linked ? TRANSPORT_WANTED : TRANSPORT_NONE;
}

bool drive_wants_transport(const struct drive *drive)
{
    return drive->transport == TRANSPORT_WANTED;
}

bool drive_wants_end(const struct drive *drive)
{
    return drive->transport == TRANSPORT_ENDING;
}

bool drive_wants_hold(const struct drive *drive)
{
    return drive->transport == TRANSPORT_HOLDING;
}

struct bytes drive_output(const struct drive *drive)
{
    const bool up = drive->linked && drive->transport == TRANSPORT_UP;
    return up ? buffer_bytes(&drive->link.out) : (struct bytes){0};
}

void drive_connected(struct drive *drive, uint64_t now_us)
{
    drive->now_us = now_us;
    drive->transport = TRANSPORT_UP;
}

void drive_not_connected(struct drive *drive, uint64_t now_us, const char *sentence)
{
    struct text text = text_of(drive->not_connected, sizeof drive->not_connected);
    text_add(&text, sentence);
    drive->now_us = now_us;
    drive->transport = TRANSPORT_NONE;
    drive->link.ended = true;
}

void drive_sent(struct drive *drive, uint64_t now_us, size_t len)
{
    drive->now_us = now_us;
    link_sent(&drive->link, now_us, len);
}

void drive_received(struct drive *drive, uint64_t now_us, struct bytes bytes)
{
    drive->now_us = now_us;
    if (drive->linked)
        link_received(&drive->link, now_us, bytes);
}

void drive_ended(struct drive *drive, uint64_t now_us, bool reset)
{
    drive->now_us = now_us;
    drive->transport = TRANSPORT_NONE;
    if (drive->linked)
        link_ended(&drive->link, now_us, reset);
}

/* What the rules waited for on it decides now. */
void drive_held(struct drive *drive, uint64_t now_us)
{
    drive->now_us = now_us;
    drive->transport = TRANSPORT_NONE;
    drive_unlink(drive);
}
