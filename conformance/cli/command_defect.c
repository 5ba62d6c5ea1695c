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
#include "conformance/options/option_words.h"

enum { NEAR_BYTES_MAX = 120 };

static const char DEFECT_HELP[] =
    "Usage: ojin-conform defect NAME [OPTION]…\n"
    "       ojin-conform defect --list\n"
    "\n"
    "Runs the reference client ('ojin-client conform') with a defect, to see what the suite says of such a\n"
    "client. NAME 'none' is the client without a defect.\n"
    "\n"
    "  --list         list the defects: requirement, name, what each does wrong, what follows from it\n"
    "  -h, --help     print this help and exit\n"
    "\n"
    "Example: ojin-conform run -- ojin-conform defect bearer-prefix\n";

static void list(void)
{
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
}

static void say_unknown(const char *name)
{
    const struct defect *defect = NULL;
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    struct nearest nearest = nearest_to(bytes_of_text(name));
    if (name[0] == '-') {
        option_unknown("defect", name, DEFECT_HELP);
        fputs("Try 'ojin-conform defect --help'.\n", stderr);
        return;
    }
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
    if (argc < 2) {
        fputs(DEFECT_HELP, stderr);
        return CONFORM_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        fputs(DEFECT_HELP, stdout);
        return CONFORM_EXIT_MET;
    }
    if (strcmp(argv[1], "--list") == 0) {
        list();
        return CONFORM_EXIT_MET;
    }
    const struct defect *defect = defect_by_name(argv[1]);
    if (defect == NULL && strcmp(argv[1], "none") != 0) {
        say_unknown(argv[1]);
        return CONFORM_EXIT_USAGE;
    }
    return run_defect(argc - 2, argv + 2, defect);
}
