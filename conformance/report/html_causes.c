/* The causes of the page: those that fail the run as blocks, the others to be opened; and what the words
 * mean. */
#include "conformance/report/html_page.h"
#include "conformance/report/legend.h"
#include "conformance/report/xml_text.h"

enum { WROTE_LINES = 8, BLOCKED_SHOWN_MAX = 60 };

static void id_link(FILE *out, const struct requirement *requirement)
{
    fprintf(out, "<a href=\"#%s\" title=\"", requirement->id);
    xml_text_write(out, requirement->statement);
    fprintf(out, "\">%s</a>", requirement->id);
}

static void case_link(FILE *out, const struct run_result *run, const struct run_case *run_case)
{
    fputs("<a href=\"#", out);
    html_case_id(out, (size_t)(run_case - run->cases));
    fputs("\">", out);
    xml_text_write(out, run_case->script->name);
    fputs("</a>", out);
}

static void head_write(FILE *out, const struct cause *cause, size_t number, const char *tag)
{
    fprintf(out, "<%s class=\"head\"><b class=\"number\">%zu</b>", tag, number);
    html_badge(out, cause->word);
    html_element(out, "span", "sentence", cause->sentence);
    fprintf(out, "</%s>\n", tag);
}

static void about_write(FILE *out, const struct cause *cause)
{
    for (size_t i = 0; i < cause->requirement_count; i++) {
        const struct requirement *requirement = cause->requirements[i];
        fputs("<p class=\"about\">", out);
        id_link(out, requirement);
        fprintf(out, " <span class=\"dim\">%s, basis %s, ", requirement_level_name(requirement->level),
                requirement_basis_name(requirement_basis_in(requirement, cause->first->profile)));
        xml_text_write(out, requirement->source);
        fputs("</span> ", out);
        xml_text_write(out, requirement->statement);
        fputs("</p>\n", out);
    }
}

static void sentence_write(FILE *out, const char *title, const char *sentence)
{
    if (sentence[0] == '\0')
        return;
    fprintf(out, "<p class=\"about\"><span class=\"dim\">%s</span>", title);
    xml_text_write(out, sentence);
    fputs("</p>\n", out);
}

static void text_write(FILE *out, const char *title, const char *text)
{
    if (text[0] == '\0')
        return;
    fputs("<div>", out);
    html_element(out, "h4", NULL, title);
    html_element(out, "pre", NULL, text);
    fputs("</div>\n", out);
}

static void where_write(FILE *out, const struct run_result *run, const struct cause *cause)
{
    fprintf(out, "<p>Shows in <b>%zu of %zu</b> %s, first in ", cause->broken_count, cause->session_count,
            cause->session_count == 1 ? "session" : "sessions");
    case_link(out, run, cause->first);
    if (cause->case_count > 0)
        fprintf(out, "; fails %zu %s: ", cause->case_count, cause->case_count == 1 ? "case" : "cases");
    for (size_t i = 0; i < cause->case_count && i < CAUSE_CASES_MAX; i++) {
        fputs(i == 0 ? "" : ", ", out);
        case_link(out, run, cause->cases[i]);
    }
    if (cause->case_count > CAUSE_CASES_MAX)
        fprintf(out, " and %zu more", cause->case_count - CAUSE_CASES_MAX);
    fputs("</p>\n", out);
}

static void answer_write(FILE *out, const struct cause *cause)
{
    char line[2 * JUDGE_TEXT_MAX];
    struct text text = text_of(line, sizeof line);
    text_add(&text, "The mock ");
    cause_answer(cause, &text);
    if (cause->answer[0] != '\0')
        html_element(out, "p", NULL, line);
}

