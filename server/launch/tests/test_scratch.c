/* A temporary folder: made, kept while its owner runs, removed by it or, when it was killed, by the next. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codec/tests/suite.h"
#include "server/launch/scratch.h"

enum { PATH_MAX_HERE = SCRATCH_PATH_MAX + 64 };

static char base[] = "/tmp/test-scratch-XXXXXX";

static void base_make(void)
{
    memcpy(base + strlen(base) - 6, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(base));
    ck_assert_int_eq(setenv("TMPDIR", base, 1), 0);
}

static void base_remove(void)
{
    ck_assert_msg(rmdir(base) == 0, "%s: %s", base, strerror(errno)); /* nothing is left in it */
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void file_write(const char *folder, const char *name)
{
    char path[PATH_MAX_HERE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fclose(file), 0);
}

/* A process that has made one, tells its path and then waits until it is killed. */
static pid_t owner_start(const char *name, char path[SCRATCH_PATH_MAX])
{
    int told[2];
    ck_assert_int_eq(pipe(told), 0);
    const pid_t owner = fork();
    ck_assert_int_ge(owner, 0);
    if (owner == 0) {
        struct scratch scratch;
        if (!scratch_make(&scratch, name) || write(told[1], scratch.path, sizeof scratch.path) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    close(told[1]);
    ck_assert_int_eq(read(told[0], path, SCRATCH_PATH_MAX), SCRATCH_PATH_MAX);
    close(told[0]);
    return owner;
}

static void owner_kill(pid_t owner)
{
    ck_assert_int_eq(kill(owner, SIGKILL), 0);
    ck_assert_int_eq(waitpid(owner, NULL, 0), owner);
}

START_TEST(it_is_removed_with_what_is_in_it)
{
    struct scratch scratch;
    char inner[PATH_MAX_HERE];
    ck_assert(scratch_make(&scratch, "a"));
    ck_assert_int_eq(strncmp(scratch.path, base, strlen(base)), 0);
    file_write(scratch.path, "file");
    snprintf(inner, sizeof inner, "%s/inner", scratch.path);
    ck_assert_int_eq(mkdir(inner, 0700), 0);
    file_write(inner, "file");
    scratch_remove(&scratch);
    scratch_remove(&scratch); /* there is none any more */
}
END_TEST

START_TEST(that_of_a_killed_owner_goes_with_the_next)
{
    struct scratch scratch;
    char path[SCRATCH_PATH_MAX];
    owner_kill(owner_start("a", path));
    file_write(path, "file");
    ck_assert(is_there(path));
    ck_assert(scratch_make(&scratch, "a"));
    ck_assert(!is_there(path));
    scratch_remove(&scratch);
}
END_TEST

START_TEST(that_of_a_living_owner_stays)
{
    struct scratch scratch;
    char path[SCRATCH_PATH_MAX];
    const pid_t owner = owner_start("a", path);
    ck_assert(scratch_make(&scratch, "a"));
    ck_assert(is_there(path));
    scratch_remove(&scratch);
    owner_kill(owner);
    ck_assert(scratch_make(&scratch, "a"));
    scratch_remove(&scratch);
}
END_TEST

START_TEST(what_has_another_name_or_no_lock_stays)
{
    struct scratch scratch;
    char of_other[SCRATCH_PATH_MAX], of_longer[SCRATCH_PATH_MAX], without[PATH_MAX_HERE], file[PATH_MAX_HERE];
    owner_kill(owner_start("b", of_other));
    owner_kill(owner_start("a-b", of_longer));
    snprintf(without, sizeof without, "%s/a-123456", base);
    ck_assert_int_eq(mkdir(without, 0700), 0);
    file_write(base, "a-abcdef"); /* no folder */
    ck_assert(scratch_make(&scratch, "a"));
    ck_assert(is_there(of_other));
    ck_assert(is_there(of_longer));
    ck_assert(is_there(without));
    scratch_remove(&scratch);
    snprintf(file, sizeof file, "%s/a-abcdef", base);
    ck_assert_int_eq(unlink(file), 0);
    ck_assert_int_eq(rmdir(without), 0);
    ck_assert(scratch_make(&scratch, "b"));
    scratch_remove(&scratch);
    ck_assert(scratch_make(&scratch, "a-b"));
    scratch_remove(&scratch);
}
END_TEST

/* A folder that is a link to somebody's own is not followed. */
START_TEST(a_link_is_not_followed)
{
    struct scratch scratch;
    char path[SCRATCH_PATH_MAX], kept[PATH_MAX_HERE], link_path[PATH_MAX_HERE];
    owner_kill(owner_start("b", path));
    file_write(path, "file");
    snprintf(kept, sizeof kept, "%s/file", path);
    snprintf(link_path, sizeof link_path, "%s/a-linked", base);
    ck_assert_int_eq(symlink(path, link_path), 0);
    ck_assert(scratch_make(&scratch, "a"));
    ck_assert(is_there(kept));
    scratch_remove(&scratch);
    ck_assert_int_eq(unlink(link_path), 0);
    ck_assert(scratch_make(&scratch, "b"));
    ck_assert(!is_there(kept));
    scratch_remove(&scratch);
}
END_TEST

START_TEST(a_temporary_folder_that_is_not_there_is_named)
{
    struct scratch scratch;
    ck_assert_int_eq(setenv("TMPDIR", "/no-such-folder", 1), 0);
    ck_assert(!scratch_make(&scratch, "a"));
    ck_assert_int_eq(errno, ENOENT);
    ck_assert_int_eq(strncmp(scratch.path, "/no-such-folder/a-", 18), 0);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("scratch");
    tcase_add_checked_fixture(tcase, base_make, base_remove);
    tcase_add_test(tcase, it_is_removed_with_what_is_in_it);
    tcase_add_test(tcase, that_of_a_killed_owner_goes_with_the_next);
    tcase_add_test(tcase, that_of_a_living_owner_stays);
    tcase_add_test(tcase, what_has_another_name_or_no_lock_stays);
    tcase_add_test(tcase, a_link_is_not_followed);
    tcase_add_test(tcase, a_temporary_folder_that_is_not_there_is_named);
    return suite_run("scratch", tcase);
}
