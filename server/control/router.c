#include "server/control/router.h"

#include "codec/wire/text.h"

/* The segment that begins at *at; *at is then behind it and its '/'. */
static struct bytes segment_next(struct bytes path, size_t *at)
{
    size_t begin = *at;
    while (*at < path.len && path.data[*at] != '/')
        (*at)++;
    struct bytes segment = bytes_of(path.data + begin, *at - begin);
    *at += 1;
    return segment;
}

static bool number_segment(struct bytes segment, uint32_t *out)
{
    char digits[16];
    uint64_t value = 0;
    if (segment.len == 0 || segment.len >= sizeof digits)
        return false;
    memcpy(digits, segment.data, segment.len);
    digits[segment.len] = '\0';
    if (!query_number(digits, UINT32_MAX, &value))
        return false;
    *out = (uint32_t)value;
    return true;
}

static bool id_segment(struct bytes segment, char out[EXCHANGE_ID_MAX])
{
    if (segment.len == 0 || segment.len >= EXCHANGE_ID_MAX)
        return false;
    memcpy(out, segment.data, segment.len);
    out[segment.len] = '\0';
    return true;
}

static bool path_matches(const char *pattern, struct bytes path, struct exchange *exchange)
{
    struct bytes wanted = bytes_of_text(pattern);
    size_t of_pattern = 0, of_path = 0;
    while (of_pattern <= wanted.len && of_path <= path.len) {
        struct bytes want = segment_next(wanted, &of_pattern);
        struct bytes have = segment_next(path, &of_path);
        bool same = bytes_equal_text(want, "{n}")    ? number_segment(have, &exchange->number)
                    : bytes_equal_text(want, "{id}") ? id_segment(have, exchange->id)
                                                     : bytes_equal(want, have);
        if (!same)
            return false;
    }
    return of_pattern > wanted.len && of_path > path.len;
}

enum route_result route_find(const struct route *routes, bool in_scenario, struct bytes method,
                             struct bytes path, struct exchange *exchange, const struct route **out,
                             char allowed[64])
{
    if (bytes_equal_text(method, "HEAD"))
        method = bytes_of_text("GET");
    struct text methods = text_of(allowed, 64);
    for (const struct route *route = routes; route->method != NULL; route++) {
        if ((in_scenario && !route->in_scenario) || !path_matches(route->pattern, path, exchange))
            continue;
        if (bytes_equal_text(method, route->method)) {
            *out = route;
            return ROUTE_FOUND;
        }
        text_add(&methods, methods.len > 0 ? ", " : "");
        text_add(&methods, route->method);
    }
    return allowed[0] == '\0' ? ROUTE_NO_PATH : ROUTE_NO_METHOD;
}
