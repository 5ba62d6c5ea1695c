/* Tokens to lines of text. A token is copied as it was written: no string is spelled anew. */
#include "conformance/script/format.h"

#include <stdlib.h>

#include "server/script/parser.h"

enum {
    INDENT = 2,
    WIDTH_TOP = 9, /* of a line's first word, with the space after it */
    WIDTH_CLIENT = 8,
    WIDTH_BLOCK = 7,
    COMMENT_COLUMN = 42
};

/* A piece of the text as it was written. */
struct piece {
    struct piece *next;
    struct bytes text;
};

/* One line to be: a statement, "}", a comment, or nothing. */
struct row {
    struct row *next;
    struct piece *pieces;
    size_t depth;
    unsigned width; /* of its first word */
    bool opens;     /* ends in "{" */
    bool closes;    /* is "}" */
    struct bytes comment;
};

struct layout {
    struct parser parser;
    struct row *rows;
    struct row **tail;
    struct row *last;
    struct row *row; /* the one being read; NULL: none */
    struct piece **piece_tail;
    size_t depth;
    unsigned width;  /* in the block in hand */
    size_t newlines; /* since the latest row */
};

static bool bytes_are(struct bytes bytes, const char *word)
{
    return bytes_equal_text(bytes, word);
}

static struct row *row_add(struct layout *layout)
{
    struct row *row = arena_take(&layout->parser.arena, sizeof *row);
    if (row == NULL) {
        complain_memory(&layout->parser);
        return NULL;
    }
    row->depth = layout->depth;
    row->width = layout->depth == 0 ? WIDTH_TOP : layout->width;
    *layout->tail = row;
    layout->tail = &row->next;
    layout->last = row;
    layout->piece_tail = &row->pieces;
    return row;
}

/* An empty line that was there stays one, but not at the edge of a block or of the file. */
static bool gap_add(struct layout *layout, const struct row *before, bool closes)
{
    return layout->newlines < 2 || before == NULL || before->opens || closes || row_add(layout) != NULL;
}

static bool row_begin(struct layout *layout, bool closes)
{
    if (!gap_add(layout, layout->last, closes))
        return false;
    layout->row = row_add(layout);
    layout->newlines = 0;
    return layout->row != NULL;
}

static bool piece_add(struct layout *layout, struct bytes text)
{
    struct piece *piece = arena_take(&layout->parser.arena, sizeof *piece);
    if (layout->row == NULL && !row_begin(layout, false))
        return false;
    if (piece == NULL)
        return complain_memory(&layout->parser);
    piece->text = text;
    *layout->piece_tail = piece;
    layout->piece_tail = &piece->next;
    return true;
}

static bool block_open(struct layout *layout)
{
    struct row *row = layout->last; /* the brace ends it: no line of the tree begins with one */
    row->opens = true;
    if (layout->depth++ == 0)
        layout->width = bytes_are(row->pieces->text, "client") ? WIDTH_CLIENT : WIDTH_BLOCK;
    layout->row = NULL;
    return true;
}

static bool block_close(struct layout *layout)
{
    layout->depth--;
    if (!row_begin(layout, true))
        return false;
    layout->row->closes = true;
    layout->row = NULL;
    return true;
}

/* A comment in the blanks before a token: behind the row of its line, or a row of its own. */
static bool comment_take(struct layout *layout, size_t from, size_t to)
{
    const uint8_t *data = layout->parser.text.data;
    while (from < to && data[from] != '#')
        from++;
    while (to > from && (data[to - 1] == ' ' || data[to - 1] == '\t' || data[to - 1] == '\r'))
        to--;
    if (from == to)
        return true;
    if (layout->newlines > 0 || layout->rows == NULL) {
        if (!row_begin(layout, false))
            return false;
        layout->row = NULL;
    }
    layout->last->comment = bytes_of(data + from, to - from);
    return true;
}

static bool token_lay(struct layout *layout, const struct token *token)
{
    const size_t end = layout->parser.offset;
    switch (token->kind) {
    case TOKEN_WORD:
    case TOKEN_STRING:
    case TOKEN_OPTION:
    case TOKEN_PIPE:
        return piece_add(layout, bytes_of(layout->parser.text.data + token->offset, end - token->offset));
    case TOKEN_OPEN:
        return block_open(layout);
    case TOKEN_CLOSE:
        return block_close(layout);
    case TOKEN_NEWLINE:
        layout->row = NULL;
        layout->newlines++;
        return true;
    case TOKEN_END:
        return true;
    }
    return true;
}

static bool layout_read(struct layout *layout)
{
    struct token token;
    do {
        const size_t from = layout->parser.offset;
        if (!lexer_next(&layout->parser, &token) || !comment_take(layout, from, token.offset) ||
            !token_lay(layout, &token))
            return false;
    } while (token.kind != TOKEN_END);
    return true;
}

