/* What the client said it saw, as a part of a picture. Private to the picture. */
#ifndef CONFORMANCE_REPORT_PICTURE_SEEN_H
#define CONFORMANCE_REPORT_PICTURE_SEEN_H

#include "conformance/report/case_picture.h"

/* Adds `item`, with a comma before all but the first, if `reserve` bytes are left after it. */
bool picture_item_add(struct text *out, const struct text *item, bool *first, size_t reserve);

/* Adds the members "seen" and "seen_count". Frames that are read and frames that are played take turns: those
 * of one kind that are alike are one item, until another kind of observation comes. One that a check hangs on
 * stands alone. */
void picture_seen_write(struct text *out, const struct picture_source *source,
                        const struct check_result *const *checks, size_t check_count);

#endif
