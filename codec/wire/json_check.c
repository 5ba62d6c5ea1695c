/*
 * json_check: a scanner with a stack of its own. Each step reads one token and says what may follow; of the
 * values is kept what goes into the tree, if there is one. What is legal but unreadable does not stop it, but
 * for a depth that the stack does not hold: whether the text is JSON at all is told first.
 */
#include "codec/wire/json.h"
#include "codec/wire/json_names.h"
#include "codec/wire/json_plain.h"
#include "codec/wire/json_tree.h"
#include "codec/wire/utf8.h"

enum expect {
    EXPECT_VALUE,
    EXPECT_VALUE_OR_END, /* just after '[' */
    EXPECT_NAME,
    EXPECT_NAME_OR_END, /* just after '{' */
    EXPECT_COMMA_OR_END,
    EXPECT_NOTHING
};

struct level {
    bool object;
    size_t first_name;
};

struct check {
    struct bytes text;
    size_t offset;
    struct wire_error error;
    bool *repeats;          /* NULL: a repeated name is an error */
    struct json_tree *tree; /* NULL: nothing is kept, or nothing more */
    enum expect expect;
    size_t depth;
    struct level levels[JSON_DEPTH_MAX];
    struct json_names names;
};

static bool check_fail_at(struct check *check, size_t offset, const char *field)
{
    check->error = (struct wire_error){.status = WIRE_NOT_JSON, .offset = offset, .field = field};
    return false;
}

/* Legal so far, but not to be read: only the first is told, and the grammar is still looked at. */
static void check_unreadable(struct check *check, size_t offset, const char *field)
{
    check->tree = NULL;
    if (check->error.status == WIRE_OK)
        check->error = (struct wire_error){.status = WIRE_UNREADABLE_JSON, .offset = offset, .field = field};
}

static bool check_fail(struct check *check, const char *field)
{
    return check_fail_at(check, check->offset, field);
}

/* The byte at the cursor, or -1 at the end. */
static int check_peek(const struct check *check)
{
    return check->offset < check->text.len ? check->text.data[check->offset] : -1;
}

static bool check_accept(struct check *check, char c)
{
    if (check_peek(check) != (uint8_t)c)
        return false;
    check->offset++;
    return true;
}

static void check_white_space(struct check *check)
{
    for (;;) {
        int c = check_peek(check);
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
            return;
        check->offset++;
    }
}

/* Four hex digits; -1, with the error set, when they are not. */
static int32_t check_hex4(struct check *check)
{
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        int c = check_peek(check);
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) {
            check_fail(check, "hex digit");
            return -1;
        }
        value = value * 16 + digit;
        check->offset++;
    }
    return value;
}

/* Does the escape of a low surrogate stand at the cursor? Its last digits are not looked at. */
static bool check_low_follows(const struct check *check)
{
    const uint8_t *at = check->text.data + check->offset;
    if (check->text.len - check->offset < 4 || at[0] != '\\' || at[1] != 'u' || (at[2] | 0x20) != 'd')
        return false;
    return (at[3] >= 'c' && at[3] <= 'f') || (at[3] >= 'C' && at[3] <= 'F');
}

/* After "\u". A pair of surrogates is one character; half a pair is none, though the grammar lets it pass. */
static bool check_unicode_escape(struct check *check)
{
    size_t start = check->offset - 2;
    int32_t unit = check_hex4(check);
    if (unit < 0)
        return false;
    if (unit == 0)
        check_unreadable(check, start, "NUL");
    if (unit < 0xd800 || unit > 0xdfff)
        return true;
    if (unit > 0xdbff || !check_low_follows(check)) {
        check_unreadable(check, start, "surrogate pair");
        return true;
    }
    check->offset += 2;
    return check_hex4(check) >= 0;
}

/* After a backslash. */
static bool check_escape(struct check *check)
{
    int c = check_peek(check);
    switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        check->offset++;
        return true;
    case 'u':
        check->offset++;
        return check_unicode_escape(check);
    default:
        return check_fail(check, "escape");
    }
}

/* After the opening quote; *content is what stands between the quotes, as written. */
static bool check_string(struct check *check, struct bytes *content)
{
    size_t start = check->offset;
    for (;;) {
        check->offset = json_skip_plain(check->text, check->offset);
        int c = check_peek(check);
        if (c < 0)
            return check_fail(check, "end of string");
        if (c < 0x20)
            return check_fail(check, "no control character");
        if (c == '"')
            break;
        check->offset++;
        if (c == '\\' && !check_escape(check))
            return false;
    }
    *content = bytes_of(check->text.data + start, check->offset - start);
    check->offset++;
    size_t valid = utf8_valid_prefix(*content);
    return valid == content->len || check_fail_at(check, start + valid, "UTF-8");
}

static size_t check_digits(struct check *check)
{
    size_t start = check->offset;
    for (int c = check_peek(check); c >= '0' && c <= '9'; c = check_peek(check))
        check->offset++;
    return check->offset - start;
}

static bool check_number(struct check *check)
{
    size_t start = check->offset;
    check_accept(check, '-');
    bool zero = check_peek(check) == '0';
    size_t digits = check_digits(check);
    if (digits == 0)
        return check_fail(check, "digit");
    if (zero && digits > 1)
        return check_fail_at(check, check->offset - digits + 1, "no leading zero");
    if (check_accept(check, '.') && check_digits(check) == 0)
        return check_fail(check, "digit");
    if (check_accept(check, 'e') || check_accept(check, 'E')) {
        if (!check_accept(check, '-'))
            check_accept(check, '+');
        if (check_digits(check) == 0)
            return check_fail(check, "digit");
    }
    if (check->offset - start > JSON_NUMBER_BYTES_MAX)
        check_unreadable(check, start, "number length");
    json_tree_number(check->tree, bytes_of(check->text.data + start, check->offset - start));
    return true;
}

