/* The lines outside the blocks: case, title, expect, clause, profiles, needs, limit; and the order of it all.
 */
#include "conformance/script/case_lines.h"

#include <assert.h>
#include <stdlib.h>

#include "codec/rules/requirements.h"
#include "conformance/script/case_tables.h"
#include "conformance/script/check_lines.h"
#include "conformance/script/client_lines.h"
#include "conformance/script/plan_lines.h"
#include "conformance/script/words.h"
#include "server/script/vary.h"

enum {
    LIMIT_DEFAULT_US = 10000000,
    LIMIT_MAX_US = 1800000000,
    LIMIT_SLOW_US = 60000000,
    PROFILE_WORDS_MAX = 32,
    NEEDS_MAX = 24,
    PICTURE_SIDE_MAX = 4096
};

enum case_word {
    CASE_NAME,
    CASE_TITLE,
    CASE_EXPECT,
    CASE_CLAUSE,
    CASE_PROFILES,
    CASE_CONFIG,
    CASE_PICTURES,
    CASE_TLS,
    CASE_MEMORY,
    CASE_NEEDS,
    CASE_LIMIT,
    CASE_SET,
    CASE_CONDITION,
    CASE_CLIENT,
    CASE_PLAN,
    CASE_SERVER,
    CASE_CHECK,
    CASE_VARY
};

/* As enum script_set. */
static const char *const SETS[] = {"smoke", "default", "slow", NULL};
static const char *const LEVELS[] = {"MUST", "SHOULD", "INFO", NULL};

/* The names of server/tls. */
static const char *const CERTIFICATES[] = {"sound",       "expired",    "not-yet-valid",
                                           "self-signed", "wrong-host", NULL};

static const struct value_rule CASE_ARGS[] = {{.name = "the case's name", .type = VALUE_NAME},
                                              {.name = NULL}};
static const struct value_rule TITLE_ARGS[] = {{.name = "the title", .type = VALUE_STRING}, {.name = NULL}};
static const struct value_rule EXPECT_ARGS[] = {{.name = "a sentence", .type = VALUE_STRING}, {.name = NULL}};
static const struct value_rule CLAUSE_ARGS[] = {
    {.name = "a requirement", .type = VALUE_REQUIREMENT},
    {.name = "a level", .type = VALUE_CHOICE, .choices = LEVELS, .optional = true},
    {.name = NULL}};
static const struct value_rule PROFILES_ARGS[] = {{.name = "a profile", .type = VALUE_NAME}, {.name = NULL}};
static const struct value_rule CONFIG_ARGS[] = {{.name = "a config id", .type = VALUE_STRING},
                                                {.name = NULL}};
static const struct value_rule PICTURES_ARGS[] = {
    {.name = "a width", .type = VALUE_COUNT, .min = 64, .max = PICTURE_SIDE_MAX},
    {.name = "a height", .type = VALUE_COUNT, .min = 64, .max = PICTURE_SIDE_MAX},
    {.name = NULL}};
static const struct value_rule MEMORY_ARGS[] = {
    {.name = "a size", .type = VALUE_SIZE, .min = 1, .max = UINT32_MAX}, {.name = NULL}};
static const struct value_rule TLS_ARGS[] = {
    {.name = "a certificate", .type = VALUE_CHOICE, .choices = CERTIFICATES}, {.name = NULL}};
static const struct value_rule NEEDS_ARGS[] = {{.name = "a need", .type = VALUE_NAME, .many = true},
                                               {.name = NULL}};
static const struct value_rule LIMIT_ARGS[] = {
    {.name = "a limit", .type = VALUE_DURATION, .min = 1, .max = LIMIT_MAX_US}, {.name = NULL}};

static const struct value_rule SET_ARGS[] = {{.name = "a set", .type = VALUE_CHOICE, .choices = SETS},
                                             {.name = NULL}};

static const struct value_rule CONDITION_ARGS[] = {
    {.name = "a condition such as no-backend", .type = VALUE_LABEL}, {.name = NULL}};

