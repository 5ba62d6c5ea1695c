/*
 * The rules of the interview family, as tables for whoever judges any family.
 *
 * INTERVIEW_RULES, of a client, by what it sends: the table of rules.c. Of those of OUT and ERR it has the
 * part that the wire shows: that the client goes on where it must not be disturbed. What a client plays and
 * reports, and what takes several connections, is a case's.
 *
 * INTERVIEW_SERVER_RULES, of a server: the table of server_rules.c. What takes a second connection
 * (IV-SRV-02), and what a server may do as it likes (IV-SRV-07), is a case's.
 *
 * Some of those are kept only by a session that shows the whole of them: 04 wants a commit and all that it
 * brings, 05 a cancel while a reply goes on, 06 an answer and life after it, 08 an end with its code. A
 * missing refusal or status is told after 5 s, a missing answer after 3 s, a reply that stops after 10 s.
 */
#ifndef CODEC_RULES_INTERVIEW_CLASSES_H
#define CODEC_RULES_INTERVIEW_CLASSES_H

#include "codec/rules/server_rules.h"

extern const struct rule_class INTERVIEW_RULES;
extern const struct server_rule_class INTERVIEW_SERVER_RULES;

/* What of a session's messages could not be read. */
enum interview_blur {
    INTERVIEW_BLUR_FORM = 1 /* a message without all of its members: IV-SRV-09 */
};

#endif
