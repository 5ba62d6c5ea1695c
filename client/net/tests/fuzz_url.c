/* Any text as a URL: a sentence that says what is wrong, or parts that fit, and a target that a request line
 * can hold. */
#include <stdlib.h>
#include <string.h>

#include "client/net/url.h"
#include "codec/wire/bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_parts(const struct url *url)
{
    check(memchr(url->host, '\0', sizeof url->host) != NULL && url->host[0] != '\0');
    check(memchr(url->port, '\0', sizeof url->port) != NULL &&
          strspn(url->port, "0123456789") == strlen(url->port));
    check(memchr(url->target, '\0', sizeof url->target) != NULL && url->target[0] == '/');
    for (const char *c = url->target; *c != '\0'; c++)
        check((unsigned char)*c > ' ' && *c != 0x7f && *c != '#');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char error[200] = "";
    char *text = calloc(len + 1, 1);
    struct url *url = malloc(sizeof *url);
    check(text != NULL && url != NULL);
    if (len > 0)
        memcpy(text, data, len);
    if (url_parse(text, len % 2 == 0 ? NULL : "a config & more", url, error, sizeof error))
        check_parts(url);
    else
        check(error[0] != '\0' && memchr(error, '\0', sizeof error) != NULL);
    free(url);
    free(text);
    return 0;
}
