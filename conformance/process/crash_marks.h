/*
 * The marks that a crash leaves on a client's standard error: reports of sanitizers, and what the runtimes of
 * languages print of an exception that nobody caught. They are looked for line by line, as the output comes,
 * and only where a runtime puts them: at the beginning of a line. The same words within a line are somebody's
 * log.
 *
 * A runtime prints the trace of the exception that ends the process when all else is done: so it is the last
 * thing that the process writes. A trace with other output behind it was written by the program, which went
 * on. Blank lines, lines that are set in, and what a runtime or a launcher says of the end itself ("Task was
 * destroyed but it is pending!", "npm ERR!") are no other output.
 */
#ifndef CONFORMANCE_PROCESS_CRASH_MARKS_H
#define CONFORMANCE_PROCESS_CRASH_MARKS_H

#include "codec/wire/bytes.h"

enum {
    CRASH_LINE_MAX = 512, /* of a longer line only the beginning is looked at */
    CRASH_SENTENCE_MAX = 300,
    CRASH_PLACE_MAX = 120
};

/* Whose trace is being read. */
enum trace_kind { TRACE_NONE, TRACE_PYTHON, TRACE_NODE, TRACE_GO, TRACE_OTHER };

struct crash_marks {
    char line[CRASH_LINE_MAX]; /* the line in progress */
    size_t line_len;
    char report[CRASH_SENTENCE_MAX]; /* the first of a sanitizer; empty: none */
    char report_kind[CRASH_PLACE_MAX];
    char report_place[CRASH_PLACE_MAX];
    enum trace_kind trace; /* the last thing written is a trace of this kind; NONE: it is something else */
    bool of_a_part;        /* ... and it ended a thread or a task */
    bool of_nothing;       /* ... and it ended nothing ("Exception ignored in") */
    bool in_stack;         /* Python, Go: the line that completes the trace is still to come */
    bool message_follows;  /* the next line belongs to it, set in or not */
    unsigned heading_left; /* Python: lines in which a trace still belongs to a heading */
    bool heading_is_ignored;
    bool after_carets;                /* Node points at the place with ^, then says what happened */
    char pending[CRASH_SENTENCE_MAX]; /* Node, Go: what the trace says, once it turns out to be one */
    char last[CRASH_SENTENCE_MAX];    /* what the trace that is the last thing written says; empty: none is */
    bool last_is_of_a_part;
    bool tells_last;                  /* `last` is what the trace at hand says */
    char last_place[CRASH_PLACE_MAX]; /* where it was raised: "x.py:1 in f"; empty: it does not say */
    char pending_place[CRASH_PLACE_MAX];
    char part[CRASH_SENTENCE_MAX]; /* the latest exception that ended a thread or a task; empty: none */
};

void crash_marks_init(struct crash_marks *marks);
void crash_marks_feed(struct crash_marks *marks, struct bytes data);
/* The stream has ended: a last line without its newline counts too. */
void crash_marks_end(struct crash_marks *marks);

/* Is there, or does there begin, what may be the report of an end that is about to come? */
bool crash_marks_are_open(const struct crash_marks *marks);

/* Sentences, as "uncaught exception: KeyError: 'x'"; NULL: there is none. They borrow from `marks`. */
const char *crash_marks_report(const struct crash_marks *marks);
/* What it reports, and where: "AddressSanitizer: heap-use-after-free"; "parse /a/x.c:4", the first frame of
 * its first stack that is not the tool's own, or NULL. */
const char *crash_marks_report_kind(const struct crash_marks *marks);
const char *crash_marks_report_place(const struct crash_marks *marks);
/* The trace that is the last thing written. */
const char *crash_marks_last(const struct crash_marks *marks);
/* Where that exception was raised, as its language says it: "x.py:1 in f". */
const char *crash_marks_place(const struct crash_marks *marks);
/* The latest exception of which a runtime says that it ended a thread or a task, wherever it stands. */
const char *crash_marks_part(const struct crash_marks *marks);

#endif
