/*
 * A mock that breaks the protocol unasked, linked into the runner in place of the right one: it does what
 * MOCK_BREAKS says, the label of a message that has another text then, "speech" (each frame without its last
 * byte) or "times" (each frame of speech says that it is of 1970, so that each message is right by itself);
 * without it, nothing wrong.
 */
#include <stdlib.h>
#include <string.h>

#include "codec/wire/bytes.h"
#include "codec/wire/uuid.h"
#include "server/duplex/session_class.h"
#include "server/ojin/session_class.h"

/* In place of each message of that label. Of the last three each is right by itself. */
static const struct {
    const char *label, *text;
} TEXTS[] = {
    {"ready", "{\"type\":\"sessionReady\"}"},
    {"closed", "{\"type\":\"session.closed\"}"},
    {"created", "{\"type\":\"session.created\",\"session_id\":\"sess_1\",\"prompt_length\":1}"},
    {"listen", "{\"type\":\"response.listen\",\"kv_cache_length\":8193}"},
    {"delta", "{\"type\":\"response.output_audio.delta\",\"text\":\"What?\",\"audio\":\"AAAAAAAAAAA=\","
              "\"end_of_turn\":false,\"kv_cache_length\":8000}"},
};

static void text_break(struct actions *actions, struct action *action)
{
    for (size_t n = 0; n < sizeof TEXTS / sizeof TEXTS[0]; n++) {
        if (strcmp(action->label, TEXTS[n].label) != 0)
            continue;
        uint8_t *data = actions_rewrite(actions, action, strlen(TEXTS[n].text));
        if (data != NULL)
            memcpy(data, TEXTS[n].text, strlen(TEXTS[n].text));
    }
}

static void time_break(struct actions *actions, struct action *action)
{
    uint8_t *data = actions_rewrite(actions, action, action->len);
    if (data != NULL)
        memset(data + 1 + UUID_BYTES, 0, sizeof(uint64_t)); /* behind is_final and the interaction's id */
}

static void break_what_is_sent(struct actions *actions)
{
    const char *what = getenv("MOCK_BREAKS");
    const bool times = what != NULL && strcmp(what, "times") == 0;
    for (size_t n = 0; what != NULL && n < actions->count; n++) {
        struct action *action = &actions->list[n];
        if (strcmp(action->label, times ? "speech" : what) != 0)
            continue;
        if (action->kind == ACTION_SEND_TEXT)
            text_break(actions, action);
        else if (times)
            time_break(actions, action);
        else if (action->kind == ACTION_SEND_BINARY)
            actions_rewrite(actions, action, action->len - 1);
    }
}

static void ojin_step(struct session *session, const struct session_event *event, struct actions *actions)
{
    OJIN_SESSION_CLASS.step(session, event, actions);
    break_what_is_sent(actions);
}

static void duplex_step(struct session *session, const struct session_event *event, struct actions *actions)
{
    DUPLEX_SESSION_CLASS.step(session, event, actions);
    break_what_is_sent(actions);
}

/* ---- the registry of server/families.c, in its place ---- */

const struct session_class *const SESSION_CLASSES[] = {&OJIN_SESSION_CLASS, &DUPLEX_SESSION_CLASS, NULL};

static const struct session_class *broken_class(bool is_ojin)
{
    static struct session_class ojin, duplex;
    ojin = OJIN_SESSION_CLASS;
    ojin.step = ojin_step;
    duplex = DUPLEX_SESSION_CLASS;
    duplex.step = duplex_step;
    return is_ojin ? &ojin : &duplex;
}

const struct session_class *session_class_by_family(const char *family)
{
    const bool is_ojin = strcmp(family, OJIN_SESSION_CLASS.family->name) == 0;
    return is_ojin || strcmp(family, DUPLEX_SESSION_CLASS.family->name) == 0 ? broken_class(is_ojin) : NULL;
}

const struct session_class *session_class_of_script(struct bytes text)
{
    return broken_class(!bytes_equal_text(script_family(text), DUPLEX_SESSION_CLASS.family->name));
}
