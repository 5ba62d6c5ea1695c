#include <check.h>
#include <stdlib.h>

#include "codec/tests/exact_copy.h"
#include "codec/wire/authorization.h"
#include "codec/wire/http_head.h"
#include "codec/wire/http_response.h"
#include "codec/wire/text.h"

static void assert_text(const char *name, struct bytes actual, const char *expected)
{
    ck_assert_msg(bytes_equal_text(actual, expected), "%s: got '%.*s', expected '%s'", name, (int)actual.len,
                  actual.len == 0 ? "" : (const char *)actual.data, expected);
}

static const char WHOLE_HEAD[] = "GET /realtime?config_id=a%2Fb&mode=dev&config_id=two HTTP/1.1\r\n"
                                 "Host: 127.0.0.1:8080\r\n"
                                 "authorization:  key-1 \t\r\n"
                                 "Authorization: key-2\r\n"
                                 "Empty:\r\n"
                                 "\r\n";

START_TEST(a_whole_head_is_taken_apart_undecoded)
{
    struct exact_copy head = exact_copy_of(bytes_of(WHOLE_HEAD, sizeof WHOLE_HEAD - 1));
    struct http_head parsed;
    ck_assert(http_head_parse(head.bytes, &parsed));
    assert_text("method", parsed.method, "GET");
    assert_text("target", parsed.target, "/realtime?config_id=a%2Fb&mode=dev&config_id=two");
    assert_text("path", parsed.path, "/realtime");
    assert_text("query", parsed.query, "config_id=a%2Fb&mode=dev&config_id=two");
    ck_assert_uint_eq(parsed.header_count, 4);
    struct bytes value;
    ck_assert(http_head_header(&parsed, "AUTHORIZATION", 0, &value));
    assert_text("first header", value, "key-1");
    ck_assert(http_head_header(&parsed, "Authorization", 1, &value));
    assert_text("second header", value, "key-2");
    ck_assert(!http_head_header(&parsed, "Authorization", 2, &value));
    ck_assert(http_head_header(&parsed, "empty", 0, &value));
    assert_text("empty header", value, "");
    ck_assert(http_head_parameter(&parsed, "config_id", 0, &value));
    assert_text("first parameter", value, "a%2Fb");
    ck_assert(http_head_parameter(&parsed, "config_id", 1, &value));
    assert_text("second parameter", value, "two");
    ck_assert(!http_head_parameter(&parsed, "config_id", 2, &value));
    ck_assert(!http_head_parameter(&parsed, "Mode", 0, &value));
    exact_copy_free(head);
}
END_TEST

START_TEST(every_prefix_of_a_head_is_refused)
{
    for (size_t len = 0; len < sizeof WHOLE_HEAD - 1; len++) {
        struct exact_copy head = exact_copy_of(bytes_of(WHOLE_HEAD, len));
        struct http_head parsed = {.header_count = 77};
        ck_assert_msg(!http_head_parse(head.bytes, &parsed), "a prefix of %zu bytes was taken", len);
        ck_assert_uint_eq(parsed.header_count, 77);
        exact_copy_free(head);
    }
}
END_TEST

static const struct {
    const char *name;
    const char *head;
    bool valid;
} HEADS[] = {
    {"smallest", "GET / HTTP/1.1\r\n\r\n", true},
    {"older version", "GET / HTTP/1.0\r\n\r\n", true},
    {"space in the target", "GET /realtime?config_id=a b HTTP/1.1\r\n\r\n", true},
    {"no target", "GET HTTP/1.1\r\n\r\n", false},
    {"empty target", "GET  HTTP/1.1\r\n\r\n", false},
    {"no version", "GET /\r\n\r\n", false},
    {"HTTP/2", "GET / HTTP/2.0\r\n\r\n", false},
    {"empty method", " / HTTP/1.1\r\n\r\n", false},
    {"bare line feeds", "GET / HTTP/1.1\n\n", false},
    {"bare carriage return in a value", "GET / HTTP/1.1\r\nA: b\rc\r\n\r\n", false},
    {"folded header", "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", false},
    {"space before the colon", "GET / HTTP/1.1\r\nA : b\r\n\r\n", false},
    {"header without a colon", "GET / HTTP/1.1\r\nHost\r\n\r\n", false},
    {"header without a name", "GET / HTTP/1.1\r\n: b\r\n\r\n", false},
    {"something after the empty line", "GET / HTTP/1.1\r\n\r\nx", false},
    {"a response", "HTTP/1.1 200 OK\r\n\r\n", false},
};

START_TEST(only_request_heads_are_taken)
{
    struct exact_copy head = exact_copy_of(bytes_of_text(HEADS[_i].head));
    struct http_head parsed;
    ck_assert_msg(http_head_parse(head.bytes, &parsed) == HEADS[_i].valid, "%s", HEADS[_i].name);
    exact_copy_free(head);
}
END_TEST

