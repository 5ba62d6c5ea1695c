#include "server/control/guard.h"

/* "[::1]:7700" and "localhost:7700" without the port; false when it is neither. */
static bool host_name(struct bytes host, struct bytes *name)
{
    size_t len = 0;
    if (host.len > 0 && host.data[0] == '[') {
        while (len < host.len && host.data[len] != ']')
            len++;
        if (len == host.len)
            return false;
        *name = bytes_of(host.data + 1, len - 1);
        len++;
    } else {
        while (len < host.len && host.data[len] != ':')
            len++;
        *name = bytes_of(host.data, len);
    }
    if (len < host.len && host.data[len] != ':')
        return false;
    for (size_t n = len + 1; n < host.len; n++)
        if (host.data[n] < '0' || host.data[n] > '9')
            return false;
    return name->len > 0;
}

/* "127.0.0.1" and the like: four numbers, so that no name passes that begins with them. */
static bool is_loopback_v4(struct bytes name)
{
    unsigned dots = 0, digits = 0;
    if (name.len < 4 || memcmp(name.data, "127.", 4) != 0)
        return false;
    for (size_t n = 0; n < name.len; n++) {
        bool is_dot = name.data[n] == '.';
        if (is_dot && digits == 0)
            return false;
        dots += is_dot ? 1 : 0;
        digits = is_dot ? 0 : digits + 1;
        if (!is_dot && (name.data[n] < '0' || name.data[n] > '9' || digits > 3))
            return false;
    }
    return dots == 3 && digits > 0;
}

static bool name_is_ours(const struct guard *guard, struct bytes name)
{
    if (bytes_equal_text_ignoring_case(name, "localhost") || bytes_equal_text(name, "::1") ||
        is_loopback_v4(name) ||
        (guard->address != NULL && bytes_equal_text_ignoring_case(name, guard->address)))
        return true;
    for (size_t n = 0; n < guard->host_count; n++)
        if (bytes_equal_text_ignoring_case(name, guard->hosts[n]))
            return true;
    return false;
}

/* "http://" and the very Host that was asked. */
static bool origin_is_ours(struct bytes origin, struct bytes host)
{
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t n = 0; n < sizeof schemes / sizeof schemes[0]; n++) {
        size_t len = strlen(schemes[n]);
        if (origin.len > len && memcmp(origin.data, schemes[n], len) == 0 &&
            bytes_equal(bytes_of(origin.data + len, origin.len - len), host))
            return true;
    }
    return false;
}

const char *guard_refuses(const struct guard *guard, const struct http_head *head, bool peer_is_loopback)
{
    struct bytes host, name, other;
    if (!guard->any_peer && !peer_is_loopback)
        return "the control interface answers over loopback alone, unless the mock runs with "
               "--control-anywhere";
    if (!http_head_header(head, "Host", 0, &host) || http_head_header(head, "Host", 1, &other) ||
        !host_name(host, &name) || !name_is_ours(guard, name))
        return "Host must be localhost, a loopback address, the listen address, or a name given with "
               "--allow-host";
    if (http_head_header(head, "Origin", 0, &other) && !origin_is_ours(other, host))
        return "requests of other web pages are refused: Origin must be absent or the mock's own";
    if (http_head_header(head, "Sec-Fetch-Site", 0, &other) && !bytes_equal_text(other, "same-origin") &&
        !bytes_equal_text(other, "none"))
        return "requests of other web pages are refused: Sec-Fetch-Site says that this is one";
    return NULL;
}
