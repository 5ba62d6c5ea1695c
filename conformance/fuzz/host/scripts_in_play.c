#include "conformance/fuzz/host/scripts_in_play.h"

#include <stdlib.h>

struct played_script {
    struct played_script *next;
    struct case_script *script;
    unsigned uses;
};

static void free_one(struct played_script *played)
{
    case_script_free(played->script);
    free(played);
}

/* Frees those that nobody uses any more, but for the one at hand. */
static void sweep(struct scripts_in_play *scripts)
{
    for (struct played_script **link = &scripts->first->next; *link != NULL;) {
        struct played_script *played = *link;
        if (played->uses > 0) {
            link = &played->next;
            continue;
        }
        *link = played->next;
        free_one(played);
    }
}

bool scripts_play(struct scripts_in_play *scripts, const struct fuzz_session *session,
                  char error[SCRIPT_ERROR_MAX])
{
    struct buffer text;
    struct played_script *played = calloc(1, sizeof *played);
    buffer_init(&text, SCRIPT_BYTES_MAX);
    struct text sentence = text_of(error, SCRIPT_ERROR_MAX);
    if (played == NULL || !fuzz_session_write(session, NULL, "", &text))
        text_add(&sentence, "no room for it");
    else
        played->script = case_script_parse("session", buffer_bytes(&text),
                                           case_family_by_name(session->class->family->name), error);
    buffer_free(&text);
    if (played == NULL || played->script == NULL) {
        free(played);
        return false;
    }
    played->next = scripts->first;
    scripts->first = played;
    sweep(scripts);
    return true;
}

const struct case_script *scripts_current(const struct scripts_in_play *scripts)
{
    return scripts->first == NULL ? NULL : scripts->first->script;
}

const struct script *scripts_take(struct scripts_in_play *scripts)
{
    if (scripts->first == NULL)
        return NULL;
    scripts->first->uses++;
    return &scripts->first->script->played;
}

void scripts_release(struct scripts_in_play *scripts, const struct script *script)
{
    for (struct played_script *played = scripts->first; played != NULL; played = played->next)
        if (&played->script->played == script)
            played->uses--;
}

void scripts_free(struct scripts_in_play *scripts)
{
    while (scripts->first != NULL) {
        struct played_script *played = scripts->first;
        scripts->first = played->next;
        free_one(played);
    }
}
