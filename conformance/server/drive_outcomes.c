/* What steps found, and how far pictures move. */
#include "codec/rules/requirements.h"
#include "conformance/server/drive_parts.h"

static const char *word_of(const struct client_step *step)
{
    switch (step->kind) {
    case CLIENT_STEP_NONE:
        return "none ";
    case CLIENT_STEP_COMPARE:
        return "compare ";
    case CLIENT_STEP_RECV:
    case CLIENT_STEP_BEGIN:
    case CLIENT_STEP_CONNECT:
    case CLIENT_STEP_SEND:
    case CLIENT_STEP_REST:
    case CLIENT_STEP_WAIT:
    case CLIENT_STEP_CLOSE:
    case CLIENT_STEP_DROP:
    case CLIENT_STEP_HOLD:
    case CLIENT_STEP_WATCH:
    case CLIENT_STEP_REPEAT:
        break;
    }
    return "recv ";
}

static unsigned line_of(const struct drive *drive, const struct client_step *step)
{
    return drive_is_prelude(drive) ? drive->begin_line : step->line;
}

/* A step in a repeat has one outcome for all its rounds. */
static struct drive_outcome *outcome_of(struct drive *drive, unsigned line)
{
    for (size_t i = 0; i < drive->outcome_count; i++)
        if (drive->outcomes[i].line == line)
            return &drive->outcomes[i];
    if (drive->outcome_count == DRIVE_OUTCOMES_MAX)
        return &drive->outcomes[DRIVE_OUTCOMES_MAX - 1];
    return &drive->outcomes[drive->outcome_count++];
}

void drive_outcome_add(struct drive *drive, const struct client_step *step, bool held, const char *expected,
                       const char *actual)
{
    const bool prelude = drive_is_prelude(drive);
    if (prelude && held)
        return; /* the rules say so too */
    struct drive_outcome *out = outcome_of(drive, line_of(drive, step));
    *out = (struct drive_outcome){.line = line_of(drive, step), .held = held, .prelude = prelude};
    out->clause_id =
        step->clause_id != NULL ? step->clause_id : drive->options.script->clauses[0].requirement->id;
    struct text name = text_of(out->name, sizeof out->name);
    text_add(&name, prelude ? "begin, " : word_of(step));
    text_add(&name, step->kind == CLIENT_STEP_COMPARE
                        ? step->text
                        : client_receive_name(drive_side(drive), step->receive));
    text_add(&name, ", line ");
    text_add_u64(&name, out->line);
    struct text first = text_of(out->expected, sizeof out->expected);
    text_add(&first, expected);
    struct text second = text_of(out->actual, sizeof out->actual);
    text_add(&second, actual);
}

void drive_outcome_waited(struct drive *drive, const struct client_step *step)
{
    outcome_of(drive, line_of(drive, step))->waited = true;
}

void drive_break_off(struct drive *drive, unsigned line, const char *why)
{
    struct text text = text_of(drive->broken_why, sizeof drive->broken_why);
    drive->broken_line = line;
    text_add(&text, why);
    drive->depth = 0;
}

/* ---- pictures ---- */

void drive_watch_picture(struct drive *drive, struct bytes message)
{
    const struct client_side *side = drive_side(drive);
    struct watch *watch = drive->watching;
    if (watch == NULL || drive->options.picture_motion == NULL || side->picture == NULL)
        return;
    double cells[MOTION_CELLS];
    const bool first = !drive->picture_before;
    const struct bytes picture = side->picture(message);
    if (picture.len == 0 || !drive->options.picture_motion(drive->options.context, picture, first, cells))
        return;
    drive->picture_before = true;
    if (!first)
        motion_add(&watch->motion, cells);
}

struct watch *drive_watch_of(struct drive *drive, const char *name)
{
    for (size_t i = 0; i < drive->watch_count; i++)
        if (strcmp(drive->watches[i].name, name) == 0)
            return &drive->watches[i];
    return NULL;
}

enum step_status drive_compare(struct drive *drive, const struct client_step *step)
{
    char expected[DRIVE_TEXT_MAX];
    char actual[DRIVE_TEXT_MAX];
    const struct watch *watch = drive_watch_of(drive, step->text);
    const struct watch *other = drive_watch_of(drive, step->other);
    const double percent =
        watch == NULL || other == NULL ? -1 : motion_percent(&watch->motion, &other->motion);
    drive->watching = NULL;
    struct text first = text_of(expected, sizeof expected);
    text_add(&first, "some part of the pictures moves from frame to frame in \"");
    text_add(&first, step->other);
    text_add(&first, "\", and at most ");
    text_add_u64(&first, step->count);
    text_add(&first, " % as much in \"");
    text_add(&first, step->text);
    text_add(&first, "\"");
    struct text second = text_of(actual, sizeof actual);
    if (percent < 0) {
        text_add(&second, "there were too few pictures of speech frames, or they do not move");
    } else {
        text_add(&second, "where the difference is greatest, ");
        text_add_double(&second, percent, 1);
        text_add(&second, " %");
    }
    const bool held = percent >= 0 && percent <= (double)step->count;
    drive_outcome_add(drive, step, held, expected, actual);
    return held ? STEP_STATUS_DONE : STEP_STATUS_FAILED;
}
