/*
 * A session of the real core behind the engine, on a simulated clock, with the rules for servers looking on
 * from the client's end: what a test sends and what comes back, as wire events.
 */
#ifndef SERVER_OJIN_TESTS_JUDGED_H
#define SERVER_OJIN_TESTS_JUDGED_H

#include "codec/rules/server_rules.h"
#include "server/engine/engine.h"
#include "server/persona/persona.h"

enum { JUDGED_WIDTH = 640, JUDGED_HEIGHT = 480, JUDGED_FINDINGS_MAX = 128 };

#define JUDGED_KEY     "a-key-of-the-test"
#define JUDGED_CONFIG  "a-config"
#define JUDGED_REQUEST JUDGED_HEAD("/realtime?config_id=" JUDGED_CONFIG, "Authorization: " JUDGED_KEY "\r\n")
#define JUDGED_HEAD(target, headers)                                                                         \
    "GET " target " HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" headers "\r\n"

struct judged {
    struct engine *engine;
    struct persona *persona;
    struct server_rule_set *rules;
    struct actions actions;
    struct engine_config config;
    struct server_rule_context context;
    uint64_t now_us;
    uint64_t every_us; /* the host ticks only at multiples of this, as on a slow machine; 0: in time */
    bool no_pong;      /* the transport leaves pings alone, as the quirk no-pong has it */
    bool finished;     /* a close or an end has crossed the wire */
    uint64_t finals;
    size_t finding_count;
    struct finding findings[JUDGED_FINDINGS_MAX];
};

/* `quirks` as quirk_set_all takes them. */
void judged_init(struct judged *judged, const char *profile, const char *quirks);
void judged_free(struct judged *judged);
void judged_request(struct judged *judged, const char *head);
void judged_run(struct judged *judged, uint64_t for_us);
void judged_text(struct judged *judged, const char *text);
void judged_binary(struct judged *judged, struct bytes message);
/* An input of that many samples, zero or speech that differs by `seed`, in a message of at least `bytes_min`
 * bytes, to which its params fill it up. */
void judged_audio(struct judged *judged, size_t samples, unsigned seed, size_t bytes_min);
void judged_ping(struct judged *judged, const char *data);
void judged_close(struct judged *judged);
void judged_finish(struct judged *judged);
enum rule_verdict judged_verdict(const struct judged *judged, const char *requirement);

#endif
