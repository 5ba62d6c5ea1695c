/*
 * The mutator as a library of its own, libojin-mutate.so: for libFuzzer, AFL++, and whoever can call a C
 * function. The same data, seed and form give the same bytes on any machine. No state, no files, thread-safe.
 *
 * Forms: ojin/frame (InteractionResponse), ojin/input (InteractionInput), ojin/text, duplex/text,
 * interview/text. codec/mutate/mutate.h says what is changed.
 */
#ifndef CODEC_MUTATE_LIBRARY_OJIN_MUTATE_H
#define CODEC_MUTATE_LIBRARY_OJIN_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Changes the message of `len` bytes in `data`, which has room for `capacity`, once. Returns its new
 * length; 0, with nothing changed, when there is no such form. */
size_t ojin_mutate(const char *form, uint8_t *data, size_t len, size_t capacity, uint64_t seed);

/* libFuzzer finds this by its name in a fuzz target that is linked with the library. The form is that of
 * the environment variable OJIN_MUTATE, else ojin/frame. A target that defines it by itself takes
 * precedence: it can name its form in the call above. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* AFL++ finds these in AFL_CUSTOM_MUTATOR_LIBRARY; the form is that of OJIN_MUTATE, too. */
void *afl_custom_init(void *afl, unsigned seed);
size_t afl_custom_fuzz(void *context, uint8_t *data, size_t len, uint8_t **out, uint8_t *add, size_t add_len,
                       size_t max_len);
void afl_custom_deinit(void *context);

#endif
