#include "server/tls/certificate.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/x509v3.h>
#include <stdio.h>

enum {
    DAY_S = 24 * 60 * 60,
    VALID_DAYS = 30,
    SERIAL_BITS = 120,
    VERSION_3 = 2, /* counted from 0 */
    NAMES_BYTES_MAX = 8192,
    HOST_BYTES_MAX = 253
};

static bool serial_set(X509 *x509)
{
    BIGNUM *number = BN_new();
    bool set = number != NULL && BN_rand(number, SERIAL_BITS, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1 &&
               BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x509)) != NULL;
    BN_free(number);
    return set;
}

/* The days are counted from now. */
static bool time_set(X509 *x509, long from_days, long to_days)
{
    return X509_gmtime_adj(X509_getm_notBefore(x509), from_days * DAY_S) != NULL &&
           X509_gmtime_adj(X509_getm_notAfter(x509), to_days * DAY_S) != NULL;
}

static bool name_set(X509_NAME *name, const char *text)
{
    return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, (const unsigned char *)text, -1, -1, 0) == 1;
}

static bool extension_add(X509 *x509, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, x509, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    bool added = extension != NULL && X509_add_ext(x509, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return added;
}

/* With version, serial number, key, name and time. */
static bool begin(struct certificate *out, const char *name, long from_days, long to_days)
{
    out->x509 = X509_new();
    out->key = EVP_EC_gen("P-256");
    return out->x509 != NULL && out->key != NULL && X509_set_version(out->x509, VERSION_3) == 1 &&
           serial_set(out->x509) && time_set(out->x509, from_days, to_days) &&
           X509_set_pubkey(out->x509, out->key) == 1 && name_set(X509_get_subject_name(out->x509), name);
}

void certificate_free(struct certificate *certificate)
{
    X509_free(certificate->x509);
    EVP_PKEY_free(certificate->key);
    *certificate = (struct certificate){0};
}

bool certificate_make_authority(struct certificate *out)
{
    *out = (struct certificate){0};
    if (begin(out, "ojin-mock throw-away authority", -2, VALID_DAYS + 1) &&
        X509_set_issuer_name(out->x509, X509_get_subject_name(out->x509)) == 1 &&
        extension_add(out->x509, out->x509, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
        extension_add(out->x509, out->x509, NID_key_usage, "critical,keyCertSign,cRLSign") &&
        extension_add(out->x509, out->x509, NID_subject_key_identifier, "hash") &&
        X509_sign(out->x509, out->key, EVP_sha256()) > 0)
        return true;
    certificate_free(out);
    return false;
}

/* What OpenSSL's own little language of extensions would read as something else is no host's name. */
static bool host_is_plain(const char *host)
{
    size_t len = strlen(host);
    return len > 0 && len <= HOST_BYTES_MAX && strpbrk(host, ", \t\r\n@=/\\\"") == NULL;
}

static bool host_is_address(const char *host)
{
    ASN1_OCTET_STRING *address = a2i_IPADDRESS(host);
    ASN1_OCTET_STRING_free(address);
    return address != NULL;
}

static bool host_names_write(const struct tls_options *options, char names[NAMES_BYTES_MAX])
{
    if (options->fault == TLS_WRONG_HOST) {
        snprintf(names, NAMES_BYTES_MAX, "DNS:wrong-host.invalid");
        return true;
    }
    size_t len = (size_t)snprintf(names, NAMES_BYTES_MAX, "DNS:localhost,IP:127.0.0.1,IP:::1");
    for (size_t n = 0; n < options->host_count && n < TLS_HOSTS_MAX; n++) {
        const char *host = options->hosts[n];
        if (!host_is_plain(host))
            return false;
        len += (size_t)snprintf(names + len, NAMES_BYTES_MAX - len, ",%s:%s",
                                host_is_address(host) ? "IP" : "DNS", host);
        if (len >= NAMES_BYTES_MAX)
            return false;
    }
    return true;
}

static bool leaf_begin(struct certificate *out, enum tls_fault fault)
{
    const char *name = fault == TLS_WRONG_HOST ? "wrong-host.invalid" : "localhost";
    switch (fault) {
    case TLS_SOUND:
    case TLS_SELF_SIGNED:
    case TLS_WRONG_HOST:
        return begin(out, name, -1, VALID_DAYS);
    case TLS_EXPIRED:
        return begin(out, name, -2, -1);
    case TLS_NOT_YET_VALID:
        return begin(out, name, 1, VALID_DAYS);
    }
    return false;
}

bool certificate_make_leaf(const struct certificate *authority, const struct tls_options *options,
                           struct certificate *out)
{
    char names[NAMES_BYTES_MAX];
    *out = (struct certificate){0};
    if (leaf_begin(out, options->fault) && host_names_write(options, names)) {
        const struct certificate *issuer = options->fault == TLS_SELF_SIGNED ? out : authority;
        if (X509_set_issuer_name(out->x509, X509_get_subject_name(issuer->x509)) == 1 &&
            extension_add(out->x509, issuer->x509, NID_basic_constraints, "critical,CA:FALSE") &&
            extension_add(out->x509, issuer->x509, NID_key_usage, "critical,digitalSignature") &&
            extension_add(out->x509, issuer->x509, NID_ext_key_usage, "serverAuth") &&
            extension_add(out->x509, issuer->x509, NID_subject_alt_name, names) &&
            extension_add(out->x509, issuer->x509, NID_subject_key_identifier, "hash") &&
            extension_add(out->x509, issuer->x509, NID_authority_key_identifier, "keyid") &&
            X509_sign(out->x509, issuer->key, EVP_sha256()) > 0)
            return true;
    }
    certificate_free(out);
    return false;
}
