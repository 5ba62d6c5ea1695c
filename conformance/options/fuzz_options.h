/*
 * The options of `ojin-conform fuzz`.
 */
#ifndef CONFORMANCE_OPTIONS_FUZZ_OPTIONS_H
#define CONFORMANCE_OPTIONS_FUZZ_OPTIONS_H

#include "conformance/options/options.h"

enum { FUZZ_MEMORY_MB_DEFAULT = 200, FUZZ_MEMORY_MB_MAX = 65536 };
#define FUZZ_OUT_FOLDER_DEFAULT "fuzz-out"
#define FUZZ_CASES_MAX          UINT64_C(1000000000)

struct fuzz_options {
    struct run_options run; /* first, for the readers that it shares: family, profile, env, seed, out */
    uint64_t cases;         /* 0: any number */
    uint64_t first;         /* number of the first session */
    uint64_t time_ms;       /* 0: any time */
    bool until_found;       /* stop at the first finding */
    unsigned memory_mb;
    const char *corpus; /* a folder; NULL: none */
    const char *json;   /* a file; NULL: none */
};

extern const struct option_page FUZZ_PAGE;

/* As run_options_parse. */
enum options_outcome fuzz_options_parse(int argc, char *argv[], struct fuzz_options *out);

#endif
