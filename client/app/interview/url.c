#include "client/app/interview/url.h"

#include <string.h>

#include "codec/interview/constants.h"
#include "codec/interview/path.h"
#include "codec/wire/http_head.h"

static const char BASE_PATH[] = "/api/v1"; /* 004 Overview: the base URL ends with it */

static bool fail(char error[INTERVIEW_URL_ERROR_MAX], const char *why)
{
    struct text text = text_of(error, INTERVIEW_URL_ERROR_MAX);
    text_add(&text, why);
    return false;
}

/* The path: from the first slash behind the host up to the query. */
static struct bytes path_of(const char *url, size_t url_len)
{
    const char *host = strstr(url, "://");
    const char *from = host != NULL ? host + 3 : url;
    const size_t host_len = strcspn(from, "/?#");
    const size_t before = (size_t)(from - url) + host_len;
    return before < url_len ? bytes_of(url + before, url_len - before) : (struct bytes){0};
}

static bool is_base(struct bytes path)
{
    if (path.len > 0 && path.data[path.len - 1] == '/')
        path.len--;
    return path.len == 0 || bytes_equal_text(path, BASE_PATH);
}

static void add_path(struct text *out, const char *url, size_t url_len, struct bytes path, const char *id)
{
    text_add_bytes(out, bytes_of(url, url_len - path.len));
    text_add(out, INTERVIEW_PATH_BEFORE_ID);
    percent_encode(out, id);
    text_add(out, INTERVIEW_PATH_AFTER_ID);
}

static bool has_token(const char *query)
{
    static const char NAME[] = INTERVIEW_TOKEN_PARAMETER "=";
    for (const char *at = query; *at != '\0'; at++)
        if ((*at == '?' || *at == '&') && strncmp(at + 1, NAME, sizeof NAME - 1) == 0)
            return true;
    return false;
}

bool interview_url_write(struct text *out, const char *url, const char *id, const char *token,
                         char error[INTERVIEW_URL_ERROR_MAX])
{
    const size_t url_len = strcspn(url, "?#");
    const struct bytes path = path_of(url, url_len);
    const char *query = url + url_len;
    char encoded[INTERVIEW_URL_BYTES_MAX];
    struct text encoded_id = text_of(encoded, sizeof encoded);
    struct bytes named;
    if (!is_base(path))
        text_add_bytes(out, bytes_of(url, url_len));
    else if (id != NULL)
        add_path(out, url, url_len, path, id);
    else
        return fail(error, "no interview is named: --id or INTERVIEW_ID, or its path in the URL");
    percent_encode(&encoded_id, id != NULL ? id : "");
    if (id != NULL && interview_path_id(path, &named) && !bytes_equal_text(named, encoded))
        return fail(error, "the URL names another interview than --id or INTERVIEW_ID");
    text_add(out, query);
    if (token != NULL && !has_token(query)) {
        text_add(out, query[0] == '\0' ? "?" : query[1] == '\0' ? "" : "&");
        text_add(out, INTERVIEW_TOKEN_PARAMETER "=");
        percent_encode(out, token);
    }
    return !out->cut || fail(error, "the URL is too long");
}
