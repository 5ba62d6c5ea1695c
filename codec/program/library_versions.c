#define _GNU_SOURCE
#include "codec/program/library_versions.h"

#include <assert.h>
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

typedef const char *version_function(void);
typedef const char *version_function_of(int what);

/* `function` gives the version of the library that is loaded. */
struct library {
    const char *name;
    const char *function;
    const char *built_with; /* of a library without such a function, and `function` is any of its own */
    bool takes_number;      /* what to tell; 0 is the version */
};

static const struct library LIBRARIES[] = {
    {"libuv", "uv_version_string", NULL, false},
    {"OpenSSL", "OpenSSL_version", NULL, true},
    {"libwebsockets", "lws_get_library_version", NULL, false},
    {"libjpeg-turbo", "jpeg_std_error", JPEG_BUILT_WITH, false},
    {"libsndfile", "sf_version_string", NULL, false},
    {"libsamplerate", "src_get_version", NULL, false},
    {"cJSON", "cJSON_Version", NULL, false},
    {"libjwt", "jwt_decode", JWT_BUILT_WITH, false},
    {"zlib", "zlibVersion", NULL, false},
};

/* What the library says of itself, "libsndfile-1.2.0"; NULL: it is not loaded. */
static const char *say_version(const struct library *library)
{
    void *found = dlsym(RTLD_DEFAULT, library->function);
    version_function *plain;
    version_function_of *of;
    if (found == NULL || library->built_with != NULL)
        return found == NULL ? NULL : library->built_with;
    /* ISO C has no conversion from a pointer to an object. */
    static_assert(sizeof plain == sizeof found && sizeof of == sizeof found, "POSIX asks for that");
    memcpy(&plain, &found, sizeof found);
    memcpy(&of, &found, sizeof found);
    return library->takes_number ? of(0) : plain();
}

void library_versions_add(struct text *out)
{
    const char *between = "";
    for (size_t i = 0; i < sizeof LIBRARIES / sizeof LIBRARIES[0]; i++) {
        const char *said = say_version(&LIBRARIES[i]);
        if (said == NULL)
            continue;
        said += strcspn(said, "0123456789");
        text_add(out, between);
        text_add(out, LIBRARIES[i].name);
        text_add(out, " ");
        text_add_bytes(out, bytes_of(said, strspn(said, "0123456789.")));
        between = ", ";
    }
}
