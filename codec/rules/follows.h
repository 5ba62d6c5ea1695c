/*
 * Which requirements follow from which: one fault, two sentences of the documents that it breaks. A client
 * that takes no sessionReady (OJ-RDY-01) sends no opening silence either (OJ-RDY-04); who mends the first has
 * mended the second. README.md of conformance/judge says what a run makes of it.
 *
 * A row belongs here when whoever breaks `from` cannot but break the others in sessions that ask for them,
 * and whoever breaks one of the others alone is never found to break `from`: the defects show both. The
 * selftest holds them to it, as a defect may break what follows from its requirement, and nothing else.
 */
#ifndef CODEC_RULES_FOLLOWS_H
#define CODEC_RULES_FOLLOWS_H

#include "codec/rules/requirements.h"

enum { FOLLOWERS_MAX = 16 };

struct follow_row {
    const char *from;
    const char *because;             /* a sentence for people */
    const char *what[FOLLOWERS_MAX]; /* ids; those not used are NULL */
    bool anywhere; /* one act, which breaks `from` in some sessions and the others in other ones, by rules too
                    */
    bool without;  /* only where `from` is broken in a session that is about none of the others, too */
    bool by_crash; /* what crashes at one place broke. Without a list: whatever that is, where the client kept
                      another check of `from` that weighs as much as the one that the crash broke */
};

/* What another requirement follows from stands below all that it follows from itself. Rows `without` and
 * `by_crash` stand first: with another row they may go both ways between two requirements, and then decide
 * which it is. */
extern const struct follow_row FOLLOWS[];
extern const size_t FOLLOWS_COUNT;

/*
 * Requirements whose breach keeps a session from going on: the client leaves before the service is done, or
 * does not give it what it goes on by. What then never comes from the service is not asked for.
 *
 * A row belongs here when the requirement binds less than what it keeps from being reached, a SHOULD or a
 * MUST that is inferred: else a run would fail by what fails nobody. So does one without which no session
 * begins: else each case would tell that once more.
 *
 * Rows with `what` are about clients that are behind: of those requirements alone, what had not come yet when
 * the session was over, or when the mock closed, follows. But with `mute` or `unbegun` the row is about
 * clients that do not take in what the server says: in such a case whatever checks find follows, that they
 * hang, and what rules find of the requirements in `what`.
 */
struct stop_row {
    const char *from;
    const char *because; /* a sentence for people */
    bool leaves;  /* what its rule finds is that the client left, or did not come in: what it did not do in
                     that session is no other breach */
    bool mute;    /* in any case in which the client sent nothing */
    bool unbegun; /* in any in which the server had sent it a text that is no error, and it sent no sound and
                     reported no beginning */
    const char *what[FOLLOWERS_MAX]; /* ids; those not used are NULL */
};

extern const struct stop_row STOPS[];
extern const size_t STOPS_COUNT;

/* Is that requirement one of the row's `what`? */
bool stop_row_holds(const struct stop_row *row, const char *id);

/* Is that requirement one that the row is about? */
bool follow_row_holds(const struct follow_row *row, const char *id);

/* Does a breach of the requirement follow from one of `from`, by some row that is not about crashes? Both are
 * ids. */
bool requirement_follows(const char *id, const char *from);

#endif
