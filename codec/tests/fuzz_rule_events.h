/* What the fuzz harnesses of the rules share: a record of the input as an event, and what must hold of a
 * finding. */
#ifndef CODEC_TESTS_FUZZ_RULE_EVENTS_H
#define CODEC_TESTS_FUZZ_RULE_EVENTS_H

#include "codec/rules/rules.h"
#include "codec/wire/reader.h"

enum { FUZZ_TIME_UNIT_US = 10000 };

/* Ends the process when it does not hold: the fuzzer keeps the input. */
void fuzz_check(bool holds);
/* Whole texts, and neither empty. */
void fuzz_finding_check(const struct finding *finding);
/* Whether a peer has a picture at all hangs on its length. */
bool fuzz_picture_size(void *context, struct bytes jpeg, unsigned *width, unsigned *height);
/* Kind and direction (1 byte), length (2), time since the last (2, in FUZZ_TIME_UNIT_US), data, which `out`
 * borrows. A bit of the kind makes the message longer than what is kept of it, by `cut_bytes`. */
void fuzz_event_read(struct reader *reader, uint64_t *now_us, uint64_t cut_bytes, struct wire_event *out);

#endif
