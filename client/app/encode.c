#include <stdio.h>
#include <stdlib.h>

#include "client/app/input_file.h"
#include "client/app/inspect_commands.h"
#include "client/app/options.h"
#include "client/inspect/inspect.h"

static const struct option_row ROWS[] = {
    {"hex", NULL, "write hex digits, one line a message; reads several messages, one a line", option_flag,
     .bytes = sizeof(bool)},
    OPTION_HELP_ROW_WITHOUT_LETTER,
};

const struct option_page ENCODE_PAGE = {
    .command = "encode",
    .operands = "FILE",
    .brief = "turn the JSON of decode back into the same bytes",
    .before = "Usage: ojin-client encode [--hex] [FILE.json | -]\n"
              "\n"
              "Writes the bytes of a message in the JSON of ojin-client decode. Members that are missing are "
              "0 or empty;\n"
              "payload_count may differ from the payloads.\n"
              "\n",
    OPTION_ROWS(ROWS),
    .column = 12,
    .after = "\n"
             "Without FILE or with - it reads standard input, at most 64 MiB.\n"
             "Exit: 0 done; 1 the JSON describes no message; 2 wrong usage.\n"
             "\n"
             "A journal holds all bytes of client messages, and only the head of most server frames:\n"
             "    ojin-client decode --from client session.jsonl | ojin-client encode --hex\n"
             "\n"
             "Example: echo '{\"kind\":\"input\",\"audio\":{\"hex\":\"0000\"}}' | ojin-client encode --hex\n",
};

static bool write_hex(struct bytes message)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < message.len; i++) {
        putchar(digits[message.data[i] >> 4]);
        putchar(digits[message.data[i] & 0xf]);
    }
    return putchar('\n') != EOF;
}

static bool write_message(struct bytes message, bool hex)
{
    const bool written =
        hex ? write_hex(message) : fwrite(message.data, 1, message.len, stdout) == message.len;
    if (written && fflush(stdout) == 0)
        return true;
    fprintf(stderr, "ojin-client: encode: cannot write the message\n");
    return false;
}

/* `line`: of several messages that one's, from 1; 0: it is the only one. */
static int encode(struct bytes json, bool hex, unsigned line)
{
    char error[INSPECT_ERROR_MAX];
    struct buffer message;
    buffer_init(&message, INSPECT_MESSAGE_BYTES_MAX);
    const bool built = inspect_build(json, &message, error);
    if (!built && line > 0)
        fprintf(stderr, "ojin-client: encode: line %u: %s\n", line, error);
    else if (!built)
        fprintf(stderr, "ojin-client: encode: %s\n", error);
    const bool written = built && write_message(buffer_bytes(&message), hex);
    buffer_free(&message);
    return written ? EXIT_DONE : EXIT_FAILED;
}

/* One object may be spread over lines; of several, each has its own. */
static int encode_lines(struct bytes text)
{
    unsigned line = 0;
    for (size_t at = 0; at < text.len;) {
        const uint8_t *end = memchr(text.data + at, '\n', text.len - at);
        const size_t len = end == NULL ? text.len - at : (size_t)(end - (text.data + at));
        line++;
        const int exit_code = len == 0 ? EXIT_DONE : encode(bytes_of(text.data + at, len), true, line);
        if (exit_code != EXIT_DONE)
            return exit_code;
        at += len + 1;
    }
    return EXIT_DONE;
}

static bool is_several(struct bytes text)
{
    const uint8_t *end = text.len == 0 ? NULL : memchr(text.data, '\n', text.len);
    return end != NULL && json_check(text).status != WIRE_OK &&
           json_check(bytes_of(text.data, (size_t)(end - text.data))).status == WIRE_OK;
}

int encode_command(int argc, char **argv)
{
    bool hex = false;
    char **words;
    int exit_code;
    if (!client_options_parse(&ENCODE_PAGE, argc, argv, &hex, &words, &exit_code))
        return exit_code;
    if (words[0] != NULL && words[1] != NULL)
        return usage_error("encode", "one file at a time, not also", words[1]);
    struct buffer text;
    buffer_init(&text, INSPECT_JSON_BYTES_MAX);
    exit_code = EXIT_USAGE;
    if (input_file_read("encode", words[0] == NULL ? "-" : words[0], &text)) {
        const struct bytes json = buffer_bytes(&text);
        const bool lines = is_several(json);
        if (lines && !hex)
            exit_code =
                usage_error("encode", "several messages are written with --hex only, a line each", NULL);
        else
            exit_code = lines ? encode_lines(json) : encode(json, hex, 0);
    }
    buffer_free(&text);
    return exit_code;
}
