/*
 * The rules of the interview family, as tables for whoever judges any family.
 *
 * INTERVIEW_RULES, of a client, by what it sends: IV-IN-01 and IV-IN-04.
 *
 * INTERVIEW_SERVER_RULES, of a server: IV-SRV-09.
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
