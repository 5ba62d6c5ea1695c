#include "server/mock/token_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "codec/wire/nearest.h"
#include "codec/wire/text.h"
#include "server/mock/option_values.h"
#include "server/mock/program.h"
#include "server/token/token.h"

enum { SECONDS_MAX = 10 * 365 * 86400, SENTENCE_MAX = 300, SHOWN_MAX = 60 };

struct token_options {
    struct token_wish wish;
    char secret_given[TOKEN_SECRET_BYTES_MAX + 1]; /* what its `secret` points to when it was an option */
};

static void list_kinds(FILE *out)
{
    for (const struct token_kind *kind = TOKEN_KINDS; kind->name != NULL; kind++)
        fprintf(out, "      %-16s  %s\n", kind->name, kind->sentence);
}

static bool read_secret(struct option_given *given, void *context)
{
    struct token_options *out = context;
    return option_secret(given, out, option_jwt_secret_fault(given->value), out->secret_given);
}

#define AT(member)                 OPTION_INTO(struct token_options, wish.member)
#define RANGE(member, least, most) OPTION_RANGE(struct token_options, wish.member, least, most)

static const struct option_row ROWS[] = {
    {.help = "\n"},
    {"jwt-secret", "SECRET",
     "secret to sign with (default: OJIN_MOCK_JWT_SECRET, else the secret of every\n"
     "mock that was given none: " TOKEN_SECRET_DEFAULT ")",
     read_secret, AT(secret)},
    {"candidate", "ID", "whose token it is, sub (default " TOKEN_CANDIDATE_DEFAULT ")", option_name,
     AT(candidate)},
    {"interview", "UUID", "the one interview it is good for, interview_id (default: any)", option_name,
     AT(interview)},
    {"for", "SECONDS", "how long it is good, from 1 to 315360000 (default 3600)", mock_number,
     RANGE(seconds, 1, SECONDS_MAX)},
    OPTION_HELP_ROW_WITHOUT_LETTER,
};

const struct option_page TOKEN_PAGE = {
    .command = "token",
    .brief = "prints a JSON Web Token for a client of the interview protocol",
    .before = "Usage: ojin-mock token [OPTION]... [KIND]\n"
              "Prints a JSON Web Token for clients of the interview protocol, signed with HS256.\n"
              "\n"
              "KIND is valid (default), or says what is wrong with the token:\n",
    .list = list_kinds,
    OPTION_ROWS(ROWS),
    .column = 26,
    .indented = true,
    .after = "\n"
             "Exit status: 0 printed, 1 no memory, 2 wrong usage.\n"
             "\n"
             "Example: ojin-mock token\n"
             "Example: ojin-mock token expired --jwt-secret \"$SECRET\"\n",
};

static const struct option_program PROGRAM = {.name = "ojin-mock", .complain = mock_complain};

static bool kind_read(const char *name, const struct token_kind **out)
{
    char sentence[SENTENCE_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    struct nearest nearest = nearest_to(bytes_of_text(name));
    *out = token_kind_by_name(name);
    if (*out != NULL)
        return true;
    for (const struct token_kind *kind = TOKEN_KINDS; kind->name != NULL; kind++)
        nearest_offer(&nearest, kind->name);
    text_add(&text, "token: there is no kind \"");
    text_add_printable(&text, bytes_of_text(name), SHOWN_MAX);
    text_add(&text, "\"");
    text_add_nearest(&text, &nearest);
    text_add(&text, " See ojin-mock token --help");
    (void)program_complain(sentence, EXIT_WRONG_USAGE);
    return false;
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
    const char *of_environment = getenv("OJIN_MOCK_JWT_SECRET");
    struct token_options options = {.wish = {.kind = &TOKEN_KINDS[0],
                                             .secret = of_environment == NULL || *of_environment == '\0'
                                                           ? TOKEN_SECRET_DEFAULT
                                                           : of_environment,
                                             .candidate = TOKEN_CANDIDATE_DEFAULT,
                                             .now_s = (uint64_t)time(NULL),
                                             .seconds = TOKEN_SECONDS_DEFAULT}};
    char **rest;
    const enum options_outcome outcome = options_parse(&PROGRAM, &TOKEN_PAGE, argc, argv, &options, &rest);
    if (outcome != OPTIONS_RUN)
        return outcome == OPTIONS_DONE ? EXIT_SUCCESS : EXIT_WRONG_USAGE;
    if (option_jwt_secret_fault(options.wish.secret) != NULL)
        return program_complain("OJIN_MOCK_JWT_SECRET: expected a secret of 1 to 4095 bytes",
                                EXIT_WRONG_USAGE);
    if (rest[0] != NULL && rest[1] != NULL)
        return program_complain("token: expected one kind of token; see ojin-mock token --help",
                                EXIT_WRONG_USAGE);
    if (rest[0] != NULL && !kind_read(rest[0], &options.wish.kind))
        return EXIT_WRONG_USAGE;
    return print(&options.wish);
}
