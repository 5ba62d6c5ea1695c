/* What the files that carry out actions share. Private to server/net. */
#ifndef SERVER_NET_DELIVERY_H
#define SERVER_NET_DELIVERY_H

#include "server/net/net.h"

/* recording.c */
void delivery_record(struct connection *connection, const struct actions *actions,
                     const struct action *action);
void delivery_record_dropped(struct connection *connection, const struct action *action);
/* A close frame that the endpoint has sent for what the client did. */
void delivery_record_close(struct connection *connection, uint16_t code);

/* upgrade.c */
void upgrade_accept(struct connection *connection, const struct actions *actions,
                    const struct action *action);
void upgrade_refuse(struct connection *connection, const struct actions *actions,
                    const struct action *action);

/* frames.c: to the client, at once. */
/* False: the rest of it, from connection->begun_bytes on, is for the next round of the loop. */
bool frames_write_message(struct connection *connection, const struct actions *actions,
                          const struct action *action);
void frames_write_raw(struct connection *connection, const struct actions *actions,
                      const struct action *action);
void frames_write_close(struct connection *connection, const struct actions *actions,
                        const struct action *action);

#endif
