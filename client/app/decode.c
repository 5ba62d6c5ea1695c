#include <stdio.h>
#include <stdlib.h>

#include "client/app/input_file.h"
#include "client/app/inspect_commands.h"
#include "client/app/options.h"
#include "client/inspect/inspect.h"
#include "codec/wire/text.h"

enum { JOURNAL_BYTES_MAX = 256 * 1024 * 1024, SENTENCE_MAX = 200, FAMILIES_MAX = 16 };

struct decode_options {
    const char *family; /* NULL: any */
    enum inspect_kind kind;
    bool brief;
    const char *from; /* NULL: both sides */
    const char *hex;
    const char *file;
};

static bool print(cJSON *object, bool good, bool *all_good)
{
    char *line = object == NULL ? NULL : json_print(object);
    cJSON_Delete(object);
    *all_good = *all_good && good && line != NULL;
    const bool printed = line != NULL && puts(line) != EOF;
    cJSON_free(line);
    if (!printed)
        fprintf(stderr, "ojin-client: decode: cannot print the message\n");
    return printed;
}

/* A line that cannot be read is of no side and no family, and is told. What names no family is of the first.
 */
static bool is_left_out(const cJSON *object, const struct decode_options *options)
{
    const cJSON *side = json_member(object, "from");
    const cJSON *family = json_member(object, "family");
    if (!cJSON_IsString(side))
        return false;
    if (options->from != NULL && strcmp(side->valuestring, options->from) != 0)
        return true;
    const char *name = cJSON_IsString(family) ? family->valuestring : inspect_family_at(0);
    return options->family != NULL && strcmp(name, options->family) != 0;
}

static int decode_journal(struct bytes text, const struct decode_options *options)
{
    bool all_good = true;
    char family[INSPECT_FAMILY_MAX];
    inspect_journal_family(text, family);
    for (size_t at = 0; at < text.len;) {
        const uint8_t *end = memchr(text.data + at, '\n', text.len - at);
        const size_t len = end == NULL ? text.len - at : (size_t)(end - (text.data + at));
        bool good = true;
        cJSON *object = NULL;
        if (len > 0 &&
            !inspect_journal_line(bytes_of(text.data + at, len), family, !options->brief, &object, &good))
            return EXIT_FAILED;
        if (is_left_out(object, options))
            cJSON_Delete(object);
        else if (object != NULL && !print(object, good, &all_good))
            return EXIT_FAILED;
        at += len + 1;
    }
    return all_good ? EXIT_DONE : EXIT_FAILED;
}

static int decode(struct bytes data, const struct decode_options *options)
{
    if (options->kind == INSPECT_AUTO && options->hex == NULL && inspect_is_journal(data))
        return decode_journal(data, options);
    if (options->from != NULL)
        return usage_error("decode", "--from goes with a journal alone", NULL);
    if (data.len > INSPECT_MESSAGE_BYTES_MAX)
        return usage_error("decode", "a message has at most 16 MiB", NULL);
    bool good = false;
    bool all_good = true;
    const char *family = options->family != NULL ? options->family : inspect_family_of(data, options->kind);
    cJSON *object = inspect_describe(family, data, options->kind, !options->brief, &good);
    print(object, good, &all_good);
    return all_good ? EXIT_DONE : EXIT_FAILED;
}

static bool read_kind(struct option_given *given, void *context)
{
    static const char *const NAMES[] = {"input", "frame", "text", NULL};
    static const enum inspect_kind KINDS[] = {INSPECT_INPUT, INSPECT_FRAME, INSPECT_TEXT};
    struct decode_options *out = context;
    out->kind = KINDS[option_word(given->row->name, NAMES)];
    return true;
}

#define AT(member) OPTION_INTO(struct decode_options, member)

