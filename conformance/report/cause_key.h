/* When two findings read alike. Private to the causes. */
#ifndef CONFORMANCE_REPORT_CAUSE_KEY_H
#define CONFORMANCE_REPORT_CAUSE_KEY_H

#include "codec/wire/text.h"

enum { CAUSE_KEY_MAX = 400 };

/* Adds `sentence` with '#' for each word that has a digit in it, up to the first message that it quotes ("{"
 * or a quotation mark): what varies from case to case is gone. */
void cause_key_write(struct text *out, const char *sentence);

#endif
