/* Folders that others write to: a tree of any depth goes, no link is followed, nothing is waited for. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec/tests/suite.h"
#include "server/launch/folder.h"

enum { DEPTH = 3000, PATH_HERE = 256, TEXT_HERE = 64 };

static char base[] = "/tmp/test-folder-XXXXXX";

static void base_make(void)
{
    memcpy(base + strlen(base) - 6, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(base));
}

static void base_remove(void)
{
    ck_assert(folder_remove(base));
    ck_assert_int_ne(access(base, F_OK), 0);
}

static const char *within(const char *name, char path[PATH_HERE])
{
    snprintf(path, PATH_HERE, "%s/%s", base, name);
    return path;
}

static void holds(const char *path, const char *expected)
{
    char text[TEXT_HERE] = "";
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    const size_t len = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    ck_assert_uint_eq(len, strlen(expected));
    ck_assert_str_eq(text, expected);
}

/* Its paths are far longer than a path may be. */
START_TEST(a_very_deep_tree_goes)
{
    int fd = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < DEPTH; i++) {
        ck_assert_int_eq(mkdirat(fd, "a_folder_in_a_folder", 0700), 0);
        const int file = openat(fd, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        ck_assert_int_ge(file, 0);
        close(file);
        const int inner = openat(fd, "a_folder_in_a_folder", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ck_assert_int_ge(inner, 0);
        close(fd);
        fd = inner;
    }
    close(fd);
}
END_TEST

START_TEST(what_a_link_names_stays)
{
    char kept[] = "/tmp/test-folder-kept-XXXXXX";
    char path[PATH_HERE], file[PATH_HERE];
    ck_assert_ptr_nonnull(mkdtemp(kept));
    ck_assert(folder_write(kept, "precious", "gold", 4, 0600));
    ck_assert_int_eq(symlink(kept, within("link", path)), 0);
    ck_assert_int_eq(mkdir(within("inner", path), 0), 0); /* one that forbids to be read */
    base_remove();
    snprintf(file, sizeof file, "%s/precious", kept);
    holds(file, "gold");
    ck_assert(folder_remove(kept));
    base_make();
}
END_TEST

START_TEST(a_file_is_written_in_place_of_a_link)
{
    char precious[PATH_HERE], name[PATH_HERE];
    struct stat info;
    ck_assert(folder_write(base, "precious", "gold", 4, 0600));
    within("precious", precious);
    within("out.txt", name);
    for (int kind = 0; kind < 4; kind++) {
        ck_assert_int_eq(kind == 0   ? symlink(precious, name)
                         : kind == 1 ? link(precious, name)
                         : kind == 2 ? mkfifo(name, 0600)
                                     : mkdir(name, 0700),
                         0);
        ck_assert(kind != 3 || folder_write(name, "inner", "x", 1, 0600));
        ck_assert(folder_write(base, "out.txt", "new", 3, 0600));
        ck_assert_int_eq(lstat(name, &info), 0);
        ck_assert(S_ISREG(info.st_mode));
        holds(name, "new");
        holds(precious, "gold");
        ck_assert_int_eq(unlink(name), 0);
    }
}
END_TEST

START_TEST(a_folder_that_is_a_link_is_not_written_to)
{
    char real[PATH_HERE], name[PATH_HERE], file[PATH_HERE];
    ck_assert_int_eq(mkdir(within("real", real), 0700), 0);
    ck_assert_int_eq(symlink(real, within("link", name)), 0);
    ck_assert(!folder_write(name, "out.txt", "new", 3, 0600));
    ck_assert_int_ne(access(within("real/out.txt", file), F_OK), 0);
}
END_TEST

START_TEST(only_a_regular_file_is_opened)
{
    char name[PATH_HERE], other[PATH_HERE];
    ck_assert(folder_write(base, "file", "x", 1, 0600));
    const int fd = folder_file_open(within("file", name));
    ck_assert_int_ge(fd, 0);
    close(fd);
    ck_assert_int_eq(symlink(name, within("link", other)), 0);
    ck_assert_int_lt(folder_file_open(other), 0);
    ck_assert_int_eq(errno, ELOOP);
    ck_assert_int_eq(mkfifo(within("fifo", other), 0600), 0);
    ck_assert_int_lt(folder_file_open(other), 0); /* and nobody waits for a writer */
    ck_assert_int_eq(errno, EINVAL);
    ck_assert_int_lt(folder_file_open(base), 0);
    ck_assert_int_eq(errno, EINVAL);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("folder");
    tcase_add_checked_fixture(tcase, base_make, base_remove);
    tcase_add_test(tcase, a_very_deep_tree_goes);
    tcase_add_test(tcase, what_a_link_names_stays);
    tcase_add_test(tcase, a_file_is_written_in_place_of_a_link);
    tcase_add_test(tcase, a_folder_that_is_a_link_is_not_written_to);
    tcase_add_test(tcase, only_a_regular_file_is_opened);
    return suite_run("folder", tcase);
}