static bool parses_with_headers(size_t count)
{
    char data[64 + 6 * (HTTP_HEADERS_MAX + 1)];
    struct text text = text_of(data, sizeof data);
    text_add(&text, "GET / HTTP/1.1\r\n");
    for (size_t i = 0; i < count; i++)
        text_add(&text, "A: b\r\n");
    text_add(&text, "\r\n");
    ck_assert(!text.cut);
    struct exact_copy head = exact_copy_of(bytes_of_text(data));
    struct http_head parsed;
    bool parsed_whole = http_head_parse(head.bytes, &parsed);
    exact_copy_free(head);
    return parsed_whole;
}

START_TEST(as_many_headers_as_the_limit_are_taken_and_no_more)
{
    ck_assert(parses_with_headers(HTTP_HEADERS_MAX));
    ck_assert(!parses_with_headers(HTTP_HEADERS_MAX + 1));
}
END_TEST

static const struct {
    const char *query;
    const char *value; /* of the first "c"; NULL: there is none */
} PARAMETERS[] = {
    {"c=1", "1"},   {"a=2&c=1", "1"}, {"c=", ""},    {"c", ""},    {"c=1=2", "1=2"},     {"&&c=1", "1"},
    {"cc=1", NULL}, {"", NULL},       {"C=1", NULL}, {"=c", NULL}, {"c=1#c=2", "1#c=2"},
};

START_TEST(parameters_are_found_by_their_exact_name)
{
    struct exact_copy query = exact_copy_of(bytes_of_text(PARAMETERS[_i].query));
    struct http_head head = {.query = query.bytes};
    struct bytes value;
    bool found = http_head_parameter(&head, "c", 0, &value);
    ck_assert_msg(found == (PARAMETERS[_i].value != NULL), "%s", PARAMETERS[_i].query);
    if (found)
        assert_text(PARAMETERS[_i].query, value, PARAMETERS[_i].value);
    exact_copy_free(query);
}
END_TEST

static const struct {
    const char *encoded;
    const char *decoded; /* NULL: a broken escape */
    bool clean;
} ENCODINGS[] = {
    {"", "", true},
    {"abc-._~XYZ019", "abc-._~XYZ019", true},
    {"a%2Fb%c3%A9", "a/b\xc3\xa9", true},
    {"!$'()*,;:@/?", "!$'()*,;:@/?", true},
    {"a b", "a b", false},
    {"a+b", "a+b", true},
    {"a=b", "a=b", true},
    {"a&b", "a&b", false},
    {"a#b", "a#b", false},
    {"\xc3\xa9", "\xc3\xa9", false},
    {"a\"b", "a\"b", false},
    {"%", NULL, false},
    {"%4", NULL, false},
    {"%zz", NULL, false},
    {"ab%4g", NULL, false},
};

START_TEST(escapes_are_decoded_and_unclean_encodings_told)
{
    struct exact_copy in = exact_copy_of(bytes_of_text(ENCODINGS[_i].encoded));
    uint8_t out[32];
    size_t len = 99;
    bool decoded = percent_decode(in.bytes, out, &len);
    ck_assert_msg(decoded == (ENCODINGS[_i].decoded != NULL), "%s", ENCODINGS[_i].encoded);
    if (decoded)
        assert_text(ENCODINGS[_i].encoded, bytes_of(out, len), ENCODINGS[_i].decoded);
    else
        ck_assert_uint_eq(len, 99);
    ck_assert_msg(percent_encoding_is_clean(in.bytes) == ENCODINGS[_i].clean, "%s", ENCODINGS[_i].encoded);
    exact_copy_free(in);
}
END_TEST

static const struct {
    const char *encoded;
    const char *decoded; /* NULL: a broken escape */
} FORMS[] = {
    {"", ""}, {"a+b", "a b"}, {"a%2Bb+%20", "a+b  "}, {"+%2b%", NULL}, {"caf%C3%A9", "caf\xc3\xa9"},
};

START_TEST(a_plus_is_a_space_in_a_form)
{
    struct exact_copy in = exact_copy_of(bytes_of_text(FORMS[_i].encoded));
    uint8_t out[32];
    size_t len = 99;
    ck_assert_msg(form_decode(in.bytes, out, &len) == (FORMS[_i].decoded != NULL), "%s", FORMS[_i].encoded);
    if (FORMS[_i].decoded != NULL)
        assert_text(FORMS[_i].encoded, bytes_of(out, len), FORMS[_i].decoded);
    else
        ck_assert_uint_eq(len, 99);
    exact_copy_free(in);
}
END_TEST

