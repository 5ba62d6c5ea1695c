/* The scenarios of a control, and their end. */
#include "server/control/control_state.h"

struct stage *control_scenario(const struct control *control, const char *id)
{
    struct stage *stage = control->scenarios;
    while (stage != NULL && strcmp(stage->id, id) != 0)
        stage = stage->next;
    return stage;
}

static void stage_unlink(struct stage **list, const struct stage *stage)
{
    while (*list != NULL && *list != stage)
        list = &(*list)->next;
    if (*list != NULL)
        *list = stage->next;
}

/* Nothing of its service is used any more. */
static void on_removed(void *context)
{
    const struct stage_part *part = context;
    struct stage *stage = part->stage;
    stage_unlink(&stage->control->leaving, stage);
    stage_free(stage);
}

void control_scenario_remove(struct control *control, struct stage *stage)
{
    struct mock_service *service = stage->parts[0].service;
    stage_unlink(&control->scenarios, stage);
    control->scenario_count--;
    stage->next = control->leaving;
    control->leaving = stage;
    waits_leave(&control->waits, stage);
    mock_service_remove(service, on_removed);
}
