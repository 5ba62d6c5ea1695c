#include "conformance/judge/plan_writer.h"

#include "codec/wire/text.h"

enum { STEP_BYTES_MAX = 8192 };

const char *plan_step_name(enum plan_step_kind kind)
{
    switch (kind) {
    case PLAN_CONNECT:
        return "connect";
    case PLAN_SPEAK:
        return "speak";
    case PLAN_CANCEL:
        return "cancel";
    case PLAN_END:
        return "end";
    case PLAN_WAIT:
        return "wait";
    case PLAN_CLOSE:
        return "close";
    case PLAN_RECONNECT:
        return "reconnect";
    case PLAN_FORCE_LISTEN:
        return "force-listen";
    }
    return "";
}

static void string_add(struct text *out, const char *string)
{
    text_add_json_string(out, bytes_of_text(string));
}

static void file_add(struct text *out, const char *folder, const char *file)
{
    char path[4 * SCRIPT_TEXT_MAX];
    struct text text = text_of(path, sizeof path);
    if (file[0] != '/') {
        text_add(&text, folder);
        text_add(&text, "/");
    }
    text_add(&text, file);
    text_add(out, ",\"file\":");
    string_add(out, path);
}

static void after_add(struct text *out, const struct script_condition *after)
{
    char condition[SCRIPT_NAME_MAX + 24];
    struct text text = text_of(condition, sizeof condition);
    text_add(&text, after->name);
    if (after->count > 1 || strcmp(after->name, "speech") == 0) {
        text_add(&text, ":");
        text_add_u64(&text, after->count);
    }
    text_add(out, ",\"after\":");
    string_add(out, condition);
}

static void step_add(struct text *out, const struct plan_step *step, const char *folder)
{
    text_add(out, "{\"do\":");
    string_add(out, plan_step_name(step->kind));
    if (step->kind == PLAN_SPEAK)
        file_add(out, folder, step->file);
    if (step->params != NULL) {
        text_add(out, ",\"params\":"); /* one JSON object, as the parser made sure of */
        text_add(out, step->params);
    }
    if (step->after.name[0] != '\0')
        after_add(out, &step->after);
    if (step->kind == PLAN_WAIT) {
        text_add(out, ",\"ms\":");
        text_add_u64(out, (step->wait_us + 999) / 1000);
    }
    if (step->kind == PLAN_RECONNECT) {
        text_add(out, ",\"times\":");
        text_add_u64(out, step->times);
    }
    text_add(out, "}");
}

static bool text_append(struct buffer *out, const struct text *text)
{
    return !text->cut && buffer_append(out, bytes_of(text->data, text->len));
}

bool plan_write(const struct case_script *script, const char *profile, const char *speech_folder,
                struct buffer *out)
{
    char data[STEP_BYTES_MAX];
    struct text text = text_of(data, sizeof data);
    text_add(&text, "{\"conform\":1,\"case\":");
    string_add(&text, script->name);
    text_add(&text, ",\"profile\":");
    string_add(&text, profile);
    text_add(&text, ",\"limit_ms\":");
    text_add_u64(&text, script->limit_us / 1000);
    text_add(&text, ",\"steps\":[");
    bool good = text_append(out, &text);
    for (size_t i = 0; i < script->plan_count; i++) {
        text = text_of(data, sizeof data);
        text_add(&text, i == 0 ? "" : ",");
        step_add(&text, &script->plan[i], speech_folder);
        good = good && text_append(out, &text);
    }
    return good && buffer_append(out, bytes_of_text("]}"));
}
