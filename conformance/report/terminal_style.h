/* Colour, width and safe text for the terminal report; private to it. */
#ifndef CONFORMANCE_REPORT_TERMINAL_STYLE_H
#define CONFORMANCE_REPORT_TERMINAL_STYLE_H

#include "conformance/report/terminal_report.h"

/* `word` in the colour that belongs to it, padded to `columns`. */
void terminal_word(FILE *out, const struct terminal_options *options, const char *word, int columns);
/* At most `columns` characters of `string` (UTF-8), with "..." where it is cut; control characters become
 * '?', so that nothing a client said can steer the terminal. */
void terminal_text(FILE *out, const char *string, size_t columns);
size_t terminal_columns(const struct terminal_options *options);
/* The table by requirement, and how many requirements of the run's profiles have no case. */
void terminal_requirements(FILE *out, const struct run_result *run, const struct terminal_options *options);
/* What was not judged, and what would unlock it. */
void terminal_locks(FILE *out, const struct run_result *run, const struct terminal_options *options);
/* What is wrong. */
void terminal_causes(FILE *out, const struct run_result *run, const struct terminal_options *options);
/* The totals. */
void terminal_summary(FILE *out, const struct run_result *run);

#endif
