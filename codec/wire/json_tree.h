/*
 * Values of cJSON, put together while JSON is checked, so that a text is read once. Private to
 * codec/wire/json_*.c.
 *
 * What is added is well-formed already and comes in the order of the text. Strings and names are spans of it,
 * without their quotes, escapes still in place. Depth is the check's to limit.
 */
#ifndef CODEC_WIRE_JSON_TREE_H
#define CODEC_WIRE_JSON_TREE_H

#include "codec/wire/bytes.h"
#include "codec/wire/json.h"

struct json_tree {
    cJSON *root; /* the owner's to delete; NULL: nothing was added */
    cJSON *open[JSON_DEPTH_MAX];
    size_t depth;
    struct bytes name; /* of the next value, where that is a member */
    bool lost;         /* memory ran out: something is missing */
};

void json_tree_init(struct json_tree *tree);

/* With `tree` NULL these do nothing. */
void json_tree_name(struct json_tree *tree, struct bytes name);
void json_tree_open(struct json_tree *tree, bool object);
void json_tree_close(struct json_tree *tree);
void json_tree_string(struct json_tree *tree, struct bytes content);
/* At most JSON_NUMBER_BYTES_MAX of them. */
void json_tree_number(struct json_tree *tree, struct bytes digits);
/* true, false or null, by its first letter. */
void json_tree_literal(struct json_tree *tree, char letter);

#endif
