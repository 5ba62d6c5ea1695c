/*
 * ojin-conform defect: a client that breaks one requirement, as a client under test.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/wire/nearest.h"
#include "conformance/cli/commands.h"
#include "conformance/defects/defect.h"

enum { NEAR_BYTES_MAX = 120 };

static bool list(struct option_given *given, void *out)
{
    (void)out;
    const struct defect *defect = NULL;
    size_t count = 0;
    for (; (defect = defect_at(count)) != NULL; count++) {
        printf("%s  %-28s %s", defect->requirement, defect->name, defect->wrong);
        for (size_t i = 0; i < DEFECT_IMPLIES_MAX && defect->implies[i] != NULL; i++)
            printf("%s%s", i == 0 ? " (breaks also " : ", ", defect->implies[i]);
        fputs(defect->implies[0] != NULL ? ")" : "", stdout);
        fputs(defect->ends_badly ? " (may hang or crash in any case)\n" : "\n", stdout);
    }
    printf("%zu defects\n", count);
    given->done = true;
    return true;
}

static const struct option_row ROWS[] = {
    {"list", NULL, "list the defects: requirement, name, what each does wrong, what follows from it", list,
     .letter = 0},
    OPTION_HELP_ROW,
};

const struct option_page DEFECT_PAGE = {
    .command = "defect",
    .brief = "runs one of those clients: ojin-conform run -- ojin-conform defect NAME",
    .stops = true,
    .before = "Usage: ojin-conform defect NAME [OPTION]…\n"
              "       ojin-conform defect --list\n"
              "\n"
              "Runs the reference client ('ojin-client conform') with a defect, to see what the suite says "
              "of such a\n"
              "client. NAME 'none' is the client without a defect.\n"
              "\n",
    OPTION_ROWS(ROWS),
    .column = 17,
    .after = "\n"
             "Example: ojin-conform run -- ojin-conform defect bearer-prefix\n",
};

static void say_unknown(const char *name)
{
    const struct defect *defect = NULL;
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    struct nearest nearest = nearest_to(bytes_of_text(name));
    for (size_t i = 0; (defect = defect_at(i)) != NULL; i++)
        nearest_offer(&nearest, defect->name);
    text_add_nearest(&text, &nearest);
    fprintf(stderr, "ojin-conform defect: no defect '%s'%s\nTry 'ojin-conform defect --list'.\n", name, near);
}

static int run_defect(int argc, char *argv[], const struct defect *defect)
{
    struct defect_run run;
    signal(SIGPIPE, SIG_IGN);
    if (defect == NULL)
        return conform_command(argc, argv);
    defect_begin(defect, getenv("OJIN_API_KEY"), &run);
    const int code = conform_with(argc, argv, &run.seams);
    defect_end(&run);
    return code;
}

int command_defect(int argc, char *argv[])
{
    char **words;
    const enum options_outcome outcome = conform_options_parse(&DEFECT_PAGE, argc, argv, NULL, &words);
    if (outcome != OPTIONS_RUN)
        return option_exit(outcome);
    if (words[0] == NULL) {
        option_usage(&DEFECT_PAGE, NULL);
        return CONFORM_EXIT_USAGE;
    }
    const struct defect *defect = defect_by_name(words[0]);
    if (defect == NULL && strcmp(words[0], "none") != 0) {
        say_unknown(words[0]);
        return CONFORM_EXIT_USAGE;
    }
    return run_defect(argc - (int)(words - argv), words, defect);
}
