#include "server/tls/words.h"

#include <openssl/err.h>
#include <openssl/sslerr.h>
#include <stdio.h>

static const struct {
    int reason;
    const char *words;
} REASONS[] = {
    {SSL_R_TLSV1_ALERT_UNKNOWN_CA,
     "the client does not trust the certificate (alert unknown CA): give it the CA file"},
    {SSL_R_SSLV3_ALERT_BAD_CERTIFICATE,
     "the client takes the certificate for a bad one (alert bad certificate)"},
    {SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED,
     "the client takes the certificate for expired (alert certificate expired)"},
    {SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN,
     "the client does not accept the certificate (alert certificate unknown)"},
    {SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE,
     "the client cannot read the certificate (alert unsupported certificate)"},
    {SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE, "the client gave the handshake up (alert handshake failure)"},
    {SSL_R_HTTP_REQUEST, "the client speaks plain HTTP to a TLS port: its URL wants wss://"},
    {SSL_R_HTTPS_PROXY_REQUEST, "the client takes this TLS port for a proxy"},
    {SSL_R_WRONG_VERSION_NUMBER, "the client does not speak TLS"},
    {SSL_R_UNSUPPORTED_PROTOCOL, "the client offers no TLS 1.2 or later"},
    {SSL_R_NO_SHARED_CIPHER, "the client offers no cipher that is known here"},
    {SSL_R_NO_PROTOCOLS_AVAILABLE, "the client offers no TLS 1.2 or later"},
    {SSL_R_UNEXPECTED_EOF_WHILE_READING, "the client went away before the handshake was done"},
};

void tls_words_write(unsigned long error, char words[TLS_WORDS_MAX])
{
    const char *reason = error == 0 ? NULL : ERR_reason_error_string(error);
    for (size_t n = 0; n < sizeof REASONS / sizeof REASONS[0]; n++) {
        if (ERR_GET_REASON(error) == REASONS[n].reason) {
            snprintf(words, TLS_WORDS_MAX, "%s", REASONS[n].words);
            return;
        }
    }
    snprintf(words, TLS_WORDS_MAX, "TLS failed: %s", reason == NULL ? "for no reason given" : reason);
}

static const char *const FAULTS[] = {[TLS_SOUND] = "sound",
                                     [TLS_EXPIRED] = "expired",
                                     [TLS_NOT_YET_VALID] = "not-yet-valid",
                                     [TLS_SELF_SIGNED] = "self-signed",
                                     [TLS_WRONG_HOST] = "wrong-host"};

const char *tls_fault_name(enum tls_fault fault)
{
    return FAULTS[fault];
}

bool tls_fault_by_name(struct bytes name, enum tls_fault *out)
{
    for (size_t n = 0; n < sizeof FAULTS / sizeof FAULTS[0]; n++) {
        if (bytes_equal_text(name, FAULTS[n])) {
            *out = (enum tls_fault)n;
            return true;
        }
    }
    return false;
}

const char *tls_fault_names(void)
{
    return "expired not-yet-valid self-signed wrong-host";
}
