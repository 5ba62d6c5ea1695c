/* What a session is made with: texts, checksums and sound files. */
#ifndef MINIMAL_PARTS_H
#define MINIMAL_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ERROR_MAX = 400, WAV_MAX = 64 * 1024 * 1024 };

/* A JSON string on standard output, of UTF-8; cut between two characters. */
void say_string(const char *text, size_t length);
/* A string of a message, as it stands in the JSON; a whole client reads it with a library. */
void string_of(const char *text, const char *name, char out[ERROR_MAX + 1]);
bool is_utf8(const uint8_t *text, size_t length);
bool looks_like_json(const char *text);
uint32_t crc32_of(const uint8_t *data, size_t length);
/* The samples of a WAV file, read into `file` (WAV_MAX bytes); NULL when they are not 16 bit mono at 16 kHz:
 * another sound would have to be converted first. */
const uint8_t *read_speech(const char *path, uint8_t *file, size_t *length);

#endif
