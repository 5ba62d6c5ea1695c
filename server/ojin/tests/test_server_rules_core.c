/*
 * The rules for servers against the real session core: nothing is found in a document profile, every rule is
 * kept, and each breach breaks its own rule and no other.
 */
#include <check.h>

#include "codec/ojin/constants.h"
#include "codec/rules/ojin/classes.h"
#include "codec/rules/requirements.h"
#include "codec/tests/suite.h"
#include "server/ojin/session_class.h"
#include "server/ojin/tests/judged.h"

enum { SECOND = 1000000 };

#define END    "{\"type\":\"endInteraction\",\"payload\":{\"timestamp\":1}}"
#define CANCEL "{\"type\":\"cancelInteraction\",\"payload\":{}}"

static const char *const PROFILES[] = {"oris-1.0", "oris-1.0-earlier", "flashhead-lite-1.0"};

/* A session that calls for every rule of a session that is let in. */
static void play(struct judged *judged)
{
    const bool earlier = !profile_matches(judged->config.session.profile, "current");
    judged_request(judged, JUDGED_REQUEST);
    judged_run(judged, 6 * SECOND);
    if (!earlier)
        judged_audio(judged, OJIN_FRAME_SAMPLES, 0, 0);
    judged_run(judged, 4 * SECOND);
    judged_ping(judged, "here?");
    /* one turn in one message, one in three, of which the last comes late */
    judged_audio(judged, 2 * OJIN_SAMPLE_RATE + 100, 1, 0);
    judged_run(judged, 5 * SECOND);
    judged_audio(judged, OJIN_CHUNK_EARLIER_SAMPLES, 2, 0);
    judged_run(judged, 300000);
    judged_audio(judged, OJIN_CHUNK_EARLIER_SAMPLES + 50, 3, 0);
    judged_run(judged, 350000);
    judged_audio(judged, OJIN_CHUNK_EARLIER_SAMPLES, 4, 0);
    judged_run(judged, 9 * SECOND);
    /* the limits, and what is malformed */
    judged_audio(judged, OJIN_SAMPLE_RATE, 7, OJIN_MESSAGE_BYTES_MAX);
    judged_run(judged, 3 * SECOND);
    judged_audio(judged, (OJIN_MESSAGE_BYTES_MAX - 100) / 2, 0, OJIN_MESSAGE_BYTES_MAX + 1);
    judged_run(judged, SECOND);
    judged_binary(judged, bytes_of_text("short"));
    judged_run(judged, SECOND);
    judged_text(judged, "no JSON");
    judged_run(judged, 4 * SECOND);
    for (unsigned i = 0; i < 8; i++)
        judged_audio(judged, OJIN_FRAME_SAMPLES, 0, 0);
    judged_run(judged, 4 * SECOND);
    judged_audio(judged, 10 * OJIN_SAMPLE_RATE, 5, 0);
    judged_run(judged, SECOND);
    judged_text(judged, CANCEL);
    judged_run(judged, 6 * SECOND);
    judged_audio(judged, 3 * OJIN_SAMPLE_RATE + 1, 6, 0);
    judged_run(judged, SECOND);
    judged_text(judged, END);
    judged_run(judged, 20 * SECOND);
    judged_finish(judged);
}

static void expect_no_finding(const struct judged *judged)
{
    for (size_t i = 0; i < judged->finding_count; i++)
        ck_abort_msg("%s at %u ms: %s / %s", judged->findings[i].requirement,
                     (unsigned)(judged->findings[i].at_us / 1000), judged->findings[i].expected,
                     judged->findings[i].actual);
}

/* Those of a session that is refused. */
static bool is_of_refusal(const char *requirement)
{
    return strcmp(requirement, "OJ-SRV-01") == 0 || strcmp(requirement, "OJ-SRV-02") == 0 ||
           strcmp(requirement, "OJ-SRV-21") == 0;
}

