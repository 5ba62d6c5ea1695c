#include "conformance/report/html_report.h"

bool html_report_write(FILE *out, const struct run_result *run)
{
    fprintf(out, "<!doctype html><title>%zu</title>", run->case_count);
    return fflush(out) == 0;
}
