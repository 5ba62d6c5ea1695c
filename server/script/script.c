/* From text to script, and back to nothing. */
#include "server/script/script.h"

#include <stdlib.h>

#include "server/script/parser.h"
#include "server/script/top_lines.h"

static bool steps_only_build(struct parser *parser, void *context)
{
    (void)context;
    struct node *lines = NULL;
    struct place end;
    return text_check(parser) && tree_read(parser, &lines, &end) && server_build_lines(parser, lines, end);
}

bool parser_run(const struct parser *given, bool (*build)(struct parser *parser, void *context),
                void *context)
{
    struct parser *parser = calloc(1, sizeof *parser);
    given->error[0] = '\0';
    if (parser == NULL) {
        struct parser spare = *given;
        return complain_memory(&spare);
    }
    *parser = *given;
    parser->script->class = given->class;
    const bool good = build(parser, context) && !parser_has_told(parser);
    arena_free(&parser->arena);
    free(parser);
    return good;
}

static struct script *parse(struct parser *given, bool (*build)(struct parser *parser, void *context))
{
    struct script *script = calloc(1, sizeof *script);
    given->script = script;
    if (script != NULL ? parser_run(given, build, NULL) : complain_memory(given))
        return script;
    script_free(script);
    return NULL;
}

struct script *script_parse(const char *path, struct bytes text, const struct session_class *class,
                            char error[SCRIPT_ERROR_MAX])
{
    struct parser given = {.path = path, .class = class, .error = error, .text = text, .place = {1, 1}};
    return parse(&given, top_build);
}

struct script *script_parse_steps(const char *path, struct bytes text, bool injected,
                                  const struct session_class *class, char error[SCRIPT_ERROR_MAX])
{
    struct parser given = {
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
        free(steps[i].quirks);
        bytes_free(steps[i].payload);
        steps_free(steps[i].children, steps[i].child_count);
    }
    free(steps);
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

void script_clear(struct script *script)
{
    steps_free(script->steps, script->step_count);
    bytes_free(script->source);
}

void script_free(struct script *script)
{
    if (script == NULL)
        return;
    script_clear(script);
    free(script);
}
