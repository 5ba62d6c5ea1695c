#include "conformance/defects/ojin/tables.h"

static const struct defect_table *const TABLES[] = {
    &OJIN_DEFECTS_CONNECT, &OJIN_DEFECTS_READY, &OJIN_DEFECTS_INPUT, &OJIN_DEFECTS_FRAME,
    &OJIN_DEFECTS_PLAY,    &OJIN_DEFECTS_TURN,  &OJIN_DEFECTS_ERROR, &OJIN_DEFECTS_TYPES,
    &OJIN_DEFECTS_DAMAGE,  &OJIN_DEFECTS_CLOSE, &OJIN_DEFECTS_BLUNT, NULL};

const struct defect_class OJIN_DEFECTS = {.tables = TABLES, .trial = &OJIN_DEFECTS_TRIAL};
