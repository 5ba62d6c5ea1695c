/* What came of a session, by how the client ended or did not. */
#include <sys/wait.h>

#include "codec/wire/text.h"
#include "conformance/fuzz/host/player_parts.h"
#include "conformance/process/client_end.h"
#include "conformance/process/process_use.h"

enum { SPIN_SHARE = 2 /* of the time in which it had a core or wanted none */ };

static bool has_reported(const struct capture *capture)
{
    for (size_t i = 0; i < capture->observation_count; i++)
        if (capture->observations[i].kind == OBSERVED_ERROR)
            return true;
    return false;
}

/* Not the addresses in it, which differ from process to process. */
static void set_place(struct fuzz_outcome *outcome, const char *place)
{
    struct text text = text_of(outcome->place, sizeof outcome->place);
    text_add(&text, place);
}

static void judge_end(struct fuzz_player *player, struct played *out)
{
    const struct client_process *client = &player->client;
    const bool said_done = player->options->persistent && client->out_capture.done;
    struct client_end_words words;
    const struct client_facts facts = {.program = player->options->command[0],
                                       .exec_errno = client->ended ? client->end_status.exec_errno : 0,
                                       .ended = client->ended,
                                       .wait_status = client->end_status.wait_status,
                                       .marks = &client->err_capture.marks,
                                       .connected = true,
                                       .can_report = true,
                                       /* one that takes many sessions is to go on, whatever it reported */
                                       .has_reported = !player->options->persistent &&
                                                       has_reported(&client->out_capture)};
    const enum client_end end = client_end_of(&facts, &words);
    out->exit_code =
        said_done
            ? client->out_capture.done_code
            : (WIFEXITED(client->end_status.wait_status) ? WEXITSTATUS(client->end_status.wait_status) : -1);
    struct text how = text_of(out->outcome.how, sizeof out->outcome.how);
    if (end == CLIENT_CRASHED) {
        out->outcome.kind = FUZZ_CRASH;
        text_add(&how, words.text);
        set_place(&out->outcome, words.raised[0] != '\0' ? words.raised : words.text);
    } else if (player->options->persistent && client->ended && !said_done) {
        out->outcome.kind = FUZZ_CRASH;
        text_add(&how, "its process ended in the middle of the session, with exit ");
        text_add_i64(&how, out->exit_code);
        set_place(&out->outcome, "ended");
    }
}

static void judge_late(struct fuzz_player *player, struct played *out)
{
    const uint64_t took_us = uv_hrtime() / 1000 - player->began_us;
    const uint64_t had_us = took_us > player->waited_us ? took_us - player->waited_us : 0;
    const uint64_t cpu_us = process_use_below(player->client.guard.pid).cpu_us - player->cpu_began_us;
    struct text how = text_of(out->outcome.how, sizeof out->outcome.how);
    out->outcome.kind = cpu_us > had_us / SPIN_SHARE ? FUZZ_SPIN : FUZZ_HANG;
    text_add(&how, "not done after ");
    text_add_u64(&how, took_us / 1000);
    text_add(&how, " ms, with ");
    text_add_u64(&how, cpu_us / 1000);
    text_add(&how, " ms of a core");
}

void player_judge(struct fuzz_player *player, struct played *out)
{
    struct client_process *client = &player->client;
    judge_end(player, out);
    if (out->outcome.kind == FUZZ_WELL && player->grown) {
        struct text how = text_of(out->outcome.how, sizeof out->outcome.how);
        out->outcome.kind = FUZZ_MEMORY;
        text_add(&how, "it took more than ");
        text_add_u64(&how, player->options->memory_max >> 20);
        text_add(&how, " MB above what it had");
    } else if (out->outcome.kind == FUZZ_WELL && player->late) {
        judge_late(player, out);
    }
    out->seen = client->out_capture.observations;
    out->seen_count = client->out_capture.observation_count;
}