const struct line_rule CASE_RULES[] = {
    {"case", CASE_NAME, LINE_ONCE | LINE_FIXED, CASE_ARGS, NULL, "the case's name, family/area/what"},
    {"title", CASE_TITLE, LINE_ONCE, TITLE_ARGS, NULL, "one line for people"},
    {"expect", CASE_EXPECT, LINE_ONCE, EXPECT_ARGS, NULL, "what a right client does, a sentence"},
    {"clause", CASE_CLAUSE, LINE_FIXED, CLAUSE_ARGS, NULL,
     "a requirement the case is about; its level, when left out, is the requirement's own (MAY counts as "
     "INFO). Up to 8; the first is the default of the checks"},
    {"profiles", CASE_PROFILES, LINE_ONCE | LINE_FIXED, PROFILES_ARGS, NULL,
     "all (the default), both, current, earlier, or a profile by name"},
    {"config", CASE_CONFIG, LINE_ONCE, CONFIG_ARGS, NULL,
     "the config id the client is given, as it is before encoding; default persona-1, of interview a UUID"},
    {"pictures", CASE_PICTURES, LINE_ONCE, PICTURES_ARGS, NULL,
     "the width and height of the config's pictures; what the run has unless given"},
    {"tls", CASE_TLS, LINE_ONCE, TLS_ARGS, NULL,
     "the client is sent to wss:, where the server's certificate is like that; its authority is in "
     "CONFORM_CA, "
     "SSL_CERT_FILE and NODE_EXTRA_CA_CERTS. Implies needs transport"},
    {"memory", CASE_MEMORY, LINE_ONCE, MEMORY_ARGS, NULL,
     "what the client's process may take at most, its runtime included; exceeding it fails the first clause. "
     "Implies needs transport"},
    {"needs", CASE_NEEDS, LINE_ONCE | LINE_FIXED, NEEDS_ARGS, NULL,
     "transport: only a real transport has what the case is about, which some steps imply. ready error "
     "closed, "
     "of Ojin frame played cancelled, of duplex queue delta heard listen turn cancelled, of interview delta "
     "heard turn cancelled status transcript result: reports the client must be able to give. end, of Ojin "
     "and "
     "interview cancel, of duplex force-listen: what it must be able to do"},
    {"limit", CASE_LIMIT, LINE_ONCE, LIMIT_ARGS, NULL, "when the case is over at the latest; default 10s"},
    {"set", CASE_SET, LINE_ONCE | LINE_FIXED, SET_ARGS, NULL,
     "which runs the case is in: smoke (all of them), default, or slow (only those that ask for it). Without "
     "it: "
     "slow with a limit of more than 60s, else default"},
    {"condition", CASE_CONDITION, LINE_ONCE | LINE_FIXED, CONDITION_ARGS, NULL,
     "what a server is brought into before the case (a case about a server)"},
    {"vary", CASE_VARY, 0, VARY_ARGS, VARY_OPTIONS,
     "one case for each value: after in the words and texts of a list, or the numbers of a range. Up to 4 "
     "lines, whose values multiply to at most 256 cases"},
    {"client", CASE_CLIENT, LINE_ONCE | LINE_BLOCK, NULL, NULL,
     "what a client does that puts a server to the test, in place of server"},
    {"plan", CASE_PLAN, LINE_ONCE | LINE_BLOCK, NULL, NULL, "what the client under test is asked to do"},
    {"server", CASE_SERVER, LINE_ONCE | LINE_BLOCK, NULL, NULL, "what the mock does"},
    {"check", CASE_CHECK, LINE_OPEN_OPTIONS, NULL, NULL, "what must hold; up to 32"},
    {NULL, 0, 0, NULL, NULL, NULL}};

static_assert(sizeof CASE_RULES / sizeof CASE_RULES[0] - 1 <= TOP_LINES_MAX, "as many are remembered");

static const char *clause_level_default(const struct requirement *requirement)
{
    switch (requirement->level) {
    case REQUIREMENT_MUST:
        return "MUST";
    case REQUIREMENT_SHOULD:
        return "SHOULD";
    case REQUIREMENT_MAY:
        return "INFO";
    }
    return "INFO";
}

static bool clause_build(struct parser *parser, struct case_script *script, const struct line *line)
{
    const struct requirement *requirement = line->args[0].requirement;
    for (size_t i = 0; i < script->clause_count; i++)
        if (script->clauses[i].requirement == requirement)
            return complain_word(parser, line->args[0].place, "each clause once", line->args[0].text, NULL);
    if (script->clause_count == SCRIPT_CLAUSES_MAX)
        return complain_word(parser, line->args[0].place, "at most 8 clauses", line->args[0].text, NULL);
    struct script_clause *clause = &script->clauses[script->clause_count++];
    clause->requirement = requirement;
    clause->line = line->place.line;
    if (line->args[1].set)
        return value_copy(parser, &line->args[1], clause->level, sizeof clause->level);
    struct text text = text_of(clause->level, sizeof clause->level);
    text_add(&text, clause_level_default(requirement));
    return true;
}

