/* What the functions of defects share. */
#include "conformance/defects/defect.h"

bool defect_holds(struct bytes message, const char *text)
{
    const size_t len = strlen(text);
    for (size_t i = 0; i + len <= message.len; i++)
        if (memcmp(message.data + i, text, len) == 0)
            return true;
    return false;
}
