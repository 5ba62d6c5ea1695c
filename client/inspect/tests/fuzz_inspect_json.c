/* Any bytes as JSON that a message is built from, as a line of a journal and as hex: no harm, and a sentence
 * where they are none. */
#include <stdlib.h>

#include "client/inspect/inspect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { BYTES_MAX = 2048 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void try_build(struct bytes json)
{
    char error[INSPECT_ERROR_MAX] = "";
    struct buffer out;
    buffer_init(&out, INSPECT_MESSAGE_BYTES_MAX);
    if (!inspect_build(json, &out, error))
        check(out.len == 0 && error[0] != '\0' && memchr(error, '\0', sizeof error) != NULL);
    buffer_free(&out);
}

static void try_journal(struct bytes line)
{
    bool good = false;
    cJSON *told = NULL;
    char family[INSPECT_FAMILY_MAX];
    (void)inspect_is_journal(line);
    inspect_journal_family(line, family);
    check(memchr(family, '\0', sizeof family) != NULL);
    if (inspect_journal_line(line, "duplex", false, &told, &good))
        cJSON_Delete(told);
    if (inspect_journal_line(line, family, true, &told, &good))
        cJSON_Delete(told);
}

static void try_hex(struct bytes digits)
{
    struct buffer out;
    char *text = malloc(digits.len + 1);
    check(text != NULL);
    if (digits.len > 0)
        memcpy(text, digits.data, digits.len);
    text[digits.len] = '\0';
    buffer_init(&out, INSPECT_MESSAGE_BYTES_MAX);
    check(inspect_hex_decode(text, &out) || out.len == 0);
    check(out.len <= digits.len / 2);
    buffer_free(&out);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const struct bytes given = bytes_of(data, len < BYTES_MAX ? len : (size_t)BYTES_MAX);
    try_build(given);
    try_journal(given);
    try_hex(given);
    return 0;
}
