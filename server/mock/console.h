/*
 * What ojin-mock says to people while it runs: findings and the life of sessions. On standard error, one line
 * each, in colours only where a terminal shows them. The API key never stands in a line. What is not read in
 * time is dropped and told (output.h).
 */
#ifndef SERVER_MOCK_CONSOLE_H
#define SERVER_MOCK_CONSOLE_H

#include "server/journal/journal.h"
#include "server/mock/options.h"
#include "server/mock/output.h"

enum { CONSOLE_LINE_MAX = 1024, CONSOLE_REQUIREMENTS_MAX = 512, CONSOLE_QUEUE_BYTES = 256 * 1024 };

struct console {
    enum mock_log log;
    bool colours;
    const char *key;       /* replaced by "{key}"; NULL: none is known */
    bool has_script;       /* of the user's: a step that fails is a mistake. Else it is of a fault */
    struct output *output; /* owned; NULL without memory: nothing is said then */
    bool told[CONSOLE_REQUIREMENTS_MAX]; /* whose statement was shown, by the row of REQUIREMENTS */
};

struct console console_of(const struct mock_options *options);
/* At the very end: writes what waits, in bounded time. */
void console_end(struct console *console);
/* "ojin-mock: SENTENCE", at every level: what concerns the program itself. */
void console_say(const struct console *console, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A line about the life of a session or the like: from MOCK_LOG_INFO on. */
void console_info(const struct console *console, const char *line);
/* A line that is worth reading at every level. */
void console_warn(const struct console *console, const char *line);
/* A finding that no requirement names (answered.h). */
void console_answered(const struct console *console, const struct journal_entry *entry, const char *sentence);
/* The line that an entry deserves, if any at this level. Under the first finding of a requirement stands the
 * sentence that was broken. */
void console_entry(struct console *console, const struct journal_entry *entry);

#endif
