#include "client/app/input_file.h"

#include <errno.h>
#include <stdio.h>

enum { READ_BYTES = 64 * 1024 };

static bool read_all(FILE *file, struct buffer *out, const char **wrong)
{
    uint8_t block[READ_BYTES];
    for (size_t got = fread(block, 1, sizeof block, file); got > 0;
         got = fread(block, 1, sizeof block, file)) {
        if (!buffer_append(out, bytes_of(block, got))) {
            *wrong = "it is too large";
            return false;
        }
    }
    *wrong = strerror(errno);
    return ferror(file) == 0;
}

bool input_file_read(const char *command, const char *path, struct buffer *out)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "rb");
    const char *wrong = file == NULL ? strerror(errno) : NULL;
    const bool good = file != NULL && read_all(file, out, &wrong);
    if (file != NULL && !is_stdin)
        fclose(file);
    if (!good)
        fprintf(stderr, "ojin-client: %s: cannot read %s: %s\n", command, is_stdin ? "standard input" : path,
                wrong);
    return good;
}
