/*
 * Build tool: turns requirements.tsv into a C table, and an index of its rows in the order of their ids.
 *
 *   generate_requirements requirements.tsv OUT.c
 *
 * In the source column a document is a number; what is built has its title in place of that.
 *
 * It is strict, as everything reads ids and levels from that table: a wrong header, cell count, word or
 * character, an id out of form or met before, a document without a title, or a line too long ends the build
 * and names the line.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES_MAX = 2000, ROWS_MAX = 2000, ID_BYTES_MAX = 32, COLUMN_COUNT = 7 };
enum column {
    COLUMN_ID,
    COLUMN_PARTY,
    COLUMN_LEVEL,
    COLUMN_BASIS,
    COLUMN_PROFILES,
    COLUMN_SOURCE,
    COLUMN_STATEMENT
};

static const char *const COLUMN_NAMES[COLUMN_COUNT] = {"id",       "party",  "level",    "basis",
                                                       "profiles", "source", "statement"};

/* A word of the table and the enumerator it stands for. */
struct word {
    const char *text;
    const char *enumerator;
};

static const struct word PARTIES[] = {
    {"client", "REQUIREMENT_CLIENT"}, {"server", "REQUIREMENT_SERVER"}, {NULL, NULL}};
static const struct word LEVELS[] = {
    {"MUST", "REQUIREMENT_MUST"}, {"SHOULD", "REQUIREMENT_SHOULD"}, {"MAY", "REQUIREMENT_MAY"}, {NULL, NULL}};
static const struct word BASES[] = {{"doc", "BASIS_DOC"},
                                    {"rfc6455", "BASIS_RFC6455"},
                                    {"inferred", "BASIS_INFERRED"},
                                    {"field", "BASIS_FIELD"},
                                    {NULL, NULL}};

/* The documents: a number, and the title that their readers know. */
static const struct document {
    const char *number, *title;
} DOCUMENTS[] = {
    {"000", "Ojin Oris 1.0 Realtime API"}, {"001", "Ojin documentation of the earlier Realtime API"},
    {"002", "Video Full-Duplex Protocol"}, {"003", "Ojin Flashhead Lite 1.0 Realtime API"},
    {"004", "Realtime Interview API"},     {"field notes", "seen in use, in no document"}};
static const char NEXT_SOURCE[] = "; ";

struct generator {
    const char *path;
    FILE *out;
    unsigned line;
    size_t row_count;
    char ids[ROWS_MAX][ID_BYTES_MAX];
};

static bool complain(const struct generator *generator, const char *what, const char *word)
{
    fprintf(stderr, "%s:%u: %s%s%s%s\n", generator->path, generator->line, what, word == NULL ? "" : ": \"",
            word == NULL ? "" : word, word == NULL ? "" : "\"");
    return false;
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Two letters of the family, two or three of the area, two digits: OJ-CON-01, OJ-IN-01. */
static bool is_id(const char *id)
{
    size_t len = strlen(id);
    if ((len != 8 && len != 9) || id[2] != '-' || id[len - 3] != '-')
        return false;
    for (size_t i = 0; i < len; i++) {
        bool digit = i >= len - 2;
        if (i != 2 && i != len - 3 && !(digit ? is_digit(id[i]) : is_upper(id[i])))
            return false;
    }
    return true;
}

static const char *enumerator_of(const struct word *words, const char *text)
{
    while (words->text != NULL && strcmp(words->text, text) != 0)
        words++;
    return words->enumerator;
}

/* Splits at tabs, in place; false unless there are exactly seven cells and none is empty. */
static bool split_line(struct generator *generator, char *line, char *cells[COLUMN_COUNT])
{
    size_t count = 0;
    char *cell = line;
    for (;;) {
        char *tab = strchr(cell, '\t');
        if (tab != NULL)
            *tab = '\0';
        if (count == COLUMN_COUNT)
            return complain(generator, "more than seven cells", NULL);
        if (*cell == '\0')
            return complain(generator, "an empty cell", COLUMN_NAMES[count]);
        cells[count++] = cell;
        if (tab == NULL)
            break;
        cell = tab + 1;
    }
    return count == COLUMN_COUNT || complain(generator, "fewer than seven cells", NULL);
}

static bool check_header(struct generator *generator, char *const cells[COLUMN_COUNT])
{
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        if (strcmp(cells[i], COLUMN_NAMES[i]) != 0)
            return complain(generator, "not the column expected here", cells[i]);
    }
    return true;
}

static bool keep_id(struct generator *generator, const char *id)
{
    if (!is_id(id))
        return complain(generator, "not an id like OJ-CON-01", id);
    if (generator->row_count == ROWS_MAX)
        return complain(generator, "more rows than the generator holds", NULL);
    for (size_t i = 0; i < generator->row_count; i++) {
        if (strcmp(generator->ids[i], id) == 0)
            return complain(generator, "this id stands above already", id);
    }
    memcpy(generator->ids[generator->row_count++], id, strlen(id) + 1);
    return true;
}

static void write_text(FILE *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"' || text[i] == '\\')
            fputc('\\', out);
        fputc(text[i], out);
    }
}

static void write_string(FILE *out, const char *text)
{
    fputc('"', out);
    write_text(out, text, strlen(text));
    fputc('"', out);
}

