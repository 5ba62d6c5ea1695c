#include "conformance/fuzz/reading.h"

#include "client/core/life.h"

enum { TICKS_MAX = 1000 };

unsigned fuzz_reading_kinds(void)
{
    return 1U << OBSERVED_FRAME | 1U << OBSERVED_DELTA | 1U << OBSERVED_TRANSCRIPT | 1U << OBSERVED_RESULT |
           1U << OBSERVED_STATUS | 1U << OBSERVED_QUEUE;
}

/* ---- the right reader ---- */

struct reader {
    const struct client_class *class;
    void *core;
    struct client_actions actions;
    struct fuzz_reading *out;
    bool loose; /* it saw something wrong: a client need not read on */
    bool told;  /* the latest message led to a report of what was read */
};

/* As its line is read again, so that what a line cannot hold or says in another way is no difference. */
static struct observation as_told(const struct observation *observation)
{
    struct observation told;
    char line[OBSERVATION_LINE_MAX], error[200];
    struct text text = text_of(line, sizeof line);
    observation_write(&text, observation);
    if (observation_read(bytes_of(text.data, text.len), &told, error) != OBSERVATION_GOOD)
        return *observation;
    told.is_final_odd = observation->is_final_odd;
    return told;
}

static void take(struct reader *reader)
{
    struct fuzz_reading *out = reader->out;
    for (size_t i = 0; i < reader->actions.count; i++) {
        const struct client_action *action = &reader->actions.list[i];
        if (action->kind != CLIENT_OBSERVE)
            continue;
        if (action->observation.kind == OBSERVED_ERROR)
            reader->loose = true;
        if ((fuzz_reading_kinds() & 1U << action->observation.kind) == 0 || out->count == FUZZ_READ_MAX)
            continue;
        out->of[out->count++] = as_told(&action->observation);
        if (!reader->loose)
            out->due = out->count;
        reader->told = true;
    }
    reader->actions.count = 0;
}

static void feed(struct reader *reader, const struct client_event *given)
{
    struct client_event event = *given;
    reader->told = false;
    for (unsigned i = 0; i < TICKS_MAX; i++) {
        reader->class->step(reader->core, &event, &reader->actions);
        take(reader);
        if (reader->class->deadline_us(reader->core) > 0)
            break;
        event = (struct client_event){.kind = CLIENT_TICK};
    }
}

static bool is_up(const struct reader *reader)
{
    return reader->class->life(reader->core)->standing == CLIENT_STANDS_UP;
}

static bool is_control(const struct fuzz_step *step)
{
    return step->kind == FUZZ_FRAME && !step->wrong && step->times == 1 &&
           (step->bits.opcode == WS_OPCODE_PING || step->bits.opcode == WS_OPCODE_PONG);
}

/* False: what comes from this step on is not compared. */
static bool read_step(struct reader *reader, const struct fuzz_step *step)
{
    if (is_control(step))
        return true;
    const bool text = step->bits.opcode == WS_OPCODE_TEXT;
    if (step->kind != FUZZ_MESSAGE || step->wrong || step->displaced || step->times > 1 ||
        (text && step->changed))
        return false;
    const struct client_event event = {.kind = text ? CLIENT_TEXT : CLIENT_BINARY,
                                       .data = bytes_of(step->data, step->len)};
    feed(reader, &event);
    return is_up(reader);
}

/* Is anything in it that lets a right client lose what came before? */
static bool may_lose(const struct fuzz_session *session)
{
    for (size_t i = 0; i < session->step_count; i++) {
        const struct fuzz_step *step = &session->steps[i];
        const bool good_close =
            step->kind != FUZZ_CLOSE || (step->len == 2 && step->data[0] == WS_CLOSE_NORMAL >> 8 &&
                                         step->data[1] == (WS_CLOSE_NORMAL & 0xFF));
        if (step->wrong || step->kind == FUZZ_RESET || step->kind == FUZZ_RAW || step->times > 1 ||
            !good_close)
            return true;
    }
    return session->plan != FUZZ_PLAN_LISTEN;
}

bool fuzz_reading_make(const struct fuzz_session *session, const struct profile *profile, bool whole,
                       struct fuzz_reading *out)
{
    const struct client_making making = {.profile = profile};
    struct reader reader = {.class = client_class_by_family(session->class->family->name), .out = out};
    out->count = out->due = 0;
    out->closed = false;
    if (!fuzz_opening_is_good(session->opening))
        return true;
    reader.core = reader.class->create(&making);
    if (reader.core == NULL)
        return false;
    feed(&reader, &(struct client_event){.kind = CLIENT_OPENED});
    size_t n = 0;
    while (n < session->step_count && read_step(&reader, &session->steps[n]))
        n++;
    const bool at_end = n == session->step_count || session->steps[n].kind == FUZZ_CLOSE ||
                        session->steps[n].kind == FUZZ_DROP;
    out->closed = at_end && is_up(&reader);
    if (!whole && may_lose(session))
        out->due = 0;
    reader.class->destroy(reader.core);
    return true;
}

