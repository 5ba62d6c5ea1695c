#include "server/mock/option_values.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/wire/http_head.h"
#include "codec/wire/nearest.h"
#include "server/persona/persona.h"
#include "server/token/token.h"

enum {
    OPTION_SENTENCE_MAX = 800,
    VALUE_SHOWN_MAX = 60,
    HOST_BYTES_MAX = 253,
    LABEL_BYTES_MAX = 63,
    NAMES_MAX = 32,
    WORD_BYTES_MAX = 64
};

enum options_result option_complain(const char *option, const char *sentence)
{
    fprintf(stderr, "ojin-mock: --%s: %s\n", option, sentence);
    return OPTIONS_WRONG;
}

enum options_result option_wrong(const char *option, const char *expected, const char *value)
{
    fprintf(stderr, "ojin-mock: --%s: expected %s, got \"%s\"\n", option, expected, value);
    return OPTIONS_WRONG;
}

enum options_result option_unknown(const char *option, const char *value, const char *const *names,
                                   const char *hint)
{
    char sentence[OPTION_SENTENCE_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    struct nearest nearest = nearest_to(bytes_of_text(value));
    text_add(&text, "expected ");
    for (size_t i = 0; names[i] != NULL; i++) {
        nearest_offer(&nearest, names[i]);
        text_add(&text, i == 0 ? "" : names[i + 1] == NULL ? " or " : ", ");
        text_add(&text, names[i]);
    }
    text_add(&text, ", got \"");
    text_add_printable(&text, bytes_of_text(value), VALUE_SHOWN_MAX);
    text_add(&text, "\"");
    text_add_nearest(&text, &nearest);
    text_add(&text, hint);
    return option_complain(option, sentence);
}

bool option_number(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    if (*text < '0' || *text > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*end != '\0' || errno != 0 || value < min || value > max)
        return false;
    *out = value;
    return true;
}

bool option_size(const char *text, unsigned *width_out, unsigned *height_out)
{
    char side[8];
    const char *x = strchr(text, 'x');
    uint64_t width, height;
    if (x == NULL || (size_t)(x - text) >= sizeof side)
        return false;
    memcpy(side, text, (size_t)(x - text));
    side[x - text] = '\0';
    if (!option_number(side, PERSONA_SIDE_MIN, PERSONA_SIDE_MAX, &width) ||
        !option_number(x + 1, PERSONA_SIDE_MIN, PERSONA_SIDE_MAX, &height) ||
        width % PERSONA_SIDE_STEP != 0 || height % PERSONA_SIDE_STEP != 0 ||
        height < persona_height_min((unsigned)width))
        return false;
    *width_out = (unsigned)width;
    *height_out = (unsigned)height;
    return true;
}

/* ---- words ---- */

/* The position of `text` among `names`; -1: it is none of them. */
static int word_index(const char *text, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], text) == 0)
            return i;
    return -1;
}

enum options_result option_log(const char *text, enum mock_log *out)
{
    static const char *const names[] = {
        [MOCK_LOG_QUIET] = "quiet", [MOCK_LOG_INFO] = "info", [MOCK_LOG_DEBUG] = "debug", NULL};
    const int index = word_index(text, names);
    if (index < 0)
        return option_unknown("log", text, names, "");
    *out = (enum mock_log)index;
    return OPTIONS_RUN;
}

enum options_result option_list(const char *text, enum mock_list *out)
{
    static const char *const names[] = {"profiles", "quirks", "faults", "cards", NULL};
    static const enum mock_list lists[] = {MOCK_LIST_PROFILES, MOCK_LIST_QUIRKS, MOCK_LIST_FAULTS,
                                           MOCK_LIST_CARDS};
    const int index = word_index(text, names);
    if (index < 0)
        return option_unknown("list", text, names, "");
    *out = lists[index];
    return OPTIONS_RUN;
}

static enum options_result family_mark(struct bytes name, bool named[MOCK_FAMILIES_MAX])
{
    const char *names[NAMES_MAX + 1] = {NULL};
    char word[WORD_BYTES_MAX];
    for (size_t i = 0; SESSION_CLASSES[i] != NULL && i < MOCK_FAMILIES_MAX; i++) {
        names[i] = SESSION_CLASSES[i]->family->name;
        if (!bytes_equal_text(name, names[i]))
            continue;
        named[i] = true;
        return OPTIONS_RUN;
    }
    struct text text = text_of(word, sizeof word);
    text_add_bytes(&text, name);
    return option_unknown("family", word, names, "");
}

enum options_result option_family(const char *text, bool named[MOCK_FAMILIES_MAX])
{
    enum options_result result = OPTIONS_RUN;
    for (const char *at = text; result == OPTIONS_RUN; at++) {
        const size_t len = strcspn(at, ",");
        result = family_mark(bytes_of(at, len), named);
        at += len;
        if (*at == '\0')
            break;
    }
    return result;
}

enum options_result option_profile(const char *text, struct mock_options *out)
{
    const char *names[NAMES_MAX + 1] = {NULL};
    size_t count = 0;
    for (size_t n = 0; n < out->family_count; n++) {
        const struct family *family = out->families[n].class->family;
        const struct profile *profile = family_profile(family, text);
        if (profile != NULL) {
            out->profiles[n] = profile;
            return OPTIONS_RUN;
        }
        for (size_t i = 0; family->profiles[i] != NULL && count < NAMES_MAX; i++)
            names[count++] = family->profiles[i]->name;
    }
    return option_unknown("profile", text, names, " (see --list profiles)");
}

