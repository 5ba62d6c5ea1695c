/* The client under test: it only asks to come in, and puts a scheme in front of its key. */
#ifndef EXAMPLE_CLIENT_H
#define EXAMPLE_CLIENT_H

/* The status of the answer; 0: there was none. */
int client_ask(const char *url);

#endif