static bool check_literal(struct check *check, const char *literal)
{
    for (const char *c = literal; *c != '\0'; c++)
        if (!check_accept(check, *c))
            return check_fail(check, literal);
    json_tree_literal(check->tree, literal[0]);
    return true;
}

static bool check_open(struct check *check, bool object)
{
    if (check->depth == JSON_DEPTH_MAX) {
        check_unreadable(check, check->offset, "depth");
        return false;
    }
    check->offset++;
    check->levels[check->depth++] = (struct level){.object = object, .first_name = check->names.count};
    check->expect = object ? EXPECT_NAME_OR_END : EXPECT_VALUE_OR_END;
    json_tree_open(check->tree, object);
    return true;
}

static void check_value_done(struct check *check)
{
    check->expect = check->depth == 0 ? EXPECT_NOTHING : EXPECT_COMMA_OR_END;
}

/* After the closing bracket. */
static void check_close(struct check *check)
{
    struct level level = check->levels[--check->depth];
    struct bytes repeated = {0};
    const bool is_good = !level.object || json_names_close(&check->names, level.first_name, &repeated);
    if (!is_good && check->repeats != NULL)
        *check->repeats = true;
    else if (!is_good)
        check_unreadable(check, (size_t)(repeated.data - check->text.data), "repeated member");
    json_tree_close(check->tree);
    check_value_done(check);
}

static bool check_scalar(struct check *check)
{
    struct bytes content;
    switch (check_peek(check)) {
    case '"':
        check->offset++;
        if (!check_string(check, &content))
            return false;
        json_tree_string(check->tree, content);
        return true;
    case 't':
        return check_literal(check, "true");
    case 'f':
        return check_literal(check, "false");
    case 'n':
        return check_literal(check, "null");
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        return check_number(check);
    default:
        return check_fail(check, "value");
    }
}

static bool check_value(struct check *check)
{
    int c = check_peek(check);
    if (c == '{' || c == '[')
        return check_open(check, c == '{');
    if (!check_scalar(check))
        return false;
    check_value_done(check);
    return true;
}

static bool check_name(struct check *check)
{
    struct bytes name;
    if (!check_accept(check, '"'))
        return check_fail(check, "member name");
    size_t start = check->offset;
    if (!check_string(check, &name))
        return false;
    if (!json_names_add(&check->names, name))
        check_unreadable(check, start, "number of members");
    json_tree_name(check->tree, name);
    check_white_space(check);
    if (!check_accept(check, ':'))
        return check_fail(check, "colon");
    check->expect = EXPECT_VALUE;
    return true;
}

static bool check_end(struct check *check, char bracket)
{
    if (!check_accept(check, bracket))
        return false;
    check_close(check);
    return true;
}

static bool check_comma_or_end(struct check *check)
{
    bool object = check->levels[check->depth - 1].object;
    if (check_end(check, object ? '}' : ']'))
        return true;
    if (!check_accept(check, ','))
        return check_fail(check, object ? "comma or end of object" : "comma or end of array");
    check->expect = object ? EXPECT_NAME : EXPECT_VALUE;
    return true;
}

static bool check_step(struct check *check)
{
    switch (check->expect) {
    case EXPECT_VALUE:
        return check_value(check);
    case EXPECT_VALUE_OR_END:
        return check_end(check, ']') || check_value(check);
    case EXPECT_NAME:
        return check_name(check);
    case EXPECT_NAME_OR_END:
        return check_end(check, '}') || check_name(check);
    case EXPECT_COMMA_OR_END:
        return check_comma_or_end(check);
    case EXPECT_NOTHING:
        return check_fail(check, "end of text");
    }
    return check_fail(check, "value");
}

static struct wire_error check_text(struct bytes text, bool *repeats, struct json_tree *tree)
{
    /* Not initialised as a whole: the table of names is large, and its count says what of it counts. */
    struct check check;
    check.text = text;
    check.offset = 0;
    check.error = (struct wire_error){.status = WIRE_OK};
    check.repeats = repeats;
    check.tree = tree;
    check.expect = EXPECT_VALUE;
    check.depth = 0;
    check.names.count = 0;
    for (;;) {
        check_white_space(&check);
        if (check.expect == EXPECT_NOTHING && check.offset == text.len)
            return check.error;
        if (!check_step(&check))
            return check.error;
    }
}

struct wire_error json_check(struct bytes text)
{
    return check_text(text, NULL, NULL);
}

struct wire_error json_check_last(struct bytes text, bool *repeats)
{
    return check_text(text, repeats, NULL);
}

struct wire_error json_check_and_keep(struct bytes text, bool *repeats, cJSON **out)
{
    struct json_tree tree;
    json_tree_init(&tree);
    struct wire_error error = check_text(text, repeats, &tree);
    if (error.status == WIRE_OK && tree.lost)
        error = (struct wire_error){.status = WIRE_NO_SPACE, .field = "memory"};
    if (error.status == WIRE_OK)
        *out = tree.root;
    else
        cJSON_Delete(tree.root);
    return error;
}
