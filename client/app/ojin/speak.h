/* ojin-client speak: one sound file to one server, and a video of what came back. */
#ifndef CLIENT_APP_OJIN_SPEAK_H
#define CLIENT_APP_OJIN_SPEAK_H

/* `argv` from the word after "speak"; returns the program's exit code. */
int speak_command(int argc, char **argv);

#endif
