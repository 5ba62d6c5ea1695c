/* The answer of a refuse step: header lines, an empty line, the body. */
#include "server/engine/engine_state.h"

enum { BODY_BYTES_MAX = 2048, HEAD_BYTES_MAX = 16384, STATUS_UNAUTHENTICATED = 401 };

static const char *option_value(const struct script_option *options, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(options[i].name, name) == 0)
            return options[i].value;
    return NULL;
}

static bool same_letter(char a, char b)
{
    char lower_a = a >= 'A' && a <= 'Z' ? (char)(a - 'A' + 'a') : a;
    char lower_b = b >= 'A' && b <= 'Z' ? (char)(b - 'A' + 'a') : b;
    return lower_a == lower_b;
}

static bool header_is_named(const char *header, const char *name)
{
    size_t len = strlen(name);
    if (strlen(header) <= len || header[len] != ':')
        return false;
    for (size_t i = 0; i < len; i++)
        if (!same_letter(header[i], name[i]))
            return false;
    return true;
}

/* Does the script give this header itself? */
static bool header_is_given(const struct script_option *options, size_t count, const char *name)
{
    for (size_t i = 0; options != NULL && i < count; i++)
        if (options[i].value != NULL && strcmp(options[i].name, "header") == 0 &&
            header_is_named(options[i].value, name))
            return true;
    return false;
}

static void head_add(struct text *head, const char *name, const char *value)
{
    text_add(head, name);
    text_add(head, ": ");
    text_add(head, value);
    text_add(head, "\r\n");
}

static void head_write(struct text *head, const char *challenge, uint16_t status,
                       const struct script_option *options, size_t count, size_t body_len,
                       const char *content_type)
{
    char length[24];
    struct text length_text = text_of(length, sizeof length);
    text_add_u64(&length_text, body_len);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(options[i].name, "header") != 0)
            continue;
        text_add(head, options[i].value);
        text_add(head, "\r\n");
    }
    if (status == STATUS_UNAUTHENTICATED && challenge != NULL &&
        !header_is_given(options, count, "WWW-Authenticate"))
        head_add(head, "WWW-Authenticate", challenge);
    if (body_len > 0 && !header_is_given(options, count, "Content-Type"))
        head_add(head, "Content-Type", content_type);
    if (!header_is_given(options, count, "Content-Length"))
        head_add(head, "Content-Length", length);
    if (!header_is_given(options, count, "Connection"))
        head_add(head, "Connection", "close");
    text_add(head, "\r\n");
}

bool refusal_add(const struct session_messages *messages, struct actions *actions, uint16_t status,
                 const struct script_option *options, size_t option_count, uint64_t now_ms)
{
    const char *error = option_value(options, option_count, "error");
    const char *body = option_value(options, option_count, "body");
    if (error == NULL && body == NULL && !header_is_given(options, option_count, "Content-Length"))
        error = messages->error_of_status(status);
    char error_text[BODY_BYTES_MAX];
    char head[HEAD_BYTES_MAX];
    struct text error_out = text_of(error_text, sizeof error_text);
    struct text head_out = text_of(head, sizeof head);
    if (error != NULL) {
        messages->error_body(&error_out, error, now_ms);
        body = error_text;
    }
    struct bytes body_bytes = body == NULL ? bytes_of(NULL, 0) : bytes_of_text(body);
    head_write(&head_out, messages->challenge, status, options, option_count, body_bytes.len,
               error != NULL ? "application/json" : "text/plain; charset=utf-8");
    struct action *action = NULL;
    uint8_t *out = actions_add(actions, ACTION_REFUSE, "refusal", head_out.len + body_bytes.len, &action);
    if (out == NULL)
        return false;
    action->code = status;
    memcpy(out, head, head_out.len);
    if (body_bytes.len > 0)
        memcpy(out + head_out.len, body_bytes.data, body_bytes.len);
    return true;
}