static const struct document *document_of(const char *source)
{
    for (size_t i = 0; i < sizeof DOCUMENTS / sizeof DOCUMENTS[0]; i++) {
        const size_t len = strlen(DOCUMENTS[i].number);
        if (strncmp(source, DOCUMENTS[i].number, len) == 0 &&
            (source[len] == ' ' || source[len] == '\0' || source[len] == ';'))
            return &DOCUMENTS[i];
    }
    return NULL;
}

/* "000 Frame Types; RFC 6455 5.1" as "Ojin Oris 1.0 Realtime API: Frame Types; RFC 6455 5.1". */
static bool write_source(struct generator *generator, const char *source)
{
    fputc('"', generator->out);
    while (*source != '\0') {
        const struct document *document = document_of(source);
        if (document == NULL && is_digit(*source))
            return complain(generator, "no document has this number", source);
        if (document != NULL) {
            fputs(document->title, generator->out);
            source += strlen(document->number);
            if (*source == ' ') {
                fputs(": ", generator->out);
                source++;
            }
        }
        const char *next = strstr(source, NEXT_SOURCE);
        const size_t len = next == NULL ? strlen(source) : (size_t)(next - source) + sizeof NEXT_SOURCE - 1;
        write_text(generator->out, source, len);
        source += len;
    }
    fputc('"', generator->out);
    return true;
}

static bool write_row(struct generator *generator, char *const cells[COLUMN_COUNT])
{
    const char *party = enumerator_of(PARTIES, cells[COLUMN_PARTY]);
    const char *level = enumerator_of(LEVELS, cells[COLUMN_LEVEL]);
    const char *basis = enumerator_of(BASES, cells[COLUMN_BASIS]);
    if (!keep_id(generator, cells[COLUMN_ID]))
        return false;
    if (party == NULL)
        return complain(generator, "no such party", cells[COLUMN_PARTY]);
    if (level == NULL)
        return complain(generator, "no such level", cells[COLUMN_LEVEL]);
    if (basis == NULL)
        return complain(generator, "no such basis", cells[COLUMN_BASIS]);
    FILE *out = generator->out;
    fprintf(out, "    {\"%s\", %s, %s, %s, ", cells[COLUMN_ID], party, level, basis);
    write_string(out, cells[COLUMN_PROFILES]);
    fputs(", ", out);
    if (!write_source(generator, cells[COLUMN_SOURCE]))
        return false;
    fputs(",\n     ", out);
    write_string(out, cells[COLUMN_STATEMENT]);
    fputs("},\n", out);
    return true;
}

/* One line without its line feed. Only printable ASCII and tabs may stand in it. */
static bool take_line(struct generator *generator, char *line)
{
    char *cells[COLUMN_COUNT];
    for (const char *c = line; *c != '\0'; c++) {
        if (*c != '\t' && (*c < ' ' || *c > '~'))
            return complain(generator, "a character that is neither printable ASCII nor a tab", NULL);
    }
    if (!split_line(generator, line, cells))
        return false;
    return generator->line == 1 ? check_header(generator, cells) : write_row(generator, cells);
}

static bool take_file(struct generator *generator, FILE *in)
{
    char line[LINE_BYTES_MAX + 2];
    while (fgets(line, sizeof line, in) != NULL) {
        generator->line++;
        size_t len = strlen(line);
        if (len == 0 || line[len - 1] != '\n')
            return complain(generator, "too long, holds a NUL or does not end in a line feed", NULL);
        line[len - 1] = '\0';
        if (!take_line(generator, line))
            return false;
    }
    if (ferror(in) != 0)
        return complain(generator, "cannot be read on", NULL);
    return generator->row_count > 0 || complain(generator, "holds no requirement", NULL);
}

static int compare_ids(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void write_index(struct generator *generator)
{
    static const char *sorted[ROWS_MAX];
    for (size_t i = 0; i < generator->row_count; i++)
        sorted[i] = generator->ids[i];
    qsort(sorted, generator->row_count, sizeof sorted[0], compare_ids);
    fputs("\nconst uint16_t REQUIREMENTS_BY_ID[] = {\n", generator->out);
    for (size_t i = 0; i < generator->row_count; i++)
        fprintf(generator->out, "    %u, /* %s */\n",
                (unsigned)((sorted[i] - generator->ids[0]) / ID_BYTES_MAX), sorted[i]);
    fputs("};\n", generator->out);
}

int main(int argc, char **argv)
{
    static struct generator generator;
    if (argc != 3) {
        fputs("usage: generate_requirements requirements.tsv OUT.c\n", stderr);
        return 2;
    }
    generator.path = argv[1];
    FILE *in = fopen(argv[1], "rb");
    generator.out = fopen(argv[2], "wb");
    if (in == NULL || generator.out == NULL) {
        fprintf(stderr, "%s: cannot be opened\n", in == NULL ? argv[1] : argv[2]);
        return 1;
    }
    fputs("/* Built from requirements.tsv. */\n#include \"codec/rules/requirements.h\"\n\n"
          "const struct requirement REQUIREMENTS[] = {\n",
          generator.out);
    bool good = take_file(&generator, in);
    fputs("};\n\nconst size_t REQUIREMENT_COUNT = sizeof REQUIREMENTS / sizeof REQUIREMENTS[0];\n",
          generator.out);
    write_index(&generator);
    fclose(in);
    if (fclose(generator.out) != 0)
        good = complain(&generator, "the table cannot be written", argv[2]);
    if (!good)
        remove(argv[2]);
    return good ? 0 : 1;
}
