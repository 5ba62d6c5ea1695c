/* Defects of the queue and of session.update: DX-CON, DX-SES, DX-FLD-01, DX-FLD-02. */
#include "conformance/defects/duplex/tables.h"

static void ask_for_no_mode(void *context, struct buffer *head)
{
    (void)context;
    if (!ws_replace(head, "?mode=video", ""))
        (void)ws_replace(head, "?mode=audio", "");
}

static const struct defect ROWS[] = {
    {.name = "asks-for-no-mode",
     .requirement = "DX-CON-01",
     .wrong = "connects without a mode",
     .request = ask_for_no_mode},
    {.name = "no-queue-wait",
     .requirement = "DX-CON-02",
     .wrong = "sends session.update as soon as it is connected",
     .seams.duplex.no_queue_wait = true},
    {.name = "no-created-wait",
     .requirement = "DX-CON-04",
     .wrong = "appends as soon as session.update is sent",
     .seams.duplex.no_created_wait = true},
};

const struct defect_table DUPLEX_DEFECTS_OPEN = DEFECT_TABLE(ROWS);
