/*
 * What the commands of ojin-conform exit with. README has the rows of what fails a run.
 */
#ifndef CONFORMANCE_REPORT_EXIT_STATUS_H
#define CONFORMANCE_REPORT_EXIT_STATUS_H

enum conform_exit {
    CONFORM_EXIT_MET = 0,
    CONFORM_EXIT_NOT_MET = 1,
    CONFORM_EXIT_USAGE = 2,
    CONFORM_EXIT_OWN_ERROR = 3,
    CONFORM_EXIT_INTERRUPTED = 130
};

#endif
