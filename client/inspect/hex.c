#include "client/inspect/inspect.h"

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = c == '\0' ? NULL : strchr(digits, c);
    return found == NULL ? -1 : (int)((found - digits) % 16);
}

bool inspect_hex_decode(const char *text, struct buffer *out)
{
    const size_t len = out->len;
    for (const char *c = text; *c != '\0';) {
        if (strchr(" \t\r\n", *c) != NULL) {
            c++;
            continue;
        }
        const int high = hex_digit(c[0]);
        const int low = high < 0 ? -1 : hex_digit(c[1]);
        const uint8_t byte = (uint8_t)(low < 0 ? 0 : high * 16 + low);
        if (low < 0 || !buffer_append(out, bytes_of(&byte, 1))) {
            out->len = len;
            return false;
        }
        c += 2;
    }
    return true;
}
