#include "conformance/report/html_page.h"

#include "conformance/report/xml_text.h"

/* ` name="value"` */
static void html_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    xml_text_write(out, value);
    fputc('"', out);
}

void html_element(FILE *out, const char *tag, const char *class_name, const char *text)
{
    fprintf(out, "<%s", tag);
    if (class_name != NULL)
        html_attribute(out, "class", class_name);
    fputc('>', out);
    xml_text_write(out, text);
    fprintf(out, "</%s>", tag);
}

void html_badge(FILE *out, const char *word)
{
    fprintf(out, "<span class=\"badge v-%s\">%s</span>", word, word);
}

void html_case_id(FILE *out, size_t n)
{
    fprintf(out, "case-%zu", n + 1);
}
