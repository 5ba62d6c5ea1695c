/* The defects of the interview family, by area. */
#ifndef CONFORMANCE_DEFECTS_INTERVIEW_TABLES_H
#define CONFORMANCE_DEFECTS_INTERVIEW_TABLES_H

#include "client/interview/internal.h"
#include "codec/interview/messages.h"
#include "conformance/defects/defect.h"

extern const struct defect_table INTERVIEW_DEFECTS_CONNECT, INTERVIEW_DEFECTS_INPUT,
    INTERVIEW_DEFECTS_INTERRUPT, INTERVIEW_DEFECTS_OUTPUT, INTERVIEW_DEFECTS_TOLD, INTERVIEW_DEFECTS_TYPES,
    INTERVIEW_DEFECTS_ERROR, INTERVIEW_DEFECTS_TRIAL;

extern const struct defect_class INTERVIEW_DEFECTS;

/* The core within. */
struct interview_client *defect_interview_client(const struct defect_state *state);
/* Hooks for messages that the defect's `change` sees as a struct interview_message. */
bool defect_interview_say_changed(struct defect_state *state, struct buffer *text);
enum defect_taking defect_interview_hear_changed(struct defect_state *state, struct bytes text);
/* Is it a message of that type? */
bool defect_interview_is(const struct defect_state *state, struct bytes text,
                         enum interview_message_type type);
/* Is something wrong with that member of it? NULL: with any. */
bool defect_interview_is_odd(const struct defect_state *state, struct bytes text,
                             enum interview_message_type type, const char *member);
/* Hook: is it the message that the row's `odd` means? */
bool defect_interview_finds_odd(struct defect_state *state, struct bytes text);

#endif
