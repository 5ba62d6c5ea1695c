/*
 * Words as a line that a shell takes back word by word.
 */
#ifndef CONFORMANCE_PROCESS_SHELL_H
#define CONFORMANCE_PROCESS_SHELL_H

#include <stddef.h>

/* A word that begins with this byte is put into a line as it is, without it: it is the shell's to read. */
enum { SHELL_AS_IT_IS = '\1' };

/* `words` are ended by NULL. For people: cut at `capacity`. */
void shell_line(char *const words[], char *out, size_t capacity);
/* The whole line, malloc'd; NULL when memory runs out. */
char *shell_line_new(const char *const words[]);

/* The path from the root, whether there is something or not yet, malloc'd; NULL when memory runs out. A line
 * with it means the same in every folder. */
char *shell_path_new(const char *path);

#endif
