/* The defects of the Ojin family, by area. */
#ifndef CONFORMANCE_DEFECTS_OJIN_TABLES_H
#define CONFORMANCE_DEFECTS_OJIN_TABLES_H

#include "conformance/defects/defect.h"

extern const struct defect_table DEFECTS_CONNECT, DEFECTS_READY, DEFECTS_INPUT, DEFECTS_FRAME, DEFECTS_PLAY,
    DEFECTS_TURN, DEFECTS_ERROR, DEFECTS_TYPES, DEFECTS_DAMAGE, DEFECTS_CLOSE, DEFECTS_BLUNT, DEFECTS_TRIAL;

extern const struct defect_class OJIN_DEFECTS;

#endif
