#include "conformance/cli/command_exists.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool command_exists(const char *name)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/') != NULL || path == NULL) {
        if (access(name, X_OK) == 0)
            return true;
        fprintf(stderr, "ojin-conform: cannot start %s: %s\n", name, strerror(errno));
        return false;
    }
    for (const char *at = path; *at != '\0';) {
        const size_t len = strcspn(at, ":");
        char candidate[4096];
        snprintf(candidate, sizeof candidate, "%.*s/%s", (int)len, at, name);
        if (access(candidate, X_OK) == 0)
            return true;
        at += len + (at[len] == ':');
    }
    fprintf(stderr, "ojin-conform: cannot start %s: no such command in PATH\n", name);
    return false;
}
