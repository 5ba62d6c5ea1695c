/*
 * Makes speech a part of the program, when it is built: generate_samples OUT.c HEADER PREFIX RATE FILE…
 *
 * Each file is a sound file at that rate, mono; OUT.c includes HEADER and holds the samples of the n-th as
 * PREFIX_n, from 1, with its count PREFIX_n_COUNT.
 */
#include <stdio.h>
#include <stdlib.h>

#include "codec/media/sound.h"

enum { COLUMNS = 16, SAMPLES_MAX = 4 * 1024 * 1024 };

static int fail(const char *what)
{
    fprintf(stderr, "generate_samples: %s\n", what);
    return EXIT_FAILURE;
}

static void samples_write(FILE *out, const char *prefix, int n, const struct sound *sound)
{
    fprintf(out, "\nconst size_t %s_%d_COUNT = %zu;\nconst int16_t %s_%d[%zu] = {", prefix, n,
            sound->sample_count, prefix, n, sound->sample_count);
    for (size_t i = 0; i < sound->sample_count; i++)
        fprintf(out, "%s%d,", i % COLUMNS == 0 ? "\n" : "", sound->samples[i]);
    fprintf(out, "};\n");
}

int main(int argc, char **argv)
{
    if (argc < 6)
        return fail("usage: generate_samples OUT.c HEADER PREFIX RATE FILE...");
    const unsigned rate = (unsigned)strtoul(argv[4], NULL, 10);
    FILE *out = fopen(argv[1], "w");
    if (out == NULL)
        return fail("the output cannot be written");
    fprintf(out, "#include <stddef.h>\n\n#include \"%s\"\n", argv[2]);
    for (int n = 5; n < argc; n++) {
        char error[SOUND_ERROR_MAX];
        struct sound sound;
        if (!sound_read_played(argv[n], rate, SAMPLES_MAX, &sound, error))
            return fail(error);
        samples_write(out, argv[3], n - 4, &sound);
        sound_free(&sound);
    }
    return fclose(out) == 0 ? EXIT_SUCCESS : fail("the output cannot be written");
}
