/*
 * The commands of ojin-conform. Each takes its own words (argv[0] is the command's name) and returns the exit
 * status.
 */
#ifndef CONFORMANCE_RUN_COMMANDS_H
#define CONFORMANCE_RUN_COMMANDS_H

enum conform_exit {
    CONFORM_EXIT_MET = 0,
    CONFORM_EXIT_NOT_MET = 1,
    CONFORM_EXIT_USAGE = 2,
    CONFORM_EXIT_OWN_ERROR = 3,
    CONFORM_EXIT_INTERRUPTED = 130
};

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
