/* What the user is told: observations, and errors among them. */
#include "client/ojin/internal.h"

void ojin_client_observe(struct ojin_client *client, struct observation *observation,
                         struct client_actions *actions)
{
    if (observation->kind == OBSERVED_ERROR) {
        client->summary.errors++;
        client->progress.errors++;
    }
    if (client->seams.observe != NULL && !client->seams.observe(client->seams.context, observation))
        return;
    client_action_add(actions, CLIENT_OBSERVE)->observation = *observation;
}

void ojin_client_report_bytes(struct ojin_client *client, const char *code, struct bytes text,
                              struct client_actions *actions)
{
    struct observation observation;
    observation_error(&observation, code, text);
    ojin_client_observe(client, &observation, actions);
}

void ojin_client_report(struct ojin_client *client, const char *code, const char *text,
                        struct client_actions *actions)
{
    ojin_client_report_bytes(client, code, bytes_of_text(text), actions);
}
