/* What completes the words of a program in a shell. */
#include "codec/options/options.h"

static bool is_offered(const struct option_row *row)
{
    return row->name != NULL && !row->hidden;
}

/* ---- bash ---- */

/* What finds out which word is completed, and what stands before it; "--name=value" is three words of bash.
 * Behind "--" a command begins. */
static const char BASH_BEGIN[] =
    "    local words= values= word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} i\n"
    "    COMPREPLY=()\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        if [[ ${COMP_WORDS[i]} == -- ]]; then\n"
    "            ((i < COMP_CWORD - 1)) || mapfile -t COMPREPLY < <(compgen -c -- \"$word\")\n"
    "            return\n"
    "        fi\n"
    "    done\n"
    "    if [[ $word == = ]]; then\n"
    "        word=\n"
    "    elif [[ $before == = ]]; then\n"
    "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n";
/* Where nothing is offered bash has names of files. */
static const char BASH_END[] =
    "    [[ $word == -* || -n $values ]] || return\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"${values:-$words}\" -- \"$word\")\n";

static void bash_words(FILE *out, const struct option_page *page)
{
    for (size_t i = 0; i < page->row_count; i++)
        if (is_offered(&page->rows[i]))
            fprintf(out, " --%s", page->rows[i].name);
}

static bool needs_value(const struct option_row *row)
{
    return is_offered(row) && row->value != NULL && row->value[0] != '[';
}

static void bash_pattern(FILE *out, const struct option_row *row)
{
    fprintf(out, "--%s", row->name);
    if (row->letter != 0)
        fprintf(out, " | -%c", row->letter);
}

/* What follows an option that has a value. */
static void bash_values(FILE *out, const struct option_page *page)
{
    fputs("        case $before in\n", out);
    for (size_t i = 0; i < page->row_count; i++) {
        if (!needs_value(&page->rows[i]))
            continue;
        fputs("        ", out);
        bash_pattern(out, &page->rows[i]);
        if (page->rows[i].words != NULL)
            fprintf(out, ") values='%s' ;;\n", page->rows[i].words);
        else
            fputs(") return ;;\n", out);
    }
    fputs("        esac\n        ;;\n", out);
}

static void bash_write(FILE *out, const struct option_program *program)
{
    fprintf(out, "_%s() {\n%s    case ${COMP_WORDS[1]} in\n", program->name, BASH_BEGIN);
    for (size_t i = 1; program->pages[i] != NULL; i++) {
        fprintf(out, "    %s) words='", program->pages[i]->command);
        bash_words(out, program->pages[i]);
        fputs("'\n", out);
        bash_values(out, program->pages[i]);
    }
    fputs("    *) words='", out);
    bash_words(out, program->pages[0]);
    fputs("'\n        [[ $word == -* ]] || values='", out);
    for (size_t i = 1; program->pages[i] != NULL; i++)
        fprintf(out, "%s%s", i == 1 ? "" : " ", program->pages[i]->command);
    fputs("'\n", out);
    bash_values(out, program->pages[0]);
    fprintf(out, "    esac\n%s}\ncomplete -o bashdefault -o default -F _%s %s\n", BASH_END, program->name,
            program->name);
}

/* ---- zsh and fish ---- */

/* Within single quotes; a backslash before each of `special`. Lines become one. */
static void print_quoted(FILE *out, const char *text, const char *special, const char *apostrophe)
{
    for (; text != NULL && *text != '\0'; text++) {
        if (*text == '\'')
            fputs(apostrophe, out);
        else if (strchr(special, *text) != NULL)
            fprintf(out, "\\%c", *text);
        else
            fputc(*text == '\n' ? ' ' : *text, out);
    }
}

static void zsh_print(FILE *out, const char *text)
{
    print_quoted(out, text, "\\[]:", "'\\''");
}

static void zsh_option(FILE *out, const struct option_row *row)
{
    fprintf(out, " \\\n    '--%s%s[", row->name, row->value == NULL ? "" : row->value[0] == '[' ? "=-" : "=");
    zsh_print(out, row->help);
    fputs("]", out);
    if (row->value != NULL) {
        fputs(row->value[0] == '[' ? "::" : ":", out);
        zsh_print(out, row->value);
        if (row->words != NULL)
            fprintf(out, ":(%s)", row->words);
        else
            fputs(":_files", out);
    }
    fputs("'", out);
}

static void zsh_options(FILE *out, const struct option_page *page)
{
    fputs("_arguments", out);
    for (size_t i = 0; i < page->row_count; i++)
        if (is_offered(&page->rows[i]))
            zsh_option(out, &page->rows[i]);
}

static void zsh_write(FILE *out, const struct option_program *program)
{
    fprintf(out, "#compdef %s\ncase $words[2] in\n", program->name);
    for (size_t i = 1; program->pages[i] != NULL; i++) {
        fprintf(out, "%s) ", program->pages[i]->command);
        zsh_options(out, program->pages[i]);
        fputs(" '*:file:_files' ;;\n", out);
    }
    fputs("*) ", out);
    zsh_options(out, program->pages[0]);
    fputs(" '1:command:(", out);
    for (size_t i = 1; program->pages[i] != NULL; i++)
        fprintf(out, "%s%s", i == 1 ? "" : " ", program->pages[i]->command);
    fputs(")' '*:file:_files' ;;\nesac\n", out);
}

static void fish_print(FILE *out, const char *text)
{
    print_quoted(out, text, "\\", "\\'");
}

static void fish_write(FILE *out, const struct option_program *program)
{
    for (size_t i = 0; program->pages[i] != NULL; i++) {
        const struct option_page *page = program->pages[i];
        for (size_t n = 0; n < page->row_count; n++) {
            if (!is_offered(&page->rows[n]))
                continue;
            fprintf(out, "complete -c %s -n '%s%s' -l %s%s", program->name,
                    i == 0 ? "__fish_use_subcommand" : "__fish_seen_subcommand_from ",
                    i == 0 ? "" : page->command, page->rows[n].name,
                    page->rows[n].value == NULL || page->rows[n].value[0] == '[' ? "" : " -r");
            if (page->rows[n].letter != 0)
                fprintf(out, " -s %c", page->rows[n].letter);
            if (page->rows[n].words != NULL)
                fprintf(out, " -f -a '%s'", page->rows[n].words);
            fputs(" -d '", out);
            fish_print(out, page->rows[n].help);
            fputs("'\n", out);
        }
        if (page->command == NULL)
            continue;
        fprintf(out, "complete -c %s -n __fish_use_subcommand -a %s -d '", program->name, page->command);
        fish_print(out, page->brief);
        fputs("'\n", out);
    }
}

bool options_completion(FILE *out, const struct option_program *program, const char *shell)
{
    static const char *const SHELLS[] = {"bash", "zsh", "fish", NULL};
    static void (*const WRITERS[])(FILE *, const struct option_program *) = {bash_write, zsh_write,
                                                                             fish_write};
    const int which = option_word(shell, SHELLS);
    if (which >= 0)
        WRITERS[which](out, program);
    return which >= 0;
}
