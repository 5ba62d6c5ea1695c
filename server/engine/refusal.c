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

/* ---- dates ---- */

static bool is_leap(unsigned year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static void two_digits_add(struct text *out, uint64_t number)
{
    if (number < 10)
        text_add_char(out, '0');
    text_add_u64(out, number);
}

/* As HTTP writes it: "Sun, 06 Nov 1994 08:49:37 GMT". */
static void date_add(struct text *out, uint64_t seconds)
{
    static const char *const DAYS[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    static const char *const MONTHS[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    static const unsigned LENGTHS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    enum { DAY_S = 86400, EPOCH_YEAR = 1970, YEAR_MAX = 9999 };
    uint64_t day = seconds / DAY_S;
    const uint64_t time = seconds % DAY_S;
    unsigned year = EPOCH_YEAR, month = 0;
    text_add(out, DAYS[day % 7]);
    while (year < YEAR_MAX && day >= (is_leap(year) ? 366u : 365u))
        day -= is_leap(year++) ? 366u : 365u;
    while (month < 11 && day >= LENGTHS[month] + (month == 1 && is_leap(year) ? 1u : 0u)) {
        day -= LENGTHS[month] + (month == 1 && is_leap(year) ? 1u : 0u);
        month++;
    }
    text_add(out, ", ");
    two_digits_add(out, day + 1);
    text_add_char(out, ' ');
    text_add(out, MONTHS[month]);
    text_add_char(out, ' ');
    text_add_u64(out, year);
    text_add_char(out, ' ');
    two_digits_add(out, time / 3600);
    text_add_char(out, ':');
    two_digits_add(out, time / 60 % 60);
    text_add_char(out, ':');
    two_digits_add(out, time % 60);
    text_add(out, " GMT");
}

/* A header line as it is given, with "{date+N}" as the date N seconds from now. */
static void line_add(struct text *out, const char *line, uint64_t now_ms)
{
    static const char MARK[] = "{date+";
    const char *mark = strstr(line, MARK);
    const char *end = mark == NULL ? NULL : strchr(mark, '}');
    uint64_t later = 0;
    for (const char *at = mark == NULL ? "" : mark + sizeof MARK - 1; *at >= '0' && *at <= '9'; at++)
        later = later > UINT32_MAX ? later : later * 10 + (uint64_t)(*at - '0');
    if (end == NULL) {
        text_add(out, line);
    } else {
        text_add_bytes(out, bytes_of(line, (size_t)(mark - line)));
        date_add(out, now_ms / 1000 + later);
        text_add(out, end + 1);
    }
    text_add(out, "\r\n");
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
                       const char *content_type, uint64_t now_ms)
{
    char length[24];
    struct text length_text = text_of(length, sizeof length);
    text_add_u64(&length_text, body_len);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(options[i].name, "header") != 0)
            continue;
        line_add(head, options[i].value, now_ms);
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
               error != NULL ? "application/json" : "text/plain; charset=utf-8", now_ms);
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
