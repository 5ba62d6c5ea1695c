/* From a right message in JSON those that are wrong in one place, and those that say the same in another way.
 */
#include <stdlib.h>
#include <string.h>

#include "conformance/vectors/vector_maker.h"

#define COUNT_OF(list) (sizeof(list) / sizeof(list)[0])

enum { MEMBER_DEPTH_MAX = 3, TEXT_ROOM = 512, CODED_MIN = 16 /* characters: sound or a picture */ };

struct base {
    struct vector_maker *maker;
    const char *what;
    const char *profile;
    bool from_client;
    cJSON *tree;
};

static void add_named(const struct base *base, const char *member, const char *how, struct bytes text)
{
    char name[VECTOR_NAME_MAX];
    struct text out = text_of(name, sizeof name);
    text_add(&out, base->what);
    text_add(&out, ", ");
    text_add(&out, member);
    text_add(&out, member[0] == '\0' ? "" : " ");
    text_add(&out, how);
    vectors_add(base->maker, name, "text", base->profile, base->from_client, text, NULL);
}

static void add_printed(const struct base *base, const char *member, const char *how)
{
    char *text = cJSON_PrintUnformatted(base->tree);
    if (text == NULL)
        base->maker->failed = true;
    else
        add_named(base, member, how, bytes_of_text(text));
    cJSON_free(text);
}

/* The member with another value, as it would stand in the text, for one vector. */
static void add_replaced(const struct base *base, cJSON *item, const char *member, const char *how,
                         char *value)
{
    const int type = item->type;
    char *const string = item->valuestring;
    cJSON *const child = item->child;
    item->type = cJSON_Raw;
    item->valuestring = value;
    item->child = NULL;
    add_printed(base, member, how);
    item->type = type;
    item->valuestring = string;
    item->child = child;
}

/* Printing follows `child` and `next` alone, so passing it over there is enough. */
static void add_left_out(const struct base *base, cJSON *parent, cJSON *item, const char *member)
{
    cJSON **const link = parent->child == item ? &parent->child : &item->prev->next;
    *link = item->next;
    add_printed(base, member, "left out");
    *link = item;
}

/* One value of each type, for members that have another; and values of the same type at its edges. */
static void add_values(const struct base *base, cJSON *item, const char *member)
{
    enum { OF_STRING = 1, OF_NUMBER = 2, OF_BOOL = 4, OF_LIST = 8, OF_OBJECT = 16, OF_ALL = 31 };
    static const struct {
        unsigned types; /* of the members that get it */
        const char *how, *value;
    } VALUES[] = {
        {OF_ALL, "null", "null"},
        {OF_ALL & ~OF_BOOL, "true", "true"},
        {OF_ALL & ~OF_NUMBER, "a number", "7"},
        {OF_ALL & ~OF_STRING, "a string", "\"7\""},
        {OF_ALL & ~OF_LIST, "a list", "[]"},
        {OF_ALL & ~OF_OBJECT, "an object", "{}"},
        {OF_STRING, "empty", "\"\""},
        {OF_STRING, "with a quote, a backslash and a line end", "\"a\\\"b\\\\c\\nd\""},
        {OF_STRING, "beyond ASCII", "\"\xc3\xa9\xe6\x97\xa5\xf0\x9f\x99\x82\""},
        {OF_STRING, "beyond ASCII, as escapes", "\"\\u00e9\\u65e5\\ud83d\\ude42\""},
        {OF_NUMBER, "a fraction", "0.5"},
        {OF_NUMBER, "below zero", "-1"},
        {OF_NUMBER, "zero", "0"},
        {OF_NUMBER, "in exponent form", "1e0"},
        {OF_NUMBER, "past a double", "1e400"},
        {OF_NUMBER, "with a zero in front", "01"},
        {OF_BOOL, "as a number", "1"},
        {OF_BOOL, "as a string", "\"true\""},
    };
    const unsigned type = cJSON_IsString(item)   ? OF_STRING
                          : cJSON_IsNumber(item) ? OF_NUMBER
                          : cJSON_IsBool(item)   ? OF_BOOL
                          : cJSON_IsArray(item)  ? OF_LIST
                                                 : OF_OBJECT;
    for (size_t i = 0; i < COUNT_OF(VALUES); i++) {
        char value[TEXT_ROOM];
        struct text text = text_of(value, sizeof value);
        text_add(&text, VALUES[i].value);
        if ((VALUES[i].types & type) != 0)
            add_replaced(base, item, member, VALUES[i].how, value);
    }
}

