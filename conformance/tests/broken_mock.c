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
#include "server/core/session.h"

/* In place of each message of that label. "created", "listen" and "delta" are right by themselves. */
static const struct {
    const char *label, *text;
} TEXTS[] = {
    {"ready", "{\"type\":\"sessionReady\"}"},
    {"closed", "{\"type\":\"session.closed\"}"},
    {"created", "{\"type\":\"session.created\",\"session_id\":\"sess_1\",\"prompt_length\":1}"},
    {"listen", "{\"type\":\"response.listen\",\"kv_cache_length\":8193}"},
    {"delta", "{\"type\":\"response.output_audio.delta\",\"text\":\"What?\",\"audio\":\"AAAAAAAAAAA=\","
              "\"end_of_turn\":false,\"kv_cache_length\":8000}"},
    {"status", "{\"type\":\"status\",\"status\":\"connected\"}"},
    {"ai_audio_chunk", "{\"type\":\"ai_audio_chunk\",\"audio\":\"AA==\",\"is_final\":true}"},
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

/* ---- the registry of server/families.c, in its place ---- */

#define FAMILY(name, prefix) extern const struct session_class prefix##_SESSION_CLASS;
#include "server/families.inc"
#undef FAMILY

/* Each family's own step, and what goes wrong with what it sends. */
#define FAMILY(name, prefix)                                                                                 \
    static void name##_step(struct session *session, const struct session_event *event,                      \
                            struct actions *actions)                                                         \
    {                                                                                                        \
        prefix##_SESSION_CLASS.step(session, event, actions);                                                \
        break_what_is_sent(actions);                                                                         \
    }
#include "server/families.inc"
#undef FAMILY

static const struct {
    const struct session_class *right;
    void (*step)(struct session *session, const struct session_event *event, struct actions *actions);
} BROKEN[] = {
#define FAMILY(name, prefix) {&prefix##_SESSION_CLASS, name##_step},
#include "server/families.inc"
#undef FAMILY
};

enum { FAMILY_COUNT = sizeof BROKEN / sizeof BROKEN[0] };

const struct session_class *const SESSION_CLASSES[] = {
#define FAMILY(name, prefix) &prefix##_SESSION_CLASS,
#include "server/families.inc"
#undef FAMILY
    NULL};

const struct session_class *session_class_by_family(const char *family)
{
    static struct session_class broken[FAMILY_COUNT];
    for (size_t n = 0; n < FAMILY_COUNT; n++) {
        if (strcmp(BROKEN[n].right->family->name, family) != 0)
            continue;
        broken[n] = *BROKEN[n].right;
        broken[n].step = BROKEN[n].step;
        return &broken[n];
    }
    return NULL;
}

const struct session_class *session_class_of_script(struct bytes text)
{
    const struct bytes name = script_family(text);
    for (size_t n = 0; n < FAMILY_COUNT; n++)
        if (bytes_equal_text(name, BROKEN[n].right->family->name))
            return session_class_by_family(BROKEN[n].right->family->name);
    return session_class_by_family(BROKEN[0].right->family->name);
}
