/* Bytes to tokens. The text is valid UTF-8 by the time it comes here. */
#include "codec/wire/utf8.h"
#include "server/script/parser.h"

static struct place place_of_offset(struct bytes text, size_t offset)
{
    struct place place = {1, 1};
    for (size_t i = 0; i < offset && i < text.len; i++) {
        place.column++;
        if (text.data[i] == '\n')
            place = (struct place){place.line + 1, 1};
    }
    return place;
}

bool text_check(struct parser *parser)
{
    if (parser->text.len > SCRIPT_BYTES_MAX)
        return complain(parser, place_of_offset(parser->text, SCRIPT_BYTES_MAX),
                        "the end of the file within 262144 bytes", "more");
    size_t valid = utf8_valid_prefix(parser->text);
    if (valid == parser->text.len)
        return true;
    char byte[2] = {(char)parser->text.data[valid], '\0'};
    return complain_word(parser, place_of_offset(parser->text, valid), "UTF-8", byte, NULL);
}

static int lexer_peek(const struct parser *parser)
{
    return parser->offset < parser->text.len ? parser->text.data[parser->offset] : -1;
}

static void lexer_advance(struct parser *parser)
{
    bool newline = parser->text.data[parser->offset] == '\n';
    parser->offset++;
    parser->place.column++;
    if (newline) {
        parser->place.line++;
        parser->place.column = 1;
    }
}

static bool is_word_byte(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c > 0 && strchr("_-+.,/:$[]", c) != NULL);
}

/* In a value "=" is a byte like others: step=lie in a pattern's brackets. */
static bool is_value_byte(int c)
{
    return is_word_byte(c) || c == '=';
}

static bool lexer_complain_byte(struct parser *parser, const char *expected)
{
    int c = lexer_peek(parser);
    if (c < 0)
        return complain(parser, parser->place, expected, "the end of the file");
    if (c == '\n' || c == '\r')
        return complain(parser, parser->place, expected, "the end of the line");
    if (c == 0)
        return complain(parser, parser->place, expected, "\"\\x00\"");
    char word[2] = {(char)c, '\0'};
    return complain_word(parser, parser->place, expected, word, NULL);
}

static void lexer_skip_blanks(struct parser *parser)
{
    for (;;) {
        int c = lexer_peek(parser);
        bool crlf = c == '\r' && parser->offset + 1 < parser->text.len &&
                    parser->text.data[parser->offset + 1] == '\n';
        if (c == '#') {
            while (lexer_peek(parser) >= 0 && lexer_peek(parser) != '\n')
                lexer_advance(parser);
            return;
        }
        if (c != ' ' && c != '\t' && !crlf)
            return;
        lexer_advance(parser);
    }
}

/* A run of bytes that `holds` takes; it may be empty. */
static bool lexer_run(struct parser *parser, bool (*holds)(int), const char **out)
{
    struct place start = parser->place;
    size_t from = parser->offset;
    while (holds(lexer_peek(parser)))
        lexer_advance(parser);
    size_t len = parser->offset - from;
    if (len >= SCRIPT_TEXT_MAX)
        return complain(parser, start, "a word of at most 511 bytes", "a longer one");
    char *copy = arena_take(&parser->arena, len + 1);
    if (copy == NULL)
        return complain_memory(parser);
    if (len > 0)
        memcpy(copy, parser->text.data + from, len);
    *out = copy;
    return true;
}

static int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* After the backslash. `start` is its place. */
static bool lexer_escape(struct parser *parser, struct place start, char *out)
{
    static const char EXPECTED[] = "an escape \\\", \\\\, \\n or \\xNN";
    int c = lexer_peek(parser);
    if (c == '"' || c == '\\' || c == 'n') {
        *out = c == 'n' ? '\n' : (char)c;
        lexer_advance(parser);
        return true;
    }
    if (c != 'x')
        return lexer_complain_byte(parser, EXPECTED);
    lexer_advance(parser);
    int value = 0;
    for (int i = 0; i < 2; i++) {
        int digit = hex_digit(lexer_peek(parser));
        if (digit < 0)
            return lexer_complain_byte(parser, "two hex digits after \\x");
        value = value * 16 + digit;
        lexer_advance(parser);
    }
    if (value == 0)
        return complain(parser, start, "an escape other than \\x00 (send hex= holds zeros)", "\"\\x00\"");
    *out = (char)value;
    return true;
}

/* From the opening quote on. */
static bool lexer_string(struct parser *parser, const char **out)
{
    struct place start = parser->place;
    lexer_advance(parser);
    size_t left = parser->text.len - parser->offset;
    size_t len = 0;
    char *text = arena_take(&parser->arena, (left < SCRIPT_STRING_MAX ? left : SCRIPT_STRING_MAX) + 1);
    if (text == NULL)
        return complain_memory(parser);
    for (;;) {
        int c = lexer_peek(parser);
        if (c == '"')
            break;
        if (c < 0x20 || c == 0x7f)
            return lexer_complain_byte(parser, "the end of the string (\")");
        if (len == SCRIPT_STRING_MAX)
            return complain(parser, start, "a string of at most 8192 bytes", "a longer one");
        struct place at = parser->place;
        lexer_advance(parser);
        text[len] = (char)c;
        if (c == '\\' && !lexer_escape(parser, at, &text[len]))
            return false;
        len++;
    }
    lexer_advance(parser);
    *out = text;
    return true;
}

/* A string or a word must be followed by something that ends it. */
static bool lexer_ends_token(struct parser *parser)
{
    int c = lexer_peek(parser);
    if (c < 0 || (c > 0 && strchr(" \t\r\n#|{}", c) != NULL))
        return true;
    return lexer_complain_byte(parser, "a space");
}

static bool lexer_word(struct parser *parser, struct token *out)
{
    out->kind = TOKEN_WORD;
    if (!lexer_run(parser, is_word_byte, &out->text))
        return false;
    if (lexer_peek(parser) != '=')
        return lexer_ends_token(parser);
    lexer_advance(parser);
    out->kind = TOKEN_OPTION;
    out->value_place = parser->place;
    out->value_is_string = lexer_peek(parser) == '"';
    if (out->value_is_string)
        return lexer_string(parser, &out->value) && lexer_ends_token(parser);
    if (!lexer_run(parser, is_value_byte, &out->value))
        return false;
    if (out->value[0] == '\0')
        return lexer_complain_byte(parser, "a value after \"=\"");
    return lexer_ends_token(parser);
}

bool lexer_next(struct parser *parser, struct token *out)
{
    lexer_skip_blanks(parser);
    *out = (struct token){.kind = TOKEN_END, .place = parser->place, .offset = parser->offset};
    int c = lexer_peek(parser);
    if (c < 0)
        return true;
    if (is_word_byte(c))
        return lexer_word(parser, out);
    if (c == '"') {
        out->kind = TOKEN_STRING;
        return lexer_string(parser, &out->text) && lexer_ends_token(parser);
    }
    static const struct {
        char byte;
        enum lexeme_kind kind;
    } SINGLES[] = {{'|', TOKEN_PIPE}, {'{', TOKEN_OPEN}, {'}', TOKEN_CLOSE}, {'\n', TOKEN_NEWLINE}};
    for (size_t i = 0; i < sizeof SINGLES / sizeof SINGLES[0]; i++) {
        if (c != SINGLES[i].byte)
            continue;
        out->kind = SINGLES[i].kind;
        lexer_advance(parser);
        return true;
    }
    return lexer_complain_byte(parser, "a word, a string, name=value, |, { or }");
}
