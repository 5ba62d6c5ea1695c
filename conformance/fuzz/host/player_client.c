/* The client, told what to do in a session. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "conformance/fuzz/host/player_parts.h"
#include "conformance/judge/plan_writer.h"
#include "conformance/process/launch.h"
#include "conformance/runner/task.h"
#include "server/launch/launch.h"

static const struct case_script *current_script(const struct fuzz_player *player)
{
    return scripts_current(&player->scripts);
}

static struct client_values values_of(struct fuzz_player *player)
{
    const struct fuzz_player_options *options = player->options;
    return (struct client_values){.port = mock_server_port(player->server),
                                  .family = options->class->family,
                                  .profile = options->profile,
                                  .key = player->key,
                                  .config = current_script(player)->config,
                                  .audio = player->audio_path,
                                  .video = options->video_folder,
                                  .case_name = current_script(player)->name,
                                  .plan = options->persistent ? NULL : player->plan_path,
                                  .out = options->persistent ? NULL : player->out_path,
                                  .control = options->persistent ? NULL : ""};
}

static bool start_process(struct fuzz_player *player, char **words, char **environment)
{
    const bool good = words != NULL && environment != NULL &&
                      client_process_start(&player->client, words, environment, player->options->persistent);
    const int error = errno;
    launch_free(words);
    launch_free(environment);
    return good || player_fail(player, "cannot start a process", strerror(error));
}

static bool start_persistent(struct fuzz_player *player)
{
    const struct fuzz_player_options *options = player->options;
    char says[] = "CONFORM_PERSISTENT=1";
    char *const own[] = {says};
    const struct launch_values nothing = {.origin = "",
                                          .path = "",
                                          .query = "",
                                          .key = player->key,
                                          .config = "",
                                          .variables = options->class->family->client_variables};
    char **environment = launch_environment(environ, &nothing);
    environment = launch_set(environment, own, 1, &nothing);
    environment = launch_set(environment, player->surroundings.list, player->surroundings.count, &nothing);
    return start_process(player, launch_words(options->command, &nothing), environment);
}

static bool start_for_one(struct fuzz_player *player, struct bytes plan)
{
    const struct fuzz_player_options *options = player->options;
    const struct client_values values = values_of(player);
    if (!artefacts_write(player->folder, "plan.json", plan))
        return player_fail(player, player->folder, strerror(errno));
    player->memory_began = 1; /* all that it takes has grown */
    return start_process(
        player, client_words(options->command, &values),
        client_environment(environ, player->surroundings.list, player->surroundings.count, &values));
}

bool player_begin_client(struct fuzz_player *player)
{
    const struct fuzz_player_options *options = player->options;
    struct buffer plan, task;
    buffer_init(&plan, SCRIPT_BYTES_MAX);
    buffer_init(&task, 2 * (size_t)SCRIPT_BYTES_MAX);
    if (options->persistent && player->client.running && player->client.ended)
        client_process_stop(&player->client);
    bool good = plan_write(current_script(player), options->profile->name, options->speech_folder, &plan) ||
                player_fail(player, "the plan", "no memory");
    if (good && !options->persistent) {
        good = start_for_one(player, buffer_bytes(&plan));
    } else if (good) {
        const struct client_values values = values_of(player);
        good = player->client.running || start_persistent(player);
        if (good && task_write(&values, buffer_bytes(&plan), &task) &&
            buffer_append(&task, bytes_of_text("\n"))) {
            client_process_listen(&player->client);
            client_process_tell(&player->client, buffer_bytes(&task));
        } else if (good) {
            good = player_fail(player, "the plan", "no memory");
        }
    }
    buffer_free(&plan);
    buffer_free(&task);
    return good;
}