static const struct option_row ROWS[] = {
    {"family", "NAME",
     "family of the message, such as duplex (default: the one that it fits);\n"
     "of a journal, print only the messages of that family",
     option_text, AT(family), .words = "ojin duplex interview"},
    {"input", NULL, "an InteractionInput of the Ojin family (client to server, binary)", read_kind, AT(kind)},
    {"frame", NULL, "an InteractionResponse of the Ojin family (server to client, binary)", read_kind,
     AT(kind)},
    {"text", NULL, "a text message (default of the three: what it most likely is)", read_kind, AT(kind)},
    {"hex", "HEX", "the message as hex digits, in place of a file", option_text, AT(hex)},
    {"from", "SIDE", "of a journal, print only what SIDE sent: client or server", option_text, AT(from)},
    {"brief", NULL, "leave out payload data and long strings", option_flag, AT(brief)},
    OPTION_HELP_ROW_WITHOUT_LETTER,
};

const struct option_page DECODE_PAGE = {
    .command = "decode",
    .operands = "FILE",
    .brief = "print a message, or the messages of a journal, as JSON",
    .before = "Usage: ojin-client decode [options] [FILE | - | --hex HEX]\n"
              "\n"
              "Prints a message as one line of JSON, and what is wrong with it. Of a journal of ojin-mock it "
              "prints one\n"
              "line for each message, with its number and time.\n"
              "\n",
    OPTION_ROWS(ROWS),
    .column = 17,
    .after =
        "\n"
        "Without FILE or with - it reads standard input. A message has at most 16 MiB, a journal 256 MiB.\n"
        "Exit: 0 nothing is wrong; 1 a message is wrong, its \"error\" or \"faults\" say how; 2 wrong "
        "usage.\n"
        "\n"
        "Example: ojin-client decode --hex '01 0000018bcfe5687b 00000000 0000'\n"
        "Example: echo '{\"type\":\"session.close\"}' | ojin-client decode\n",
};

static int no_family(const char *name)
{
    char sentence[SENTENCE_MAX];
    const char *names[FAMILIES_MAX + 1] = {NULL};
    struct text text = text_of(sentence, sizeof sentence);
    text_add(&text, "--family takes one of");
    for (size_t i = 0; inspect_family_at(i) != NULL; i++) {
        if (i < FAMILIES_MAX)
            names[i] = inspect_family_at(i);
        text_add(&text, " ");
        text_add(&text, inspect_family_at(i));
    }
    text_add(&text, ", not");
    return usage_error_of("decode", sentence, name, names);
}

/* False when the program should end with `*exit_code`. */
static bool decode_options_parse(int argc, char **argv, struct decode_options *out, int *exit_code)
{
    static const char *const SIDES[] = {"client", "server", NULL};
    char **words;
    if (!client_options_parse(&DECODE_PAGE, argc, argv, out, &words, exit_code))
        return false;
    *exit_code = EXIT_USAGE;
    if (words[0] != NULL && words[1] != NULL)
        return usage_error("decode", "one file at a time, not also", words[1]), false;
    out->file = words[0];
    if (out->from != NULL && option_word(out->from, SIDES) < 0)
        return usage_error_of("decode", "--from takes client or server, not", out->from, SIDES), false;
    if (out->family != NULL && !inspect_family_has_kind(out->family, INSPECT_AUTO))
        return no_family(out->family), false;
    if (out->family != NULL && !inspect_family_has_kind(out->family, out->kind))
        return usage_error("decode", "--input and --frame belong to another family than", out->family), false;
    if (out->hex != NULL && out->file != NULL)
        return usage_error("decode", "--hex takes the place of", out->file), false;
    return true;
}

int decode_command(int argc, char **argv)
{
    struct decode_options options = {.kind = INSPECT_AUTO};
    struct buffer data;
    int exit_code;
    if (!decode_options_parse(argc, argv, &options, &exit_code))
        return exit_code;
    buffer_init(&data, options.hex == NULL ? JOURNAL_BYTES_MAX : INSPECT_MESSAGE_BYTES_MAX);
    if (options.hex != NULL && !inspect_hex_decode(options.hex, &data))
        exit_code = usage_error("decode", "--hex takes pairs of hex digits", NULL);
    else if (options.hex != NULL ||
             input_file_read("decode", options.file == NULL ? "-" : options.file, &data))
        exit_code = decode(buffer_bytes(&data), &options);
    buffer_free(&data);
    return exit_code;
}
