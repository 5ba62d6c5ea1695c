/* From text to case, and back to nothing. */
#include "conformance/script/case_script.h"

#include <stdlib.h>

#include "codec/rules/requirements.h"
#include "conformance/script/case_lines.h"
#include "conformance/script/client_lines.h"
#include "conformance/script/tier.h"

enum { TEXTS_BLOCK_BYTES = 1024 }; /* the patterns of most cases need no more */

static struct case_script *parse(struct parser *given, struct case_family family)
{
    struct case_script *script = calloc(1, sizeof *script);
    if (script == NULL) {
        complain_memory(given);
        return NULL;
    }
    struct text path = text_of(script->path, sizeof script->path);
    text_add(&path, given->path);
    script->class = family.class;
    script->words = family.words;
    script->client_side = family.client_side;
    given->script = &script->played;
    given->kept = &script->texts;
    script->texts.block_bytes = TEXTS_BLOCK_BYTES;
    if (!parser_run(given, case_build, script)) {
        case_script_free(script);
        return NULL;
    }
    memcpy(script->name, script->played.name, sizeof script->name);
    script->transport = script->transport || script->played.transport;
    tier_set(script);
    return script;
}

struct case_script *case_script_parse(const char *path, struct bytes text, struct case_family family,
                                      char error[SCRIPT_ERROR_MAX])
{
    struct parser given = {
        .path = path, .class = family.class, .error = error, .text = text, .place = {1, 1}};
    return parse(&given, family);
}

struct case_script *case_script_check(const char *path, struct bytes text, struct case_family family,
                                      struct script_errors *errors)
{
    char error[SCRIPT_ERROR_MAX];
    errors->count = 0;
    errors->more = false;
    struct parser given = {
        .path = path, .class = family.class, .error = error, .text = text, .place = {1, 1}, .errors = errors};
    return parse(&given, family);
}

const struct script_clause *case_script_clause_of(const struct case_script *script, const char *id)
{
    for (size_t i = 0; i < script->clause_count; i++)
        if (strcmp(script->clauses[i].requirement->id, id) == 0)
            return &script->clauses[i];
    return NULL;
}

void case_script_free(struct case_script *script)
{
    if (script == NULL)
        return;
    script_clear(&script->played);
    client_steps_free(script->client_steps, script->client_step_count);
    free(script->plan);
    free(script->checks);
    arena_free(&script->texts);
    free(script);
}
