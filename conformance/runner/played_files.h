/*
 * What a client played, when it leaves that in CONFORM_OUT in place of saying it: pictures/000001.jpg and so
 * on, in the order shown, and sound.wav, in which the N-th 640 samples were heard with the N-th picture. Read
 * as `played` observations: a picture is a frame that the mock sent, and is known by its bytes.
 */
#ifndef CONFORMANCE_RUNNER_PLAYED_FILES_H
#define CONFORMANCE_RUNNER_PLAYED_FILES_H

#include "client/core/observation.h"
#include "conformance/script/case_script.h"
#include "server/journal/journal.h"

struct sound;

enum { PLAYED_PICTURES_MAX = 100000, PLAYED_PICTURE_BYTES_MAX = 16 * 1024 * 1024, PLAYED_ERROR_MAX = 300 };

/* Did the client make the folder? */
bool played_files_exist(const char *folder);
/*
 * Reads them; `*out` is malloc'd, NULL when there are none. A picture that the mock never sent is a silence
 * frame of no interaction with a checksum of its own. False with a sentence: "sound.wav in CONFORM_OUT: …".
 */
bool played_files_read(const char *folder, const struct journal *journal, struct observation **out,
                       size_t *count, char error[PLAYED_ERROR_MAX]);
/*
 * Of a family whose speech comes as texts: sound.wav alone, mono, at `rate_hz`. `*out` is to be freed with
 * sound_free. PLAYED_NOTHING: there is no such file; PLAYED_WRONG: with a sentence.
 */
enum played_status { PLAYED_NOTHING, PLAYED_READ, PLAYED_WRONG };
enum played_status played_sound_read(const char *folder, unsigned rate_hz, struct sound *out,
                                     char error[PLAYED_ERROR_MAX]);
/* Is there a sound.wav? A player of pictures alone leaves none, and says nothing of what was heard. */
bool played_files_sound(const char *folder);
/* Does a check of the script look at what was heard, and not at pictures alone? */
bool played_wants_sound(const struct case_script *script);

#endif
