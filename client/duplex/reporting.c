/* What the user is told: observations, and errors among them. */
#include "client/duplex/internal.h"

void duplex_client_observe(struct duplex_client *client, struct observation *observation,
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

void duplex_client_report(struct duplex_client *client, const char *code, struct bytes text,
                          struct client_actions *actions)
{
    struct observation observation;
    observation_error(&observation, code, text);
    duplex_client_observe(client, &observation, actions);
}

void duplex_client_report_text(struct duplex_client *client, const char *code, const char *text,
                               struct client_actions *actions)
{
    duplex_client_report(client, code, bytes_of_text(text), actions);
}
