#include "codec/rules/requirements.h"

#include <string.h>

const struct requirement *requirement_by_id(const char *id)
{
    size_t first = 0, end = REQUIREMENT_COUNT;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        const struct requirement *row = &REQUIREMENTS[REQUIREMENTS_BY_ID[middle]];
        const int order = strcmp(id, row->id);
        if (order == 0)
            return row;
        if (order < 0)
            end = middle;
        else
            first = middle + 1;
    }
    return NULL;
}

const char *requirement_level_name(enum requirement_level level)
{
    switch (level) {
    case REQUIREMENT_MUST:
        return "MUST";
    case REQUIREMENT_SHOULD:
        return "SHOULD";
    case REQUIREMENT_MAY:
        return "MAY";
    }
    return "";
}

const char *requirement_basis_name(enum requirement_basis basis)
{
    switch (basis) {
    case BASIS_DOC:
        return "doc";
    case BASIS_RFC6455:
        return "rfc6455";
    case BASIS_INFERRED:
        return "inferred";
    case BASIS_FIELD:
        return "field";
    }
    return "";
}

bool requirement_applies(const struct requirement *requirement, const struct profile *profile)
{
    return strncmp(requirement->id, profile->id_prefix, strlen(profile->id_prefix)) == 0 &&
           profile_matches(profile, requirement->profiles);
}

/* A profile has the number of its document, or says where else it comes from. */
static bool is_documented(const struct profile *profile)
{
    return profile->document[0] >= '0' && profile->document[0] <= '9';
}

enum requirement_basis requirement_basis_in(const struct requirement *requirement,
                                            const struct profile *profile)
{
    if (profile != NULL && requirement->basis == BASIS_DOC && !is_documented(profile))
        return BASIS_INFERRED;
    return requirement->basis;
}
