/* `ojin-mock token`: prints a JSON Web Token to try an interview client, or a server, with. */
#ifndef SERVER_MOCK_TOKEN_COMMAND_H
#define SERVER_MOCK_TOKEN_COMMAND_H

#include "codec/options/options.h"

extern const struct option_page TOKEN_PAGE;

/* argv[0] is "token". The exit status; what is wrong is said on standard error, in one line. */
int token_command(int argc, char **argv);

#endif
