/* The appends of a client with a microphone and a camera: sound from a fixture, pictures with the grain that
 * a camera adds. */
#include <string.h>

#include "codec/duplex/messages.h"
#include "codec/duplex/profile.h"
#include "codec/media/jpeg.h"
#include "codec/media/sound.h"
#include "codec/wire/float32.h"
#include "server/bench/appends.h"
#include "server/bench/talk.h"
#include "server/persona/persona.h"

enum { GRAIN = 12, QUALITY = 85, TICKS_BETWEEN_PICTURES = 25, MESSAGE_BYTES_MAX = 1024 * 1024 };

static const char SPEECH[] = FIXTURES_DIR "/speech/hello-3s.wav";

static bool picture_make(struct persona *persona, size_t n, struct buffer *out)
{
    static const struct block_code code = {0};
    struct buffer plain;
    struct picture picture;
    uint32_t random = (uint32_t)n + 1;
    buffer_init(&plain, MESSAGE_BYTES_MAX);
    bool ok = persona_picture(persona, n * TICKS_BETWEEN_PICTURES, 0, &code, &plain) &&
              jpeg_decode(buffer_bytes(&plain), &picture);
    buffer_free(&plain);
    if (!ok)
        return false;
    for (size_t i = 0; i < (size_t)picture.width * picture.height * 3; i++) {
        random = random * 1664525 + 1013904223;
        int value = picture.rgb[i] + (int)(random >> 24) % GRAIN - GRAIN / 2;
        picture.rgb[i] = (uint8_t)(value < 0 ? 0 : value > UINT8_MAX ? UINT8_MAX : value);
    }
    ok = jpeg_encode(&picture, QUALITY, out);
    picture_free(&picture);
    return ok;
}

static bool message_make(const struct duplex_message *message, struct buffer *out)
{
    struct buffer text;
    buffer_init(&text, MESSAGE_BYTES_MAX);
    const bool ok = duplex_message_write(duplex_profile_by_name("video"), message, &text) &&
                    talk_frame_make(buffer_bytes(&text), false, out);
    buffer_free(&text);
    return ok;
}

static bool ends_make(struct appends *appends)
{
    const struct duplex_message update = {.type = DUPLEX_MESSAGE_UPDATE,
                                          .has_instructions = true,
                                          .instructions = bytes_of_text("You are a helpful assistant.")};
    const struct duplex_message close = {
        .type = DUPLEX_MESSAGE_CLOSE, .has_reason = true, .reason = bytes_of_text("user_stop")};
    return message_make(&update, &appends->update) && message_make(&close, &appends->close);
}

static void second_fill(const struct sound *sound, size_t second, uint8_t pcm[DUPLEX_APPEND_BYTES])
{
    for (size_t i = 0; i < DUPLEX_APPEND_SAMPLES; i++) {
        const size_t n = second * DUPLEX_APPEND_SAMPLES + i;
        const float sample = n < sound->sample_count ? (float)sound->samples[n] / 32768 : 0;
        float32_put(pcm + i * DUPLEX_SAMPLE_BYTES, sample);
    }
}

static bool second_make(struct appends *appends, size_t second, const uint8_t *pcm, struct persona *persona)
{
    struct buffer jpeg;
    buffer_init(&jpeg, MESSAGE_BYTES_MAX);
    buffer_init(&appends->json[second], MESSAGE_BYTES_MAX);
    bool ok = picture_make(persona, second, &jpeg);
    const struct duplex_message append = {.type = DUPLEX_MESSAGE_APPEND,
                                          .has_audio = true,
                                          .audio = bytes_of(pcm, DUPLEX_APPEND_BYTES),
                                          .has_pictures = true,
                                          .picture_count = 1,
                                          .pictures = {{.jpeg = buffer_bytes(&jpeg)}},
                                          .has_force_listen = true};
    ok = ok && duplex_message_write(duplex_profile_by_name("video"), &append, &appends->json[second]) &&
         talk_frame_make(buffer_bytes(&appends->json[second]), false, &appends->seconds[second]);
    appends->picture_bytes += (double)jpeg.len / APPENDS_SECONDS;
    appends->message_bytes += (double)appends->json[second].len / APPENDS_SECONDS;
    buffer_free(&jpeg);
    return ok;
}

bool appends_make(struct appends *appends, bool speech)
{
    uint8_t pcm[DUPLEX_APPEND_BYTES];
    char sound_error[SOUND_ERROR_MAX], persona_error[PERSONA_ERROR_MAX];
    struct sound sound = {.samples = NULL};
    *appends = (struct appends){.message_bytes = 0};
    if (speech && !sound_read(SPEECH, DUPLEX_INPUT_RATE, &sound, sound_error)) {
        bench_tell("%s", sound_error);
        return false;
    }
    struct persona *persona = persona_new(APPENDS_WIDTH, APPENDS_HEIGHT, persona_error);
    bool ok = persona != NULL && ends_make(appends);
    for (size_t second = 0; ok && second < APPENDS_SECONDS; second++) {
        second_fill(&sound, second, pcm);
        ok = second_make(appends, second, pcm, persona);
    }
    persona_free(persona);
    sound_free(&sound);
    if (!ok)
        bench_tell("the appends could not be made: there is not enough memory");
    return ok;
}

void appends_free(struct appends *appends)
{
    buffer_free(&appends->update);
    buffer_free(&appends->close);
    for (size_t second = 0; second < APPENDS_SECONDS; second++) {
        buffer_free(&appends->seconds[second]);
        buffer_free(&appends->json[second]);
    }
}
