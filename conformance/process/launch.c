#include "conformance/process/launch.h"

#include <stdio.h>
#include <string.h>

#include "server/launch/launch.h"

const char CONFORM_KEY[] = "conform-key-5e1f0c2b";

enum { ORIGIN_BYTES_MAX = 64, OWN_VALUES = 8 };

/* The values as server/launch takes them. */
struct filling {
    char origin[ORIGIN_BYTES_MAX];
    struct launch_value own[OWN_VALUES];
    struct launch_values values;
};

static void filling_init(struct filling *filling, const struct client_values *client)
{
    snprintf(filling->origin, sizeof filling->origin, "%s://127.0.0.1:%u", client->ca != NULL ? "wss" : "ws",
             client->port);
    const struct launch_value own[OWN_VALUES] = {{"audio", client->audio},
                                                 {"video", client->video},
                                                 {"plan", client->plan},
                                                 {"out", client->out},
                                                 {"control", client->control},
                                                 {"case", client->case_name},
                                                 {"profile", client->profile->name},
                                                 {"ca", client->ca != NULL ? client->ca : ""}};
    memcpy(filling->own, own, sizeof own);
    filling->values = (struct launch_values){.origin = filling->origin,
                                             .path = client->family->path,
                                             .query = client->profile->query,
                                             .variables = client->family->client_variables,
                                             .key = client->key,
                                             .config = client->config,
                                             .more = filling->own,
                                             .more_count = OWN_VALUES};
}

/* ---- names ---- */

static bool is_one_of(const char *const names[], const char *name, size_t len)
{
    for (size_t i = 0; names[i] != NULL; i++)
        if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
            return true;
    return false;
}

static bool word_check(const char *word, const char *const names[], bool persistent)
{
    size_t len = 0;
    for (const char *at = word; (at = launch_name_find(at, &len)) != NULL; at += len) {
        if (is_one_of(names, at + 1, len - 2))
            continue;
        fprintf(stderr, "ojin-conform run: '%.*s' in '%s'%s: expected", (int)len, at, word,
                persistent ? " with --persistent, where each case brings its own on standard input" : "");
        for (size_t i = 0; names[i] != NULL; i++)
            fprintf(stderr, " {%s}", names[i]);
        fprintf(stderr, ", or '{%.*s' for the text '%.*s'\n", (int)len, at, (int)len, at);
        return false;
    }
    return true;
}

bool client_words_check(char *const command[], char *const extra[], size_t extra_count, bool persistent)
{
    static const char *const OF_A_CASE[] = {"url",   "full_url", "origin", "key", "config",
                                            "audio", "video",    "plan",   "out", "control",
                                            "case",  "profile",  "ca",     NULL};
    static const char *const OF_ALL[] = {"key", NULL};
    const char *const *names = persistent ? OF_ALL : OF_A_CASE;
    bool good = true;
    for (size_t i = 0; good && command != NULL && command[i] != NULL; i++)
        good = word_check(command[i], names, persistent);
    for (size_t i = 0; good && i < extra_count; i++)
        good = word_check(extra[i], names, persistent);
    return good;
}

/* ---- filled in ---- */

char **client_words(char *const command[], const struct client_values *client)
{
    struct filling filling;
    filling_init(&filling, client);
    return launch_words(command, &filling.values);
}

char **client_environment(char *const base[], char *const extra[], size_t extra_count,
                          const struct client_values *client)
{
    char plan[] = "CONFORM_PLAN={plan}", out[] = "CONFORM_OUT={out}", control[] = "CONFORM_CONTROL={control}",
         name[] = "CONFORM_CASE={case}", profile[] = "CONFORM_PROFILE={profile}";
    char *const templates[] = {plan, out, name, profile, control};
    char ca[] = "CONFORM_CA={ca}", ca_openssl[] = "SSL_CERT_FILE={ca}",
         ca_node[] = "NODE_EXTRA_CA_CERTS={ca}";
    char *const of_tls[] = {ca, ca_openssl, ca_node};
    struct filling filling;
    filling_init(&filling, client);
    char **list = launch_environment(base, &filling.values);
    list = launch_set_all(list, client->family->case_variables, &filling.values);
    if (client->ca != NULL)
        list = launch_set(list, of_tls, sizeof of_tls / sizeof of_tls[0], &filling.values);
    list = launch_set(list, templates, sizeof templates / sizeof templates[0], &filling.values);
    return launch_set(list, extra, extra_count, &filling.values);
}
