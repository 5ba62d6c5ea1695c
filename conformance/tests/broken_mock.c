/*
 * A mock that breaks the protocol unasked, linked into the runner in place of the right one: it does what
 * MOCK_BREAKS says, "ready" (without its payload), "speech" (each frame without its last byte) or "times"
 * (each frame of speech says that it is of 1970, so that each message is right by itself); without it,
 * nothing wrong.
 */
#include <stdlib.h>
#include <string.h>

#include "codec/wire/bytes.h"
#include "codec/wire/uuid.h"
#include "server/ojin/session_class.h"

static const char READY[] = "{\"type\":\"sessionReady\"}";

static void ready_break(struct actions *actions, struct action *action)
{
    uint8_t *data = actions_rewrite(actions, action, strlen(READY));
    if (data != NULL)
        memcpy(data, READY, strlen(READY));
}

static void time_break(struct actions *actions, struct action *action)
{
    uint8_t *data = actions_rewrite(actions, action, action->len);
    if (data != NULL)
        memset(data + 1 + UUID_BYTES, 0, sizeof(uint64_t)); /* behind is_final and the interaction's id */
}

static void break_what_is_sent(const char *what, struct actions *actions)
{
    const bool times = strcmp(what, "times") == 0;
    for (size_t n = 0; n < actions->count; n++) {
        struct action *action = &actions->list[n];
        if (strcmp(action->label, times ? "speech" : what) != 0)
            continue;
        if (action->kind == ACTION_SEND_TEXT)
            ready_break(actions, action);
        else if (times)
            time_break(actions, action);
        else if (action->kind == ACTION_SEND_BINARY)
            actions_rewrite(actions, action, action->len - 1);
    }
}

static void broken_step(struct session *session, const struct session_event *event, struct actions *actions)
{
    const char *what = getenv("MOCK_BREAKS");
    OJIN_SESSION_CLASS.step(session, event, actions);
    if (what != NULL)
        break_what_is_sent(what, actions);
}

/* ---- the registry of server/families.c, in its place ---- */

const struct session_class *const SESSION_CLASSES[] = {&OJIN_SESSION_CLASS, NULL};

static const struct session_class *broken_class(void)
{
    static struct session_class broken;
    broken = OJIN_SESSION_CLASS;
    broken.step = broken_step;
    return &broken;
}

const struct session_class *session_class_by_family(const char *family)
{
    return strcmp(family, OJIN_SESSION_CLASS.family->name) == 0 ? broken_class() : NULL;
}

const struct session_class *session_class_of_script(struct bytes text)
{
    (void)text;
    return broken_class();
}
