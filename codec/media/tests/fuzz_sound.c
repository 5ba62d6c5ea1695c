/* Any bytes as a sound file: a sentence that says what is wrong, or samples within the limits. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "codec/media/sound.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { RATE_HZ = 16000, SAMPLES_MAX = 1 << 20, PATH_BYTES_MAX = 40 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char path[PATH_BYTES_MAX], error[SOUND_ERROR_MAX] = "";
    struct sound sound = {.samples = NULL};
    const int fd = memfd_create("sound", MFD_CLOEXEC);
    check(fd >= 0 && (len == 0 || write(fd, data, len) == (ssize_t)len));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (sound_read(path, RATE_HZ, &sound, error))
        check(sound.sample_count > 0 && sound.sample_count <= (size_t)RATE_HZ * SOUND_SECONDS_MAX + 4096 &&
              sound.sample_rate == RATE_HZ);
    else
        check(error[0] != '\0' && memchr(error, '\0', sizeof error) != NULL && sound.samples == NULL);
    sound_free(&sound);
    close(fd);
    return 0;
}
