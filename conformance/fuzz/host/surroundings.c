#include "conformance/fuzz/host/surroundings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char NAME[] = "ASAN_OPTIONS=";
static const char OURS[] = "quarantine_size_mb=16"; /* first: what follows counts more */

bool surroundings_make(char *const *given, size_t count, struct surroundings *out)
{
    const char *theirs = getenv("ASAN_OPTIONS");
    *out = (struct surroundings){.list = calloc(count + 1, sizeof *out->list)};
    if (out->list == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        out->list[out->count++] = given[i];
        if (strncmp(given[i], NAME, sizeof NAME - 1) == 0)
            theirs = given[i] + sizeof NAME - 1;
    }
    theirs = theirs == NULL ? "" : theirs;
    const size_t size = sizeof NAME + sizeof OURS + strlen(theirs) + 1;
    out->sanitizer = malloc(size);
    if (out->sanitizer == NULL)
        return false;
    snprintf(out->sanitizer, size, "%s%s%s%s", NAME, OURS, theirs[0] != '\0' ? ":" : "", theirs);
    out->list[out->count++] = out->sanitizer;
    return true;
}

void surroundings_free(struct surroundings *surroundings)
{
    free(surroundings->list);
    free(surroundings->sanitizer);
}
