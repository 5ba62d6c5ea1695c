/*
 * The commands of ojin-conform. Each takes its own words (argv[0] is the command's name) and returns the exit
 * status.
 */
#ifndef CONFORMANCE_CLI_COMMANDS_H
#define CONFORMANCE_CLI_COMMANDS_H

#include "conformance/report/exit_status.h"

int command_run(int argc, char *argv[]);
int command_server(int argc, char *argv[]);
int command_list(int argc, char *argv[]);
int command_check(int argc, char *argv[]);
int command_fmt(int argc, char *argv[]);
int command_judge(int argc, char *argv[]);
int command_replay(int argc, char *argv[]);
int command_explain(int argc, char *argv[]);
int command_selftest(int argc, char *argv[]);
int command_coverage(int argc, char *argv[]);
int command_defect(int argc, char *argv[]);

#endif
