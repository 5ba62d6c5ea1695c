/* Defects on which the selftest itself is tried: it has to object to each but the first, which is also the
 * broken client that passes for the correct one. */
#include "conformance/defects/ojin/tables.h"

static bool put_other_type(struct defect_state *state, struct buffer *message)
{
    if (state->binary)
        message->data[0] = 2;
    return true;
}

static bool put_other_type_without_opening(struct defect_state *state, struct buffer *message)
{
    return defect_keep_no_opening(state, message) && put_other_type(state, message);
}

static const struct defect ROWS[] = {
    {.name = "trial-wrong-type",
     .requirement = "OJ-IN-01",
     .wrong = "sends audio as payload type 2",
     .say = put_other_type},
    {.name = "trial-nothing",
     .requirement = "OJ-CON-13",
     .wrong = "does nothing wrong, and cannot be caught"},
    {.name = "trial-too-much",
     .requirement = "OJ-RDY-04",
     .wrong = "opens without silence, and declares nothing of what follows, nor that it sends another type",
     .implies = {"OJ-FHL-01"},
     .say = put_other_type_without_opening},
    {.name = "trial-elsewhere",
     .requirement = "OJ-RDY-04",
     .wrong = "opens without silence, and declares nothing of what cases of other requirements see of that",
     .say = defect_keep_no_opening},
    {.name = "trial-on-the-wire",
     .requirement = "OJ-CON-01",
     .wrong = "breaks OJ-CON-02 in place of its own requirement",
     .swap = {"\r\nAuthorization: ", "\r\nAuthorization: Bearer "},
     .request = defect_swap_in_head},
};

const struct defect_table OJIN_DEFECTS_TRIAL = DEFECT_TABLE(ROWS);
