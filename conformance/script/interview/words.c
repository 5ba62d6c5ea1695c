/* The words of plans and observations that are this family's own. */
#include "conformance/script/case_family.h"

const struct script_words INTERVIEW_SCRIPT_WORDS = {
    .plan = (const char *const[]){"cancel", NULL},
    .conditions = (const char *const[]){"turn", NULL},
    .seen =
        (const char *const[]){"delta", "heard", "turn", "cancelled", "status", "transcript", "result", NULL},
    .config = "3d2c1a70-5b8e-4f69-a7d4-0c9e8b6f2a15",
};
