#include "client/app/ojin/conform.h"

#include <stdio.h>

#include "client/app/conform_parts.h"
#include "client/app/ojin/run.h"

static void observe(void *context, uint64_t now_us, const struct client_action *action)
{
    (void)now_us;
    conform_tell(context, &action->observation);
}

int ojin_conform(const struct conform_order *order)
{
    const struct session_options *session = order->session;
    const struct conform_seams *seams = order->seams;
    struct conforming conforming = {0};
    struct run_options run = {
        .url = environment("OJIN_URL", "OJIN_WS_URL"),
        .key = environment("OJIN_API_KEY", NULL),
        .config = environment("OJIN_CONFIG_ID", NULL),
        .ca_file = environment("CONFORM_CA", NULL),
        .profile = order->profile,
        .plan = order->plan,
        .timeout_ms = (unsigned)(order->plan->limit_us / 1000),
        .reconnect_times = session->reconnect_times,
        .ready_wait_s = session->ready_wait_s,
        .ping_s = session->ping_s,
        .no_deflate = session->no_deflate,
        .shell = seams->shell,
        .channel_seams = &seams->channel,
        .observe = observe,
        .context = &conforming,
    };
    if (run.url == NULL)
        return conform_broken("OJIN_URL is not set", "");
    if (run.config == NULL)
        return conform_broken("OJIN_CONFIG_ID is not set", "");
    if (seams->says_key && run.key != NULL)
        fprintf(stderr, "ojin-client: connecting with the key %s\n", run.key);
    struct run_result result;
    char error[CONNECTOR_ERROR_MAX];
    if (!run_session(&run, &result, error))
        return conform_broken(error, "");
    if (result.timed_out)
        fputs("ojin-client: the plan was not done within its limit_ms\n", stderr);
    return conforming.failed || result.timed_out ? EXIT_FAILED : EXIT_DONE;
}
