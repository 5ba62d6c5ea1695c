/* Which build this is, and the file in which its last selftest stands. */
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

#include "conformance/selftest/selftest.h"

enum { DIGEST_BYTES = 32, PIECE_BYTES = 65536 };

static bool digest_file(EVP_MD_CTX *digest, const char *path)
{
    unsigned char piece[PIECE_BYTES];
    FILE *file = fopen(path, "rb");
    bool good = file != NULL;
    size_t got = 0;
    while (good && (got = fread(piece, 1, sizeof piece, file)) > 0)
        good = EVP_DigestUpdate(digest, piece, got) == 1;
    good = good && ferror(file) == 0;
    if (file != NULL)
        fclose(file);
    return good;
}

/* The names with their NULs, so that no two sets read alike. */
static bool digest_cases(EVP_MD_CTX *digest, const struct case_set *set)
{
    bool good = true;
    for (size_t i = 0; good && i < set->count; i++)
        good = EVP_DigestUpdate(digest, set->scripts[i]->name, strlen(set->scripts[i]->name) + 1) == 1 &&
               EVP_DigestUpdate(digest, set->texts[i].data, set->texts[i].len) == 1;
    return good;
}

bool build_identify(const struct case_set *set, char id[BUILD_ID_MAX])
{
    static const char HEX[] = "0123456789abcdef";
    unsigned char value[EVP_MAX_MD_SIZE];
    unsigned len = 0;
    EVP_MD_CTX *digest = EVP_MD_CTX_new();
    const bool good = digest != NULL && EVP_DigestInit_ex(digest, EVP_sha256(), NULL) == 1 &&
                      digest_file(digest, "/proc/self/exe") && digest_cases(digest, set) &&
                      EVP_DigestFinal_ex(digest, value, &len) == 1 && len == DIGEST_BYTES;
    EVP_MD_CTX_free(digest);
    for (size_t i = 0; good && i < DIGEST_BYTES; i++) {
        id[2 * i] = HEX[value[i] >> 4];
        id[2 * i + 1] = HEX[value[i] & 0xF];
    }
    id[good ? 2 * DIGEST_BYTES : 0] = '\0';
    return good;
}

void selftest_file_path(const char *program, const struct family *family, char path[OPTIONS_PATH_MAX])
{
    snprintf(path, OPTIONS_PATH_MAX, "%.*s.selftest.%.24s.json", OPTIONS_PATH_MAX - 64, program,
             family->name);
}
