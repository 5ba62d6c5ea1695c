#include "codec/program/version.h"

#include "codec/program/library_versions.h"

void program_version_print(FILE *out, const char *program)
{
    char libraries[LIBRARY_VERSIONS_MAX];
    struct text text = text_of(libraries, sizeof libraries);
    library_versions_add(&text);
    fprintf(out, "%s %s (%s)\nwith %s\n", program, PROJECT_VERSION, PROGRAM_COMMIT, libraries);
}