enum options_result option_tls_fault(const char *text, enum tls_fault *out)
{
    const char *names[TLS_WRONG_HOST + 2] = {NULL};
    for (int fault = TLS_SOUND; fault <= TLS_WRONG_HOST; fault++)
        names[fault] = tls_fault_name((enum tls_fault)fault);
    return tls_fault_by_name(bytes_of_text(text), out) ? OPTIONS_RUN : option_unknown("tls", text, names, "");
}

/* ---- hosts ---- */

static bool is_ipv6(const char *text)
{
    struct in6_addr address;
    return inet_pton(AF_INET6, text, &address) == 1;
}

/* Letters, digits, "-" and "_", in labels with dots between: a name of DNS, or of a container; an IPv4
 * address looks the same. */
static bool is_host_name(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    for (const char *at = text;; at++) {
        const size_t label = strspn(at, allowed);
        if (label == 0 || label > LABEL_BYTES_MAX || *at == '-')
            return false;
        at += label;
        if (*at == '\0')
            return strlen(text) <= HOST_BYTES_MAX;
        if (*at != '.')
            return false;
    }
}

enum options_result option_host(const char *text, struct mock_options *out)
{
    if (!is_host_name(text) && !is_ipv6(text))
        return option_wrong("allow-host", "the name of a host, or an address, without scheme, port and path",
                            text);
    if (out->host_count == MOCK_HOSTS_MAX)
        return option_complain("allow-host", "expected at most 16 names");
    out->hosts[out->host_count++] = text;
    return OPTIONS_RUN;
}

/* ---- keys and configs ---- */

const char *option_key_fault(const char *key)
{
    const size_t len = strlen(key);
    if (len == 0 || len > MOCK_KEY_BYTES_MAX)
        return "expected a key of 1 to 4095 bytes";
    return http_value_is_sound(bytes_of_text(key))
               ? NULL
               : "expected a key that a header can hold: no control characters, no space at its ends";
}

const char *option_jwt_secret_fault(const char *secret)
{
    const size_t len = strlen(secret);
    return len == 0 || len > TOKEN_SECRET_BYTES_MAX ? "expected a secret of 1 to 4095 bytes" : NULL;
}

/* Of the families that are served one has that card; else what the first says of it. */
static bool card_is_right(const char *text, const struct mock_options *options,
                          char error[BEHAVIOUR_ERROR_MAX])
{
    bool good = false;
    for (size_t i = 0; i < options->family_count && !good; i++) {
        char sentence[BEHAVIOUR_ERROR_MAX];
        struct behaviour behaviour;
        behaviour_init(&behaviour);
        good = card_add(&behaviour, options->families[i].class, bytes_of_text(text), sentence);
        behaviour_free(&behaviour);
        if (i == 0)
            memcpy(error, sentence, sizeof sentence);
    }
    return good;
}

enum options_result option_config(const char *text, struct mock_options *out)
{
    char error[BEHAVIOUR_ERROR_MAX];
    char sentence[OPTION_SENTENCE_MAX];
    out->config_id = text;
    if (*text == '\0')
        return option_wrong("config", "a config id", text);
    for (const char *at = text; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            return option_complain("config", "expected a config id without control characters");
    if (!card_is(bytes_of_text(text)) || card_is_right(text, out, error))
        return OPTIONS_RUN;
    snprintf(sentence, sizeof sentence, "%s (see --list cards)", error);
    return option_complain("config", sentence);
}

/* ---- quirks and faults ---- */

/* The name is of neither kind, or of the other one: says which is near. `error` is what is said of a family
 * that is not served. */
static enum options_result name_is_wrong(const char *option, const char *value, const char *other,
                                         const struct mock_options *options, const char *error)
{
    char sentence[OPTION_SENTENCE_MAX];
    const struct bytes whole = bytes_of_text(value);
    const bool is_fault = families_know_fault(options->families, options->family_count, whole);
    const bool is_quirk = families_know_quirk(options->families, options->family_count, whole);
    bool nearest_is_fault;
    const char *nearest =
        families_nearest(options->families, options->family_count, whole, &nearest_is_fault);
    struct text text = text_of(sentence, sizeof sentence);
    text_add(&text, is_fault || is_quirk ? "" : "there is no quirk or fault \"");
    text_add_printable(&text, bytes_of(value, strcspn(value, "=")), VALUE_SHOWN_MAX);
    text_add(&text, is_fault || is_quirk ? " is a " : "\"");
    if (is_fault || is_quirk) {
        text_add(&text, other);
        text_add(&text, ": did you mean --");
        text_add(&text, other);
        text_add(&text, "?");
    } else if (nearest != NULL) {
        text_add(&text, "; did you mean --");
        text_add(&text, nearest_is_fault ? "fault " : "quirk ");
        text_add(&text, nearest);
        text_add(&text, "?");
    }
    text_add(&text, " (see --list quirks and --list faults)");
    return option_complain(option, strncmp(error, "no family", strlen("no family")) == 0 ? error : sentence);
}

enum options_result option_quirk(const char *value, struct mock_options *out)
{
    char error[BEHAVIOUR_ERROR_MAX];
    const struct bytes text = bytes_of_text(value);
    if (families_set_quirks(out->families, out->family_count, text, error))
        return OPTIONS_RUN;
    if (!families_know_quirk(out->families, out->family_count, text))
        return name_is_wrong("quirk", value, "fault", out, error);
    return option_complain("quirk", error);
}

enum options_result option_fault(const char *value, struct mock_options *out)
{
    char error[BEHAVIOUR_ERROR_MAX];
    const struct bytes text = bytes_of_text(value);
    if (families_add_fault(out->families, out->family_count, text, error))
        return OPTIONS_RUN;
    if (!families_know_fault(out->families, out->family_count, text))
        return name_is_wrong("fault", value, "quirk", out, error);
    return option_complain("fault", error);
}