/* ---- compared ---- */

static bool sums_differ(bool has_right, uint32_t right, bool has_seen, uint32_t seen)
{
    return has_seen && seen != (has_right ? right : 0); /* 0 is that of no bytes */
}

static bool texts_differ(const char *right, const char *seen)
{
    return seen[0] != '\0' && strcmp(right, seen) != 0;
}

/* What only frames have. Any is_final but 0 is taken for true by some, and for false by others. */
static const char *difference_of_frame(const struct observation *right, const struct observation *seen)
{
    if (right->index != seen->index)
        return "index";
    if (!right->is_final_odd && right->is_final != seen->is_final)
        return "final";
    if (texts_differ(right->timestamp, seen->timestamp))
        return "timestamp";
    if (right->has_interaction && seen->has_interaction &&
        memcmp(right->interaction, seen->interaction, sizeof right->interaction) != 0)
        return "interaction";
    if (sums_differ(right->has_image, right->image_crc, seen->has_image, seen->image_crc))
        return "picture";
    return NULL;
}

/* What only the families have that speak in JSON. The text of a place in the queue is the client's own. */
static const char *difference_of_speech(const struct observation *right, const struct observation *seen)
{
    if (right->is_final != seen->is_final)
        return "final";
    if (right->has_samples && seen->has_samples && right->samples != seen->samples)
        return "samples";
    if (right->has_position && seen->has_position && right->position != seen->position)
        return "position";
    if (right->has_cache && seen->has_cache && right->cache != seen->cache)
        return "cache";
    if (strcmp(right->code, seen->code) != 0)
        return "code";
    if (right->kind != OBSERVED_QUEUE && texts_differ(right->text, seen->text))
        return "text";
    return NULL;
}

/* What the client leaves out is not compared; is_final left out is false. */
static const char *difference_of(const struct observation *right, const struct observation *seen)
{
    if (right->kind != seen->kind)
        return "another kind";
    if (sums_differ(right->has_audio, right->audio_crc, seen->has_audio, seen->audio_crc))
        return "sound";
    return right->kind == OBSERVED_FRAME ? difference_of_frame(right, seen)
                                         : difference_of_speech(right, seen);
}

static bool differ(enum observation_kind kind, const char *what, size_t n, char place[FUZZ_DIFFERENCE_MAX],
                   char how[FUZZ_DIFFERENCE_MAX])
{
    struct text text = text_of(place, FUZZ_DIFFERENCE_MAX);
    text_add(&text, observation_kind_name(kind));
    text_add(&text, ": ");
    text_add(&text, what);
    text = text_of(how, FUZZ_DIFFERENCE_MAX);
    text_add(&text, "a right reader reads it otherwise: ");
    text_add(&text, place);
    text_add(&text, " (report ");
    text_add_u64(&text, n + 1);
    text_add(&text, ")");
    return false;
}

/* The next that the client reports at all, from `at` on. */
static size_t next_of(const struct fuzz_reading *right, size_t at, unsigned kinds)
{
    while (at < right->count && (kinds & 1U << right->of[at].kind) == 0)
        at++;
    return at;
}

/* One after another, as far as they are due; what follows may come or not, but there is no more of it. */
bool fuzz_reading_same(const struct fuzz_reading *right, const struct observation *seen, size_t count,
                       unsigned kinds, char place[FUZZ_DIFFERENCE_MAX], char how[FUZZ_DIFFERENCE_MAX])
{
    size_t n = 0;
    size_t at = next_of(right, 0, kinds);
    for (size_t i = 0; i < count; i++) {
        if ((kinds & fuzz_reading_kinds() & 1U << seen[i].kind) == 0)
            continue;
        if (at >= right->count)
            return !right->closed || differ(seen[i].kind, "too many", n, place, how);
        const char *difference = at < right->due ? difference_of(&right->of[at], &seen[i]) : NULL;
        if (difference != NULL)
            return differ(seen[i].kind, difference, n, place, how);
        n++;
        at = next_of(right, at + 1, kinds);
    }
    return at >= right->due || differ(right->of[at].kind, "missing", n, place, how);
}
