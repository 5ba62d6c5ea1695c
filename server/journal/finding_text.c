#include "server/journal/finding_text.h"

static void add_seconds(struct text *text, uint64_t at_us)
{
    uint64_t ms = at_us / 1000;
    text_add_u64(text, ms / 1000);
    text_add_char(text, '.');
    text_add_char(text, (char)('0' + ms / 100 % 10));
    text_add_char(text, (char)('0' + ms / 10 % 10));
    text_add_char(text, (char)('0' + ms % 10));
    text_add(text, " s");
}

void finding_where(const struct journal_entry *entry, uint64_t at_us, struct text *text)
{
    text_add(text, " (connection ");
    text_add_u64(text, entry->connection);
    text_add(text, ", ");
    add_seconds(text, at_us);
}

const char *finding_party(const struct requirement *requirement)
{
    return requirement->party == REQUIREMENT_CLIENT ? "client" : "server";
}

void finding_statement(const struct requirement *requirement, struct text *text)
{
    text_add(text, "the ");
    text_add(text, finding_party(requirement));
    text_add_char(text, ' ');
    text_add(text, requirement_level_name(requirement->level));
    text_add(text, ": ");
    text_add(text, requirement->statement);
    text_add(text, " (");
    text_add(text, requirement->source);
    text_add_char(text, ')');
}

void finding_sentence(const struct journal_entry *entry, struct text *text)
{
    const struct finding *finding = &entry->finding;
    const struct requirement *requirement = requirement_by_id(finding->requirement);
    text_add(text, finding->requirement);
    if (requirement != NULL) {
        text_add_char(text, ' ');
        text_add(text, requirement_level_name(requirement->level));
    }
    text_add(text, ": expected ");
    text_add(text, finding->expected);
    text_add(text, "; got ");
    text_add(text, finding->actual);
}
