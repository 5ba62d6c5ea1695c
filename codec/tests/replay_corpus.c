/*
 * Gives a fuzz harness the inputs of a corpus, each as a heap block of its own size. This is the main of the
 * harness where libFuzzer is not: in ctest, under any sanitizer.
 *
 * Usage: replay_… FILE: a line is "NAME HEX", the digits left out where the input is empty; '#' begins a
 * comment.
 */
#include <stdio.h>

#include "codec/tests/exact_copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { LINE_MAX_BYTES = 256 * 1024 };

/* The value of a digit, 16 of anything else. */
static unsigned digit_value(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c == '\0' ? NULL : strchr(digits, c);
    return at == NULL ? 16 : (unsigned)(at - digits);
}

static bool hex_read(const char *hex, size_t digits, uint8_t *out)
{
    for (size_t i = 0; i < digits / 2; i++) {
        const unsigned high = digit_value(hex[2 * i]), low = digit_value(hex[2 * i + 1]);
        if (high > 15 || low > 15)
            return false;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return digits % 2 == 0;
}

/* False when the line is no input. */
static bool replay(const char *line)
{
    static uint8_t data[LINE_MAX_BYTES / 2];
    const size_t name_len = strcspn(line, " \n");
    const char *hex = line + name_len + (line[name_len] == ' ');
    const size_t digits = strcspn(hex, "\n");
    if (!hex_read(hex, digits, data))
        return false;
    /* Shown by ctest when the input fails. */
    printf("%.*s\n", (int)name_len, line);
    fflush(stdout);
    struct exact_copy copy = exact_copy_of(bytes_of(data, digits / 2));
    (void)LLVMFuzzerTestOneInput(copy.bytes.data, copy.bytes.len);
    exact_copy_free(copy);
    return true;
}

int main(int argc, char *argv[])
{
    static char line[LINE_MAX_BYTES];
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    unsigned inputs = 0, number = 0;
    if (file == NULL) {
        fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
        return 2;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        number++;
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (strchr(line, '\n') == NULL || !replay(line)) {
            fprintf(stderr, "%s:%u: expected NAME HEX\n", argv[1], number);
            return 1;
        }
        inputs++;
    }
    fclose(file);
    printf("%u inputs\n", inputs);
    return inputs > 0 ? 0 : 1;
}