START_TEST(finds_nothing_in_a_right_session)
{
    struct judged judged;
    judged_init(&judged, PROFILES[_i], "");
    play(&judged);
    expect_no_finding(&judged);
    for (size_t i = 0; i < OJIN_SERVER_RULES.count; i++) {
        const char *requirement = OJIN_SERVER_RULES.requirement(i);
        const bool other_profile = strcmp(requirement, "OJ-SRV-22") == 0 &&
                                   profile_matches(judged.config.session.profile, "current");
        const enum rule_verdict expected =
            is_of_refusal(requirement) || other_profile ? RULE_NOT_REACHED : RULE_KEPT;
        ck_assert_msg(judged_verdict(&judged, requirement) == expected, "%s: verdict %d", requirement,
                      (int)judged_verdict(&judged, requirement));
    }
    judged_free(&judged);
}
END_TEST

/* Frames come in bunches then, and answers late. */
START_TEST(finds_nothing_on_a_slow_machine)
{
    static const uint64_t every_us[] = {30000, 90000, 200000, 500000};
    struct judged judged;
    judged_init(&judged, PROFILES[_i % 3], "");
    judged.every_us = every_us[_i / 3];
    play(&judged);
    expect_no_finding(&judged);
    ck_assert_int_eq(judged_verdict(&judged, "OJ-SRV-20"), RULE_KEPT);
    judged_free(&judged);
}
END_TEST

static const struct {
    const char *name;
    const char *head;
    const char *requirement;
} REFUSALS[] = {
    {"no key", JUDGED_HEAD("/realtime?config_id=" JUDGED_CONFIG, ""), "OJ-SRV-01"},
    {"Bearer", JUDGED_HEAD("/realtime?config_id=" JUDGED_CONFIG, "Authorization: Bearer " JUDGED_KEY "\r\n"),
     "OJ-SRV-01"},
    {"a wrong key", JUDGED_HEAD("/realtime?config_id=" JUDGED_CONFIG, "Authorization: another\r\n"),
     "OJ-SRV-01"},
    {"no config", JUDGED_HEAD("/realtime", "Authorization: " JUDGED_KEY "\r\n"), "OJ-SRV-02"},
    {"another config", JUDGED_HEAD("/realtime?config_id=no", "Authorization: " JUDGED_KEY "\r\n"),
     "OJ-SRV-02"},
};

START_TEST(finds_nothing_in_a_refusal)
{
    struct judged judged;
    judged_init(&judged, PROFILES[0], "");
    judged_request(&judged, REFUSALS[_i].head);
    judged_run(&judged, SECOND);
    judged_finish(&judged);
    expect_no_finding(&judged);
    ck_assert_msg(judged_verdict(&judged, REFUSALS[_i].requirement) == RULE_KEPT, "%s", REFUSALS[_i].name);
    ck_assert_int_eq(judged_verdict(&judged, "OJ-SRV-14"), RULE_KEPT);
    judged_free(&judged);
}
END_TEST

/* Each breach, and the rule that it must break: that and no other. Those of a refusal are asked for by a
 * request of their own. */
static const struct {
    const char *quirk;
    const char *profile;
    const char *requirements; /* a space between */
    const char *head;         /* NULL: a right one, and the whole session */
} BREACHES[] = {
    {"ready-twice", "oris-1.0", "OJ-SRV-03", NULL},
    {"wrong-start", "oris-1.0", "OJ-SRV-04", NULL},
    {"wrong-start", "oris-1.0-earlier", "OJ-SRV-04", NULL},
    {"slow-silence", "oris-1.0", "OJ-SRV-05", NULL},
    {"loses-frames", "oris-1.0", "OJ-SRV-06", NULL},
    {"wrong-size", "oris-1.0", "OJ-SRV-07", NULL},
    {"no-final", "oris-1.0", "OJ-SRV-08", NULL},
    {"cancel-ignored", "oris-1.0", "OJ-SRV-09", NULL},
    {"rate-limit=100", "oris-1.0", "OJ-SRV-10", NULL},
    {"size-limit=512000", "oris-1.0", "OJ-SRV-11", NULL},
    {"bare-errors", "oris-1.0", "OJ-SRV-14", NULL},
    {"session-clock", "oris-1.0", "OJ-SRV-15", NULL},
    {"little-endian", "oris-1.0", "OJ-SRV-19", NULL},
    {"lenient", "oris-1.0", "OJ-SRV-11 OJ-SRV-12 OJ-SRV-13", NULL},
    {"no-pong", "oris-1.0", "OJ-SRV-18", NULL},
    {"hoarse", "oris-1.0", "OJ-SRV-20", NULL},
    {"forgetful", "oris-1.0-earlier", "OJ-SRV-22", NULL},
    {"bearer-keys", "oris-1.0", "OJ-SRV-01", JUDGED_HEAD("/realtime?config_id=" JUDGED_CONFIG, "")},
    {"any-config", "oris-1.0", "OJ-SRV-02", JUDGED_HEAD("/realtime", "Authorization: " JUDGED_KEY "\r\n")},
};

