/* The small family of server/tests/fake_session.h as cases have it. */
#ifndef CONFORMANCE_TESTS_FAKE_CASE_H
#define CONFORMANCE_TESTS_FAKE_CASE_H

#include "conformance/script/case_family.h"
#include "server/tests/fake_session.h"

static const struct script_words FAKE_WORDS = {
    .plan = (const char *const[]){"cancel", NULL},
    .conditions = (const char *const[]){NULL},
    .seen = (const char *const[]){"frame", "played", "cancelled", NULL},
};
static const struct case_family FAKE_CASE = {.class = &FAKE_SESSION_CLASS, .words = &FAKE_WORDS};

#endif
