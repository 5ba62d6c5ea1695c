#define _GNU_SOURCE
#include "server/launch/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/launch/folder.h"

enum { LOCK_PATH_MAX = SCRATCH_PATH_MAX + 16 };

static const char LOCK_NAME[] = "/.in-use";
static const char FRESH_NAME[] = "/.fresh";

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder == NULL || folder[0] == '\0' ? "/tmp" : folder;
}

/* ---- those of the dead ---- */

static bool is_folder_of_ours(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid();
}

/* Two sweepers never have the lock of the same file, and what one has removed the other finds gone. */
static void sweep_one(const char *path)
{
    char lock[LOCK_PATH_MAX];
    struct stat held, named;
    snprintf(lock, sizeof lock, "%s%s", path, LOCK_NAME);
    if (!is_folder_of_ours(path))
        return;
    const int fd = open(lock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return;
    if (fstat(fd, &held) == 0 && held.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
        lstat(lock, &named) == 0 && named.st_ino == held.st_ino && named.st_dev == held.st_dev)
        folder_remove(path);
    close(fd);
}

static bool is_named(const char *entry, const char *name)
{
    const size_t len = strlen(name);
    return strncmp(entry, name, len) == 0 && strlen(entry) == len + strlen("-XXXXXX") && entry[len] == '-';
}

static void sweep(const char *within, const char *name)
{
    DIR *folder = opendir(within);
    char path[SCRATCH_PATH_MAX];
    if (folder == NULL)
        return;
    const struct dirent *entry = readdir(folder);
    for (unsigned n = 0; entry != NULL && n < SCRATCH_ENTRIES_MAX; n++) {
        const int len = snprintf(path, sizeof path, "%s/%s", within, entry->d_name);
        if (is_named(entry->d_name, name) && len > 0 && (size_t)len < sizeof path)
            sweep_one(path);
        entry = readdir(folder);
    }
    closedir(folder);
}

/* ---- ours ---- */

/* It has its name only once it is locked, so that nobody finds it without. */
static bool lock_make(struct scratch *scratch)
{
    char fresh[LOCK_PATH_MAX], lock[LOCK_PATH_MAX];
    snprintf(fresh, sizeof fresh, "%s%s", scratch->path, FRESH_NAME);
    snprintf(lock, sizeof lock, "%s%s", scratch->path, LOCK_NAME);
    scratch->lock_fd = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return scratch->lock_fd >= 0 && flock(scratch->lock_fd, LOCK_EX | LOCK_NB) == 0 &&
           rename(fresh, lock) == 0;
}

bool scratch_make(struct scratch *scratch, const char *name)
{
    *scratch = (struct scratch){.lock_fd = -1};
    const int len = snprintf(scratch->path, sizeof scratch->path, "%s/%s-XXXXXX", temporary_folder(), name);
    if (len < 0 || (size_t)len >= sizeof scratch->path) {
        snprintf(scratch->path, sizeof scratch->path, "%.200s…", temporary_folder());
        errno = ENAMETOOLONG;
        return false;
    }
    sweep(temporary_folder(), name);
    if (mkdtemp(scratch->path) == NULL)
        return false;
    if (lock_make(scratch))
        return true;
    const int error = errno;
    char failed[SCRATCH_PATH_MAX];
    memcpy(failed, scratch->path, sizeof failed);
    scratch_remove(scratch);
    memcpy(scratch->path, failed, sizeof failed);
    errno = error;
    return false;
}

void scratch_remove(struct scratch *scratch)
{
    if (scratch->path[0] == '\0')
        return;
    folder_remove(scratch->path);
    if (scratch->lock_fd >= 0)
        close(scratch->lock_fd);
    *scratch = (struct scratch){.lock_fd = -1};
}
