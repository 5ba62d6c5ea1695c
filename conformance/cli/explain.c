#include "conformance/cli/explain.h"

#include <stdlib.h>

#include "codec/family.h"
#include "codec/rules/server_rules.h"
#include "codec/wire/text.h"

bool explain_json_string(FILE *out, struct bytes value)
{
    const size_t room = 6 * value.len + sizeof "\"\"";
    char *data = malloc(room);
    if (data == NULL)
        return false;
    struct text text = text_of(data, room);
    text_add_json_string(&text, value);
    fputs(data, out);
    free(data);
    return true;
}

void explain_json_member(FILE *out, bool first, const char *name, const char *value)
{
    fprintf(out, "%s\"%s\":", first ? "" : ",", name);
    explain_json_string(out, bytes_of_text(value));
}

static bool line_opens(struct bytes line, const char *word)
{
    const size_t len = strlen(word);
    if (line.len <= len || memcmp(line.data, word, len) != 0)
        return false;
    size_t at = len;
    while (at < line.len && line.data[at] == ' ')
        at++;
    return at < line.len && line.data[at] == '{';
}

/* How much deeper a line leaves the blocks; braces in strings and comments are none. */
static int depth_change(struct bytes line)
{
    int change = 0;
    bool quoted = false;
    for (size_t i = 0; i < line.len; i++) {
        const uint8_t byte = line.data[i];
        if (quoted && byte == '\\')
            i++;
        else if (byte == '"')
            quoted = !quoted;
        else if (!quoted && byte == '#')
            break;
        else if (!quoted && (byte == '{' || byte == '}'))
            change += byte == '{' ? 1 : -1;
    }
    return change;
}

struct bytes explain_block(struct bytes text, const char *word)
{
    size_t begin = SIZE_MAX;
    int depth = 0;
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        while (end < text.len && text.data[end] != '\n')
            end++;
        const struct bytes line = bytes_of(text.data + at, end - at);
        const bool opens = begin == SIZE_MAX && depth == 0 && line_opens(line, word);
        depth += depth_change(line);
        if (begin != SIZE_MAX && depth == 0)
            return bytes_of(text.data + begin, at - begin);
        at = end + 1;
        if (opens && depth > 0)
            begin = at < text.len ? at : text.len;
    }
    return bytes_of(text.data, 0);
}

const struct requirement *explain_check_clause(const struct case_script *script,
                                               const struct script_check *check)
{
    if (check->clause != NULL)
        return check->clause;
    return script->clause_count > 0 ? script->clauses[0].requirement : NULL;
}

bool explain_has_rule(const struct requirement *requirement)
{
    const struct family *family = family_of_requirement(requirement->id);
    if (family == NULL)
        return false;
    return requirement->party == REQUIREMENT_SERVER
               ? server_rule_of_requirement(family->server_rules, requirement->id) <
                     family->server_rules->count
               : rule_of_requirement(family->rules, requirement->id) < family->rules->count;
}
