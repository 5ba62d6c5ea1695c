/* UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef CODEC_WIRE_UTF8_H
#define CODEC_WIRE_UTF8_H

#include "codec/wire/bytes.h"

enum { UTF8_CHARACTER_BYTES_MAX = 4 };

/* The offset of the first byte that is not part of valid UTF-8; text.len when all of it is valid. */
size_t utf8_valid_prefix(struct bytes text);
/* Bytes of the valid character at the start of `text`, which is not empty; 0: there is none. */
size_t utf8_character_len(struct bytes text);

#endif
