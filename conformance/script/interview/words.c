/* The words of plans and observations that are this family's own. */
#include "conformance/script/case_family.h"

const struct script_words INTERVIEW_SCRIPT_WORDS = {
    .plan = (const char *const[]){"cancel", NULL},
    .conditions = (const char *const[]){"turn", NULL},
    .seen =
        (const char *const[]){"delta", "heard", "turn", "cancelled", "status", "transcript", "result", NULL},
};