static const struct {
    const char *value;
    const char *scheme; /* NULL: none that is known */
    const char *word;
    const char *secret;
} AUTHORIZATIONS[] = {
    {"", NULL, "", ""},
    {"sk-1", NULL, "", "sk-1"},
    {"Bearer sk-1", "Bearer", "Bearer", "sk-1"},
    {"bEARER   sk-1 x", "Bearer", "bEARER", "sk-1 x"},
    {"API-key k", "Api-Key", "API-key", "k"},
    {"Bearer", "Bearer", "Bearer", ""},
    {"Bearers k", NULL, "Bearers", "k"},
    {"my key", NULL, "my", "key"},
};

START_TEST(an_authorization_is_a_scheme_and_a_secret)
{
    const char *name = AUTHORIZATIONS[_i].value;
    struct exact_copy value = exact_copy_of(bytes_of_text(name));
    const struct authorization read = authorization_of(value.bytes);
    if (AUTHORIZATIONS[_i].scheme == NULL)
        ck_assert_msg(read.scheme == NULL, "%s", name);
    else
        ck_assert_str_eq(read.scheme, AUTHORIZATIONS[_i].scheme);
    assert_text(name, read.word, AUTHORIZATIONS[_i].word);
    assert_text(name, read.secret, AUTHORIZATIONS[_i].secret);
    ck_assert_uint_eq(read.word.len + read.blanks.len + read.secret.len, strlen(name));
    exact_copy_free(value);
}
END_TEST

static const struct {
    const char *name;
    const char *head;
    bool valid;
    uint16_t status;
    bool has_length;
    uint64_t body_bytes;
} RESPONSES[] = {
    {"switching", "HTTP/1.1 101 Switching Protocols\r\n\r\n", true, 101, true, 0},
    {"refusal with a length", "HTTP/1.1 401 Unauthorized\r\ncontent-LENGTH: 12 \r\n\r\n", true, 401, true,
     12},
    {"refusal without", "HTTP/1.1 503 No\r\nContent-Type: a\r\n\r\n", true, 503, false, 0},
    {"no reason", "HTTP/1.0 404\r\n\r\n", true, 404, false, 0},
    {"chunked", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", true, 200,
     false, 0},
    {"no number", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", true, 200, false, 0},
    {"absurd length", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n", true, 200, false,
     0},
    {"no content", "HTTP/1.1 204 No Content\r\n\r\n", true, 204, true, 0},
    {"status cut", "HTTP/1.1 40\r\n\r\n", false, 0, false, 0},
    {"status too long", "HTTP/1.1 4040 x\r\n\r\n", false, 0, false, 0},
    {"status below 100", "HTTP/1.1 099 x\r\n\r\n", false, 0, false, 0},
    {"not HTTP", "SSH-2.0-x\r\n\r\n", false, 0, false, 0},
};

START_TEST(a_response_head_says_where_its_body_ends)
{
    struct exact_copy head = exact_copy_of(bytes_of_text(RESPONSES[_i].head));
    struct http_response response = {.status = 1};
    ck_assert_msg(http_response_parse(head.bytes, &response) == RESPONSES[_i].valid, "%s",
                  RESPONSES[_i].name);
    if (RESPONSES[_i].valid) {
        ck_assert_uint_eq(response.status, RESPONSES[_i].status);
        ck_assert_msg(response.has_length == RESPONSES[_i].has_length, "%s", RESPONSES[_i].name);
        if (response.has_length)
            ck_assert_uint_eq(response.body_bytes, RESPONSES[_i].body_bytes);
    } else {
        ck_assert_uint_eq(response.status, 1);
    }
    exact_copy_free(head);
}
END_TEST

static int count_of(size_t bytes, size_t each)
{
    return (int)(bytes / each);
}

int main(void)
{
    Suite *suite = suite_create("http_head");
    TCase *tcase = tcase_create("http_head");
    tcase_add_test(tcase, a_whole_head_is_taken_apart_undecoded);
    tcase_add_test(tcase, every_prefix_of_a_head_is_refused);
    tcase_add_loop_test(tcase, only_request_heads_are_taken, 0, count_of(sizeof HEADS, sizeof HEADS[0]));
    tcase_add_test(tcase, as_many_headers_as_the_limit_are_taken_and_no_more);
    tcase_add_loop_test(tcase, parameters_are_found_by_their_exact_name, 0,
                        count_of(sizeof PARAMETERS, sizeof PARAMETERS[0]));
    tcase_add_loop_test(tcase, escapes_are_decoded_and_unclean_encodings_told, 0,
                        count_of(sizeof ENCODINGS, sizeof ENCODINGS[0]));
    tcase_add_loop_test(tcase, a_plus_is_a_space_in_a_form, 0, count_of(sizeof FORMS, sizeof FORMS[0]));
    tcase_add_loop_test(tcase, an_authorization_is_a_scheme_and_a_secret, 0,
                        count_of(sizeof AUTHORIZATIONS, sizeof AUTHORIZATIONS[0]));
    tcase_add_loop_test(tcase, a_response_head_says_where_its_body_ends, 0,
                        count_of(sizeof RESPONSES, sizeof RESPONSES[0]));
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
