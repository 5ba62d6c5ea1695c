/* A test of a client in C: the client puts a scheme in front of its key, and the mock tells. */
#include <ojin_mock.h>
#include <stdio.h>
#include <stdlib.h>

#include "client.h"

static void show(void *context, const struct ojin_mock_finding *finding)
{
    (void)context;
    printf("%s\n", finding->text);
}

int main(void)
{
    char error[OJIN_MOCK_ERROR_MAX];
    struct ojin_mock *mock = ojin_mock_start(&(struct ojin_mock_options){.key = "my-own-key"}, error);
    if (mock == NULL) {
        fprintf(stderr, "%s\n", error);
        return EXIT_FAILURE;
    }
    const int status = client_ask(ojin_mock_url(mock));
    const bool ended = ojin_mock_wait(mock, "end", 1, 5000);
    const size_t findings = ojin_mock_findings(mock, show, NULL);
    printf("status %d, %s, findings %zu\n", status, ended ? "ended" : "still open", findings);
    ojin_mock_stop(mock);
    return findings == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