/* The quirk's sentence in `--list quirks`. */
static const char *sentence_of(const char *quirk)
{
    const size_t len = strcspn(quirk, "=");
    for (const struct quirk_kind *kind = OJIN_SESSION_CLASS.quirks; kind->name != NULL; kind++) {
        if (strlen(kind->name) == len && memcmp(kind->name, quirk, len) == 0)
            return kind->sentence;
    }
    ck_abort_msg("there is no quirk %s", quirk);
    return "";
}

/* A list that names what a quirk breaks must name all of it, and what it takes for that to be a failure. */
START_TEST(list_names_what_a_breach_breaks)
{
    const char *sentence = sentence_of(BREACHES[_i].quirk);
    for (size_t i = 0; i < OJIN_SERVER_RULES.count; i++) {
        const char *requirement = OJIN_SERVER_RULES.requirement(i);
        if (strstr(BREACHES[_i].requirements, requirement) == NULL)
            continue;
        const char *breach = strstr(sentence, "OJ-SRV-");
        ck_assert_msg(breach != NULL && strstr(breach, requirement + strlen("OJ-SRV-")) != NULL,
                      "\"%s\" does not name %s", sentence, requirement);
        const bool inferred = requirement_by_id(requirement)->basis == BASIS_INFERRED;
        ck_assert_msg(inferred == (strstr(breach, "with --inferred only") != NULL), "\"%s\"", sentence);
    }
}
END_TEST

START_TEST(breach_breaks_its_rule_alone)
{
    struct judged judged;
    judged_init(&judged, BREACHES[_i].profile, BREACHES[_i].quirk);
    judged.no_pong = strcmp(BREACHES[_i].quirk, "no-pong") == 0; /* the host's to carry out */
    if (BREACHES[_i].head == NULL) {
        play(&judged);
    } else {
        judged_request(&judged, BREACHES[_i].head);
        judged_run(&judged, SECOND);
        judged_finish(&judged);
    }
    for (size_t i = 0; i < OJIN_SERVER_RULES.count; i++) {
        const char *requirement = OJIN_SERVER_RULES.requirement(i);
        const bool broken = judged_verdict(&judged, requirement) == RULE_BROKEN;
        const bool expected = strstr(BREACHES[_i].requirements, requirement) != NULL;
        ck_assert_msg(broken == expected, "%s: %s is %s", BREACHES[_i].quirk, requirement,
                      broken ? "broken" : "not broken");
    }
    judged_free(&judged);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("core");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, finds_nothing_in_a_right_session, 0, TABLE_COUNT(PROFILES));
    tcase_add_loop_test(tcase, finds_nothing_on_a_slow_machine, 0, 12);
    tcase_add_loop_test(tcase, finds_nothing_in_a_refusal, 0, TABLE_COUNT(REFUSALS));
    tcase_add_loop_test(tcase, breach_breaks_its_rule_alone, 0, TABLE_COUNT(BREACHES));
    tcase_add_loop_test(tcase, list_names_what_a_breach_breaks, 0, TABLE_COUNT(BREACHES));
    return suite_run("server rules and core", tcase);
}
