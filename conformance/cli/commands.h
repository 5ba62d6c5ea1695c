/*
 * The commands of ojin-conform. Each takes its own words (argv[0] is the command's name) and returns the exit
 * status.
 */
#ifndef CONFORMANCE_CLI_COMMANDS_H
#define CONFORMANCE_CLI_COMMANDS_H

#include "conformance/options/option_words.h"
#include "conformance/report/exit_status.h"

/* What each is told; those of run and server are in conformance/options. */
extern const struct option_page LIST_PAGE, CHECK_PAGE, FMT_PAGE, JUDGE_PAGE, REPLAY_PAGE, EXPLAIN_PAGE,
    SELFTEST_PAGE, COVERAGE_PAGE, DEFECT_PAGE, VECTORS_PAGE, SPLITS_PAGE, MERGE_PAGE, CORPUS_PAGE;

int command_run(int argc, char *argv[]);
int command_server(int argc, char *argv[]);
int command_list(int argc, char *argv[]);
int command_check(int argc, char *argv[]);
int command_fmt(int argc, char *argv[]);
int command_fuzz(int argc, char *argv[]);
int command_judge(int argc, char *argv[]);
int command_replay(int argc, char *argv[]);
int command_explain(int argc, char *argv[]);
int command_selftest(int argc, char *argv[]);
int command_coverage(int argc, char *argv[]);
int command_defect(int argc, char *argv[]);
int command_vectors(int argc, char *argv[]);
int command_splits(int argc, char *argv[]);
int command_merge(int argc, char *argv[]);
int command_corpus(int argc, char *argv[]);

#endif
