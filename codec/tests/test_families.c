#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "codec/family.h"
#include "codec/rules/requirements.h"
#include "codec/rules/server_rules.h"
#include "codec/tests/suite.h"

static int family_count(void)
{
    int count = 0;
    while (FAMILIES[count] != NULL)
        count++;
    return count;
}

/* A row of the table of the right family and party. */
static void check_id(const struct family *family, const char *id, enum requirement_party party)
{
    const struct requirement *requirement = requirement_by_id(id);
    ck_assert_msg(requirement != NULL, "%s: %s is no requirement", family->name, id);
    ck_assert_msg(requirement->party == party, "%s: %s binds the other side", family->name, id);
    ck_assert_msg(family_has_requirement(family, id), "%s: %s is another family's", family->name, id);
    ck_assert_ptr_eq(family_of_requirement(id), family);
}

START_TEST(the_rules_of_a_family_stand_for_its_requirements)
{
    const struct family *family = FAMILIES[_i];
    ck_assert_uint_gt(family->rules->count, 0);
    ck_assert_uint_gt(family->server_rules->count, 0);
    for (size_t n = 0; n < family->rules->count; n++) {
        check_id(family, family->rules->requirement(n), REQUIREMENT_CLIENT);
        ck_assert_uint_eq(rule_of_requirement(family->rules, family->rules->requirement(n)), n);
    }
    for (size_t n = 0; n < family->server_rules->count; n++)
        check_id(family, family->server_rules->requirement(n), REQUIREMENT_SERVER);
    ck_assert_uint_eq(rule_of_requirement(family->rules, "XX-NO-01"), family->rules->count);
}
END_TEST

START_TEST(the_profiles_of_a_family_are_covered_by_its_groups_alone)
{
    const struct family *family = FAMILIES[_i];
    ck_assert_ptr_nonnull(family->profiles[0]);
    for (size_t n = 0; family->profiles[n] != NULL; n++) {
        const struct profile *profile = family->profiles[n];
        size_t groups = 0;
        for (size_t g = 0; family->profile_groups[g] != NULL; g++)
            groups += profile_matches(profile, family->profile_groups[g]) ? 1 : 0;
        ck_assert_uint_gt(groups, 0);
        ck_assert(profile_matches(profile, "all"));
        ck_assert(profile_matches(profile, profile->name));
        ck_assert(!profile_matches(profile, ""));
        ck_assert(!profile_matches(profile, "al"));
        ck_assert(!profile_matches(profile, "all both"));
        ck_assert_ptr_eq(profile_by_name(profile->name), profile);
    }
}
END_TEST

START_TEST(each_requirement_is_of_one_family_that_asks_it_of_some_profile)
{
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++) {
        const struct family *family = family_of_requirement(REQUIREMENTS[i].id);
        size_t profiles = 0;
        for (size_t n = 0; family != NULL && family->profiles[n] != NULL; n++)
            profiles += requirement_applies(&REQUIREMENTS[i], family->profiles[n]) ? 1 : 0;
        ck_assert_msg(family == NULL || profiles > 0, "%s", REQUIREMENTS[i].id);
    }
    ck_assert_ptr_null(family_of_requirement("XX-NO-01"));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("registry");
    tcase_add_loop_test(tcase, the_rules_of_a_family_stand_for_its_requirements, 0, family_count());
    tcase_add_loop_test(tcase, the_profiles_of_a_family_are_covered_by_its_groups_alone, 0, family_count());
    tcase_add_test(tcase, each_requirement_is_of_one_family_that_asks_it_of_some_profile);
    return suite_run("families", tcase);
}
