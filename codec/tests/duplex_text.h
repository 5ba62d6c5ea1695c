/* Messages of the full-duplex protocol for tests: JSON in which "@N" stands for base64 of N samples. */
#ifndef CODEC_TESTS_DUPLEX_TEXT_H
#define CODEC_TESTS_DUPLEX_TEXT_H

#include "codec/duplex/messages.h"
#include "codec/tests/exact_copy.h"

/* Two bytes that begin a JPEG and two that end it, which duplex_test_picture takes for one of 640x480. */
#define DUPLEX_TEST_JPEG "/9j/2Q=="
/* WAV files of two samples, at 16 kHz and at 24 kHz. */
#define DUPLEX_TEST_WAV    "UklGRigAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQQAAAAAAAEA"
#define DUPLEX_TEST_WAV_24 "UklGRigAAABXQVZFZm10IBAAAAABAAEAwF0AAIC7AAACABAAZGF0YQQAAAAAAAEA"

bool duplex_test_picture(void *context, struct bytes jpeg, unsigned *width, unsigned *height);
/* The text with its samples, in a block of its own size. */
struct exact_copy duplex_test_text(const char *text);

#endif
