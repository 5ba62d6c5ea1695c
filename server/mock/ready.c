#include "server/mock/ready.h"

#include <stdio.h>
#include <unistd.h>

#include "codec/wire/text.h"

enum { URL_BYTES_MAX = 256, READY_BYTES_MAX = 2048, CONFIG_BYTES_MAX = 200 };

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

static void url_write(const struct ready *ready, char url[URL_BYTES_MAX])
{
    snprintf(url, URL_BYTES_MAX, "%s%s", ready->origin, ready->family->path);
}

/* "ws" and "wss" are to "http" and "https" what they sound like. */
static void control_write(const struct ready *ready, char url[URL_BYTES_MAX])
{
    snprintf(url, URL_BYTES_MAX, "http%s%s", ready->origin + strlen("ws"),
             ready->control == NULL ? "" : ready->control);
}

static void member_add(struct text *text, const char *name, const char *value)
{
    text_add_char(text, ',');
    text_add_json_string(text, bytes_of_text(name));
    text_add_char(text, ':');
    text_add_json_string(text, bytes_of_text(value));
}

void ready_print(const struct ready *ready)
{
    char line[READY_BYTES_MAX], url[URL_BYTES_MAX], control[URL_BYTES_MAX];
    struct text text = text_of(line, sizeof line);
    url_write(ready, url);
    control_write(ready, control);
    text_add(&text, "{\"url\":");
    text_add_json_string(&text, bytes_of_text(url));
    text_add(&text, ",\"urls\":{");
    text_add_json_string(&text, bytes_of_text(ready->family->name));
    text_add_char(&text, ':');
    text_add_json_string(&text, bytes_of_text(url));
    text_add_char(&text, '}');
    if (ready->control != NULL)
        member_add(&text, "control", control);
    if (ready->ca != NULL)
        member_add(&text, "ca", ready->ca);
    text_add(&text, ",\"port\":");
    text_add_u64(&text, ready->port);
    text_add(&text, ",\"pid\":");
    text_add_i64(&text, getpid());
    text_add(&text, ",\"seed\":");
    text_add_u64(&text, ready->options->seed);
    member_add(&text, "profile", ready->options->profile->name);
    text_add_char(&text, '}');
    puts(line);
    fflush(stdout);
}

/* As it stands in a query, and in quotes of a shell. */
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

/* Of a family whose URL says all. */
static void welcome_plain(const struct ready *ready, const char *url)
{
    const char *query = ready->options->class->query;
    fprintf(stderr, "\n%-8s %s?%s\n", ready->family->name, url, query);
    fprintf(stderr, "try      wscat %s%s%s-c '%s?%s'\n", ready->ca == NULL ? "" : "--ca '",
            ready->ca == NULL ? "" : ready->ca, ready->ca == NULL ? "" : "' ", url, query);
}

static void welcome_config(const struct ready *ready, const char *url)
{
    char config[CONFIG_BYTES_MAX];
    const struct mock_options *options = ready->options;
    const char *key = options->key == NULL ? "any-key" : "$OJIN_API_KEY";
    config_write(options->config_id == NULL ? "anything" : options->config_id, config);
    fprintf(stderr, "\n%-8s %s?config_id=%s\n", ready->family->name, url, config);
    fprintf(stderr, "key      %s\n",
            options->key == NULL
                ? "any; in the header Authorization, with nothing in front of it (no \"Bearer\")"
                : "the one that was given; in the header Authorization, with nothing in front of it. For the "
                  "next line: OJIN_API_KEY=…");
    fprintf(stderr, "try      wscat %s%s%s-c '%s?config_id=%s' -H \"Authorization: %s\"\n",
            ready->ca == NULL ? "" : "--ca '", ready->ca == NULL ? "" : ready->ca,
            ready->ca == NULL ? "" : "' ", url, config, key);
}

void ready_welcome(const struct ready *ready)
{
    char url[URL_BYTES_MAX], control[URL_BYTES_MAX];
    if (isatty(STDERR_FILENO) == 0 || isatty(STDOUT_FILENO) == 0)
        return;
    url_write(ready, url);
    control_write(ready, control);
    if (ready->options->class->query != NULL)
        welcome_plain(ready, url);
    else
        welcome_config(ready, url);
    if (ready->control != NULL)
        fprintf(stderr, "control  %s\n", control);
    fprintf(stderr,
            "cards    a config_id such as mock.%s asks for a failure: see ojin-mock --list cards\n"
            "\nCtrl-C stops it.\n\n",
            ready->options->class->query != NULL ? "drop-after-2" : "drop-after-10");
}
