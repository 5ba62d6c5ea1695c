#include "server/core/session.h"

bool session_config_of(const struct session_class *class, const struct http_head *head, uint8_t *out,
                       size_t capacity, size_t *len)
{
    struct bytes raw;
    if (class->config_of != NULL)
        return class->config_of(head, out, capacity, len);
    return http_head_parameter(head, "config_id", 0, &raw) && raw.len <= capacity &&
           form_decode(raw, out, len);
}
