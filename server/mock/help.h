/* What --help says. */
#ifndef SERVER_MOCK_HELP_H
#define SERVER_MOCK_HELP_H

/* Pieces that follow each other, ended by NULL: a compiler need not take a longer string than 4095 bytes. */
extern const char *const OPTIONS_HELP[];

#endif