static void ways_write(FILE *out, const struct run_result *run, const struct cause *cause)
{
    if (cause->way_count == 0)
        return;
    fputs("<h4>Also as</h4>\n<ul>", out);
    for (size_t i = 0; i < cause->way_count && i < CAUSE_WAYS_MAX; i++) {
        const struct cause_way *way = &cause->ways[i];
        fputs("<li>", out);
        case_link(out, run, way->run_case);
        fputs(" ", out);
        xml_text_write(out, way->check->name);
        fputs(": ", out);
        xml_text_write(out, way->check->actual);
        fputs("; expected: ", out);
        xml_text_write(out, way->check->expected);
        fputs("</li>\n", out);
    }
    if (cause->way_count > CAUSE_WAYS_MAX)
        fprintf(out, "<li class=\"dim\">and in %zu more ways</li>", cause->way_count - CAUSE_WAYS_MAX);
    fputs("</ul>\n", out);
}

static void blocked_write(FILE *out, const struct cause *cause)
{
    if (cause->blocked_count == 0)
        return;
    fprintf(out, "<h4>Not judged because of it, or in part: %zu %s</h4>\n<p class=\"ids\">",
            cause->blocked_count, cause->blocked_count == 1 ? "requirement" : "requirements");
    for (size_t i = 0; i < cause->blocked_count && i < BLOCKED_SHOWN_MAX; i++) {
        id_link(out, cause->blocked[i]);
        fputc('\n', out);
    }
    if (cause->blocked_count > BLOCKED_SHOWN_MAX)
        fprintf(out, "and %zu more", cause->blocked_count - BLOCKED_SHOWN_MAX);
    fputs("</p>\n", out);
}

static void body_write(FILE *out, const struct run_result *run, const struct cause *cause)
{
    const bool shown = cause_shows_message(cause);
    const bool said = cause->evidence != NULL && cause->evidence->seen[0] != '\0';
    about_write(out, cause);
    sentence_write(out, "Situation: ", cause_situation(cause));
    sentence_write(out, "To do: ", cause_task(cause));
    where_write(out, run, cause);
    answer_write(out, cause);
    fputs("<div class=\"evidence\">\n", out);
    text_write(out, shown ? "On the wire" : "Last on the wire", cause_wire(cause));
    text_write(out, said ? "The client said" : "The client said last", cause_said(cause));
    text_write(out, "It wrote", cause_wrote(cause, WROTE_LINES));
    fputs("</div>\n", out);
    ways_write(out, run, cause);
    blocked_write(out, cause);
    text_write(out, "Kept in", cause->first->folder);
    text_write(out, "rerun:", cause->first->repro);
}

static void cause_write(FILE *out, const struct run_result *run, const struct cause *cause, size_t number)
{
    const char *tag = cause->fails ? "article" : "details";
    fprintf(out, "<%s class=\"cause v-%s%s\" id=\"cause-%zu\">\n", tag, cause->word,
            cause->fails ? " fails" : "", number);
    head_write(out, cause, number, cause->fails ? "header" : "summary");
    body_write(out, run, cause);
    fprintf(out, "</%s>\n", tag);
}

void html_causes(FILE *out, const struct run_result *run, const struct causes *causes)
{
    if (causes->count == 0)
        return;
    fputs("<section id=\"causes\">\n", out);
    if (causes->failing_count > 0)
        html_element(out, "h2", NULL, causes->failing_count == 1 ? "The cause" : "Causes");
    for (size_t i = 0; i < causes->count; i++) {
        if (i == causes->failing_count)
            html_element(out, "h2", NULL, "Worth a look");
        cause_write(out, run, &causes->list[i], i + 1);
    }
    fputs("</section>\n", out);
}

void html_legend(FILE *out)
{
    fputs("<details class=\"legend\"><summary>What the words mean</summary>\n<dl>\n", out);
    for (size_t i = 0; legend_word(i) != NULL; i++) {
        fputs("<div><dt>", out);
        html_badge(out, legend_word(i)->word);
        fputs("</dt>", out);
        html_element(out, "dd", NULL, legend_word(i)->meaning);
        fputs("</div>\n", out);
    }
    fputs("</dl>\n</details>\n", out);
}
