/* From text to script, and back to nothing. */
#include "server/script/script.h"

#include <stdlib.h>

#include "codec/wire/text.h"
#include "codec/wire/utf8.h"
#include "server/script/client_lines.h"
#include "server/script/top_lines.h"

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
    if (!text_check(parser) || !tree_read(parser, &lines, &end) || !top_build(parser, lines, end))
        return false;
    tier_set(parser->script);
    return true;
}

struct script *script_parse(const char *path, struct bytes text, const struct session_class *class,
                            char error[SCRIPT_ERROR_MAX])
{
    error[0] = '\0';
    struct parser *parser = calloc(1, sizeof *parser);
    struct script *script = calloc(1, sizeof *script);
    struct parser spare = {.path = path, .error = error, .place = {1, 1}};
    bool good = false;
    if (parser == NULL || script == NULL) {
        complain_memory(&spare);
    } else {
        struct text path_text = text_of(script->path, sizeof script->path);
        text_add(&path_text, path);
        *parser = (struct parser){
            .path = path, .class = class, .script = script, .error = error, .text = text, .place = {1, 1}};
        good = script_build(parser);
        arena_free(&parser->arena);
    }
    free(parser);
    if (good)
        return script;
    script_free(script);
    return NULL;
}

/* For now by way of a whole script around the lines. */
struct script *script_parse_steps(const char *path, struct bytes text, bool injected,
                                  const struct session_class *class, char error[SCRIPT_ERROR_MAX])
{
    enum { WHOLE_BYTES_MAX = 4096 };
    char data[WHOLE_BYTES_MAX];
    struct text whole = text_of(data, sizeof data);
    (void)injected;
    text_add(&whole, "case a/b/c\nserver {\n");
    text_add_bytes(&whole, text);
    text_add(&whole, "}\n");
    return script_parse(path, bytes_of(data, whole.len), class, error);
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
        steps_free(steps[i].children, steps[i].child_count);
    }
    free(steps);
}

void script_free(struct script *script)
{
    if (script == NULL)
        return;
    steps_free(script->steps, script->step_count);
    client_steps_free(script->client_steps, script->client_step_count);
    free(script->plan);
    free(script->checks);
    free(script);
}
