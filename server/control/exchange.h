/* One request and its answer, as the handlers of the routes see it. */
#ifndef SERVER_CONTROL_EXCHANGE_H
#define SERVER_CONTROL_EXCHANGE_H

#include "codec/wire/json.h"
#include "codec/wire/json_writer.h"
#include "server/control/query.h"
#include "server/control/walk.h"
#include "server/net/mock_server.h"

struct control;
struct exchange;
struct stage;
struct stage_part;

enum { ANSWER_BYTES_MAX = 64 * 1024 * 1024, EXCHANGE_TEXT_MAX = 600, EXCHANGE_ID_MAX = 16 };

/* What is left of an answer once its walk is done. */
typedef void exchange_walked(struct exchange *exchange);

struct exchange {
    struct control *control;
    struct stage *stage;     /* that the path names; the mock's own without a scenario */
    struct stage_part *part; /* of it: of the session's family, or else the first */
    struct mock_http *http;
    const struct http_head *head; /* with the body for the handler's call alone */
    struct bytes body;
    bool head_only;           /* asked with HEAD */
    uint32_t number;          /* of the session that the path names */
    char id[EXCHANGE_ID_MAX]; /* of the scenario that the path names */
    uint16_t status;          /* 200 unless a handler says otherwise */
    char head_lines[400];     /* besides Content-Type */
    const char *content_type; /* application/json */
    struct buffer answer;
    struct json_writer json; /* into `answer` */
    bool later;              /* answered by somebody else, or not at all any more */
    exchange_walked *walked; /* not NULL: first the walk is done, a part of it in each round of the loop */
    struct walk walk;
    struct json_writer *walk_json; /* into which it writes: `json`, or NULL */
    uint64_t wanted, for_ms;       /* of a wait for entries */
};

/* {"error": …} in place of whatever was written before. */
void exchange_error(struct exchange *exchange, uint16_t status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The body as a JSON object whose members are all among `names` (ended by NULL); an empty body is {}. NULL:
 * the error is written. To be freed with cJSON_Delete. */
cJSON *exchange_body(struct exchange *exchange, const char *const *names);
/* A member that is a string; NULL with *wrong untouched when it is absent, and with the error written and
 * *wrong set when it is something else. */
const char *exchange_text(struct exchange *exchange, const cJSON *body, const char *name, bool *wrong);
/* Refuses parameters that are none of `names` (ended by NULL); false: the error is written. */
bool exchange_parameters(struct exchange *exchange, const char *const *names);
/* Sends what was written, unless it is answered later. */
void exchange_finish(struct exchange *exchange);

#endif