/* A string of base64 that loses its form. */
static void add_codings(const struct base *base, cJSON *item, const char *member)
{
    static const struct {
        const char *how;
        size_t cut; /* characters at the end that are left out */
        const char *before, *behind;
    } CODINGS[] = {
        {"without its last character", 1, "", ""},
        {"without its last four characters", 4, "", ""},
        {"with a character that is none of base64", 0, "", "!"},
        {"padded too much", 0, "", "===="},
        {"with a blank in front", 0, " ", ""},
        {"with a line end behind", 0, "", "\\n"},
        {"with the alphabet for URLs", 0, "-_-_", ""},
        {"with a data: prefix", 0, "data:;base64,", ""},
    };
    const size_t len = cJSON_IsString(item) ? strlen(item->valuestring) : 0;
    const size_t room = len + TEXT_ROOM;
    const bool coded = strstr(member, "audio") != NULL || strstr(member, "video_frames") != NULL;
    char *value = coded && len >= CODED_MIN ? malloc(room) : NULL;
    for (size_t i = 0; value != NULL && i < COUNT_OF(CODINGS); i++) {
        struct text text = text_of(value, room);
        text_add(&text, "\"");
        text_add(&text, CODINGS[i].before);
        text_add_bytes(&text, bytes_of(item->valuestring, len - CODINGS[i].cut));
        text_add(&text, CODINGS[i].behind);
        text_add(&text, "\"");
        add_replaced(base, item, member, CODINGS[i].how, value);
    }
    free(value);
}

/* Members of an object, or elements of a list, and what is in them. */
static void add_members(const struct base *base, cJSON *parent, const char *within, unsigned depth)
{
    const int count = cJSON_GetArraySize(parent);
    for (int i = 0; i < count && !base->maker->failed; i++) {
        char member[VECTOR_FIELD_MAX];
        struct text text = text_of(member, sizeof member);
        cJSON *item = cJSON_GetArrayItem(parent, i);
        text_add(&text, within);
        if (item->string == NULL) {
            text_add(&text, "[");
            text_add_u64(&text, (uint64_t)i);
            text_add(&text, "]");
        } else {
            text_add(&text, within[0] == '\0' ? "" : ".");
            text_add(&text, item->string);
        }
        add_left_out(base, parent, item, member);
        add_values(base, item, member);
        add_codings(base, item, member);
        if (depth + 1 < MEMBER_DEPTH_MAX)
            add_members(base, item, member, depth + 1);
    }
}

static void add_joined(const struct base *base, const char *how, const char *before, struct bytes text,
                       const char *behind)
{
    struct buffer out;
    buffer_init(&out, text.len + TEXT_ROOM);
    if (buffer_append(&out, bytes_of_text(before)) && buffer_append(&out, text) &&
        buffer_append(&out, bytes_of_text(behind)))
        add_named(base, "", how, buffer_bytes(&out));
    else
        base->maker->failed = true;
    buffer_free(&out);
}

