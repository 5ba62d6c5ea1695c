#include "codec/tests/rules_session.h"

#include <check.h>
#include <string.h>

#include "codec/rules/ojin/classes.h"
#include "codec/tests/rules_player.h"

/* Most rows speak in chunks as it suits them, and some hold the key to see that no finding shows it; silence
 * in place of speech is silence that is not due, too. */
static bool is_told_besides(const struct session_case *session, const char *requirement)
{
    return strcmp(session->requirement, requirement) != 0 &&
           (strcmp(requirement, "OJ-IN-11") == 0 || strcmp(requirement, "OJ-CON-03") == 0 ||
            (strcmp(requirement, "OJ-IN-09") == 0 && strcmp(session->requirement, "OJ-IN-12") == 0));
}

static void check_findings(const struct player *player)
{
    const struct session_case *session = player->session;
    bool said = false;
    for (size_t i = 0; i < player->finding_count; i++) {
        const struct finding *finding = &player->findings[i];
        ck_assert_msg(strlen(finding->expected) > 0 && strlen(finding->actual) > 0, "%s: empty text",
                      session->name);
        ck_assert_msg(strstr(finding->expected, SESSION_KEY) == NULL &&
                          strstr(finding->actual, SESSION_KEY) == NULL,
                      "%s: the key stands in a finding", session->name);
        if (session->actual != NULL && strstr(finding->actual, session->actual) != NULL)
            said = true;
        ck_assert_msg(finding->note || is_told_besides(session, finding->requirement) ||
                          strcmp(finding->requirement, session->requirement) == 0,
                      "%s: %s: %s", session->name, finding->requirement, finding->actual);
        ck_assert_msg(finding->at_us <= player->now_us, "%s: a finding from the future", session->name);
    }
    ck_assert_msg(session->verdict != RULE_BROKEN || player->finding_count > 0, "%s: no finding",
                  session->name);
    ck_assert_msg(session->actual == NULL || said, "%s: said '%s', not '%s'", session->name,
                  player->finding_count > 0 ? player->findings[0].actual : "nothing", session->actual);
}

static void check_verdicts(const struct player *player)
{
    static const char *const names[] = {"not reached", "kept", "broken"};
    const struct session_case *session = player->session;
    bool met = false;
    for (size_t i = 0; i < OJIN_RULES.count; i++) {
        enum rule_verdict verdict = OJIN_RULES.verdict(player->rules, i);
        if (strcmp(OJIN_RULES.requirement(i), session->requirement) == 0) {
            met = true;
            ck_assert_msg(verdict == session->verdict, "%s: %s is %s, expected %s", session->name,
                          session->requirement, names[verdict], names[session->verdict]);
        } else if (!is_told_besides(session, OJIN_RULES.requirement(i))) {
            ck_assert_msg(verdict != RULE_BROKEN, "%s: %s is broken too", session->name,
                          OJIN_RULES.requirement(i));
        }
    }
    ck_assert_msg(met, "no rule %s", session->requirement);
}

static void session_play(struct player *player, const struct session_case *session)
{
    player_init(player, session);
    char words[1024];
    ck_assert_uint_lt(strlen(session->words), sizeof words);
    memcpy(words, session->words, strlen(session->words) + 1);
    char *rest = words;
    for (char *word = strtok_r(rest, " ", &rest); word != NULL; word = strtok_r(rest, " ", &rest))
        player_obey(player, word);
    ck_assert_ptr_nonnull(player->rules);
    OJIN_RULES.finish(player->rules, player->now_us);
}

size_t session_speeches_said(const struct session_case *session)
{
    static struct player player;
    session_play(&player, session);
    const size_t said = OJIN_RULES.speeches_said(player.rules);
    player_free(&player);
    return said;
}

void session_check(const struct session_case *session)
{
    static struct player player;
    session_play(&player, session);
    player_take_findings(&player);
    check_findings(&player);
    check_verdicts(&player);
    player_free(&player);
}
