/* ojin-client talk: a conversation with a full-duplex server. */
#ifndef CLIENT_APP_DUPLEX_TALK_H
#define CLIENT_APP_DUPLEX_TALK_H

/* `argv` from the word after "talk"; returns the program's exit code. */
int talk_command(int argc, char **argv);

#endif
