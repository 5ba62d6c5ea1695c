/* ojin-client conform: the adapter through which the conformance suite drives this client. */
#ifndef CLIENT_APP_CONFORM_H
#define CLIENT_APP_CONFORM_H

int conform_command(int argc, char **argv);

#endif
