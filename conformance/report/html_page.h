/* The style and the script of the page, made from conformance/report/page at build time; and what the parts
 * of the page share. Private to the HTML report. */
#ifndef CONFORMANCE_REPORT_HTML_PAGE_H
#define CONFORMANCE_REPORT_HTML_PAGE_H

#include <stdio.h>

#include "conformance/report/causes.h"

extern const char PAGE_STYLE[];
extern const char PAGE_SCRIPT[];

/* `<tag class="class_name">text</tag>`; without a class when that is NULL. */
void html_element(FILE *out, const char *tag, const char *class_name, const char *text);
/* A verdict's word in its colour. */
void html_badge(FILE *out, const char *word);
/* The id of an element for a case: "case-N". */
void html_case_id(FILE *out, size_t n);

void html_causes(FILE *out, const struct run_result *run, const struct causes *causes);
/* What each verdict means. */
void html_legend(FILE *out);
void html_requirements(FILE *out, const struct run_result *run);
void html_cases(FILE *out, const struct run_result *run);

#endif
