#include "server/mock/ready.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "codec/wire/json_writer.h"
#include "codec/wire/text.h"

enum { URL_BYTES_MAX = 1200, READY_BYTES_MAX = 65536, CONFIG_BYTES_MAX = 800 };

void ready_origin(struct ready *ready)
{
    const char *address = ready->options->address;
    if (strcmp(address, "0.0.0.0") == 0)
        address = "127.0.0.1";
    else if (strcmp(address, "::") == 0)
        address = "::1";
    const bool is_ipv6 = strchr(address, ':') != NULL;
    snprintf(ready->origin, sizeof ready->origin, "%s://%s%s%s:%u", ready->options->tls.on ? "wss" : "ws",
             is_ipv6 ? "[" : "", address, is_ipv6 ? "]" : "", ready->port);
}

/* As it stands in a URL, and in quotes of a shell. */
static void config_write(const char *config, char out[CONFIG_BYTES_MAX])
{
    struct text text = text_of(out, CONFIG_BYTES_MAX);
    for (const char *at = config; *at != '\0'; at++) {
        const unsigned char c = (unsigned char)*at;
        const bool is_bare = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                             strchr("-._~:", c) != NULL;
        if (!is_bare)
            text_add_char(&text, '%');
        if (is_bare)
            text_add_char(&text, (char)c);
        else
            text_add_hex(&text, bytes_of(&c, 1));
    }
}

/* What stands in a segment in braces is that which clients are told to ask for. */
static void url_write(const struct ready *ready, size_t family, char url[URL_BYTES_MAX])
{
    const struct session_class *class = ready->options->families[family].class;
    const char *path = class->family->path;
    const size_t before = strcspn(path, "{");
    char config[CONFIG_BYTES_MAX] = "";
    if (path[before] != '\0')
        config_write(options_config_told(ready->options, class), config);
    const char *after = path + before + strcspn(path + before, "}");
    snprintf(url, URL_BYTES_MAX, "%s%.*s%s%s", ready->origin, (int)before, path, config,
             *after == '\0' ? after : after + 1);
}

/* "ws" and "wss" are to "http" and "https" what they sound like. */
static void control_write(const struct ready *ready, char url[URL_BYTES_MAX])
{
    snprintf(url, URL_BYTES_MAX, "http%s%s", ready->origin + strlen("ws"),
             ready->control == NULL ? "" : ready->control);
}

/* Of each family its URL, or its profile. */
static void families_put(struct json_writer *json, const struct ready *ready, const char *name, bool urls)
{
    const struct mock_options *options = ready->options;
    json_open(json, name, '{');
    for (size_t i = 0; i < options->family_count; i++) {
        char url[URL_BYTES_MAX];
        url_write(ready, i, url);
        json_text(json, options->families[i].class->family->name, urls ? url : options->profiles[i]->name);
    }
    json_close(json, '}');
}

static bool has_tokens(const struct ready *ready)
{
    bool has = false;
    for (size_t i = 0; i < ready->options->family_count; i++)
        has = has || ready->options->families[i].class->has_tokens;
    return has;
}

bool ready_token(const struct ready *ready, char out[TOKEN_BYTES_MAX + 1])
{
    const struct mock_options *options = ready->options;
    const struct token_wish wish = {
        .kind = &TOKEN_KINDS[0],
        .secret = options->jwt_secret == NULL ? TOKEN_SECRET_DEFAULT : options->jwt_secret,
        .candidate = options->candidate == NULL ? TOKEN_CANDIDATE_DEFAULT : options->candidate,
        .now_s = (uint64_t)time(NULL),
        .seconds = TOKEN_SECONDS_DEFAULT};
    return token_make(&wish, out, TOKEN_BYTES_MAX + 1);
}

