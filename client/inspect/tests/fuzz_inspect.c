/* Any bytes as a message of each kind: its JSON gives the same bytes again. */
#include <stdlib.h>

#include "client/inspect/inspect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* A longer one is told in more words, of the same kinds. */
enum { BYTES_MAX = 1024 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void there_and_back(const char *family, struct bytes message, enum inspect_kind kind)
{
    bool good = false;
    cJSON *json = inspect_describe(family, message, kind, true, &good);
    char *printed = json == NULL ? NULL : json_print(json);
    struct buffer out;
    buffer_init(&out, INSPECT_MESSAGE_BYTES_MAX);
    if (printed != NULL) {
        char error[INSPECT_ERROR_MAX] = "";
        check(inspect_build(bytes_of_text(printed), &out, error));
        check(bytes_equal(buffer_bytes(&out), message));
    }
    buffer_free(&out);
    cJSON_free(printed);
    cJSON_Delete(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const struct bytes given = bytes_of(data, len < BYTES_MAX ? len : (size_t)BYTES_MAX);
    const char *family = NULL;
    there_and_back("ojin", given, INSPECT_INPUT);
    there_and_back("ojin", given, INSPECT_FRAME);
    check(inspect_family_of(given, INSPECT_AUTO) != NULL);
    for (size_t i = 0; (family = inspect_family_at(i)) != NULL; i++)
        there_and_back(family, given, INSPECT_AUTO);
    return 0;
}
