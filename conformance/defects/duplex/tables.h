/* The defects of the full-duplex family, by area. */
#ifndef CONFORMANCE_DEFECTS_DUPLEX_TABLES_H
#define CONFORMANCE_DEFECTS_DUPLEX_TABLES_H

#include "conformance/defects/defect.h"

extern const struct defect_table DUPLEX_DEFECTS_OPEN, DUPLEX_DEFECTS_APPEND, DUPLEX_DEFECTS_OUTPUT,
    DUPLEX_DEFECTS_TYPES, DUPLEX_DEFECTS_END, DUPLEX_DEFECTS_BLUNT, DUPLEX_DEFECTS_TRIAL;

extern const struct defect_class DUPLEX_DEFECTS;

#endif
