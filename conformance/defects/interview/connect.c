/* Defects of the request, and of coming back: IV-CON, IV-FLD. */
#include "conformance/defects/interview/tables.h"

/* ---- the request ---- */

static void rename_token(struct defect_state *state, struct buffer *head)
{
    (void)ws_replace(head, "?token=", "?access_token=");
}

static void put_token_twice(struct defect_state *state, struct buffer *head)
{
    (void)ws_replace(head, "?token=", "?token=again&token=");
}

static void put_scheme(struct defect_state *state, struct buffer *head)
{
    (void)ws_replace(head, "?token=", "?token=Bearer%20");
}

static void ask_for_another(struct defect_state *state, struct buffer *head)
{
    (void)ws_replace(head, "/interviews/3d2c1a70", "/interviews/00000000");
}

static const struct defect ROWS[] = {
    {.name = "other-token-name",
     .requirement = "IV-CON-01",
     .wrong = "sends its token as access_token",
     .request = rename_token},
    {.name = "token-twice",
     .requirement = "IV-CON-01",
     .wrong = "sends two tokens, of which the first is none",
     .request = put_token_twice},
    {.name = "token-with-scheme",
     .requirement = "IV-CON-01",
     .wrong = "puts a scheme before its token",
     .request = put_scheme},
    {.name = "other-interview",
     .requirement = "IV-CON-01",
     .wrong = "asks for another interview than the one it was given",
     .request = ask_for_another},
};

const struct defect_table INTERVIEW_DEFECTS_CONNECT = DEFECT_TABLE(ROWS);
