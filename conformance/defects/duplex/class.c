#include "conformance/defects/duplex/tables.h"

static const struct defect_table *const TABLES[] = {&DUPLEX_DEFECTS_OPEN,
                                                    &DUPLEX_DEFECTS_APPEND,
                                                    &DUPLEX_DEFECTS_OUTPUT,
                                                    &DUPLEX_DEFECTS_TYPES,
                                                    &DUPLEX_DEFECTS_END,
                                                    &DUPLEX_DEFECTS_BLUNT,
                                                    NULL};

const struct defect_class DUPLEX_DEFECTS = {.tables = TABLES, .trial = &DUPLEX_DEFECTS_TRIAL};
