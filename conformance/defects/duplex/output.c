/* Defects of what is heard, and of interrupting: DX-OUT. */
#include "conformance/defects/duplex/tables.h"

static const struct defect ROWS[] = {
    {.name = "keeps-queue-on-listen",
     .requirement = "DX-OUT-04",
     .wrong = "plays on what is queued when response.listen comes",
     .seams.duplex.keep_queue_on_listen = true},
};

const struct defect_table DUPLEX_DEFECTS_OUTPUT = DEFECT_TABLE(ROWS);