/* ---- writing ---- */

static bool spaces_write(struct buffer *out, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = buffer_append(out, bytes_of_text(" "));
    return good;
}

static bool is_check(const struct row *row)
{
    return row->depth == 0 && row->pieces != NULL && bytes_are(row->pieces->text, "check");
}

static bool is_expectation(struct bytes word)
{
    static const char *const WORDS[] = {"none", "some", "delivered", "shown", "count", "bytes"};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (bytes_are(word, WORDS[i]))
            return true;
    return false;
}

/* The widths of the names and levels of the checks in a group: no empty line and no other line in it. */
static void checks_measure(const struct row *row, size_t widths[2])
{
    widths[0] = widths[1] = 0;
    for (; row != NULL && (is_check(row) || (row->pieces == NULL && row->comment.len > 0)); row = row->next) {
        const struct piece *piece = row->pieces == NULL ? NULL : row->pieces->next;
        for (size_t i = 0; i < 2 && piece != NULL; i++, piece = piece->next)
            widths[i] = piece->text.len > widths[i] ? piece->text.len : widths[i];
    }
}

/* NAME  LEVEL  option=…  EXPECT PATTERN filter=… */
static bool check_write(struct buffer *out, const struct row *row, const size_t widths[2])
{
    bool good = true;
    bool expected = false;
    size_t position = 0;
    for (const struct piece *piece = row->pieces->next; piece != NULL && good;
         piece = piece->next, position++) {
        expected = expected || (position >= 2 && is_expectation(piece->text));
        good = buffer_append(out, piece->text);
        if (piece->next == NULL || !good)
            continue;
        const size_t width = position < 2 ? widths[position] : piece->text.len;
        good = spaces_write(out, expected ? 1 : width - piece->text.len + 2);
    }
    return good;
}

static bool statement_write(struct buffer *out, const struct row *row, const size_t widths[2])
{
    const struct piece *first = row->pieces;
    bool good = buffer_append(out, first->text);
    if (first->next != NULL && good)
        good = spaces_write(out, first->text.len < row->width ? row->width - first->text.len : 1);
    if (is_check(row))
        return good && check_write(out, row, widths);
    for (const struct piece *piece = first->next; piece != NULL && good; piece = piece->next)
        good = buffer_append(out, piece->text) && (piece->next == NULL || spaces_write(out, 1));
    return good;
}

static bool comment_write(struct buffer *out, const struct row *row, size_t column)
{
    if (row->comment.len == 0)
        return true;
    if (row->pieces != NULL || row->closes) {
        if (!spaces_write(out, column + 2 <= COMMENT_COLUMN ? COMMENT_COLUMN - column : 2))
            return false;
    }
    return buffer_append(out, row->comment);
}

static bool row_write(struct buffer *out, const struct row *row, const size_t widths[2])
{
    const size_t begin = out->len;
    bool good = (row->pieces == NULL && !row->closes && row->comment.len == 0) ||
                spaces_write(out, row->depth * INDENT);
    if (row->closes)
        good = good && buffer_append(out, bytes_of_text("}"));
    if (row->pieces != NULL)
        good = good && statement_write(out, row, widths);
    if (row->opens)
        good = good && buffer_append(out, bytes_of_text(" {"));
    return good && comment_write(out, row, out->len - begin) && buffer_append(out, bytes_of_text("\n"));
}

static bool rows_write(struct buffer *out, const struct row *rows)
{
    size_t widths[2] = {0, 0};
    bool in_group = false;
    for (const struct row *row = rows; row != NULL; row = row->next) {
        if (is_check(row) && !in_group)
            checks_measure(row, widths);
        in_group = is_check(row) || (in_group && row->pieces == NULL && row->comment.len > 0 && !row->closes);
        if (!row_write(out, row, widths))
            return false;
    }
    return true;
}

bool script_format(const char *path, struct bytes text, struct buffer *out, char error[SCRIPT_ERROR_MAX])
{
    struct layout *layout = calloc(1, sizeof *layout);
    struct node *lines;
    struct place end;
    error[0] = '\0';
    if (layout == NULL)
        return false;
    const struct parser given = {.path = path, .error = error, .text = text, .place = {1, 1}};
    layout->parser = given;
    layout->tail = &layout->rows;
    /* Once to see that there are lines and blocks; the second time as they are written. */
    bool good = tree_read(&layout->parser, &lines, &end);
    if (good) {
        layout->parser.offset = 0;
        layout->parser.place = (struct place){1, 1};
        good = layout_read(layout) && rows_write(out, layout->rows);
    }
    arena_free(&layout->parser.arena);
    free(layout);
    return good;
}
