/*
 * The rules that the wire shows of a server: one for each requirement of a server that a session shows by
 * itself. Each family has a table of them (struct server_rule_class).
 *
 * The counterpart of rules.h, seen from the client's end: fed with both directions of one connection, the
 * client's messages at the time they were sent and the server's at the time they came. What the server had to
 * answer is read from the client's own messages in the same stream, so no case has to tell it. A rule is not
 * reached until the session calls for it (no cancel, no word on cancels).
 *
 * A core: no I/O, no clock. Pictures are looked at through a function of the caller's.
 */
#ifndef CODEC_RULES_SERVER_RULES_H
#define CODEC_RULES_SERVER_RULES_H

#include "codec/rules/rules.h"

struct server_rule_context {
    const struct profile *profile;
    uint64_t epoch_ms;     /* Unix time at at_us == 0 */
    uint32_t clock_off_ms; /* how far the server's clock may be from ours: 0 is 60 s */
    struct bytes
        key; /* the right key; empty: unknown, then no key is known to be wrong but one with "Bearer " */
    struct bytes config; /* a config the server knows */
    bool config_only;    /* and no other: a request with another one must be refused */
    bool no_backend;     /* the server was brought into having no backend */
    uint32_t speed;      /* the server divides its documented limits by it (ojin-mock --speed); 0 is 1 */
    bool slow_backend;   /* ... into taking too long: what does not come for that is not held against it */
    unsigned picture_width, picture_height; /* of the config; 0: that of the first picture */
    bool all_pictures; /* decode every picture, not only some: the session is about them */
    /* Decodes a JPEG whole; false: it is none, or damaged. */
    bool (*picture_size)(void *context, struct bytes jpeg, unsigned *width, unsigned *height);
    void *picture_context;
};

/* What is known of a rule beside what it does. */
struct server_rule_traits {
    unsigned blur; /* the bits of a set's blur that keep its requirement from being judged */
    bool timed;    /* it holds times against each other: a machine that is late itself cannot judge it */
    /* Its requirement is judged by the messages of the server alone, whatever the client did, and when: a
     * server can hold itself to it while it speaks. */
    bool of_messages;
};

struct server_rule_set; /* opaque; one layout a class */

struct server_rule_class {
    size_t count;
    const char *(*requirement)(size_t n);

    /* Copies `context` (not what it points to). NULL when memory runs out. */
    struct server_rule_set *(*create)(const struct server_rule_context *context);
    void (*destroy)(struct server_rule_set *rules); /* NULL is none */
    /* Of both directions. Requests and responses too: WIRE_EVENT_REQUEST from the client, WIRE_EVENT_RESPONSE
     * from the server for a refusal and for the 101 alike. */
    void (*event)(struct server_rule_set *rules, const struct wire_event *event);
    /* The connection is over. */
    void (*finish)(struct server_rule_set *rules, uint64_t now_us);
    bool (*take_finding)(struct server_rule_set *rules, struct finding *out);
    enum rule_verdict (*verdict)(const struct server_rule_set *rules, size_t n);

    /*
     * What of a session's messages could not be read, because their form is broken: bits that the class gives
     * a meaning; 0: all could be read. Whoever judges by it judges nothing, so that a fault is laid at one
     * door.
     */
    /* What a message breaks that is blurred by the lowest of those bits. */
    const char *(*blur_requirement)(unsigned blur);
    unsigned (*blur)(const struct server_rule_set *rules);
    /* Of the rule `n`. NULL: there is no rule. */
    struct server_rule_traits (*traits)(size_t n);
    const char *case_requirement; /* one that no rule judges, but cases do; NULL: there is none */
    unsigned case_blur;           /* the bits that keep it from being judged */
};

/* Of a family that has none: nothing is judged. */
extern const struct server_rule_class NO_SERVER_RULES;

/* The number of the rule that judges a requirement; the class's count when there is none. */
size_t server_rule_of_requirement(const struct server_rule_class *class, const char *id);
/* Those of the rule that judges it; all zero of one that nothing judges. */
struct server_rule_traits server_traits_of_requirement(const struct server_rule_class *class, const char *id);

#endif
