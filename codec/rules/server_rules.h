/*
 * The rules that the wire shows of a server: one for each OJ-SRV requirement that a session shows by itself.
 *
 * The counterpart of rules.h, seen from the client's end: fed with both directions of one connection, the
 * client's messages at the time they were sent and the server's at the time they came. What the server had to
 * answer is read from the client's own messages in the same stream, so no case has to tell it. A rule is not
 * reached until the session calls for it (no cancel, no word on cancels).
 *
 * Judged here: OJ-SRV-01 (a refusal's form and code, given what the request held), 02, 03, 04, 05, 06, 07,
 * 08, 09, 10, 11, 12, 13, 14, 15, 18, 19, 20, 21 (the form of a refusal for want of a backend), 22. What
 * needs two sessions or decoded pictures compared (16) and what a MAY allows (17) is a case's.
 *
 * Some rules are kept only by a session that shows the whole of them: 05 wants 2 s of silence; 06 a turn of
 * 12 frames or more whose speech was all sent before its first frame came, and silence after it; 07 a picture
 * that was decoded; 08 the end of the connection after the final frame; 09 speech that was due and did not
 * come; 11 the speech of a message of OJIN_MESSAGE_BYTES_MAX, and one of a byte more that is refused. A
 * missing answer is told after 3 s, a missing first frame or pong after 5 s, missing speech after 6 s of
 * silence (3 s in mid-message), a missing final frame after 10 s and the real time of what was due.
 *
 * A core: no I/O, no clock. Pictures are looked at through a function of the caller's.
 */
#ifndef CODEC_RULES_SERVER_RULES_H
#define CODEC_RULES_SERVER_RULES_H

#include "codec/rules/rules.h"

struct server_rule_context {
    const struct ojin_profile *profile;
    uint64_t epoch_ms;     /* Unix time at at_us == 0 */
    uint32_t clock_off_ms; /* how far the server's clock may be from ours: 0 is 60 s */
    struct bytes
        key; /* the right key; empty: unknown, then no key is known to be wrong but one with "Bearer " */
    struct bytes config; /* a config the server knows */
    bool config_only;    /* and no other: a request with another one must be refused */
    bool no_backend;     /* the server was brought into having no backend (OJ-SRV-21) */
    bool slow_backend;   /* ... into taking too long: speech that does not come is not OJ-SRV-06's */
    unsigned picture_width, picture_height; /* of the config; 0: that of the first picture */
    bool all_pictures; /* decode each picture, not one in so many: what the session is about */
    /* Decodes a JPEG whole; false: it is none, or damaged. */
    bool (*picture_size)(void *context, struct bytes jpeg, unsigned *width, unsigned *height);
    void *picture_context;
};

struct server_rule_set;

/* Copies `context` (not what it points to). NULL when memory runs out. */
struct server_rule_set *server_rule_set_new(const struct server_rule_context *context);
void server_rule_set_free(struct server_rule_set *rules);
/* Of both directions. Requests and responses too: WIRE_EVENT_REQUEST from the client, WIRE_EVENT_RESPONSE
 * from the server for a refusal and for the 101 alike. */
void server_rule_set_event(struct server_rule_set *rules, const struct wire_event *event);
/* The connection is over. */
void server_rule_set_finish(struct server_rule_set *rules, uint64_t now_us);
bool server_rule_set_take_finding(struct server_rule_set *rules, struct finding *out);

size_t server_rule_count(void);
const char *server_rule_requirement(size_t n);
enum rule_verdict server_rule_set_verdict(const struct server_rule_set *rules, size_t n);

/*
 * What of a session's frames could not be read, because they break OJ-SRV-19. Whoever judges by it judges
 * nothing, so that a fault is laid at one door: a server that counts its frames in `index` has not, for that,
 * spoken out of turn. Bytes after the last entry hide nothing.
 */
enum server_blur {
    SERVER_BLUR_INDEX = 1,   /* an index that is neither 0 nor 1: silence and speech cannot be told apart */
    SERVER_BLUR_ENTRIES = 2, /* entries that do not fit the message: no audio, no picture */
    SERVER_BLUR_FINAL = 4    /* an is_final that is neither 0 nor 1 */
};
/* The enum server_blur values that hold, together; 0: all could be read. */
unsigned server_rule_set_blur(const struct server_rule_set *rules);
/* Those that keep a requirement from being judged; 0 of one that is judged by none of them. */
unsigned server_requirement_blur(const char *id);
/* Does its rule hold times against each other, so that a machine that is late itself cannot judge it? */
bool server_requirement_is_timed(const char *id);

#endif
