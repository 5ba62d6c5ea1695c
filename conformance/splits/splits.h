/*
 * Every split: a short session whose bytes reach the client in every possible way. A client has to report the
 * same each time.
 *
 * What the server sends is fixed: a head that opens the session, then a body of a few messages, SPLIT_REPEATS
 * times, then a close. It comes as scripts (server/SCRIPTS.md), one for each way: cut into two TCP segments
 * at each byte in turn, in segments of a few bytes, several bodies in one segment, each message in two
 * fragments cut at each byte in turn, with a ping between them and without; and the head cut at each byte in
 * turn. Each is compared with a reference, where each message comes whole and by itself. No I/O.
 */
#ifndef CONFORMANCE_SPLITS_SPLITS_H
#define CONFORMANCE_SPLITS_SPLITS_H

#include "client/core/observation.h"
#include "codec/wire/buffer.h"

enum { SPLIT_REPEATS = 32, SPLIT_NAME_MAX = 64, SPLIT_TITLE_MAX = 160, SPLIT_SCRIPT_MAX = 256 * 1024 };
enum { SPLIT_SEEN_MAX = 256 * 1024 /* bytes of what a client reports in a session */ };

struct split_way {
    char name[SPLIT_NAME_MAX];   /* of its case: "ojin/splits/segments-33" */
    char title[SPLIT_TITLE_MAX]; /* "cut into two TCP segments after byte 33 to 64" */
    bool is_reference;
    size_t reference; /* number of the way that it is compared with */
    size_t points;    /* split points that it tries */
};

/* A family's ways. NULL when there is no such family, or memory runs out. */
struct splits *splits_new(const char *family);
void splits_free(struct splits *splits);
size_t splits_count(const struct splits *splits);
const struct split_way *splits_way(const struct splits *splits, size_t n);
/* Appends the script of the n-th way; false when memory runs out. */
bool splits_script(const struct splits *splits, size_t n, struct buffer *out);

/* Adds the lines of what a client says of the messages that it read, without what depends on time: what it
 * played, and when. */
void split_seen_add(struct text *out, const struct observation *list, size_t count);
/* The first line that differs: its number from 1, and both lines, empty where there is none. False: none
 * does. */
struct split_difference {
    size_t line;
    struct bytes expected, found;
};
bool split_seen_compare(struct bytes expected, struct bytes found, struct split_difference *out);

#endif
