/*
 * The rules of the Ojin family, as tables for whoever judges any family.
 *
 * OJIN_RULES, of a client: the table of rules.c. Of OJ-CON-03 it has the part that the wire can show. Neither
 * the key nor an Authorization value that is not known stands in a finding; when no key is known, what the
 * request gives as one is taken for it, from 8 bytes on.
 *
 * OJIN_SERVER_RULES, of a server: the table of server_rules.c; of OJ-SRV-01 a refusal's form and code, given
 * what the request held, of 21 the form of a refusal for want of a backend. What needs two sessions or
 * decoded pictures compared (16) and what a MAY allows (17) is a case's.
 *
 * Some of those are kept only by a session that shows the whole of them: 05 wants 2 s of silence; 06 a turn
 * of 12 frames or more whose speech was all sent before its first frame came, and silence after it; 07 a
 * picture that was decoded; 08 the end of the connection after the final frame; 09 speech that was due and
 * did not come; 11 the speech of a message of OJIN_MESSAGE_BYTES_MAX, and one of a byte more that is refused.
 * A missing answer is told after 3 s, a missing first frame or pong after 5 s, missing speech after 6 s of
 * silence (3 s in mid-message), a missing final frame after 10 s and the real time of what was due.
 */
#ifndef CODEC_RULES_OJIN_CLASSES_H
#define CODEC_RULES_OJIN_CLASSES_H

#include "codec/rules/server_rules.h"

extern const struct rule_class OJIN_RULES;
extern const struct server_rule_class OJIN_SERVER_RULES;

/*
 * What of a session's frames could not be read, because they break OJ-SRV-19: a server that counts its frames
 * in `index` has not, for that, spoken out of turn. Bytes after the last entry hide nothing.
 */
enum server_blur {
    SERVER_BLUR_INDEX = 1,   /* an index that is neither 0 nor 1: silence and speech cannot be told apart */
    SERVER_BLUR_ENTRIES = 2, /* entries that do not fit the message: no audio, no picture */
    SERVER_BLUR_FINAL = 4    /* an is_final that is neither 0 nor 1 */
};

#endif
