/* Defects on which the selftest itself is tried. */
#include "conformance/defects/duplex/tables.h"

static const struct defect ROWS[] = {
    {.name = "duplex-trial-short",
     .requirement = "DX-APP-02",
     .wrong = "appends an eighth of a second at a time",
     .begin = defect_append_eighths,
     .say = defect_time_eighths},
    {.name = "duplex-trial-nothing",
     .requirement = "DX-CON-01",
     .wrong = "does nothing wrong, and cannot be caught"},
    {.name = "duplex-trial-too-much",
     .requirement = "DX-APP-02",
     .wrong = "appends an eighth of a second at a time, also before session.created",
     .begin = defect_append_eighths,
     .say = defect_time_eighths,
     .hear = defect_note_created,
     .after = defect_stream_at_once},
};

const struct defect_table DUPLEX_DEFECTS_TRIAL = DEFECT_TABLE(ROWS);
