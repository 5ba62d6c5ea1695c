/*
 * What a run of a fuzzer leaves: cases and bytes of its findings, lines for people, and JSON.
 */
#ifndef CONFORMANCE_FUZZ_HOST_FINDINGS_OUT_H
#define CONFORMANCE_FUZZ_HOST_FINDINGS_OUT_H

#include <stdio.h>

#include "conformance/fuzz/host/fuzzer.h"
#include "conformance/options/fuzz_options.h"

enum { FINDING_LINE_MAX = 8192 };

/* Writes the case of a finding below the folder, OUT/FAMILY/fuzz/SEED-N.session, and with --corpus its bytes.
 * False with what is wrong on standard error. */
bool findings_write(const struct fuzz_options *options, const struct fuzz_finding *finding,
                    const struct fuzz_session *smallest);
/* The end of what the client wrote, a line each. */
void said_tell(const char *said, FILE *out);
/* What it is, where it stands, and a line that repeats it, on standard output. */
void findings_tell(const struct fuzz_options *options, size_t n, const struct fuzz_finding *finding);
/* False with errno set. */
bool findings_json(const struct fuzz_options *options, const struct fuzzer_result *result, const char *path);

#endif
