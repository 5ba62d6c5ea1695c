/* Folders of cases that workers begin and remove side by side, with the one around them. */
#define _GNU_SOURCE
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codec/tests/suite.h"
#include "conformance/process/artefacts.h"

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

int main(void)
{
    TCase *tcase = tcase_create("artefacts");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, workers_do_not_remove_the_folder_from_under_each_other);
    return suite_run("artefacts", tcase);
}
