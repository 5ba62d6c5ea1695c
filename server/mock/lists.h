/* What --list shows, on standard output: a table for people, or JSON for scripts. */
#ifndef SERVER_MOCK_LISTS_H
#define SERVER_MOCK_LISTS_H

#include "server/mock/options.h"

/*
 * Of those families, one after the other; for people with a heading each, when they are several. With `json`
 * an array of objects, each with the name of its family. Profiles have name and title; quirks and faults
 * name, value ("flag", "plain", "number", "duration", "size", "choice" or "text"), default (as it would be
 * written, or null), min and max (durations in microseconds) or choices, and sentence; cards name (with
 * "mock."), means (what
 * --quirk and --fault take) and sentence.
 */
void list_print(enum mock_list list, const struct family_behaviour *families, size_t count, bool json);

#endif
