/* The messages of a script's `send` step in the families whose messages are JSON. For session cores. */
#ifndef SERVER_CORE_COMPOSE_JSON_H
#define SERVER_CORE_COMPOSE_JSON_H

#include "server/core/compose.h"

/* What a family does its own way. */
struct compose_json {
    /* Sends a message of the family with these members too (json_send.h). False: there is no room. */
    bool (*send)(struct session *session, const void *message, const char *label, struct bytes members,
                 struct actions *actions);
    /* Is there something wrong with the members of a text of the family? */
    bool (*is_wrong)(const struct session *session, struct bytes text);
};

/* Adds the message with `members` and those of the option `extra` ("\"name\":value"), and marks it as a
 * fault where a reader must take it for wrong. */
bool compose_json_add(const struct compose_call *call, const struct compose_json *family, const void *message,
                      const char *label, struct bytes members);
/* The kinds `text`, which sends anything, and `json`, which is looked at. */
bool compose_json_plain(const struct compose_call *call, const struct compose_json *family);
/* The kind `binary`: where all messages are JSON texts, it is always wrong. */
bool compose_json_binary(const struct compose_call *call);
/* A member that is JSON as it stands; "absent" leaves it out. */
bool compose_json_value(const struct compose_call *call, const char *name, bool *has, struct bytes *out);

#endif
