#include "conformance/defects/ojin/tables.h"

static const struct defect_table *const TABLES[] = {
    &DEFECTS_CONNECT, &DEFECTS_READY, &DEFECTS_INPUT,  &DEFECTS_FRAME, &DEFECTS_PLAY,  &DEFECTS_TURN,
    &DEFECTS_ERROR,   &DEFECTS_TYPES, &DEFECTS_DAMAGE, &DEFECTS_CLOSE, &DEFECTS_BLUNT, NULL};

static void *seams(struct conform_seams *all, void *context)
{
    all->client.life.context = context;
    return &all->client;
}

const struct defect_class OJIN_DEFECTS = {.tables = TABLES, .trial = &DEFECTS_TRIAL, .seams = seams};
