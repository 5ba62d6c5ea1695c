/*
 * What each quirk of the Ojin class changes, seen in what a session sends: a check for each, named after it.
 *
 * Most compare the same conversation without and with the quirk: silence, speech that is cancelled after 13
 * frames, a second turn of 13 frames, the end. Some hold conversations of their own.
 */
#ifndef SERVER_OJIN_TESTS_QUIRK_CHECKS_H
#define SERVER_OJIN_TESTS_QUIRK_CHECKS_H

#include "server/ojin/tests/bench.h"

enum {
    TALK_SPEECH_US = 1000000,
    TALK_CANCEL_US = 1250000,
    TALK_CANCELLED_FRAMES = 13,
    TALK_SECOND_US = 2600000,
    TALK_SECOND_FRAMES = 13,
    TALK_END_US = 3600000,
    TALK_OVER_US = 12000000
};

#define TALK_HEAD "GET /realtime?config_id=c HTTP/1.1\r\nHost: a\r\nAuthorization: sk-1\r\n\r\n"

/* A session of the default profile with those quirks, let in and ready for input at 10 ms. */
void talk_open(struct bench *bench, const char *quirks, bool pictures);
/* The same, and the conversation above. */
void talk(struct bench *bench, const char *quirks, bool pictures);
/* The n-th of that label, from 0; fails the test when there is none. */
const struct sent *talk_nth(const struct bench *bench, const char *label, size_t n);
/* How many of that label from `from_us` on and before `to_us`. */
size_t talk_count(const struct bench *bench, const char *label, uint64_t from_us, uint64_t to_us);

/* A session with those quirks that got one input of `bytes`. */
void talk_ask_too_much(struct bench *bench, const char *quirks, size_t bytes);

typedef void quirk_check(const struct bench *off, const struct bench *on);

struct quirk_row {
    const char *quirk; /* as the command line has it; its name alone is looked up in the class's table */
    quirk_check *check;
    bool pictures;
};

/* Of frames and timing; of cancels and texts; of admission, limits and breaches. Ended by a NULL quirk. */
extern const struct quirk_row FRAME_QUIRKS[];
extern const struct quirk_row SESSION_QUIRKS[];
extern const struct quirk_row ADMISSION_QUIRKS[];

#endif
