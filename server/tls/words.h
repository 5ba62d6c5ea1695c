/* OpenSSL's errors in words that help whoever wrote the client. Private to server/tls. */
#ifndef SERVER_TLS_WORDS_H
#define SERVER_TLS_WORDS_H

#include "server/tls/tls.h"

void tls_words_write(unsigned long error, char words[TLS_WORDS_MAX]);

#endif
