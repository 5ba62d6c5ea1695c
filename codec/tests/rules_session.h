/*
 * Sessions for the tests of the rules, written as words: "open silence speak:3200 end". Each word is one
 * thing that crosses the wire, or changes how the next ones are sent; rules_words.c lists them in one
 * table.
 */
#ifndef CODEC_TESTS_RULES_SESSION_H
#define CODEC_TESTS_RULES_SESSION_H

#include "codec/rules/rules.h"

struct session_case {
    const char *name;
    const char *profile;
    const char *words;
    const char *requirement;
    enum rule_verdict verdict; /* of that requirement. No other may be broken. */
    const char *data;          /* for the words that send it */
    size_t len;
    const char *actual; /* what the finding must say; NULL: anything */
};

#define SESSION_DATA(literal) .data = (literal), .len = sizeof(literal) - 1
#define NO_DATA               .data = NULL

#define SESSION_KEY            "sk-secret-1234"
#define SESSION_CONFIG         "demo/config 1"
#define SESSION_ESCAPES_CONFIG "a/b?c=d&e f+g%\xc3\xa9"
#define SESSION_TARGET         "/realtime?config_id=demo%2Fconfig%201"
#define SESSION_HEAD(target, authorization)                                                                  \
    "GET " target " HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n" authorization "\r\n"

/* Plays the words to a rule set and checks verdicts and findings as the case says. */
void session_check(const struct session_case *session);
/* How many speeches came whole, by the rule set. */
size_t session_speeches_said(const struct session_case *session);

#endif
