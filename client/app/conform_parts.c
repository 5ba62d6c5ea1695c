#define _XOPEN_SOURCE 700
#include "client/app/conform_parts.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

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

int heard_file_open(struct heard_file *heard, unsigned rate_hz, enum speaker_sample sample)
{
    const char *folder = environment("CONFORM_OUT", NULL);
    struct text text = text_of(heard->path, sizeof heard->path);
    heard->rate_hz = rate_hz;
    heard->sample = sample;
    if (folder == NULL)
        return EXIT_DONE;
    text_add(&text, folder);
    text_add(&text, "/sound.wav");
    if (text.cut)
        return conform_broken("CONFORM_OUT is too long a path", "");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return conform_broken(folder, strerror(errno));
    heard->file = speaker_file_open(heard->path, rate_hz, sample, heard->error);
    return heard->file != NULL ? EXIT_DONE : conform_broken(heard->error, "");
}

static void begin_anew(struct heard_file *heard)
{
    if (speaker_file_samples(heard->file) == 0)
        return;
    (void)speaker_file_close(heard->file, heard->error);
    heard->file = speaker_file_open(heard->path, heard->rate_hz, heard->sample, heard->error);
}

void heard_file_observe(struct heard_file *heard, const struct client_action *action)
{
    const struct observation *seen = &action->observation;
    if (seen->kind == OBSERVED_READY && heard->file != NULL)
        begin_anew(heard);
    if (seen->kind == OBSERVED_HEARD && heard->file != NULL && heard->error[0] == '\0')
        (void)speaker_file_write(heard->file, seen->at, action->data, heard->error);
}

int heard_file_close(struct heard_file *heard)
{
    char error[SPEAKER_FILE_ERROR_MAX];
    if (!speaker_file_close(heard->file, error) && heard->error[0] == '\0')
        memcpy(heard->error, error, sizeof error);
    heard->file = NULL;
    return heard->error[0] == '\0' ? EXIT_DONE : conform_broken(heard->error, "");
}
