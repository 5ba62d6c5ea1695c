#include "conformance/report/annotations.h"

#include "conformance/report/causes.h"

/* In a property a comma and a colon end it; what would end the line is escaped everywhere. */
static void escaped_write(FILE *out, const char *string, bool property)
{
    for (; *string != '\0'; string++) {
        const unsigned char byte = (unsigned char)*string;
        if (byte == '%' || byte == '\r' || byte == '\n' || (property && (byte == ',' || byte == ':')))
            fprintf(out, "%%%02X", (unsigned)byte);
        else
            fputc(byte < 0x20 || byte == 0x7f ? '?' : byte, out);
    }
}

static void annotation_write(FILE *out, const struct cause *cause)
{
    char where[JUDGE_TEXT_MAX], words[JUDGE_TEXT_MAX];
    struct text text = text_of(where, sizeof where), ids = text_of(words, sizeof words);
    cause_where(cause, &text);
    fprintf(out, "::%s title=", cause->fails ? "error" : "warning");
    escaped_write(out, cause->word, true);
    cause_requirements(cause, 0, CAUSE_WAYS_MAX, &ids);
    fputs(ids.len > 0 ? " " : "", out);
    escaped_write(out, ids.data, true);
    fputs("::", out);
    escaped_write(out, cause->sentence, false);
    if (cause->kind == CAUSE_BROKEN && cause->requirement_count > 0) {
        fputs("%0A", out);
        escaped_write(out, cause->requirements[0]->statement, false);
    }
    fputs("%0A", out);
    escaped_write(out, where, false);
    if (cause->blocked_count > 0)
        fprintf(out, "; %zu %s not reached because of it, or in part", cause->blocked_count,
                cause->blocked_count == 1 ? "requirement" : "requirements");
    if (cause->first->repro[0] != '\0') {
        fputs("%0Arerun: ", out);
        escaped_write(out, cause->first->repro, false);
    }
    fputc('\n', out);
}

static bool is_annotated(const struct cause *cause)
{
    return cause->fails || cause->kind == CAUSE_END || strcmp(cause->word, "WARN") == 0 ||
           strcmp(cause->word, "DISPUTED") == 0;
}

void annotations_write(FILE *out, const struct run_result *run)
{
    struct causes causes;
    size_t left = ANNOTATIONS_MAX;
    causes_init(run, &causes);
    for (size_t i = 0; i < causes.count && left > 0; i++) {
        if (!is_annotated(&causes.list[i]))
            continue;
        annotation_write(out, &causes.list[i]);
        left--;
    }
    causes_free(&causes);
}
