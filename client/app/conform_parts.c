#include "client/app/conform_parts.h"

#include <stdio.h>

#include "codec/ws/frame.h"

int conform_broken(const char *what, const char *detail)
{
    fprintf(stderr, "ojin-client: %s%s%s\n", what, detail[0] != '\0' ? ": " : "", detail);
    return EXIT_BROKEN;
}

void conform_tell(struct conforming *conforming, const struct observation *seen)
{
    char line[OBSERVATION_LINE_MAX];
    struct text text = text_of(line, sizeof line);
    observation_write(&text, seen);
    puts(line);
    fflush(stdout);
    if (seen->kind == OBSERVED_ERROR)
        conforming->failed = true;
    if (seen->kind == OBSERVED_CLOSED && seen->close_code != WS_CLOSE_NORMAL &&
        seen->close_code != WS_CLOSE_GOING_AWAY && seen->close_code != WS_CLOSE_NO_CODE)
        conforming->failed = true;
}
