/*
 * libwebsockets loads the part of it that runs on libuv as a plugin, from the folder that its own build
 * named. A bundle brings that plugin beside its other libraries, in a folder that nobody knows before the
 * program runs. So the program has a lws_plugins_init of its own, which the library calls in place of its: it
 * puts the bundle's folder before the others.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libwebsockets.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "codec/program/data_path.h"

#if defined(LWS_WITH_EVLIB_PLUGINS)
enum { FOLDERS_MAX = 8 };

typedef int plugins_init(struct lws_plugin **plugins, const char *const *folders, const char *class,
                         const char *filter, each_plugin_cb_t each, void *each_user);

int lws_plugins_init(struct lws_plugin **plugins, const char *const *folders, const char *class,
                     const char *filter, each_plugin_cb_t each, void *each_user)
{
    char bundled[PATH_MAX];
    const char *all[FOLDERS_MAX + 1] = {NULL};
    size_t count = 0;
    plugins_init *of_library;
    void *found = dlsym(RTLD_NEXT, "lws_plugins_init");
    if (found == NULL)
        return 1;
    memcpy(&of_library, &found, sizeof found); /* ISO C has no conversion from a pointer to an object */
    if (access(bundled_libraries_path(bundled, sizeof bundled), R_OK | X_OK) == 0)
        all[count++] = bundled;
    for (; folders != NULL && *folders != NULL && count < FOLDERS_MAX; folders++)
        all[count++] = *folders;
    return of_library(plugins, all, class, filter, each, each_user);
}
#endif
