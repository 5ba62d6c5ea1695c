/* The codec in a client of one's own: what it sends, and what it makes of what comes. */
#include <ojin_codec.h>
#include <ojin_codec_duplex.h>
#include <ojin_codec_interview.h>
#include <stdio.h>
#include <stdlib.h>

/* A client of the Ojin family got a frame that was cut short. */
static void frame_cut_short(void)
{
    static const uint8_t sound[1280];
    uint8_t message[2000];
    char error[OJIN_CODEC_ERROR_MAX];
    const struct ojin_codec_frame sent = {.index = 1, .has_audio = true, .audio = {sound, sizeof sound}};
    const size_t len = ojin_codec_frame_write(&sent, message, sizeof message);
    struct ojin_codec_frame frame;
    if (ojin_codec_frame_read(message, len, &frame, error))
        printf("frame of %zu bytes: %zu of sound, index %u\n", len, frame.audio.len, (unsigned)frame.index);
    if (!ojin_codec_frame_read(message, len - 1, &frame, error))
        printf("cut short: %s\n", error);
}

/* A client of the full-duplex family sends a quarter of a second, and is told that something is missing. */
static void append_with_too_little(void)
{
    static const uint8_t sound[4000];
    struct ojin_codec_duplex append = {
        .type = OJIN_CODEC_DUPLEX_APPEND, .has_audio = true, .audio = {sound, sizeof sound}};
    size_t len;
    char *text = ojin_codec_duplex_write("audio", &append, &len);
    struct ojin_codec_duplex read;
    if (text != NULL && ojin_codec_duplex_read("audio", text, len, &read))
        printf("append of %zu bytes: %s\n", len, read.fault_count == 0 ? "right" : read.faults[0]);
    if (text != NULL)
        ojin_codec_duplex_free(&read);
    ojin_codec_text_free(text);
}

static void transcript(void)
{
    static const char TEXT[] =
        "{\"type\":\"transcript\",\"speaker\":\"ai\",\"text\":\"Welcome.\",\"timestamp\":1704067200}";
    struct ojin_codec_interview read;
    if (ojin_codec_interview_read("interview-1.0", TEXT, sizeof TEXT - 1, &read) && read.has_text)
        printf("the interviewer: %.*s\n", (int)read.text.len, (const char *)read.text.data);
    ojin_codec_interview_free(&read);
}

int main(void)
{
    frame_cut_short();
    append_with_too_little();
    transcript();
    return EXIT_SUCCESS;
}
