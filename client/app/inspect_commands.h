/* `ojin-client decode` and `ojin-client encode`: messages as JSON, and back. No server is asked. */
#ifndef CLIENT_APP_INSPECT_COMMANDS_H
#define CLIENT_APP_INSPECT_COMMANDS_H

#include "codec/options/options.h"

extern const struct option_page DECODE_PAGE, ENCODE_PAGE;

/* argv[0] is the command's name. Both return what to exit with: EXIT_DONE, EXIT_FAILED for a message that is
 * wrong, EXIT_USAGE. */
int decode_command(int argc, char **argv);
int encode_command(int argc, char **argv);

#endif
