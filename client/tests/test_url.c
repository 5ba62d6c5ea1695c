#include "client/net/url.h"

#include <check.h>
#include <stdlib.h>

static const struct {
    const char *text;
    const char *config;
    const char *host; /* NULL: refused */
    const char *port;
    const char *authority;
    const char *target;
} URLS[] = {
    {"ws://127.0.0.1:7000/realtime", "c", "127.0.0.1", "7000", "127.0.0.1:7000", "/realtime?config_id=c"},
    {"wss://models.example", "a/b?c=d&\xC3\xA9", "models.example", "443", "models.example",
     "/?config_id=a%2Fb%3Fc%3Dd%26%C3%A9"},
    {"ws://h/p?mode=dev", "c", "h", "80", "h", "/p?mode=dev&config_id=c"},
    {"ws://h/p?config_id=mine", "c", "h", "80", "h", "/p?config_id=mine"},
    {"ws://h/p?a=1&config_id=mine", "c", "h", "80", "h", "/p?a=1&config_id=mine"},
    {"ws://h?a=1", NULL, "h", "80", "h", "/?a=1"},
    {"ws://[::1]:65535/x", "c", "::1", "65535", "[::1]:65535", "/x?config_id=c"},
    {"http://h/", "c", NULL, NULL, NULL, NULL},
    {"", "c", NULL, NULL, NULL, NULL},
    {"ws://", "c", NULL, NULL, NULL, NULL},
    {"ws://:80/", "c", NULL, NULL, NULL, NULL},
    {"ws://h:0/", "c", NULL, NULL, NULL, NULL},
    {"ws://h:65536/", "c", NULL, NULL, NULL, NULL},
    {"ws://h:8x/", "c", NULL, NULL, NULL, NULL},
    {"ws://h:/", "c", NULL, NULL, NULL, NULL},
    {"ws://[::1/", "c", NULL, NULL, NULL, NULL},
    {"ws://user:pass@h/", "c", NULL, NULL, NULL, NULL},
    {"ws://h/#f", "c", NULL, NULL, NULL, NULL},
    {"ws://xn--bcher-kva.example/", NULL, "xn--bcher-kva.example", "80", "xn--bcher-kva.example", "/"},
    {"ws://b\xC3\xBC"
     "cher.example/",
     NULL, NULL, NULL, NULL, NULL},
    {"ws://\xFF/", NULL, NULL, NULL, NULL, NULL},
    {"ws://a b/", NULL, NULL, NULL, NULL, NULL},
    {"ws://h\r\nX: y/", NULL, NULL, NULL, NULL, NULL},
    {"ws://[::1\x7F]/", NULL, NULL, NULL, NULL, NULL},
    {"ws://h/a b", "c", NULL, NULL, NULL, NULL},
    {"ws://h/\r\nX: y", "c", NULL, NULL, NULL, NULL},
};

START_TEST(urls_are_read_with_config_id_exactly_once)
{
    struct url url = {0};
    char error[300] = "";
    bool good = url_parse(URLS[_i].text, URLS[_i].config, &url, error, sizeof error);
    ck_assert_msg(good == (URLS[_i].host != NULL), "%s: %s", URLS[_i].text, error);
    ck_assert((error[0] == '\0') == good);
    if (!good)
        return;
    ck_assert_str_eq(url.host, URLS[_i].host);
    ck_assert_str_eq(url.port, URLS[_i].port);
    ck_assert_str_eq(url.authority, URLS[_i].authority);
    ck_assert_str_eq(url.target, URLS[_i].target);
}
END_TEST

/* Neither the connector's lookup nor the runner's makes anything of it but a server that is not known. */
START_TEST(international_host_is_told_how_to_be_written)
{
    struct url url = {0};
    char error[300] = "";
    ck_assert(!url_parse("wss://b\xC3\xBC"
                         "cher.example/a?key=secret",
                         NULL, &url, error, sizeof error));
    ck_assert_str_eq(error, "the URL \"wss://b\xC3\xBC"
                            "cher.example/a\" has a host with characters beyond ASCII: write its ASCII form, "
                            "whose labels begin with xn--");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("url");
    TCase *tcase = tcase_create("url");
    tcase_add_loop_test(tcase, urls_are_read_with_config_id_exactly_once, 0,
                        (int)(sizeof URLS / sizeof URLS[0]));
    tcase_add_test(tcase, international_host_is_told_how_to_be_written);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
