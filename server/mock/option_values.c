#include "server/mock/option_values.h"

#include <arpa/inet.h>
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

void mock_complain(const struct option_page *page, enum option_fault fault, const char *word)
{
    const bool is_command = page->command != NULL;
    char near[OPTION_SENTENCE_MAX];
    struct text text = text_of(near, sizeof near);
    if (fault != OPTION_LACKS_VALUE)
        option_add_near(&text, page, word);
    fprintf(stderr, "ojin-mock: %s%s%s %s%s%s ojin-mock %s%s--help\n", is_command ? page->command : "",
            is_command ? ": " : "", word,
            fault == OPTION_LACKS_VALUE ? "needs a value"
            : is_command                ? "is no option of this command"
                                        : "is no option of this program",
            near, near[0] != '\0' ? " See" : "; see", is_command ? page->command : "", is_command ? " " : "");
}

bool option_complain(const char *option, const char *sentence)
{
    fprintf(stderr, "ojin-mock: --%s: %s\n", option, sentence);
    return false;
}

bool option_wrong(const struct option_given *given, const char *expected)
{
    fprintf(stderr, "ojin-mock: --%s: expected %s, got \"%s\"\n", given->row->name, expected, given->value);
    return false;
}

/* "--NAME: expected A, B or C, got …; did you mean …?HINT". `names` is ended by NULL. */
static bool is_none_of(const char *option, const char *value, const char *const *names, const char *hint)
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

bool mock_number(struct option_given *given, void *out)
{
    const struct option_row *row = given->row;
    char expected[OPTION_SENTENCE_MAX];
    struct text text = text_of(expected, sizeof expected);
    if (option_count(given, out))
        return true;
    text_add(&text, strcmp(row->value, "PERCENT") == 0   ? "a percentage"
                    : strcmp(row->value, "SECONDS") == 0 ? "whole seconds"
                                                         : "a whole number");
    if (row->max < UINT64_MAX) {
        text_add(&text, " from ");
        text_add_u64(&text, row->min);
        text_add(&text, " to ");
        text_add_u64(&text, row->max);
    }
    return option_wrong(given, expected);
}

/* "WIDTHxHEIGHT", of the picture sizes that the persona has. */
static bool size_read(const char *text, unsigned *width_out, unsigned *height_out)
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

bool option_size(struct option_given *given, void *context)
{
    struct mock_options *out = context;
    return size_read(given->value, &out->width, &out->height) ||
           option_wrong(given, "WIDTHxHEIGHT, each a multiple of 16 from 160 to 2048, and below 384 wide a "
                               "height for the block code: at least 384 at 160 wide, 192 at 320");
}

/* ---- words ---- */

bool option_log(struct option_given *given, void *context)
{
    struct mock_options *out = context;
    static const char *const names[] = {
        [MOCK_LOG_QUIET] = "quiet", [MOCK_LOG_INFO] = "info", [MOCK_LOG_DEBUG] = "debug", NULL};
    const int index = option_word(given->value, names);
    if (index < 0)
        return is_none_of("log", given->value, names, "");
    out->log = (enum mock_log)index;
    return true;
}

bool option_list(struct option_given *given, void *context)
{
    struct mock_options *out = context;
    static const char *const names[] = {"profiles", "quirks", "faults", "cards", NULL};
    static const enum mock_list lists[] = {MOCK_LIST_PROFILES, MOCK_LIST_QUIRKS, MOCK_LIST_FAULTS,
                                           MOCK_LIST_CARDS};
    const int index = option_word(given->value, names);
    if (index < 0)
        return is_none_of("list", given->value, names, "");
    out->list = lists[index];
    return true;
}

static bool family_mark(struct bytes name, bool named[MOCK_FAMILIES_MAX])
{
    const char *names[NAMES_MAX + 1] = {NULL};
    char word[WORD_BYTES_MAX];
    for (size_t i = 0; SESSION_CLASSES[i] != NULL && i < MOCK_FAMILIES_MAX; i++) {
        names[i] = SESSION_CLASSES[i]->family->name;
        if (!bytes_equal_text(name, names[i]))
            continue;
        named[i] = true;
        return true;
    }
    struct text text = text_of(word, sizeof word);
    text_add_bytes(&text, name);
    return is_none_of("family", word, names, "");
}

