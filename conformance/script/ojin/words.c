/* The words of plans and observations that are this family's own. */
#include "conformance/script/case_family.h"

const struct script_words OJIN_SCRIPT_WORDS = {
    .plan = (const char *const[]){"cancel", NULL},
    .conditions = (const char *const[]){NULL},
    .seen = (const char *const[]){"frame", "played", "cancelled", NULL},
};
