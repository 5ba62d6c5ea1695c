/* Defects of what is appended: DX-APP, DX-FLD-04. */
#include "conformance/defects/duplex/tables.h"

static bool show_nothing(void *context, struct duplex_message *message)
{
    (void)context;
    message->has_pictures = false;
    return true;
}

static const struct defect ROWS[] = {
    {.name = "short-appends",
     .requirement = "DX-APP-02",
     .wrong = "appends an eighth of a second at a time",
     .seams.duplex = {.append_samples = 2000, .append_us = 125000}},
    {.name = "shows-nothing",
     .requirement = "DX-APP-04",
     .wrong = "sends no pictures",
     .seams.duplex.message = show_nothing},
};

const struct defect_table DUPLEX_DEFECTS_APPEND = DEFECT_TABLE(ROWS);
