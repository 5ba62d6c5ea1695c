/* What --help says. */
#ifndef SERVER_MOCK_HELP_H
#define SERVER_MOCK_HELP_H

extern const char OPTIONS_HELP[];

#endif
