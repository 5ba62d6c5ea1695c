/*
 * Paths to handlers. A pattern is segments divided by '/'; "{n}" is a number and "{id}" a scenario's id.
 */
#ifndef SERVER_CONTROL_ROUTER_H
#define SERVER_CONTROL_ROUTER_H

#include "server/control/exchange.h"

struct route {
    const char *method;
    const char *pattern; /* below "/__mock/", or below "/__mock/scenarios/ID/" too (`in_scenario`) */
    bool in_scenario;
    void (*handle)(struct exchange *exchange);
    const char *sentence; /* for people */
};

enum route_result { ROUTE_FOUND, ROUTE_NO_PATH, ROUTE_NO_METHOD };

/* Fills exchange->number and ->id from the path. HEAD is answered as GET is. With ROUTE_NO_METHOD `allowed`
 * has the methods that the path knows ("GET, POST"). `routes` is ended by a NULL method. */
enum route_result route_find(const struct route *routes, bool in_scenario, struct bytes method,
                             struct bytes path, struct exchange *exchange, const struct route **out,
                             char allowed[64]);

#endif
