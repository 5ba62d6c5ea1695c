/* What cannot be had together with --no-tap. */
#ifndef SERVER_MOCK_TAPLESS_H
#define SERVER_MOCK_TAPLESS_H

#include "server/mock/options.h"

enum { TAPLESS_ERROR_MAX = 300 };

/* Can everything that the options and the script (NULL: none) ask for be done? False with a sentence. A step
 * that asks for it only through a card or by way of the control interface is found when it is due. */
bool tapless_allows(const struct mock_options *options, const struct script *script,
                    char error[TAPLESS_ERROR_MAX]);

#endif
