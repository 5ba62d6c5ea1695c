#define _GNU_SOURCE /* getopt_long */
#include "server/mock/token_command.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "codec/wire/nearest.h"
#include "codec/wire/text.h"
#include "server/mock/option_values.h"
#include "server/mock/program.h"
#include "server/token/token.h"

enum { SECONDS_MAX = 10 * 365 * 86400, SENTENCE_MAX = 300, SHOWN_MAX = 60 };

enum token_option {
    TOKEN_OPTION_SECRET = 256,
    TOKEN_OPTION_CANDIDATE,
    TOKEN_OPTION_INTERVIEW,
    TOKEN_OPTION_FOR,
    TOKEN_OPTION_HELP
};

static const struct option OPTIONS[] = {
    {"jwt-secret", required_argument, NULL, TOKEN_OPTION_SECRET},
    {"candidate", required_argument, NULL, TOKEN_OPTION_CANDIDATE},
    {"interview", required_argument, NULL, TOKEN_OPTION_INTERVIEW},
    {"for", required_argument, NULL, TOKEN_OPTION_FOR},
    {"help", no_argument, NULL, TOKEN_OPTION_HELP},
    {NULL, 0, NULL, 0},
};

static const char HELP_BEGIN[] =
    "Usage: ojin-mock token [OPTION]... [KIND]\n"
    "Prints a JSON Web Token for clients of the interview protocol, signed with HS256.\n"
    "\n"
    "KIND is valid (default), or says what is wrong with the token:\n";
static const char HELP_END[] =
    "\n"
    "      --jwt-secret SECRET secret to sign with (default: OJIN_MOCK_JWT_SECRET, else the secret of every\n"
    "                          mock that was given none: " TOKEN_SECRET_DEFAULT ")\n"
    "      --candidate ID      whose token it is, sub (default " TOKEN_CANDIDATE_DEFAULT ")\n"
    "      --interview UUID    the one interview it is good for, interview_id (default: any)\n"
    "      --for SECONDS       how long it is good, from 1 to 315360000 (default 3600)\n"
    "      --help              print this help and exit\n"
    "\n"
    "Exit status: 0 printed, 1 no memory, 2 wrong usage.\n"
    "\n"
    "Example: ojin-mock token\n"
    "Example: ojin-mock token expired --jwt-secret \"$SECRET\"\n";

static void help(void)
{
    fputs(HELP_BEGIN, stdout);
    for (const struct token_kind *kind = TOKEN_KINDS; kind->name != NULL; kind++)
        printf("      %-16s  %s\n", kind->name, kind->sentence);
    fputs(HELP_END, stdout);
}

static enum options_result name_read(const char *option, const char *value, const char **out)
{
    const size_t len = strlen(value);
    if (len == 0 || len > TOKEN_NAME_BYTES_MAX)
        return option_complain(option, "expected 1 to 255 bytes");
    *out = value;
    return OPTIONS_RUN;
}

/* A secret on the command line is copied and then wiped: other users of the machine see it there. */
static enum options_result secret_read(char *value, char *copy, const char **out)
{
    const char *fault = option_jwt_secret_fault(value);
    if (fault != NULL)
        return option_complain("jwt-secret", fault);
    memcpy(copy, value, strlen(value) + 1);
    memset(value, 'x', strlen(value));
    *out = copy;
    return OPTIONS_RUN;
}

static enum options_result option_take(int option, char *value, char *secret, struct token_wish *wish)
{
    switch ((enum token_option)option) {
    case TOKEN_OPTION_SECRET:
        return secret_read(value, secret, &wish->secret);
    case TOKEN_OPTION_CANDIDATE:
        return name_read("candidate", value, &wish->candidate);
    case TOKEN_OPTION_INTERVIEW:
        return name_read("interview", value, &wish->interview);
    case TOKEN_OPTION_FOR:
        return option_number(value, 1, SECONDS_MAX, &wish->seconds)
                   ? OPTIONS_RUN
                   : option_wrong("for", "whole seconds from 1 to 315360000", value);
    case TOKEN_OPTION_HELP:
        help();
        return OPTIONS_DONE;
    }
    return OPTIONS_WRONG;
}

static enum options_result kind_read(const char *name, const struct token_kind **out)
{
    char sentence[SENTENCE_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    struct nearest nearest = nearest_to(bytes_of_text(name));
    *out = token_kind_by_name(name);
    if (*out != NULL)
        return OPTIONS_RUN;
    for (const struct token_kind *kind = TOKEN_KINDS; kind->name != NULL; kind++)
        nearest_offer(&nearest, kind->name);
    text_add(&text, "token: there is no kind \"");
    text_add_printable(&text, bytes_of_text(name), SHOWN_MAX);
    text_add(&text, "\"");
    text_add_nearest(&text, &nearest);
    text_add(&text, " See ojin-mock token --help");
    (void)program_complain(sentence, EXIT_WRONG_USAGE);
    return OPTIONS_WRONG;
}

static int print(const struct token_wish *wish)
{
    char token[TOKEN_BYTES_MAX + 1];
    if (!token_make(wish, token, sizeof token))
        return program_complain("there is not enough memory", EXIT_CANNOT_RUN);
    puts(token);
    return EXIT_SUCCESS;
}

int token_command(int argc, char **argv)
{
    char secret[TOKEN_SECRET_BYTES_MAX + 1];
    const char *of_environment = getenv("OJIN_MOCK_JWT_SECRET");
    struct token_wish wish = {
        .kind = &TOKEN_KINDS[0],
        .secret = of_environment == NULL || *of_environment == '\0' ? TOKEN_SECRET_DEFAULT : of_environment,
        .candidate = TOKEN_CANDIDATE_DEFAULT,
        .now_s = (uint64_t)time(NULL),
        .seconds = TOKEN_SECONDS_DEFAULT};
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", OPTIONS, NULL)) != -1) {
        if (option == '?' || option == ':') {
            fprintf(stderr, "ojin-mock: token: %s %s; see ojin-mock token --help\n", argv[optind - 1],
                    option == ':' ? "needs a value" : "is no option of this command");
            return EXIT_WRONG_USAGE;
        }
        const enum options_result result = option_take(option, optarg, secret, &wish);
        if (result != OPTIONS_RUN)
            return result == OPTIONS_DONE ? EXIT_SUCCESS : EXIT_WRONG_USAGE;
    }
    if (option_jwt_secret_fault(wish.secret) != NULL)
        return program_complain("OJIN_MOCK_JWT_SECRET: expected a secret of 1 to 4095 bytes",
                                EXIT_WRONG_USAGE);
    if (argc - optind > 1)
        return program_complain("token: expected one kind of token; see ojin-mock token --help",
                                EXIT_WRONG_USAGE);
    if (optind < argc && kind_read(argv[optind], &wish.kind) != OPTIONS_RUN)
        return EXIT_WRONG_USAGE;
    return print(&wish);
}
