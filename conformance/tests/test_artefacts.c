/* Folders of cases that workers begin and remove side by side, with the one around them. */
#define _GNU_SOURCE
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codec/tests/suite.h"
#include "conformance/process/out_folder.h"

enum { WORKERS = 4, ROUNDS = 400 };

/* 0: each round found its folder. */
static int work(const char *out_folder, int number)
{
    char name[32];
    char path[FOLDER_PATH_MAX];
    snprintf(name, sizeof name, "a/case/%d", number);
    for (int i = 0; i < ROUNDS; i++) {
        if (!artefacts_begin(out_folder, name, "oris-1.0", path))
            return 1;
        artefacts_remove(path);
    }
    return 0;
}

START_TEST(workers_do_not_remove_the_folder_from_under_each_other)
{
    char top[] = "/tmp/test-artefacts-XXXXXX";
    char out_folder[sizeof top + 8];
    ck_assert_ptr_nonnull(mkdtemp(top));
    snprintf(out_folder, sizeof out_folder, "%s/out", top);
    pid_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = fork();
        ck_assert_int_ge(workers[i], 0);
        if (workers[i] == 0)
            _exit(work(out_folder, i));
    }
    for (int i = 0; i < WORKERS; i++) {
        int status = -1;
        ck_assert_int_eq(waitpid(workers[i], &status, 0), workers[i]);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "worker %d found no folder", i);
    }
    ck_assert(artefacts_stand(out_folder));
    artefacts_end(out_folder, true); /* it was there before */
    ck_assert(artefacts_stand(out_folder));
    artefacts_end(out_folder, false);
    ck_assert(!artefacts_stand(out_folder));
    ck_assert_int_eq(rmdir(top), 0);
}
END_TEST

/* What another process finds: 0: it took the folder. */
static int taken_by_another(const char *out_folder)
{
    struct out_folder out;
    int status = -1;
    const pid_t other = fork();
    ck_assert_int_ge(other, 0);
    if (other == 0) {
        const bool taken = out_folder_take("run", out_folder, &out);
        if (taken)
            out_folder_leave(&out);
        _exit(taken ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(other, &status, 0), other);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

START_TEST(a_folder_is_one_runs_until_that_leaves_it)
{
    char top[] = "/tmp/test-artefacts-XXXXXX";
    char path[sizeof top + 16], lock[sizeof path + 16];
    struct out_folder out;
    ck_assert_ptr_nonnull(mkdtemp(top));
    snprintf(path, sizeof path, "%s/a/b", top);
    snprintf(lock, sizeof lock, "%s/" OUT_FOLDER_LOCK, path);
    ck_assert(out_folder_take("run", path, &out));
    ck_assert_int_eq(access(lock, F_OK), 0);
    ck_assert_int_eq(taken_by_another(path), 1);
    ck_assert_int_eq(access(lock, F_OK), 0); /* who did not get it takes nothing away */
    out_folder_leave(&out);
    ck_assert(!artefacts_stand(path));
    ck_assert_int_eq(taken_by_another(path), 0);
    /* a killed run left its file */
    ck_assert(artefacts_make(path));
    FILE *left = fopen(lock, "w");
    ck_assert_ptr_nonnull(left);
    ck_assert_int_eq(fclose(left), 0);
    ck_assert(out_folder_take("run", path, &out));
    ck_assert(out.lock >= 0);
    out_folder_leave(&out);
    ck_assert(artefacts_stand(path)); /* it was there before */
    ck_assert_int_eq(access(lock, F_OK), -1);
    ck_assert_int_eq(rmdir(path), 0);
    snprintf(path, sizeof path, "%s/a", top);
    ck_assert_int_eq(rmdir(path), 0);
    ck_assert_int_eq(rmdir(top), 0);
}
END_TEST

/* What is wrong with the folder is said by what writes there. */
START_TEST(a_folder_that_cannot_be_made_is_no_other_runs)
{
    struct out_folder out;
    ck_assert(out_folder_take("run", "/dev/null/out", &out));
    ck_assert_int_eq(out.lock, -1);
    out_folder_leave(&out);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("artefacts");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_folder_is_one_runs_until_that_leaves_it);
    tcase_add_test(tcase, a_folder_that_cannot_be_made_is_no_other_runs);
    tcase_add_test(tcase, workers_do_not_remove_the_folder_from_under_each_other);
    return suite_run("artefacts", tcase);
}
