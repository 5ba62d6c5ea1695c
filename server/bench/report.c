/* What is printed. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "server/bench/bench.h"

static void model_read(char *model, size_t model_max)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(model, model_max, "an unknown processor");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(model, model_max, "%s", colon + 2);
        break;
    }
    if (file != NULL)
        fclose(file);
}

void bench_print_machine(void)
{
    char model[200];
    struct utsname kernel;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    model_read(model, sizeof model);
    if (uname(&kernel) != 0)
        memset(&kernel, 0, sizeof kernel);
    printf("machine: %ld cores, %s, %s %s %s\n", cores, model, kernel.sysname, kernel.release,
           kernel.machine);
    if (cores < 2)
        printf("machine: one core alone, which server and reader share: no figure below says much\n");
}

void bench_tell(const char *format, ...)
{
    va_list arguments;
    printf("              ");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

void bench_judge(struct bench *bench, enum bench_verdict verdict, const char *format, ...)
{
    static const char *const words[] = {
        [BENCH_MET] = "met", [BENCH_NOT_MET] = "NOT MET", [BENCH_INCONCLUSIVE] = "INCONCLUSIVE"};
    va_list arguments;
    bench->counts[verdict]++;
    printf("%-13s ", words[verdict]);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

enum bench_verdict bench_at_most(double value, double limit)
{
    return value <= limit ? BENCH_MET : BENCH_NOT_MET;
}
