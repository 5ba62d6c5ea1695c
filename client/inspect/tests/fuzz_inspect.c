/* Any bytes as a message of each kind: its JSON gives the same bytes again. And any bytes as such JSON, as a
 * line of a journal and as hex: no harm, and a sentence where they are none. */
#include <stdlib.h>

#include "client/inspect/inspect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void build(struct bytes json, struct buffer *out, bool must)
{
    char error[INSPECT_ERROR_MAX] = "";
    const bool good = inspect_build(json, out, error);
    check(good || !must);
    check(good || (out->len == 0 && error[0] != '\0' && memchr(error, '\0', sizeof error) != NULL));
}

static void there_and_back(const char *family, struct bytes message, enum inspect_kind kind)
{
    bool good = false;
    cJSON *json = inspect_describe(family, message, kind, true, &good);
    char *printed = json == NULL ? NULL : json_print(json);
    struct buffer out;
    buffer_init(&out, INSPECT_MESSAGE_BYTES_MAX);
    if (printed != NULL) {
        build(bytes_of_text(printed), &out, true);
        check(bytes_equal(buffer_bytes(&out), message));
    }
    buffer_free(&out);
    cJSON_free(printed);
    cJSON_Delete(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const struct bytes given = bytes_of(data, len);
    const char *family = NULL;
    there_and_back("ojin", given, INSPECT_INPUT);
    there_and_back("ojin", given, INSPECT_FRAME);
    check(inspect_family_of(given, INSPECT_AUTO) != NULL);
    for (size_t i = 0; (family = inspect_family_at(i)) != NULL; i++)
        there_and_back(family, given, INSPECT_AUTO);

    struct buffer out;
    buffer_init(&out, INSPECT_MESSAGE_BYTES_MAX);
    build(given, &out, false);
    buffer_clear(&out);

    bool good = false;
    cJSON *line = NULL;
    (void)inspect_is_journal(given);
    char named[INSPECT_FAMILY_MAX];
    inspect_journal_family(given, named);
    if (inspect_journal_line(given, "duplex", false, &line, &good))
        cJSON_Delete(line);
    if (inspect_journal_line(given, named, true, &line, &good))
        cJSON_Delete(line);

    char *text = malloc(len + 1);
    check(text != NULL);
    if (len > 0)
        memcpy(text, data, len);
    text[len] = '\0';
    check(inspect_hex_decode(text, &out) || out.len == 0);
    free(text);
    buffer_free(&out);
    return 0;
}
