/* From text to script, and back to nothing. */
#include "server/script/script.h"

#include <stdlib.h>

#include "codec/rules/requirements.h"
#include "codec/wire/text.h"
#include "codec/wire/utf8.h"
#include "server/script/client_lines.h"
#include "server/script/top_lines.h"
#include "server/script/vary.h"

static struct place place_of_offset(struct bytes text, size_t offset)
{
    struct place place = {1, 1};
    for (size_t i = 0; i < offset && i < text.len; i++) {
        place.column++;
        if (text.data[i] == '\n')
            place = (struct place){place.line + 1, 1};
    }
    return place;
}

static bool text_check(struct parser *parser)
{
    if (parser->text.len > SCRIPT_BYTES_MAX)
        return complain(parser, place_of_offset(parser->text, SCRIPT_BYTES_MAX),
                        "the end of the file within 262144 bytes", "more");
    size_t valid = utf8_valid_prefix(parser->text);
    if (valid == parser->text.len)
        return true;
    char byte[2] = {(char)parser->text.data[valid], '\0'};
    return complain_word(parser, place_of_offset(parser->text, valid), "UTF-8", byte, NULL);
}

static bool script_build(struct parser *parser)
{
    struct node *lines = NULL;
    struct place end;
    parser->script->variant_count = 1;
    if (!text_check(parser) || !tree_read(parser, &lines, &end) || !vary_apply(parser, lines) ||
        !top_build(parser, lines, end))
        return false;
    tier_set(parser->script);
    return parser->errors == NULL || parser->errors->count == 0;
}

static bool steps_only_build(struct parser *parser)
{
    struct node *lines = NULL;
    struct place end;
    return text_check(parser) && tree_read(parser, &lines, &end) && server_build_lines(parser, lines, end);
}

static struct script *parse(const struct parser *given, bool (*build)(struct parser *parser))
{
    struct parser *parser = calloc(1, sizeof *parser);
    struct script *script = calloc(1, sizeof *script);
    bool good = false;
    given->error[0] = '\0';
    if (parser == NULL || script == NULL) {
        struct parser spare = *given;
        complain_memory(&spare);
    } else {
        struct text path = text_of(script->path, sizeof script->path);
        text_add(&path, given->path);
        *parser = *given;
        parser->script = script;
        script->class = given->class;
        good = build(parser);
        arena_free(&parser->arena);
    }
    free(parser);
    if (good)
        return script;
    script_free(script);
    return NULL;
}

struct script *script_parse(const char *path, struct bytes text, const struct session_class *class,
                            char error[SCRIPT_ERROR_MAX])
{
    const struct parser given = {.path = path, .class = class, .error = error, .text = text, .place = {1, 1}};
    return parse(&given, script_build);
}

struct script *script_check(const char *path, struct bytes text, const struct session_class *class,
                            struct script_errors *errors)
{
    char error[SCRIPT_ERROR_MAX];
    errors->count = 0;
    errors->more = false;
    const struct parser given = {
        .path = path, .class = class, .error = error, .text = text, .place = {1, 1}, .errors = errors};
    return parse(&given, script_build);
}

struct script *script_parse_steps(const char *path, struct bytes text, bool injected,
                                  const struct session_class *class, char error[SCRIPT_ERROR_MAX])
{
    const struct parser given = {
        .path = path, .class = class, .error = error, .text = text, .place = {1, 1}, .injected = injected};
    struct script *script = parse(&given, steps_only_build);
    uint8_t *source = script == NULL ? NULL : malloc(text.len + 1);
    if (script == NULL)
        return NULL;
    if (source == NULL) {
        struct text error_text = text_of(error, SCRIPT_ERROR_MAX);
        text_add(&error_text, "there is not enough memory");
        script_free(script);
        return NULL;
    }
    if (text.len > 0)
        memcpy(source, text.data, text.len);
    script->source = bytes_of(source, text.len);
    return script;
}

/* Bytes that the script owns were `malloc`ed. */
static void bytes_free(struct bytes bytes)
{
    free((void *)(uintptr_t)bytes.data);
}

/* As deep as blocks can be: SCRIPT_DEPTH_MAX. */
static void steps_free(struct server_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < steps[i].option_count; j++) {
            free(steps[i].options[j].name);
            free(steps[i].options[j].value);
        }
        free(steps[i].options);
        for (size_t j = 0; j < steps[i].change_count; j++)
            bytes_free(steps[i].changes[j].data);
        free(steps[i].changes);
        bytes_free(steps[i].payload);
        steps_free(steps[i].children, steps[i].child_count);
    }
    free(steps);
}

const struct script_clause *script_clause_of(const struct script *script, const char *id)
{
    for (size_t i = 0; i < script->clause_count; i++)
        if (strcmp(script->clauses[i].requirement->id, id) == 0)
            return &script->clauses[i];
    return NULL;
}

bool script_can_be_served(const struct script *script, char error[SCRIPT_ERROR_MAX])
{
    struct text text = text_of(error, SCRIPT_ERROR_MAX);
    if (script->client_line == 0)
        return true;
    text_add(&text, script->path);
    text_add(&text, ":");
    text_add_u64(&text, script->client_line);
    text_add(&text, ":");
    text_add_u64(&text, script->client_column);
    text_add(&text,
             ": expected a block \"server {\" that a mock can play, found \"client {\": this is a case about "
             "a server, for ojin-conform server");
    return false;
}

/* As deep as blocks can be: SCRIPT_DEPTH_MAX. */
static bool steps_stop_reading(const struct server_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (steps[i].kind == STEP_STOP_READING || steps_stop_reading(steps[i].children, steps[i].child_count))
            return true;
    return false;
}

bool script_stops_reading(const struct script *script)
{
    return steps_stop_reading(script->steps, script->step_count);
}

void script_free(struct script *script)
{
    if (script == NULL)
        return;
    steps_free(script->steps, script->step_count);
    client_steps_free(script->client_steps, script->client_step_count);
    free(script->plan);
    free(script->checks);
    bytes_free(script->source);
    free(script);
}
