#include "conformance/runner/task.h"

#include "codec/wire/text.h"
#include "server/launch/launch.h"

enum { MEMBER_BYTES_MAX = 8192 };

static bool member_add(struct buffer *out, const char *name, const char *value)
{
    char data[MEMBER_BYTES_MAX];
    struct text text = text_of(data, sizeof data);
    if (value == NULL)
        return true;
    text_add(&text, "\"");
    text_add(&text, name);
    text_add(&text, "\":");
    text_add_json_string(&text, bytes_of_text(value));
    text_add(&text, ",");
    return !text.cut && buffer_append(out, bytes_of(text.data, text.len));
}

bool task_write(const struct client_values *values, struct bytes plan, struct buffer *out)
{
    char url[] = "{url}";
    char *const words[] = {url, NULL};
    char **filled = client_words(words, values);
    const bool good = filled != NULL && plan.len > 0 && buffer_append(out, bytes_of_text("{")) &&
                      member_add(out, "url", filled[0]) && member_add(out, "key", values->key) &&
                      member_add(out, "config", values->config) && member_add(out, "audio", values->audio) &&
                      member_add(out, "video", values->video) && member_add(out, "out", values->out) &&
                      member_add(out, "control", values->control) && member_add(out, "ca", values->ca) &&
                      buffer_append(out, bytes_of(plan.data + 1, plan.len - 1));
    launch_free(filled);
    return good;
}
