/*
 * The marks that a crash leaves on a client's standard error: what the runtimes of languages print of an
 * exception that nobody caught, and the reports of sanitizers. They are looked for line by line, as the
 * output comes, and only where a runtime puts them: at the beginning of a line. The same words within a line
 * are somebody's log.
 */
#ifndef CONFORMANCE_RUN_CRASH_MARKS_H
#define CONFORMANCE_RUN_CRASH_MARKS_H

#include "codec/wire/bytes.h"

enum {
    CRASH_LINE_MAX = 512, /* of a longer line only so much is looked at */
    CRASH_SENTENCE_MAX = 300
};

struct crash_marks {
    char line[CRASH_LINE_MAX]; /* the line in progress */
    size_t line_len;
    bool in_traceback;     /* of Python: its last line, the one that is not set in, says what happened */
    unsigned heading_left; /* of Python: lines in which a traceback still belongs to a heading */
    bool after_carets;     /* Node points at the place with ^, then says what happened */
    bool node_version;     /* the last line that is not empty was "Node.js v…" */
    char node_error[CRASH_SENTENCE_MAX];
    char go_error[CRASH_SENTENCE_MAX]; /* "panic: …", which counts once a goroutine's stack follows */
    char uncaught[CRASH_SENTENCE_MAX]; /* the latest of a runtime; empty: none */
    bool apart; /* it ended a thread or a task alone: the program need not have failed by it */
    char sanitizer[CRASH_SENTENCE_MAX]; /* the first report; empty: none */
};

void crash_marks_init(struct crash_marks *marks);
void crash_marks_feed(struct crash_marks *marks, struct bytes data);
/* The stream has ended: a last line without its newline counts too. */
void crash_marks_end(struct crash_marks *marks);

/* Is there, or does there begin, what may be the report of an end that is about to come? */
bool crash_marks_are_open(const struct crash_marks *marks);

/*
 * What kind of crash the marks speak of, as a sentence; NULL when of none. A sanitizer's report always
 * counts, and so does an exception of which a runtime says that it ended a thread or a task, as nobody caught
 * it. Any other counts only when the client also `failed` (it ended with another exit than 0): otherwise
 * somebody caught the exception and wrote it down. Borrows from `marks`.
 */
const char *crash_marks_sentence(const struct crash_marks *marks, bool failed);

#endif