static bool profiles_build(struct parser *parser, struct case_script *script, const struct value *value)
{
    const struct family *family = parser->class->family;
    const char *words[PROFILE_WORDS_MAX + 1] = {NULL};
    size_t count = 0;
    for (size_t i = 0; family->profile_groups[i] != NULL && count < PROFILE_WORDS_MAX; i++)
        words[count++] = family->profile_groups[i];
    for (size_t i = 0; family->profiles[i] != NULL && count < PROFILE_WORDS_MAX; i++)
        words[count++] = family->profiles[i]->name;
    if (choices_hold(words, value->text))
        return value_copy(parser, value, script->profiles, sizeof script->profiles);
    char expected[SCRIPT_EXPECTED_MAX];
    choices_write(expected, "one of ", words);
    return complain_word(parser, value->place, expected, value->text, words);
}

static bool need_take(struct parser *parser, struct case_script *script, const struct item *item)
{
    static const char *const REPORTS[] = {"ready", "error", "closed", NULL};
    const char *word = item->token.text;
    const char *const *reports = words_seen(script->words);
    const char *const *abilities = words_plan(script->words);
    if (strcmp(word, "transport") == 0) {
        script->transport = true;
    } else if (choices_hold(abilities, word)) {
        script->tier = script->tier < TIER_PLAN ? TIER_PLAN : script->tier;
    } else if (choices_hold(REPORTS, word) || choices_hold(reports, word)) {
        script->tier = TIER_OBSERVE;
    } else if (strcmp(word, "end") != 0) {
        const char *words[NEEDS_MAX + 1] = {"transport", "end"};
        size_t count = 2;
        const char *const *const lists[] = {REPORTS, reports, abilities};
        for (size_t list = 0; list < sizeof lists / sizeof lists[0]; list++)
            for (size_t i = 0; lists[list][i] != NULL && count < NEEDS_MAX; i++)
                words[count++] = lists[list][i];
        char expected[SCRIPT_EXPECTED_MAX];
        choices_write(expected, "one of ", words);
        return complain_word(parser, item->token.place, expected, word, words);
    }
    return true;
}

static bool needs_build(struct parser *parser, struct case_script *script, const struct node *node)
{
    for (const struct item *item = node->items->next; item != NULL; item = item->next) {
        for (const struct item *other = node->items->next; other != item; other = other->next)
            if (strcmp(other->token.text, item->token.text) == 0)
                return complain_word(parser, item->token.place, "each need once", item->token.text, NULL);
        if (!need_take(parser, script, item))
            return false;
    }
    return true;
}

static bool line_build(struct parser *parser, const struct node *node, const struct line_rule *rule,
                       void *context)
{
    struct case_script *script = context;
    struct line line;
    /* A check is read once all names are known; the vary lines were read first of all. */
    if (rule->id == CASE_CHECK || rule->id == CASE_VARY)
        return true;
    if (!line_check(parser, rule, node, &line))
        return false;
    switch ((enum case_word)rule->id) {
    case CASE_NAME:
        return value_copy(parser, &line.args[0], parser->script->name, sizeof parser->script->name);
    case CASE_TITLE:
        return value_copy(parser, &line.args[0], script->title, sizeof script->title);
    case CASE_EXPECT:
        return value_copy(parser, &line.args[0], script->expect, sizeof script->expect);
    case CASE_CLAUSE:
        return clause_build(parser, script, &line);
    case CASE_PROFILES:
        return profiles_build(parser, script, &line.args[0]);
    case CASE_CONFIG:
        return value_copy(parser, &line.args[0], script->config, sizeof script->config);
    case CASE_PICTURES:
        script->picture_width = (unsigned)line.args[0].number;
        script->picture_height = (unsigned)line.args[1].number;
        return true;
    case CASE_MEMORY:
        script->transport = true;
        script->memory_max = line.args[0].number;
        return true;
    case CASE_TLS:
        script->transport = true;
        return value_copy(parser, &line.args[0], script->tls, sizeof script->tls);
    case CASE_NEEDS:
        return needs_build(parser, script, node);
    case CASE_LIMIT:
        script->limit_us = line.args[0].number;
        return true;
    case CASE_SET:
        for (int set = SCRIPT_SET_SMOKE; set <= SCRIPT_SET_SLOW; set++)
            if (strcmp(SETS[set], line.args[0].text) == 0)
                script->set = (enum script_set)set;
        return true;
    case CASE_CONDITION:
        return value_copy(parser, &line.args[0], script->condition, sizeof script->condition);
    case CASE_CLIENT:
        return client_build(parser, script, node);
    case CASE_PLAN:
        return plan_build(parser, script, node);
    case CASE_SERVER:
        return server_build(parser, node);
    case CASE_CHECK:
    case CASE_VARY:
        return true;
    }
    return true;
}

