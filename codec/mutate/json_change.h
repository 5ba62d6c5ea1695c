/* Changes to a JSON text that is a message, or stands in one. For the folders of codec/mutate alone. */
#ifndef CODEC_MUTATE_JSON_CHANGE_H
#define CODEC_MUTATE_JSON_CHANGE_H

#include "codec/mutate/edit.h"

/* Changes the text of `len` bytes at `at`; what is around it stays. Texts in which no value begins are left
 * alone: false. */
bool mutate_json(struct mutate_edit *edit, size_t at, size_t len);

/* The `change` of a form that is JSON alone. */
bool mutate_json_form(struct mutate_edit *edit);

#endif
