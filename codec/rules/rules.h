/*
 * The rules that judge the wire: one per requirement that the wire can show. Each family has a table of them
 * (struct rule_class); this is what all of them are like.
 *
 * A rule set watches one connection. It gets the profile, the key and the source speech, never a server's
 * state, and sees the events of wire_event.h in order; so it can judge live, in memory or from a recorded
 * journal. Findings are pulled after each event. A requirement it never had occasion to judge is NOT_REACHED.
 *
 * A fault is laid at one door: what follows from it (audio that cannot be found behind a broken header, a
 * silence that came before its time) is not held against the client again. No secret stands in a finding.
 */
#ifndef CODEC_RULES_RULES_H
#define CODEC_RULES_RULES_H

#include "codec/family.h"
#include "codec/wire/wire_event.h"

enum rule_verdict { RULE_NOT_REACHED, RULE_KEPT, RULE_BROKEN };

/* One stretch of speech that the client was given to speak, in order. Borrowed; must outlive the rule set. */
struct rule_speech {
    const int16_t *samples; /* mono, at the rate that clients of its family send */
    size_t sample_count;
};

enum { RULE_SPEECHES_MAX = 16 };
#define RULE_SPEECHES_UNKNOWN SIZE_MAX

struct rule_context {
    const struct profile *profile;
    struct bytes key;        /* the API key the client was given; empty: unknown, any key is right */
    const char *path_prefix; /* what stands in front of its family's path in the URL that the client was
                                given; NULL: nothing. Borrowed; must outlive the rule set */
    struct bytes config; /* the config id the client was given, undecoded; empty: unknown, or there is none */
    uint64_t epoch_ms;   /* Unix time at at_us == 0 */
    bool speech_known;   /* false: what rests on the source speech is not judged */
    bool speech_exact;   /* the source is as the wire has it, so it must arrive sample for sample */
    size_t speech_count;
    struct rule_speech speech[RULE_SPEECHES_MAX];
    /* Decodes a JPEG whole; false: it is none, or damaged. NULL: pictures of a client are not decoded. */
    bool (*picture_size)(void *context, struct bytes jpeg, unsigned *width, unsigned *height);
    void *picture_context;
};

/* The path of a request as its family has it, without the endpoint's prefix. */
static inline struct bytes rule_path(const struct rule_context *context, struct bytes path)
{
    const bool has_prefix = context->path_prefix != NULL && bytes_begin_with(path, context->path_prefix);
    return has_prefix ? bytes_behind(path, strlen(context->path_prefix)) : path;
}

enum { FINDING_TEXT_MAX = 240, FINDINGS_PENDING_MAX = 40, FINDINGS_PER_RULE_MAX = 3 };

struct finding {
    const char *requirement; /* static: an id of requirements.tsv */
    bool note;               /* worth a remark, breaks nothing (a message above 512,000 bytes) */
    uint64_t at_us;
    uint64_t event; /* ordinal (from 0) of the event that shows it: the one it was found in, or one before it
                       that it is about, such as a ping that got no pong */
    /* Of a rule about time: only lateness of about this much can have caused it; 0: a little can. Of a note
     * that the service refuses all the same: by how much it is too early; 0: it is not refused. */
    uint64_t excuse_us;
    bool waited; /* of a rule about a server: something did not come, or end, in the time it was given */
    char expected[FINDING_TEXT_MAX];
    char actual[FINDING_TEXT_MAX];
};

/*
 * Does what judges a requirement, its rule or the checks of cases, hold two times against each other, of what
 * came or against a wait of the script's? Then a machine that is late itself cannot judge it.
 */
enum requirement_timing {
    REQUIREMENT_UNTIMED,
    REQUIREMENT_TIMED_BY_SECONDS, /* with seconds to spare: only a machine that stood still is too late */
    REQUIREMENT_TIMED             /* by tenths of a second */
};

/* What has to be known of a requirement of clients to judge it, whether a rule does or checks of cases do. */
struct rule_condition {
    const char *requirement;
    enum requirement_timing timing;
    const char *left_out; /* what a client may leave out altogether, as a sentence of one that does: then
                             nothing can be asked of it; NULL: it is asked of every client */
    bool enforced;        /* the service answers a breach with an error, a refusal or a close */
    unsigned spared;      /* bits of rule_spared: judged only until our own side did one of these */
};

/* What our own side does below the messages. */
enum rule_spared {
    RULE_SPARED_BROKEN = 1U << 0, /* it sent bytes that are no message, or ended its side alone: the client
                                     may end the connection, and nothing else is due from it */
    RULE_SPARED_UNREAD = 1U << 1  /* it stopped reading: what comes does not tell when it was sent */
};

/*
 * What the plan of a case asks for and a client is free not to do, as only a SHOULD asks for it. Who leaves
 * it out breaks that one, and is not asked for what hangs on it. Who leaves before it came to that is.
 */
struct free_act {
    const char *requirement; /* the SHOULD */
    const char *step;        /* of the plan: "end" */
    bool follows_speech;     /* it comes when all is said that the plan has before it */
    const char *message;     /* what the client sends then, by its type */
    const char *form;        /* the requirement on how that is written; "": none */
    const char *brings;      /* the beginning of a pattern of what comes after it alone */
};

struct rule_set; /* opaque: each rule keeps state between events; one layout a class */

struct rule_class {
    size_t count; /* of the rules: the numbers that requirement and verdict take */
    /* The requirement id of rule `n`. */
    const char *(*requirement)(size_t n);

    /* Copies `context` (not what it points to). NULL when memory runs out. */
    struct rule_set *(*create)(const struct rule_context *context);
    void (*destroy)(struct rule_set *rules); /* NULL is none */
    /* The clock was set: Unix time at at_us == 0, for what comes from now on. */
    void (*set_epoch_ms)(struct rule_set *rules, uint64_t epoch_ms);
    void (*event)(struct rule_set *rules, const struct wire_event *event);
    /* The connection is over, or the case is: rules that wait for something that did not come decide now. */
    void (*finish)(struct rule_set *rules, uint64_t now_us);
    /* The oldest finding not yet taken; false when there is none. At most FINDINGS_PER_RULE_MAX a rule are
     * kept, and FINDINGS_PENDING_MAX that nobody takes: more than there are rules, so that none is lost to
     * one event. */
    bool (*take_finding)(struct rule_set *rules, struct finding *out);
    enum rule_verdict (*verdict)(const struct rule_set *rules, size_t n);
    /* How many of the speeches given came whole, from the first on; RULE_SPEECHES_UNKNOWN: that does not
     * show, or there was a reason to cut them short (a cancel, an error). NULL: it never shows. */
    size_t (*speeches_said)(const struct rule_set *rules);
    const struct rule_condition *conditions; /* ended by a NULL requirement; NULL: there are none */
    const struct free_act *free_acts;        /* ended by a NULL requirement; NULL: there are none */
    const char
        *secret_requirement; /* what a client breaks that shows its key in its own output; NULL: nothing */
};

/* Of a family that has none: nothing is judged. */
extern const struct rule_class NO_RULES;

/* The number of the rule that judges a requirement; the class's count when there is none. */
size_t rule_of_requirement(const struct rule_class *class, const char *id);
/* NULL: it has none. */
const struct rule_condition *rule_condition_of(const struct rule_class *class, const char *id);
enum requirement_timing rule_timing(const struct rule_class *class, const char *id);
/* Is that rule of `class` no longer judged, once `event` came? For the rule sets themselves. */
bool rule_is_spared(const struct rule_class *class, const char *id, const struct wire_event *event);

#endif