bool option_family(const char *text, bool named[MOCK_FAMILIES_MAX])
{
    for (const char *at = text;; at++) {
        const size_t len = strcspn(at, ",");
        if (!family_mark(bytes_of(at, len), named))
            return false;
        at += len;
        if (*at == '\0')
            return true;
    }
}

bool option_profile(struct option_given *given, void *context)
{
    struct mock_options *out = context;
    const char *text = given->value;
    const char *names[NAMES_MAX + 1] = {NULL};
    size_t count = 0;
    for (size_t n = 0; n < out->family_count; n++) {
        const struct family *family = out->families[n].class->family;
        const struct profile *profile = family_profile(family, text);
        if (profile != NULL) {
            out->profiles[n] = profile;
            return true;
        }
        for (size_t i = 0; family->profiles[i] != NULL && count < NAMES_MAX; i++)
            names[count++] = family->profiles[i]->name;
    }
    return is_none_of("profile", text, names, " (see --list profiles)");
}

bool option_tls(struct option_given *given, void *context)
{
    struct mock_options *out = context;
    const char *names[TLS_WRONG_HOST + 2] = {NULL};
    for (int fault = TLS_SOUND; fault <= TLS_WRONG_HOST; fault++)
        names[fault] = tls_fault_name((enum tls_fault)fault);
    out->tls.on = true;
    return given->value == NULL || tls_fault_by_name(bytes_of_text(given->value), &out->tls.fault) ||
           is_none_of("tls", given->value, names, "");
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

bool option_host(struct option_given *given, void *context)
{
    struct mock_options *out = context;
    const char *text = given->value;
    if (!is_host_name(text) && !is_ipv6(text))
        return option_wrong(given, "the name of a host, or an address, without scheme, port and path");
    if (out->host_count == MOCK_HOSTS_MAX)
        return option_complain("allow-host", "expected at most 16 names");
    out->hosts[out->host_count++] = text;
    return true;
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

bool option_secret(struct option_given *given, void *out, const char *fault, char *copy)
{
    if (fault != NULL) {
        memset(given->value, 'x', strlen(given->value));
        return option_complain(given->row->name, fault);
    }
    option_conceal(given, copy);
    return option_text(given, out);
}

bool option_name(struct option_given *given, void *out)
{
    const size_t len = strlen(given->value);
    if (len == 0 || len > TOKEN_NAME_BYTES_MAX)
        return option_complain(given->row->name, "expected 1 to 255 bytes");
    return option_text(given, out);
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

bool option_config(struct option_given *given, void *context)
{
    struct mock_options *out = context;
    const char *text = given->value;
    char error[BEHAVIOUR_ERROR_MAX];
    char sentence[OPTION_SENTENCE_MAX];
    out->config_id = text;
    if (*text == '\0')
        return option_wrong(given, "a config id");
    for (const char *at = text; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            return option_complain("config", "expected a config id without control characters");
    if (!card_is(bytes_of_text(text)) || card_is_right(text, out, error))
        return true;
    snprintf(sentence, sizeof sentence, "%s (see --list cards)", error);
    return option_complain("config", sentence);
}

/* ---- quirks and faults ---- */

/* The name is of neither kind, or of the other one: says which is near. `error` is what is said of a family
 * that is not served. */
static bool name_is_wrong(const char *option, const char *value, const char *other,
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

bool option_quirk(struct option_given *given, void *context)
{
    struct mock_options *out = context;
    const char *value = given->value;
    char error[BEHAVIOUR_ERROR_MAX];
    const struct bytes text = bytes_of_text(value);
    if (families_set_quirks(out->families, out->family_count, text, error))
        return true;
    if (!families_know_quirk(out->families, out->family_count, text))
        return name_is_wrong("quirk", value, "fault", out, error);
    return option_complain("quirk", error);
}

bool option_fault(const char *value, struct mock_options *out)
{
    char error[BEHAVIOUR_ERROR_MAX];
    const struct bytes text = bytes_of_text(value);
    if (families_add_fault(out->families, out->family_count, text, error))
        return true;
    if (!families_know_fault(out->families, out->family_count, text))
        return name_is_wrong("fault", value, "quirk", out, error);
    return option_complain("fault", error);
}
