/*
 * Folders that others can write to while we work with them, such as the client under test: no link in them is
 * followed, nothing that blocks is opened, and a tree of any depth is removed.
 */
#ifndef SERVER_LAUNCH_FOLDER_H
#define SERVER_LAUNCH_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Removes `path` and all that is in it, however deep. A link is removed, not what it names; what lies on
 * another file system stays. False with errno set when something is left. */
bool folder_remove(const char *path);
/* Writes a new file `name` in `folder`, in place of whatever has that name: a link is replaced, not followed,
 * and `folder` itself may be no link. False with errno set. */
bool folder_write(const char *folder, const char *name, const void *data, size_t len, mode_t mode);
/* Opens a file for reading that others can touch: only a regular file, no link, without waiting. -1 with
 * errno set, EINVAL for what is no regular file. */
int folder_file_open(const char *path);

#endif