/* The text itself: cut, with more around it, and written in other ways that mean the same. */
static void add_texts(const struct base *base, struct bytes text)
{
    const struct bytes members = bytes_behind(text, 1);
    add_joined(base, "cut to its first byte", "", bytes_of(text.data, 1), "");
    add_joined(base, "cut in half", "", bytes_of(text.data, text.len / 2), "");
    add_joined(base, "without its last byte", "", bytes_of(text.data, text.len - 1), "");
    add_joined(base, "with a bracket behind", "", text, "}");
    add_joined(base, "with a word behind", "", text, " ok");
    add_joined(base, "twice in a message", "", text, "{}");
    add_joined(base, "with a byte order mark", "\xef\xbb\xbf", text, "");
    add_joined(base, "in a list", "[", text, "]");
    add_joined(base, "with white space around", " \t\r\n", text, "\n ");
    add_joined(base, "with an unknown member", "{\"vector_extra\":{\"a\":[1,null]},", members, "");
    add_joined(base, "with another type in front, the last counts", "{\"type\":\"none\",", members, "");
    add_joined(base, "with a comma too many", "{,", members, "");
    add_joined(base, "with a comment", "{/**/", members, "");
    if (members.len > 6 && memcmp(members.data, "\"type\"", 6) == 0)
        add_joined(base, "with type as an escape", "{\"\\u0074ype\"", bytes_behind(members, 6), "");
}

void vectors_add_text(struct vector_maker *maker, const char *what, const char *profile, bool from_client,
                      struct bytes text)
{
    struct base base = {.maker = maker, .what = what, .profile = profile, .from_client = from_client};
    if (maker->failed)
        return;
    vectors_add(maker, what, "text", profile, from_client, text, NULL);
    if (json_parse(text, &base.tree).status != WIRE_OK) {
        maker->failed = true;
        return;
    }
    add_members(&base, base.tree, "", 0);
    add_texts(&base, text);
    cJSON_Delete(base.tree);
}

void vectors_add_strange_texts(struct vector_maker *maker, const char *profile, bool from_client)
{
    static const struct {
        const char *name, *text;
        size_t len; /* 0: up to its end */
    } TEXTS[] = {
        {"a sentence", "No backend servers available. Please try again later.", 0},
        {"a blank", " ", 0},
        {"no bytes", "", 0},
        {"a NUL", "\0", 1},
        {"an empty object", "{}", 0},
        {"an object without a type", "{\"payload\":{}}", 0},
        {"an unknown type", "{\"type\":\"somethingElse\",\"payload\":{}}", 0},
        {"a type in another case", "{\"type\":\"SESSIONREADY\"}", 0},
        {"a type that is null", "{\"type\":null}", 0},
        {"a type that is a number", "{\"type\":1}", 0},
        {"a type that is a list", "{\"type\":[\"error\"]}", 0},
        {"a list", "[]", 0},
        {"null", "null", 0},
        {"true", "true", 0},
        {"a number", "7", 0},
        {"a string", "\"error\"", 0},
        {"NaN", "NaN", 0},
        {"single quotes", "{'type':'error'}", 0},
        {"a name without quotes", "{type:\"error\"}", 0},
        {"a raw line end in a string", "{\"type\":\"er\nror\"}", 0},
        {"an unknown escape", "{\"type\":\"\\x65rror\"}", 0},
        {"broken UTF-8", "{\"type\":\"\xc3\"}", 0},
        {"a surrogate in UTF-8", "{\"type\":\"\xed\xa0\x80\"}", 0},
        {"a list that is not closed", "{\"type\":[", 0},
        {"an object that is not closed", "{\"type\":{\"a\":{", 0},
        {"brackets that do not match", "{\"type\":[}", 0},
    };
    for (size_t i = 0; i < COUNT_OF(TEXTS); i++) {
        char name[VECTOR_NAME_MAX];
        struct text text = text_of(name, sizeof name);
        text_add(&text, from_client ? "from a client, " : "from a server, ");
        text_add(&text, TEXTS[i].name);
        vectors_add(maker, name, "text", profile, from_client,
                    bytes_of(TEXTS[i].text, TEXTS[i].len > 0 ? TEXTS[i].len : strlen(TEXTS[i].text)), NULL);
    }
}
