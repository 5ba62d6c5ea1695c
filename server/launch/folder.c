#define _GNU_SOURCE
#include "server/launch/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * A tree is removed without going down into it: what lies in a folder of the top folder is moved up to the
 * top, until the top holds files and empty folders alone. So neither the depth of a tree nor the length of
 * its paths matters.
 */
enum { RAISED_NAME_MAX = 32, RAISED_TRIES_MAX = 1000 };

struct removal {
    int top;
    dev_t device;  /* of the top: no other is touched */
    size_t raised; /* how many were moved up: their names */
};

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* A folder, and no link to one; -1 with errno set. One that forbids it is allowed first. */
static int inner_open(int within, const char *name)
{
    enum { FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK };
    struct stat info;
    const int fd = openat(within, name, FLAGS);
    if (fd >= 0 || errno != EACCES || fstatat(within, name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISDIR(info.st_mode) || fchmodat(within, name, S_IRWXU, 0) != 0)
        return fd;
    return openat(within, name, FLAGS);
}

static bool unlink_any(int within, const char *name)
{
    return unlinkat(within, name, 0) == 0 ||
           ((errno == EISDIR || errno == EPERM) && unlinkat(within, name, AT_REMOVEDIR) == 0);
}

/* Moves a folder that is not empty up to the top, under a name that nothing has there. */
static bool raise(struct removal *removal, int within, const char *name)
{
    char fresh[RAISED_NAME_MAX];
    (void)fchmodat(within, name, S_IRWXU, 0); /* moving it writes to it */
    for (int tries = 0; tries < RAISED_TRIES_MAX; tries++) {
        snprintf(fresh, sizeof fresh, ".removed-%zu", removal->raised++);
        if (renameat(within, name, removal->top, fresh) == 0)
            return true;
        if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
            return false;
    }
    return false;
}

/* One look through a folder: how many entries went. In the top a folder is emptied, in others moved up. */
static size_t sweep(struct removal *removal, int fd, bool is_top);

static bool empty_inner(struct removal *removal, const char *name)
{
    const int fd = inner_open(removal->top, name);
    struct stat info;
    if (fd < 0)
        return false;
    if (fstat(fd, &info) != 0 || info.st_dev != removal->device) {
        close(fd);
        return false;
    }
    (void)fchmod(fd, S_IRWXU);
    while (sweep(removal, fd, false) > 0)
        continue;
    close(fd);
    return unlinkat(removal->top, name, AT_REMOVEDIR) == 0;
}

static size_t sweep(struct removal *removal, int fd, bool is_top)
{
    const int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = copy < 0 ? NULL : fdopendir(copy);
    size_t gone = 0;
    if (folder == NULL) {
        if (copy >= 0)
            close(copy);
        return 0;
    }
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (is_dots(entry->d_name))
            continue;
        const bool went = unlink_any(fd, entry->d_name) ||
                          (is_top ? empty_inner(removal, entry->d_name) : raise(removal, fd, entry->d_name));
        gone += went ? 1 : 0;
    }
    closedir(folder);
    return gone;
}

bool folder_remove(const char *path)
{
    if (unlink_any(AT_FDCWD, path))
        return true;
    const int error = errno;
    struct stat info;
    struct removal removal = {.top = inner_open(AT_FDCWD, path)};
    if (removal.top < 0) {
        errno = error;
        return false;
    }
    if (fstat(removal.top, &info) == 0)
        removal.device = info.st_dev;
    (void)fchmod(removal.top, S_IRWXU);
    while (sweep(&removal, removal.top, true) > 0)
        continue;
    close(removal.top);
    return rmdir(path) == 0;
}

static bool write_all(int fd, const char *data, size_t len)
{
    while (len > 0) {
        const ssize_t wrote = write(fd, data, len);
        if (wrote < 0 && errno != EINTR)
            return false;
        data += wrote < 0 ? 0 : wrote;
        len -= wrote < 0 ? 0 : (size_t)wrote;
    }
    return true;
}

/* Whatever has the name goes first. */
static int file_make(int within, const char *folder, const char *name, mode_t mode)
{
    char path[4096];
    if (!unlink_any(within, name) && errno == ENOTEMPTY) {
        const int len = snprintf(path, sizeof path, "%s/%s", folder, name);
        if (len > 0 && (size_t)len < sizeof path)
            (void)folder_remove(path);
    }
    return openat(within, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

bool folder_write(const char *folder, const char *name, const void *data, size_t len, mode_t mode)
{
    const int within = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (within < 0)
        return false;
    const int fd = file_make(within, folder, name, mode);
    int error = errno;
    bool good = fd >= 0 && write_all(fd, data, len);
    if (fd >= 0) {
        error = good ? 0 : errno;
        if (close(fd) != 0 && good) {
            good = false;
            error = errno;
        }
    }
    close(within);
    errno = error;
    return good;
}

int folder_file_open(const char *path)
{
    struct stat info;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))) {
        close(fd);
        errno = EINVAL;
        return -1;
    }
    return fd;
}
