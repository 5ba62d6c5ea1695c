#include "conformance/splits/splits.h"

#include <stdlib.h>

#include "conformance/splits/stream.h"

#define FAMILY(name, prefix) extern const struct split_class prefix##_SPLITS;
#include "conformance/splits/families.inc"
#undef FAMILY

const struct split_class *const SPLIT_CLASSES[] = {
#define FAMILY(name, prefix) &prefix##_SPLITS,
#include "conformance/splits/families.inc"
#undef FAMILY
    NULL};

enum {
    WAYS_MAX = 512,
    BODY_MAX = 4096,  /* bytes of a raw step */
    SHORT_REPEATS = 1 /* bodies after a head that is cut */
};
/* Bytes of the segments, where there are more than two. */
static const size_t SEGMENTS[] = {1, 2, 3, 7, 16, 64};

enum kind { WHOLE, CUT, IN_SEGMENTS, TOGETHER, IN_FRAGMENTS, WITH_PINGS, HEAD_CUT, HEAD_JOINED };

struct plan {
    enum kind kind;
    size_t from;    /* the first split point, or the bytes of a segment */
    size_t repeats; /* bodies */
};

struct splits {
    const struct split_class *split_class;
    size_t body_len, longest, head_len; /* bytes of frames, of a payload, of frames */
    size_t count;
    struct split_way ways[WAYS_MAX];
    struct plan plans[WAYS_MAX];
};

static void name_way(const struct splits *splits, struct split_way *way, const char *what, size_t number)
{
    struct text name = text_of(way->name, sizeof way->name);
    text_add(&name, splits->split_class->family);
    text_add(&name, "/splits/");
    text_add(&name, what);
    if (number > 0) {
        text_add(&name, "-");
        text_add_u64(&name, number);
    }
}

