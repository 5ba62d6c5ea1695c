/*
 * Quirks: what servers in use were seen to do beside the documents, and breaches of a single requirement,
 * switched on by name. All are off in the document profiles.
 *
 * A family's quirks are a table, its class's; a session is configured with one value for each row. A core
 * reads the values where it decides, and never asks for a quirk by name. 0 is off; a flag that is on is 1;
 * numbers, durations (microseconds) and sizes (bytes) are themselves; a choice is the position of its word,
 * from 1. A set is a name for several quirks: setting it sets each of them, and it has no value of its own.
 */
#ifndef SERVER_CORE_QUIRK_H
#define SERVER_CORE_QUIRK_H

#include "codec/wire/bytes.h"
#include "codec/wire/text.h"

enum quirk_value { QUIRK_FLAG, QUIRK_NUMBER, QUIRK_DURATION, QUIRK_SIZE, QUIRK_CHOICE, QUIRK_SET };

enum { QUIRKS_MAX = 96, QUIRK_ERROR_MAX = 240 };

struct quirk_kind {
    const char *name; /* "cancel-late" */
    enum quirk_value value;
    const char *unset;    /* the value when only the name is given, as it would be written: "800ms"; "" of a
                             flag */
    uint64_t min, max;    /* of NUMBER, DURATION and SIZE, both included */
    const char *choices;  /* CHOICE: the words; SET: the quirks, NAME or NAME=VALUE. Separated by spaces */
    const char *sentence; /* what it does, one line for people */
};

/* A row of a family's quirk.def, without its enumerator. */
#define QUIRK_ROW(quirk_name, kind, text, low, high, words, says)                                            \
    {                                                                                                        \
        .name = (quirk_name), .value = QUIRK_##kind, .unset = (text), .min = (low), .max = (high),           \
        .choices = (words), .sentence = (says)                                                               \
    }

struct quirks {
    uint64_t value[QUIRKS_MAX]; /* by the row of the family's table */
};

/* The choices of the quirk permessage-deflate, which the listener sees to in every family that has it. */
enum host_deflate { HOST_DEFLATE_UNSAID, HOST_DEFLATE_TAKEN, HOST_DEFLATE_DECLINED };

/*
 * Sets what `text` says: "NAME", "NAME=VALUE", or "NAME=off". False with a sentence in `error` that names
 * what was expected ("quirk cancel-late: expected a duration from 1ms to 60s, found \"x\"") when the name is
 * none of the table's (the nearest is suggested) or the value is wrong; nothing is changed then. Two settings
 * of the same quirk, a set's included: the later wins. "SET=off" sets all of the set off. `kinds` is ended by
 * a NULL name.
 */
bool quirk_set(struct quirks *quirks, const struct quirk_kind *kinds, struct bytes text,
               char error[QUIRK_ERROR_MAX]);
/* Several, separated by spaces or commas. */
bool quirk_set_all(struct quirks *quirks, const struct quirk_kind *kinds, struct bytes text,
                   char error[QUIRK_ERROR_MAX]);
enum { QUIRKS_TEXT_MAX = 6144 };

/* Those that are on, as quirk_set_all reads them: "fade=8 no-pong=on". */
void quirk_write_all(struct text *out, const struct quirk_kind *kinds, const struct quirks *quirks);
/* Is one of them on? */
bool quirks_any(const struct quirks *quirks);
/* The row of that name; -1: none. */
int quirk_row(const struct quirk_kind *kinds, struct bytes name);

#endif
