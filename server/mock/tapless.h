/* What cannot be had together with --no-tap. */
#ifndef SERVER_MOCK_TAPLESS_H
#define SERVER_MOCK_TAPLESS_H

#include "server/mock/options.h"

enum { TAPLESS_ERROR_MAX = 300 };

/* Is there no tap? With TLS there is one all the same. */
bool options_are_tapless(const struct mock_options *options);
/* Can everything that the options and the script (NULL: none) ask for be done? False with a sentence. What a
 * card or the control interface asks for later is refused then. */
bool tapless_allows(const struct mock_options *options, const struct script *script,
                    char error[TAPLESS_ERROR_MAX]);

#endif
