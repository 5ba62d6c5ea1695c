#define _GNU_SOURCE
#include "conformance/run/persistent.h"

#include <errno.h>
#include <unistd.h>

#include "conformance/run/launch.h"
#include "server/launch/launch.h"

bool persistent_start(const struct run_options *options, struct persistent *client)
{
    const struct launch_values nothing = {.origin = "",
                                          .path = "",
                                          .query = "",
                                          .variables = options->family->client_variables,
                                          .key = CONFORM_KEY,
                                          .config = ""};
    char says[] = "CONFORM_PERSISTENT=1";
    char *const own[] = {says};
    if (client->running)
        return true;
    char **environment = launch_environment(environ, &nothing);
    environment = launch_set(environment, own, 1, &nothing);
    environment = launch_set(environment, options->environment, options->environment_count, &nothing);
    char **words = launch_words(options->command, &nothing);
    client->running =
        words != NULL && environment != NULL && guard_start(words, environment, true, &client->guard);
    const int error = errno;
    launch_free(words);
    launch_free(environment);
    errno = error;
    return client->running;
}

void persistent_stop(struct persistent *client)
{
    if (!client->running)
        return;
    close(client->guard.stdin_fd);
    close(client->guard.stdout_fd);
    close(client->guard.stderr_fd);
    guard_stop(&client->guard);
    client->running = false;
}
