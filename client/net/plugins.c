/*
 * libwebsockets loads the part of it that runs on libuv as a plugin, from the folder that its own build
 * named. A bundle brings that plugin beside its other libraries, in a folder that nobody knows before the
 * program runs. So the program has a lws_plugins_init of its own, which the library calls in place of its: it
 * puts the bundle's folder before the others, and leaves out the folder that the program was started in.
 *
 * Each time the library is set up it reads those folders whole, and each time it is taken down it unloads the
 * plugin: with a session of a few milliseconds that is most of its cost. So a plugin that was loaded once
 * stays, and the program's lws_dir tells of no other file from then on. What is loaded the loader knows.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libwebsockets.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "codec/program/data_path.h"

#if defined(LWS_WITH_EVLIB_PLUGINS)
enum { FOLDERS_MAX = 8 };

static const char PLUGIN_BEGINS[] = "libwebsockets-evlib_";

typedef int dir_read(const char *folder, void *user, lws_dir_callback_function *found);

typedef int plugins_init(struct lws_plugin **plugins, const char *const *folders, const char *class,
                         const char *filter, each_plugin_cb_t each, void *each_user);

struct loaded_plugin {
    const char *folder;      /* looked at */
    bool any;                /* there is one, of whatever folder */
    char name[NAME_MAX + 1]; /* of the one from the folder; empty: none */
};

static int look_at(struct dl_phdr_info *object, size_t size, void *context)
{
    struct loaded_plugin *loaded = context;
    const char *slash = strrchr(object->dlpi_name, '/');
    (void)size;
    if (slash == NULL || strncmp(slash + 1, PLUGIN_BEGINS, sizeof PLUGIN_BEGINS - 1) != 0)
        return 0;
    loaded->any = true;
    const size_t folder_len = (size_t)(slash - object->dlpi_name);
    if (folder_len == strlen(loaded->folder) && memcmp(object->dlpi_name, loaded->folder, folder_len) == 0 &&
        strlen(slash + 1) < sizeof loaded->name)
        memcpy(loaded->name, slash + 1, strlen(slash + 1) + 1);
    return 0;
}

int lws_dir(const char *folder, void *user, lws_dir_callback_function *found)
{
    struct loaded_plugin loaded = {.folder = folder};
    dl_iterate_phdr(look_at, &loaded);
    if (loaded.any) {
        struct lws_dir_entry entry = {.name = loaded.name, .type = LDOT_FILE};
        if (loaded.name[0] != '\0')
            (void)found(folder, user, &entry);
        return 0;
    }
    dir_read *of_library;
    void *next = dlsym(RTLD_NEXT, "lws_dir");
    if (next == NULL)
        return 1;
    memcpy(&of_library, &next, sizeof next); /* ISO C has no conversion from a pointer to an object */
    return of_library(folder, user, found);
}

/* The library may unload it as often as it likes. */
static void keep_loaded(const struct lws_plugin *plugins)
{
    for (const struct lws_plugin *plugin = plugins; plugin != NULL; plugin = plugin->list) {
        Dl_info where;
        if (dladdr(plugin->hdr, &where) == 0)
            continue;
        void *kept = dlopen(where.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
        if (kept != NULL)
            dlclose(kept);
    }
}

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
    memcpy(&of_library, &found, sizeof found);
    if (access(bundled_libraries_path(bundled, sizeof bundled), R_OK | X_OK) == 0)
        all[count++] = bundled;
    for (; folders != NULL && *folders != NULL && count < FOLDERS_MAX; folders++)
        if (strcmp(*folders, ".") != 0)
            all[count++] = *folders;
    const int result = of_library(plugins, all, class, filter, each, each_user);
    keep_loaded(*plugins);
    return result;
}
#endif
