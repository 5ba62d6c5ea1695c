#include "conformance/judge/verdict.h"

const char *verdict_name(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_PASS:
        return "PASS";
    case VERDICT_INFO:
        return "INFO";
    case VERDICT_PARTIAL:
        return "PARTIAL";
    case VERDICT_UNSUPPORTED:
        return "UNSUPPORTED";
    case VERDICT_INCONCLUSIVE:
        return "INCONCLUSIVE";
    case VERDICT_NOT_REACHED:
        return "NOTREACHED";
    case VERDICT_XFAIL:
        return "XFAIL";
    case VERDICT_NEW:
        return "NEW";
    case VERDICT_FLAKY:
        return "FLAKY";
    case VERDICT_XPASS:
        return "XPASS";
    case VERDICT_WARN:
        return "WARN";
    case VERDICT_DISPUTED:
        return "DISPUTED";
    case VERDICT_FAIL:
        return "FAIL";
    case VERDICT_ERROR:
        return "ERROR";
    }
    return "?";
}

const char *client_end_name(enum client_end end)
{
    switch (end) {
    case CLIENT_ENDED:
        return "";
    case CLIENT_CRASHED:
        return "CRASH";
    case CLIENT_TIMED_OUT:
        return "TIMEOUT";
    case CLIENT_NEVER_CAME:
        return "NOCONNECT";
    case CLIENT_DECLINED:
        return "UNSUPPORTED";
    case CLIENT_BROKEN:
        return "BROKEN";
    case CLIENT_NOT_STARTED:
        return "NOTSTARTED";
    }
    return "?";
}

bool verdict_is_failure(enum verdict verdict)
{
    return verdict == VERDICT_FAIL || verdict == VERDICT_XPASS || verdict == VERDICT_ERROR;
}

bool verdict_is_open(enum verdict verdict)
{
    return verdict == VERDICT_NOT_REACHED || verdict == VERDICT_INCONCLUSIVE ||
           verdict == VERDICT_UNSUPPORTED;
}

bool check_would_fail(const struct check_result *check)
{
    return verdict_is_failure(check->verdict) || (check->verdict == VERDICT_NOT_REACHED && check->binding);
}

bool check_fails(const struct check_result *check)
{
    return check_would_fail(check) && !check->excused;
}

bool case_fails(const struct case_result *result)
{
    return verdict_is_failure(result->verdict) || (result->verdict == VERDICT_NOT_REACHED && result->binding);
}

/* What was not judged is worse than a pass, a breach is worse than what was not judged, and what stops a run
 * is worst. */
static int rank(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_PASS:
        return 0;
    case VERDICT_INFO:
        return 1;
    case VERDICT_PARTIAL:
        return 2;
    case VERDICT_UNSUPPORTED:
        return 3;
    case VERDICT_INCONCLUSIVE:
        return 4;
    case VERDICT_NOT_REACHED:
        return 5;
    case VERDICT_WARN:
        return 6;
    case VERDICT_DISPUTED:
        return 7;
    case VERDICT_XFAIL:
        return 8;
    case VERDICT_NEW:
        return 9;
    case VERDICT_FLAKY:
        return 10;
    case VERDICT_XPASS:
        return 11;
    case VERDICT_FAIL:
        return 12;
    case VERDICT_ERROR:
        return 13;
    }
    return 13;
}

bool verdict_is_broken(enum verdict verdict)
{
    return verdict == VERDICT_FAIL || verdict == VERDICT_DISPUTED || verdict == VERDICT_WARN;
}

enum verdict verdict_worse(enum verdict a, enum verdict b)
{
    return rank(b) > rank(a) ? b : a;
}

/* What was not reached and fails the run says more of the case than a breach that does not. */
void case_take_worst(struct case_result *result, enum verdict least)
{
    bool unreached = result->end_binding && least == VERDICT_NOT_REACHED;
    result->end_verdict = least;
    result->verdict = least;
    for (size_t i = 0; i < result->check_count; i++) {
        const struct check_result *check = &result->checks[i];
        if (check->scope == SCOPE_RUN)
            continue;
        unreached = unreached || (check->verdict == VERDICT_NOT_REACHED && check_fails(check));
        result->verdict = verdict_worse(result->verdict, check->verdict);
    }
    if (unreached && !verdict_is_failure(result->verdict))
        result->verdict = VERDICT_NOT_REACHED;
    result->binding = unreached;
}

enum verdict case_verdict_on(const struct case_result *result, const struct requirement *requirement)
{
    enum verdict worst = VERDICT_PASS;
    for (size_t i = 0; i < result->check_count; i++)
        if (result->checks[i].requirement == requirement)
            worst = verdict_worse(worst, result->checks[i].verdict);
    return worst;
}

enum weight weight_of_word(const char *word)
{
    if (strcmp(word, "INFO") == 0)
        return WEIGHT_INFO;
    if (strcmp(word, "SHOULD") == 0)
        return WEIGHT_SHOULD;
    return WEIGHT_MUST;
}

enum weight weight_of_requirement(const struct requirement *requirement)
{
    switch (requirement->level) {
    case REQUIREMENT_MUST:
        return WEIGHT_MUST;
    case REQUIREMENT_SHOULD:
        return WEIGHT_SHOULD;
    case REQUIREMENT_MAY:
        return WEIGHT_INFO;
    }
    return WEIGHT_INFO;
}

static enum verdict must_broken(enum requirement_basis basis, bool inferred)
{
    switch (basis) {
    case BASIS_DOC:
    case BASIS_RFC6455:
        return VERDICT_FAIL;
    case BASIS_INFERRED:
        return inferred ? VERDICT_FAIL : VERDICT_DISPUTED;
    case BASIS_FIELD:
        return VERDICT_WARN;
    }
    return VERDICT_FAIL;
}

enum verdict verdict_when_broken(enum weight asked, const struct requirement *requirement,
                                 const struct profile *profile, bool inferred, bool strict)
{
    enum weight own = weight_of_requirement(requirement);
    switch (asked < own ? asked : own) {
    case WEIGHT_INFO:
        return VERDICT_INFO;
    case WEIGHT_SHOULD:
        return strict ? VERDICT_FAIL : VERDICT_WARN;
    case WEIGHT_MUST:
        return must_broken(requirement_basis_in(requirement, profile), inferred);
    }
    return VERDICT_FAIL;
}
