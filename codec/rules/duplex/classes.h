/*
 * The rules of the full-duplex family, as tables for whoever judges any family.
 *
 * DUPLEX_RULES, of a client, by what it sends: the table of rules.c. Of DX-SES-02, and of those of OUT, ERR
 * and FLD, it has the part that the wire shows: that the client goes on where it must not be disturbed. What
 * a client plays, shows and reports, and what takes several connections or TCP, is a case's.
 *
 * DUPLEX_SERVER_RULES, of a server: the table of server_rules.c; the shutting down of DX-SRV-13 where it
 * shows.
 *
 * Some of those are kept only by a session that shows the whole of them: 04 and 03 want an answer and life
 * after it; 07 and 08 a turn of three deltas or more; 09 a context that was filled; 10 and 15 a session that
 * lasted its time; 12 three appends within 500 ms; 14 pictures of 1 slice and of 4, one in each append, with
 * one listen for each append; 16 five seconds without an append and a listen after them; 20 an append with
 * other slices than the session's, and one after it without. A missing answer is told after 3 s, a missing
 * queue_done after 5 s.
 */
#ifndef CODEC_RULES_DUPLEX_CLASSES_H
#define CODEC_RULES_DUPLEX_CLASSES_H

#include "codec/rules/server_rules.h"

extern const struct rule_class DUPLEX_RULES;
extern const struct server_rule_class DUPLEX_SERVER_RULES;

/* What of a session's messages could not be read. */
enum duplex_blur {
    DUPLEX_BLUR_OUTPUT = 1, /* a delta or a listen without all of its members: DX-SRV-18 */
    DUPLEX_BLUR_ERROR = 2   /* an error without its code: DX-SRV-17 */
};

#endif
