/* Any bytes as a line of a client under test: its own log, a right observation, which is written and read
 * again as it is, or a sentence that says what is wrong. */
#include <stdlib.h>

#include "client/core/observation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { WRITTEN_MAX = 8192 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void there_and_back(const struct observation *seen)
{
    char line[WRITTEN_MAX], error[200] = "";
    struct text text = text_of(line, sizeof line);
    struct observation again;
    observation_write(&text, seen);
    check(!text.cut);
    check(observation_read(bytes_of(line, text.len), &again, error) == OBSERVATION_GOOD);
    check(again.kind == seen->kind && strcmp(again.code, seen->code) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct observation seen;
    char error[200] = "";
    switch (observation_read(bytes_of(data, len), &seen, error)) {
    case OBSERVATION_NONE:
        break;
    case OBSERVATION_GOOD:
        check(memchr(seen.code, '\0', sizeof seen.code) != NULL &&
              memchr(seen.text, '\0', sizeof seen.text) != NULL);
        there_and_back(&seen);
        break;
    case OBSERVATION_BAD:
        check(error[0] != '\0' && memchr(error, '\0', sizeof error) != NULL);
        break;
    }
    return 0;
}
