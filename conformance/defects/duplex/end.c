/* Defects of errors and of the end: DX-CLS, DX-ERR, DX-FLD-03. */
#include "conformance/defects/duplex/tables.h"

static const struct defect ROWS[] = {
    {.name = "no-close-message",
     .requirement = "DX-CLS-01",
     .wrong = "closes the connection without session.close",
     .seams.duplex.no_close_message = true},
};

const struct defect_table DUPLEX_DEFECTS_END = DEFECT_TABLE(ROWS);
