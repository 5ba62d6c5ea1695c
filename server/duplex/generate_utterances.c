/*
 * Makes the utterances a part of the program, when it is built: generate_utterances OUT.c WAV…
 *
 * Each WAV is 16-bit mono at 24 kHz; OUT.c holds the samples of the n-th as DUPLEX_SAMPLES_n, from 1, with
 * its count.
 */
#include <stdio.h>
#include <stdlib.h>

#include "codec/duplex/constants.h"
#include "codec/duplex/wav.h"

enum { FILE_BYTES_MAX = 4 * 1024 * 1024, COLUMNS = 16, FORMAT_INTEGERS = 1, BITS = 16 };

static int fail(const char *path, const char *what)
{
    fprintf(stderr, "generate_utterances: %s: %s\n", path, what);
    return EXIT_FAILURE;
}

static struct bytes file_read(const char *path, uint8_t *room)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return bytes_of(NULL, 0);
    const size_t len = fread(room, 1, FILE_BYTES_MAX, file);
    fclose(file);
    return bytes_of(room, len);
}

static void samples_write(FILE *out, int n, struct bytes data)
{
    const size_t count = data.len / 2;
    fprintf(out, "\nconst size_t DUPLEX_SAMPLES_%d_COUNT = %zu;\nconst int16_t DUPLEX_SAMPLES_%d[%zu] = {", n,
            count, n, count);
    for (size_t i = 0; i < count; i++) {
        const unsigned bits = (unsigned)data.data[2 * i] | (unsigned)data.data[2 * i + 1] << 8;
        fprintf(out, "%s%d,", i % COLUMNS == 0 ? "\n" : "", (int)bits - (bits >= 0x8000U ? 0x10000 : 0));
    }
    fprintf(out, "};\n");
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return fail("usage", "generate_utterances OUT.c WAV...");
    static uint8_t room[FILE_BYTES_MAX];
    FILE *out = fopen(argv[1], "w");
    if (out == NULL)
        return fail(argv[1], "cannot be written");
    fprintf(out, "#include <stddef.h>\n\n#include \"server/duplex/utterance_samples.h\"\n");
    for (int n = 1; n < argc - 1; n++) {
        struct wav wav;
        const char *expected = "";
        if (!wav_read(file_read(argv[n + 1], room), &wav, &expected))
            return fail(argv[n + 1], expected);
        if (wav.format != FORMAT_INTEGERS || wav.channels != 1 || wav.bits != BITS ||
            wav.rate != DUPLEX_OUTPUT_RATE)
            return fail(argv[n + 1], "expected 16-bit mono at 24 kHz");
        samples_write(out, n, wav.data);
    }
    return fclose(out) == 0 ? EXIT_SUCCESS : fail(argv[1], "cannot be written");
}
