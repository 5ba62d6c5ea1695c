#include "server/control/exchange.h"

#include <stdarg.h>
#include <stdio.h>

static void error_put(struct exchange *exchange, uint16_t status, const char *sentence)
{
    buffer_clear(&exchange->answer);
    exchange->json = json_writer_of(&exchange->answer);
    exchange->status = status;
    exchange->content_type = "application/json";
    json_open(&exchange->json, NULL, '{');
    json_text(&exchange->json, "error", sentence);
    json_close(&exchange->json, '}');
}

void exchange_error(struct exchange *exchange, uint16_t status, const char *format, ...)
{
    char sentence[EXCHANGE_TEXT_MAX];
    va_list values;
    va_start(values, format);
    vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    error_put(exchange, status, sentence);
}

static bool is_blank(struct bytes text)
{
    for (size_t n = 0; n < text.len; n++)
        if (strchr(" \t\r\n", text.data[n]) == NULL || text.data[n] == '\0')
            return false;
    return true;
}

cJSON *exchange_body(struct exchange *exchange, const char *const *names)
{
    cJSON *body = NULL;
    if (is_blank(exchange->body))
        return cJSON_CreateObject();
    struct wire_error error = json_parse(exchange->body, &body);
    if (error.status != WIRE_OK) {
        exchange_error(exchange, 400, "the body is no JSON that is read here: %s at offset %zu",
                       error.field == NULL ? "value" : error.field, error.offset);
        return NULL;
    }
    const cJSON *member = cJSON_IsObject(body) ? body->child : NULL;
    while (member != NULL) {
        size_t n = 0;
        while (names[n] != NULL && strcmp(names[n], member->string) != 0)
            n++;
        if (names[n] == NULL)
            break;
        member = member->next;
    }
    if (cJSON_IsObject(body) && member == NULL)
        return body;
    char expected[EXCHANGE_TEXT_MAX / 2] = "";
    for (size_t n = 0, len = 0; names[n] != NULL && len < sizeof expected; n++)
        len += (size_t)snprintf(expected + len, sizeof expected - len, "%s%s", n == 0 ? "" : ", ", names[n]);
    if (member != NULL)
        exchange_error(exchange, 400, "no such member \"%.60s\": expected %s", member->string,
                       *expected == '\0' ? "none" : expected);
    else
        exchange_error(exchange, 400, "the body must be a JSON object with %s",
                       *expected == '\0' ? "no member" : expected);
    cJSON_Delete(body);
    return NULL;
}

const char *exchange_text(struct exchange *exchange, const cJSON *body, const char *name, bool *wrong)
{
    const cJSON *member = json_member(body, name);
    if (member == NULL || cJSON_IsNull(member))
        return NULL;
    if (cJSON_IsString(member))
        return member->valuestring;
    exchange_error(exchange, 400, "%s: expected a string", name);
    *wrong = true;
    return NULL;
}

bool exchange_parameters(struct exchange *exchange, const char *const *names)
{
    struct bytes name;
    if (!query_unknown(exchange->head, names, &name))
        return true;
    exchange_error(exchange, 400, "no such parameter \"%.*s\"", (int)(name.len < 60 ? name.len : 60),
                   (const char *)name.data);
    return false;
}

void exchange_finish(struct exchange *exchange)
{
    char head[sizeof exchange->head_lines + 200];
    if (exchange->later) {
        buffer_free(&exchange->answer);
        return;
    }
    if (exchange->json.failed)
        exchange_error(exchange, 500, "the answer is too large, or there is no memory for it");
    if (strcmp(exchange->content_type, "application/json") == 0)
        buffer_append(&exchange->answer, bytes_of_text("\n"));
    /* Nothing here is for a page or a cache, even where one gets hold of it. */
    snprintf(head, sizeof head,
             "Content-Type: %s\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n%s",
             exchange->content_type, exchange->head_lines);
    mock_http_answer_whole(exchange->http, exchange->status, head, &exchange->answer, exchange->head_only);
}
