/* What the files that carry out actions share. Private to server/net. */
#ifndef SERVER_NET_DELIVERY_H
#define SERVER_NET_DELIVERY_H

#include "server/net/net.h"

enum { FRAME_HEADER_BYTES_MAX = 10, CONTROL_PAYLOAD_MAX = 125 };

/* delivery.c */
void delivery_record(struct connection *connection, const struct actions *actions,
                     const struct action *action);
void delivery_record_dropped(struct connection *connection, const struct action *action);

/* upgrade.c */
void upgrade_accept(struct connection *connection, const struct actions *actions,
                    const struct action *action);
void upgrade_refuse(struct connection *connection, const struct actions *actions,
                    const struct action *action);

/* frames.c: to the client, at once. The bytes of the action, and those in front of them, are written over. */
/* False: the rest of it, from connection->begun_bytes on, is for the next round of the loop. */
bool frames_write_message(struct connection *connection, struct actions *actions,
                          const struct action *action);
void frames_write_raw(struct connection *connection, struct actions *actions, const struct action *action);
void frames_write_close(struct connection *connection, struct actions *actions, const struct action *action);
/* A control frame that no engine asked for. */
void frames_write_control(struct connection *connection, unsigned opcode, struct bytes payload);

#endif