static void add_way(struct splits *splits, struct plan plan, const char *what, const char *title, size_t last)
{
    if (splits->count == WAYS_MAX)
        return;
    struct split_way *way = &splits->ways[splits->count];
    struct text text = text_of(way->title, sizeof way->title);
    name_way(splits, way, what, plan.from);
    text_add(&text, title);
    if (plan.from > 0)
        text_add_u64(&text, plan.from);
    if (last > plan.from) {
        text_add(&text, " to ");
        text_add_u64(&text, last);
    }
    way->is_reference = plan.kind == WHOLE;
    way->reference = plan.repeats == SPLIT_REPEATS ? 0 : 1;
    way->points = plan.kind == WHOLE ? 0 : last >= plan.from && plan.from > 0 ? last - plan.from + 1 : 1;
    splits->plans[splits->count++] = plan;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void add_ways(struct splits *splits)
{
    add_way(splits, (struct plan){WHOLE, 0, SPLIT_REPEATS}, "whole", "whole messages", 0);
    add_way(splits, (struct plan){WHOLE, 0, SHORT_REPEATS}, "short", "whole messages, once", 0);
    for (size_t from = 1; from < splits->body_len; from += SPLIT_REPEATS)
        add_way(splits, (struct plan){CUT, from, SPLIT_REPEATS}, "cut",
                "cut into two TCP segments after byte ",
                least(from + SPLIT_REPEATS - 1, splits->body_len - 1));
    for (size_t i = 0; i < sizeof SEGMENTS / sizeof SEGMENTS[0]; i++)
        add_way(splits, (struct plan){IN_SEGMENTS, SEGMENTS[i], SPLIT_REPEATS}, "segments",
                "in TCP segments, bytes in each: ", SEGMENTS[i]);
    add_way(splits, (struct plan){TOGETHER, 0, SPLIT_REPEATS}, "together", "many messages in one TCP segment",
            0);
    for (size_t from = 1; from < splits->longest; from += SPLIT_REPEATS) {
        const size_t last = least(from + SPLIT_REPEATS - 1, splits->longest - 1);
        add_way(splits, (struct plan){IN_FRAGMENTS, from, SPLIT_REPEATS}, "fragments",
                "each message in two fragments, cut after byte ", last);
        add_way(splits, (struct plan){WITH_PINGS, from, SPLIT_REPEATS}, "pings",
                "each message in two fragments with a ping between, cut after byte ", last);
    }
    for (size_t from = 1; from < splits->head_len; from++)
        add_way(splits, (struct plan){HEAD_CUT, from, SHORT_REPEATS}, "head",
                "the first message cut into two TCP segments after byte ", from);
    add_way(splits, (struct plan){HEAD_JOINED, 0, SHORT_REPEATS}, "joined",
            "the first message in one TCP segment with the answer to the upgrade", 0);
}

/* Of what is sent before a message of the client is waited for. */
static bool put_head(const struct splits *splits, struct buffer *out)
{
    for (const struct split_message *message = splits->split_class->head;
         message->recv == NULL && !split_message_is_end(message); message++)
        if (!split_put_whole(out, message))
            return false;
    return true;
}

static bool put_body(const struct splits *splits, struct buffer *out, enum kind kind, size_t at)
{
    for (const struct split_message *message = splits->split_class->body; !split_message_is_end(message);
         message++) {
        const bool cut = kind == IN_FRAGMENTS || kind == WITH_PINGS;
        const bool good =
            cut ? split_put_cut(out, message, at, kind == WITH_PINGS) : split_put_whole(out, message);
        if (!good)
            return false;
    }
    return true;
}

static bool measure(struct splits *splits)
{
    struct buffer out;
    uint8_t data[SPLIT_MESSAGE_MAX];
    buffer_init(&out, SPLIT_SCRIPT_MAX);
    bool good = put_head(splits, &out);
    splits->head_len = out.len;
    buffer_clear(&out);
    good = good && put_body(splits, &out, WHOLE, 0);
    splits->body_len = out.len;
    buffer_free(&out);
    for (const struct split_message *message = splits->split_class->body; !split_message_is_end(message);
         message++) {
        const size_t len = split_message_bytes(message, data);
        splits->longest = len > splits->longest ? len : splits->longest;
    }
    return good;
}

struct splits *splits_new(const char *family)
{
    struct splits *splits = NULL;
    for (size_t i = 0; SPLIT_CLASSES[i] != NULL && splits == NULL; i++) {
        if (strcmp(SPLIT_CLASSES[i]->family, family) != 0)
            continue;
        splits = calloc(1, sizeof *splits);
        if (splits == NULL)
            return NULL;
        splits->split_class = SPLIT_CLASSES[i];
        if (!measure(splits)) {
            free(splits);
            return NULL;
        }
        add_ways(splits);
    }
    return splits;
}

void splits_free(struct splits *splits)
{
    free(splits);
}

size_t splits_count(const struct splits *splits)
{
    return splits->count;
}

const struct split_way *splits_way(const struct splits *splits, size_t n)
{
    return &splits->ways[n];
}

/* --- scripts --- */

static bool say(struct buffer *out, const char *text)
{
    return buffer_append(out, bytes_of_text(text));
}

static bool say_number(struct buffer *out, size_t number)
{
    char digits[24];
    struct text text = text_of(digits, sizeof digits);
    text_add_u64(&text, number);
    return say(out, digits);
}

/* A step that writes these bytes, up to its end or to a pipe. */
static bool say_raw(struct buffer *out, struct bytes bytes)
{
    char *digits = malloc(2 * bytes.len + 1);
    if (digits == NULL)
        return false;
    struct text text = text_of(digits, 2 * bytes.len + 1);
    text_add_hex(&text, bytes);
    const bool good = say(out, "  raw hex=\"") && say(out, digits) && say(out, "\"");
    free(digits);
    return good;
}

/* A message that answers comes at once: nothing is waited for in front of a recv, which takes what comes
 * later. */
static bool say_pause(struct buffer *out, const struct split_message *next)
{
    return say(out, next->recv != NULL ? "\n" : "\n  wait 2ms\n");
}

static bool say_messages(const struct split_message *messages, struct buffer *out)
{
    for (const struct split_message *message = messages; !split_message_is_end(message); message++) {
        struct buffer frame;
        buffer_init(&frame, BODY_MAX);
        const bool good = message->recv != NULL
                              ? say(out, "  recv ") && say(out, message->recv) && say(out, "\n")
                              : split_put_whole(&frame, message) && say_raw(out, buffer_bytes(&frame)) &&
                                    say_pause(out, message + 1);
        buffer_free(&frame);
        if (!good)
            return false;
    }
    return true;
}

static bool say_head(const struct splits *splits, const struct plan *plan, struct buffer *out)
{
    const struct split_message *head = splits->split_class->head;
    if (plan->kind != HEAD_CUT && plan->kind != HEAD_JOINED)
        return say(out, "  accept\n") && say_messages(head, out);
    struct buffer first;
    buffer_init(&first, BODY_MAX);
    bool good = say(out, plan->kind == HEAD_JOINED ? "  accept joined=1\n" : "  accept\n") &&
                put_head(splits, &first) && say_raw(out, buffer_bytes(&first));
    if (plan->kind == HEAD_CUT)
        good = good && say(out, " | slice at=") && say_number(out, plan->from) && say(out, " gap=2ms");
    buffer_free(&first);
    while (head->recv == NULL && !split_message_is_end(head))
        head++;
    return good && say_pause(out, head) && say_messages(head, out);
}

/* The n-th body, split as the plan has it. */
static bool say_body(const struct splits *splits, const struct plan *plan, size_t n, struct buffer *out)
{
    struct buffer body;
    const size_t at = plan->from + n;
    if (plan->kind == WHOLE || plan->kind == HEAD_CUT || plan->kind == HEAD_JOINED)
        return say_messages(splits->split_class->body, out);
    buffer_init(&body, BODY_MAX);
    bool good = put_body(splits, &body, plan->kind, at) && say_raw(out, buffer_bytes(&body));
    if (plan->kind == CUT && at < splits->body_len)
        good = good && say(out, " | slice at=") && say_number(out, at) && say(out, " gap=1ms");
    if (plan->kind == IN_SEGMENTS)
        good = good && say(out, " | slice every=") && say_number(out, plan->from) &&
               (plan->from > 1 || n > 0 || say(out, " gap=1ms"));
    buffer_free(&body);
    /* There are libraries that take many pings at once for a flood. */
    return good && say(out, plan->kind == WITH_PINGS ? "\n  wait 10ms\n" : "\n");
}

/* As many bodies in one step as there is room for. */
static bool say_together(const struct splits *splits, size_t repeats, struct buffer *out)
{
    struct buffer bodies;
    bool good = true;
    buffer_init(&bodies, BODY_MAX);
    for (size_t n = 0; good && n < repeats;) {
        buffer_clear(&bodies);
        for (; good && n < repeats && bodies.len + splits->body_len <= BODY_MAX; n++)
            good = put_body(splits, &bodies, WHOLE, 0);
        good = good && say_raw(out, buffer_bytes(&bodies)) && say(out, "\n  wait 2ms\n");
    }
    buffer_free(&bodies);
    return good;
}

bool splits_script(const struct splits *splits, size_t n, struct buffer *out)
{
    const struct plan *plan = &splits->plans[n];
    bool good = say(out, "case     ") && say(out, splits->ways[n].name) && say(out, "\ntitle    \"") &&
                say(out, splits->ways[n].title) &&
                say(out, "\"\nexpect   \"The client reports the same as of whole messages\"\nclause   ") &&
                say(out, splits->split_class->clause) &&
                say(out, " MUST\nlimit    30s\nplan {\n  wait   after=closed\n}\nserver {\n") &&
                say_head(splits, plan, out);
    if (plan->kind == TOGETHER)
        good = good && say_together(splits, plan->repeats, out);
    for (size_t i = 0; good && plan->kind != TOGETHER && i < plan->repeats; i++)
        good = say_body(splits, plan, i, out);
    /* What a client reads from a queue of its own is read by then. */
    return good && say(out, "  wait 100ms\n  close\n}\ncheck    closed MUST some seen:closed\n");
}
