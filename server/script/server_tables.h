/* The tables of the server block, for who prints the reference. Private to server/script. */
#ifndef SERVER_SCRIPT_SERVER_TABLES_H
#define SERVER_SCRIPT_SERVER_TABLES_H

#include "server/script/line.h"

extern const struct line_rule SERVER_RULES[];
extern const struct condition_rule SERVE_CONDITIONS[];

#endif
