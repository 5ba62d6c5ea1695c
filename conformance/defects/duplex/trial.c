/* Defects on which the selftest itself is tried. */
#include "conformance/defects/duplex/tables.h"

static const struct defect ROWS[] = {
    {.name = "duplex-trial-short",
     .requirement = "DX-APP-02",
     .wrong = "appends an eighth of a second at a time",
     .seams.duplex = {.append_samples = 2000, .append_us = 125000}},
    {.name = "duplex-trial-nothing",
     .requirement = "DX-CON-01",
     .wrong = "does nothing wrong, and cannot be caught"},
    {.name = "duplex-trial-too-much",
     .requirement = "DX-APP-02",
     .wrong = "appends an eighth of a second at a time, also before session.created",
     .seams.duplex = {.append_samples = 2000, .append_us = 125000, .no_created_wait = true}},
};

const struct defect_table DUPLEX_DEFECTS_TRIAL = DEFECT_TABLE(ROWS);
