#define _GNU_SOURCE
#include "conformance/process/out_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES_MAX = 100 /* each is lost only to a run that ends at that moment */ };

enum lock_outcome { LOCK_TAKEN, LOCK_HELD, LOCK_GONE, LOCK_IMPOSSIBLE };

/* Does the file still stand where it was opened? */
static bool is_there(int file, const char *path)
{
    struct stat here, there;
    return fstat(file, &here) == 0 && stat(path, &there) == 0 && here.st_ino == there.st_ino &&
           here.st_dev == there.st_dev;
}

/* Locks the file, which is closed where that fails; `*holder`: the process that has it, 0: not known. */
static enum lock_outcome lock_file(int file, const char *path, pid_t *holder)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const bool locked = fcntl(file, F_SETLK, &lock) == 0;
    const bool held = !locked && (errno == EACCES || errno == EAGAIN);
    if (locked && is_there(file, path))
        return LOCK_TAKEN;
    if (held && fcntl(file, F_GETLK, &lock) == 0)
        *holder = lock.l_type == F_UNLCK ? 0 : lock.l_pid;
    close(file);
    return locked ? LOCK_GONE : held ? LOCK_HELD : LOCK_IMPOSSIBLE;
}

static void say_held(const char *command, const char *path, pid_t holder)
{
    fprintf(stderr, "ojin-conform %s: another run", command);
    if (holder > 0)
        fprintf(stderr, " (process %ld)", (long)holder);
    fprintf(stderr, " writes to the folder %s: wait until it has ended, or name another folder with --out\n",
            path);
}

bool out_folder_take(const char *command, const char *path, struct out_folder *out)
{
    *out = (struct out_folder){.path = path, .stood = artefacts_stand(path), .lock = -1};
    snprintf(out->lock_path, sizeof out->lock_path, "%s/" OUT_FOLDER_LOCK, path);
    for (int i = 0; i < TRIES_MAX; i++) {
        pid_t holder = 0;
        const int file = artefacts_make(path) ? open(out->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
        if (file < 0 && errno == ENOENT)
            continue;
        if (file < 0)
            return true;
        switch (lock_file(file, out->lock_path, &holder)) {
        case LOCK_TAKEN:
            out->lock = file;
            return true;
        case LOCK_HELD:
            say_held(command, path, holder);
            return false;
        case LOCK_GONE:
            break;
        case LOCK_IMPOSSIBLE:
            return true;
        }
    }
    return true;
}

void out_folder_leave(struct out_folder *out)
{
    if (out->lock >= 0) {
        unlink(out->lock_path); /* before the lock goes: who takes that then makes a new file */
        close(out->lock);
    }
    out->lock = -1;
    artefacts_end(out->path, out->stood);
}
