/* The command line of ojin-mock. */
#ifndef SERVER_MOCK_OPTIONS_H
#define SERVER_MOCK_OPTIONS_H

#include "codec/family.h"
#include "codec/options/options.h"
#include "codec/wire/bytes.h"
#include "server/behaviour/families.h"
#include "server/tls/tls.h"

enum {
    MOCK_PORT_DEFAULT = 7700,
    MOCK_SPEED_MAX = 100000,
    MOCK_PACE_PERCENT_MIN = 1,
    MOCK_PACE_PERCENT_MAX = 1000,
    MOCK_KEY_BYTES_MAX = 4095, /* in --key */
    MOCK_FAMILIES_MAX = BEHAVIOUR_FAMILIES_MAX,
    MOCK_HOSTS_MAX = 16, /* of --allow-host */
    MOCK_PING_SECONDS_MAX = 86400,
    MOCK_PING_TIMEOUT_SECONDS_DEFAULT = 20
};

/* The interview that clients are told of when nobody says which. */
#define MOCK_INTERVIEW "6f1c1d0e-4b7a-4c58-9d4e-0123456789ab"

enum mock_log { MOCK_LOG_QUIET, MOCK_LOG_INFO, MOCK_LOG_DEBUG };

enum mock_list { MOCK_LIST_NONE, MOCK_LIST_PROFILES, MOCK_LIST_QUIRKS, MOCK_LIST_FAULTS, MOCK_LIST_CARDS };

/* Strings are those of the command line or the environment, but for key and secret: they are copied and then
 * wiped from the command line, where other users of the machine see them. So this is not to be copied. Free
 * with options_free. */
struct mock_options {
    const char *address;
    unsigned port;
    size_t family_count; /* those that are served, in the registry's order */
    struct family_behaviour
        families[MOCK_FAMILIES_MAX];                   /* and what all their sessions do: --quirk, --fault */
    const struct profile *profiles[MOCK_FAMILIES_MAX]; /* of each */
    uint64_t seed;
    uint32_t speed;
    const char *key;          /* NULL: any */
    const char *config_id;    /* NULL: any */
    const char *jwt_secret;   /* NULL: TOKEN_SECRET_DEFAULT */
    const char *candidate;    /* NULL: TOKEN_CANDIDATE_DEFAULT */
    const char *interview;    /* NULL: any */
    unsigned width, height;   /* 0: none of them sends pictures */
    const char *journal_path; /* NULL: none */
    const char *script_path;  /* NULL: none */
    enum mock_log log;
    uint32_t silence_percent;
    uint32_t speech_percent;
    unsigned sessions_max;
    uint32_t workers; /* 0: as many as are asked for */
    uint32_t queue;   /* places to wait for one */
    bool queue_given;
    unsigned ping_s, ping_timeout_s; /* 0: no pings; no end of patience */
    bool ping_timeout_given;
    struct tls_options tls; /* without its hosts, which are here */
    size_t host_count;
    const char *hosts[MOCK_HOSTS_MAX]; /* --allow-host */
    bool no_control, control_anywhere;
    bool until_stdin_closes;
    const char *fault; /* as given; NULL: none */
    enum mock_list list;
    bool json;                                 /* of --list */
    char key_given[MOCK_KEY_BYTES_MAX + 1];    /* what `key` points to when it was given as an option */
    char secret_given[MOCK_KEY_BYTES_MAX + 1]; /* the same of `jwt_secret` */
    char **command;                            /* of exec, ended by NULL; NULL: none */
    bool findings;                             /* exec: findings make the exit status 1 */
};

/* Wrong options end the program with exit status 2. */
enum options_outcome options_read(int argc, char **argv, struct mock_options *out);
/* What a client is told to ask for: the config id, or what its family has in its place. */
const char *options_config_told(const struct mock_options *options, const struct session_class *class);
/* What is let in of it; NULL: any. */
const char *options_config_of(const struct mock_options *options, const struct session_class *class);
void options_free(struct mock_options *options);

#endif
