/*
 * The registry of protocol families, and what a family and its profiles are to those who know none of them.
 *
 * A family is one line of codec/families.def and a folder of its name in each layer. What a layer needs of it
 * stands in a table there (struct family here, struct session_class in server/core/session.h, and so on), so
 * nothing outside of these folders names a family. Who works for one connection, case or journal is handed
 * the family's table; only programs and readers of files look one up by name.
 */
#ifndef CODEC_FAMILY_H
#define CODEC_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rule_class;
struct server_rule_class;

/*
 * One revision or mode of a family's protocol. Where documents contradict each other, members of the family's
 * own row decide, which begins with this one (as struct ojin_profile does). Cores read those members; they
 * never ask for a profile by name.
 */
struct profile {
    const char *name; /* "oris-1.0"; no other family has one of that name */
    const char *title;
    const char *document; /* number of its source document */
    const char
        *groups; /* cells `profiles` of requirements.tsv that cover it, beside its name: "all current" */
    const char *family;
    const char *id_prefix; /* of the requirements of its family: "OJ-" */
    const char *query; /* of its URL: "config_id={config}", where {config} stands percent-encoded; "": none */
};

struct family {
    const char *name; /* as in case names and options: "ojin" */
    const char *title;
    const char *id_prefix;    /* of its requirement ids: "OJ-" */
    const char *path;         /* of its endpoint: "/realtime" */
    const char *url_variable; /* environment variable that carries its URL to a client */
    /* All variables that tell a client where its service is, as server/launch fills them in:
     * "OJIN_URL={url}"; and what besides a client under test is told: "OJIN_AUDIO={audio}". Both ended by
     * NULL. */
    const char *const *client_variables;
    const char *const *case_variables;
    const char *speech; /* what a client says when nobody says what: a file of fixtures/speech, of the wire's
                           own rate */
    const struct profile *const *profiles;  /* ended by NULL; the first is the default */
    const char *const *profile_groups;      /* all words of their `groups`, ended by NULL */
    size_t message_bytes_max;               /* of a client's message, as the documents have it */
    unsigned picture_width, picture_height; /* of what its service sends when nobody says; 0: it sends none */
    const struct rule_class *rules;         /* what the wire shows of a client; NO_RULES: nothing is judged */
    const struct server_rule_class *server_rules; /* and of a server; NO_SERVER_RULES: nothing */
};

/* What a service keeps of a message: a little more than the limit, so that it is told what the message was;
 * the rest is only counted. */
enum { FAMILY_SPARE_BYTES = 4096 };
static inline size_t family_message_kept_max(const struct family *family)
{
    return family->message_bytes_max + FAMILY_SPARE_BYTES;
}

/* The family's profile of that name; NULL when it has none. */
const struct profile *family_profile(const struct family *family, const char *name);
/* Does a `profiles` cell of requirements.tsv ("all", a group or a name) cover this profile? */
bool profile_matches(const struct profile *profile, const char *cell);

/* Is that the id of a requirement of the family? */
bool family_has_requirement(const struct family *family, const char *id);

/* The registry (library codec_families): ended by NULL, in the order of families.def. */
extern const struct family *const FAMILIES[];
/* NULL when there is none of that name. */
const struct family *family_by_name(const char *name);
/* The profile of that name, whichever family it is of; NULL when there is none. */
const struct profile *profile_by_name(const char *name);
/* The family that a requirement is of, by its id; NULL when none is built. */
const struct family *family_of_requirement(const char *id);

#endif