static bool is_check(const struct node *line)
{
    return strcmp(line->items->token.text, "check") == 0;
}

static bool checks_build(struct parser *parser, struct case_script *script, const struct node *lines)
{
    size_t count = 0;
    for (const struct node *node = lines; node != NULL; node = node->next)
        count += is_check(node) && count < SCRIPT_CHECKS_MAX ? 1 : 0;
    script->checks = calloc(count + 1, sizeof *script->checks);
    if (script->checks == NULL)
        return complain_memory(parser);
    for (const struct node *node = lines; node != NULL; node = node->next) {
        const struct place place = node->items->token.place;
        if (!is_check(node))
            continue;
        if (script->check_count == SCRIPT_CHECKS_MAX)
            return complain(parser, place, "at most 32 checks", "one more");
        if (!check_build(parser, script, node, &script->checks[script->check_count++]) &&
            !parser_goes_on(parser))
            return false;
    }
    return true;
}

/* A case about a server: what has no place beside a client block, and what it needs. */
static bool client_case_check(struct parser *parser, const struct case_script *script,
                              const struct node *lines, struct place end)
{
    static const char *const OTHERS[] = {"plan", "server", "check", "needs", "config", NULL};
    for (const struct node *node = lines; node != NULL; node = node->next)
        if (choices_hold(OTHERS, node->items->token.text))
            return complain_word(parser, node->items->token.place, "no such line beside a client block",
                                 node->items->token.text, NULL);
    if (script->clause_count == 0)
        return complain(parser, end, "a line \"clause ID\" in a case about a server", "the end of the file");
    for (size_t i = 0; i < script->clause_count; i++)
        if (script->clauses[i].requirement->party != REQUIREMENT_SERVER)
            return complain_word(parser, (struct place){script->clauses[i].line, 1},
                                 "a requirement of servers", script->clauses[i].requirement->id, NULL);
    return true;
}

/* What stands for lines that are not there, and what must be. */
static bool case_check(struct parser *parser, struct case_script *script, const struct node *lines,
                       struct place end, const bool seen[TOP_LINES_MAX])
{
    if (!seen[CASE_SET])
        script->set = script->limit_us > LIMIT_SLOW_US ? SCRIPT_SET_SLOW : SCRIPT_SET_DEFAULT;
    if (!seen[CASE_NAME])
        return complain(parser, end, "a line \"case NAME\"", "the end of the file");
    if (seen[CASE_CLIENT])
        return client_case_check(parser, script, lines, end);
    if (seen[CASE_CONDITION])
        return complain(parser, end, "a block \"client {\" in a case with a condition",
                        "the end of the file");
    if (!seen[CASE_SERVER])
        return complain(parser, end, "a block \"server {\"", "the end of the file");
    if (!seen[CASE_PLAN] && !plan_build(parser, script, NULL))
        return false;
    return checks_build(parser, script, lines);
}

bool case_build(struct parser *parser, void *context)
{
    struct case_script *script = context;
    const struct top_lines top = {.rules = CASE_RULES, .build = line_build, .context = script};
    bool seen[TOP_LINES_MAX] = {false};
    struct node *lines = NULL;
    struct place end;
    script->limit_us = LIMIT_DEFAULT_US;
    memcpy(script->profiles, "all", sizeof "all");
    const bool own = script->words != NULL && script->words->config != NULL;
    struct text config = text_of(script->config, sizeof script->config);
    text_add(&config, own ? script->words->config : "persona-1");
    if (!top_lines_read(parser, top.rules, &lines, &end) || !top_lines_build(parser, lines, &top, seen))
        return false;
    script->variant_count = parser->variant_count;
    if (seen[CASE_NAME] && !vary_name(parser, lines->items->token.place) && !parser_goes_on(parser))
        return false;
    /* What is missing may stand in a line that could not be read. */
    return parser_has_told(parser) ? seen[CASE_CLIENT] || checks_build(parser, script, lines)
                                   : case_check(parser, script, lines, end, seen);
}
