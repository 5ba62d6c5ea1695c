/* The rows of the options that ask for reports, alike in every command that writes some: `paths` is the
 * member of `type` that is a struct report_paths. */
#ifndef CONFORMANCE_OPTIONS_REPORT_ROWS_H
#define CONFORMANCE_OPTIONS_REPORT_ROWS_H

#include "codec/options/options.h"
#include "conformance/report/report_files.h"

#define REPORT_ROWS(type, paths)                                                                             \
    {"json", "FILE", "the whole result as JSON", option_text, OPTION_INTO(type, paths.of[REPORT_JSON])},     \
        {"junit", "FILE", "JUnit XML", option_text, OPTION_INTO(type, paths.of[REPORT_JUNIT])},              \
        {"tap", "FILE", "TAP version 14", option_text, OPTION_INTO(type, paths.of[REPORT_TAP])},             \
        {"tap13", "FILE", "TAP version 13, for Perl's prove", option_text,                                   \
         OPTION_INTO(type, paths.of[REPORT_TAP13])},                                                         \
        {"html", "FILE", "one page for a browser, with a picture of each session", option_text,              \
         OPTION_INTO(type, paths.of[REPORT_HTML])},                                                          \
        {"markdown", "FILE",                                                                                 \
         "a summary; GITHUB_STEP_SUMMARY gets it too, and annotations\n(FILE - is standard output; the "     \
         "report for people then goes to standard error)",                                                   \
         option_text, OPTION_INTO(type, paths.of[REPORT_MARKDOWN])},                                         \
    {                                                                                                        \
        "verbose", NULL, "list what passed or was not judged, too", option_flag,                             \
            OPTION_INTO(type, paths.verbose)                                                                 \
    }

#endif