bool ready_print(const struct ready *ready)
{
    char url[URL_BYTES_MAX], control[URL_BYTES_MAX];
    struct buffer line;
    buffer_init(&line, READY_BYTES_MAX);
    struct json_writer json = json_writer_of(&line);
    url_write(ready, 0, url);
    control_write(ready, control);
    json_open(&json, NULL, '{');
    json_text(&json, "url", url);
    families_put(&json, ready, "urls", true);
    if (ready->control != NULL)
        json_text(&json, "control", control);
    if (ready->ca != NULL)
        json_text(&json, "ca", ready->ca);
    json_u64(&json, "port", ready->port);
    json_i64(&json, "pid", getpid());
    json_u64(&json, "seed", ready->options->seed);
    json_text(&json, "profile", ready->options->profiles[0]->name);
    families_put(&json, ready, "profiles", false);
    if (has_tokens(ready) && ready->options->jwt_secret == NULL)
        json_text(&json, "jwt_secret", TOKEN_SECRET_DEFAULT);
    json_close(&json, '}');
    printf("%.*s\n", (int)line.len, (const char *)line.data);
    const bool written = fflush(stdout) == 0;
    const int error = errno;
    buffer_free(&line);
    errno = error;
    return written || error == EPIPE;
}

/* "try" and the words of a command that many have. */
static void try_write(const struct ready *ready, const char *url, const char *query)
{
    fprintf(stderr, "  try    wscat %s%s%s-c '%s?%s'", ready->ca == NULL ? "" : "--ca '",
            ready->ca == NULL ? "" : ready->ca, ready->ca == NULL ? "" : "' ", url, query);
}

/* Of a family whose URL says all. */
static void welcome_plain(const struct ready *ready, size_t family, const char *url)
{
    const struct session_class *class = ready->options->families[family].class;
    fprintf(stderr, "%-8s %s?%s\n  key    none is asked for\n", class->family->name, url, class->query);
    try_write(ready, url, class->query);
    fputs("\n", stderr);
}

static void welcome_config(const struct ready *ready, size_t family, const char *url)
{
    char config[CONFIG_BYTES_MAX], query[CONFIG_BYTES_MAX + sizeof "config_id="];
    const struct mock_options *options = ready->options;
    config_write(options->config_id == NULL ? "anything" : options->config_id, config);
    snprintf(query, sizeof query, "config_id=%s", config);
    fprintf(stderr, "%-8s %s?%s\n", options->families[family].class->family->name, url, query);
    fprintf(stderr, "  key    %s\n",
            options->key == NULL
                ? "any; in the header Authorization, with nothing in front of it (no \"Bearer\")"
                : "the one that was given; in the header Authorization, with nothing in front of it. For the "
                  "next line: OJIN_API_KEY=…");
    try_write(ready, url, query);
    fprintf(stderr, " -H \"Authorization: %s\"\n", options->key == NULL ? "any-key" : "$OJIN_API_KEY");
}

static void welcome_token(const struct ready *ready, size_t family, const char *url)
{
    char token[TOKEN_BYTES_MAX + 1], query[TOKEN_BYTES_MAX + sizeof "token="];
    if (!ready_token(ready, token))
        return;
    snprintf(query, sizeof query, "token=%s", token);
    fprintf(stderr, "%-8s %s\n  token  any that ojin-mock token prints; this one is good for an hour\n",
            ready->options->families[family].class->family->name, url);
    try_write(ready, url, query);
    fputs("\n", stderr);
}

void ready_welcome(const struct ready *ready)
{
    char url[URL_BYTES_MAX], control[URL_BYTES_MAX];
    if (isatty(STDERR_FILENO) == 0 || isatty(STDOUT_FILENO) == 0)
        return;
    fputs("\n", stderr);
    for (size_t i = 0; i < ready->options->family_count; i++) {
        url_write(ready, i, url);
        if (ready->options->families[i].class->has_tokens)
            welcome_token(ready, i, url);
        else if (ready->options->families[i].class->query != NULL)
            welcome_plain(ready, i, url);
        else
            welcome_config(ready, i, url);
    }
    control_write(ready, control);
    if (ready->control != NULL)
        fprintf(stderr, "control  %s\n", control);
    fputs("cards    a config_id, or an interview, such as mock.drop in the URL asks for a failure: see "
          "ojin-mock --list cards\n"
          "\nCtrl-C stops it.\n\n",
          stderr);
}
