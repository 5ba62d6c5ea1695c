/* ojin-client interview: an interview, with answers from files. */
#ifndef CLIENT_APP_INTERVIEW_INTERVIEW_H
#define CLIENT_APP_INTERVIEW_INTERVIEW_H

/* `argv` from the word after "interview"; returns the program's exit code. */
int interview_command(int argc, char **argv);

#endif
