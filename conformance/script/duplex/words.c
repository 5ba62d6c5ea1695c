/* The words of plans and observations that are this family's own. */
#include "conformance/script/case_family.h"

const struct script_words DUPLEX_SCRIPT_WORDS = {
    .plan = (const char *const[]){"force-listen", NULL},
    .conditions = (const char *const[]){"listen", "turn", NULL},
    .seen = (const char *const[]){"queue", "delta", "heard", "listen", "turn", "cancelled", NULL},
};
