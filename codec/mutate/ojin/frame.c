/* An InteractionResponse changed where a parser reads it: header, entry headers, what the two say of the
 * rest. */
#include <assert.h>

#include "codec/mutate/ojin/parts.h"
#include "codec/ojin/constants.h"
#include "codec/ojin/frame.h"

enum {
    ENTRIES_MAX = 64, /* that are told apart */
    ADDED_MAX = 512,  /* entries of no size that are put in at once */
    AUDIO_NEAR = 4,   /* bytes by which a size misses */
    /* 000 InteractionResponse: struct '!B16sQIII' */
    AT_FINAL = 0,
    AT_INTERACTION = 1,
    AT_TIMESTAMP = AT_INTERACTION + UUID_BYTES,
    AT_USAGE = AT_TIMESTAMP + 8,
    AT_INDEX = AT_USAGE + 4,
    AT_COUNT = AT_INDEX + 4,
    TYPE_IN_ENTRY = 4
};
static_assert(AT_COUNT + 4 == OJIN_FRAME_HEADER_BYTES, "the fields are those of the header");

struct entry {
    size_t at;   /* of its header */
    size_t size; /* of its data, as far as it is there */
};

struct entries {
    struct entry list[ENTRIES_MAX];
    size_t count;
    size_t end;      /* where the last one ends */
    uint64_t stated; /* how many the header says there are */
};

static uint32_t u32_at(const struct mutate_edit *edit, size_t at)
{
    const uint8_t *data = edit->data + at;
    return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
}

static void read_entries(const struct mutate_edit *edit, struct entries *out)
{
    *out = (struct entries){.end = OJIN_FRAME_HEADER_BYTES, .stated = u32_at(edit, AT_COUNT)};
    while (out->count < ENTRIES_MAX && out->count < out->stated &&
           edit->len - out->end >= OJIN_ENTRY_HEADER_BYTES) {
        const size_t left = edit->len - out->end - OJIN_ENTRY_HEADER_BYTES;
        const size_t size = u32_at(edit, out->end);
        struct entry *entry = &out->list[out->count++];
        *entry = (struct entry){.at = out->end, .size = size < left ? size : left};
        out->end += OJIN_ENTRY_HEADER_BYTES + entry->size;
    }
}

static const struct entry *draw(struct mutate_edit *edit, const struct entries *entries)
{
    return entries->count == 0 ? NULL : &entries->list[mutate_below(edit, entries->count)];
}

static size_t entry_len(const struct entry *entry)
{
    return OJIN_ENTRY_HEADER_BYTES + entry->size;
}

/* Says one more or one less in the header, after what a change did; in one of four it is left to lie. */
static bool recount(struct mutate_edit *edit, uint64_t count)
{
    if (!mutate_one_in(edit, 4))
        (void)mutate_put(edit, AT_COUNT, 4, count);
    return true;
}

/* --- the header --- */

static bool change_header(struct mutate_edit *edit, const void *parts)
{
    static const struct {
        size_t at, width;
    } FIELDS[] = {{AT_FINAL, 1}, {AT_TIMESTAMP, 8}, {AT_USAGE, 4}, {AT_INDEX, 4}};
    (void)parts;
    const size_t field = mutate_below(edit, sizeof FIELDS / sizeof FIELDS[0]);
    return mutate_put(edit, FIELDS[field].at, FIELDS[field].width, mutate_limit(edit, FIELDS[field].width));
}

static bool change_interaction(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    uint8_t uuid[UUID_BYTES];
    memcpy(uuid, edit->data + AT_INTERACTION, sizeof uuid);
    switch (mutate_below(edit, 3)) {
    case 0:
        memset(uuid, 0, sizeof uuid);
        break;
    case 1:
        memset(uuid, 0xff, sizeof uuid);
        break;
    default:
        uuid[mutate_below(edit, sizeof uuid)] ^= (uint8_t)(1u << mutate_below(edit, 8));
        break;
    }
    return mutate_replace(edit, AT_INTERACTION, sizeof uuid, bytes_of(uuid, sizeof uuid));
}

static bool change_count(struct mutate_edit *edit, const void *parts)
{
    const struct entries *entries = parts;
    switch (mutate_below(edit, 4)) {
    case 0:
        return mutate_put(edit, AT_COUNT, 4, entries->stated + 1);
    case 1:
        return mutate_put(edit, AT_COUNT, 4, entries->stated - 1);
    case 2:
        return mutate_put(edit, AT_COUNT, 4, 0);
    default:
        return mutate_put(edit, AT_COUNT, 4, mutate_limit(edit, 4));
    }
}

/* --- entries --- */

static bool change_size(struct mutate_edit *edit, const void *parts)
{
    const struct entries *entries = parts;
    const struct entry *entry = draw(edit, entries);
    if (entry == NULL)
        return false;
    const size_t left = edit->len - entry->at - OJIN_ENTRY_HEADER_BYTES;
    const uint64_t near = 1 + mutate_below(edit, AUDIO_NEAR);
    switch (mutate_below(edit, 6)) {
    case 0:
        return mutate_put(edit, entry->at, 4, entry->size + near);
    case 1:
        return mutate_put(edit, entry->at, 4, entry->size - near);
    case 2:
        return mutate_put(edit, entry->at, 4, left + mutate_below(edit, 2));
    case 3:
        return mutate_put(edit, entry->at, 4, 0);
    case 4:
        /* With the header's own size it comes round to a small number. */
        return mutate_put(edit, entry->at, 4, UINT32_MAX - mutate_below(edit, 2 * OJIN_FRAME_HEADER_BYTES));
    default:
        return mutate_put(edit, entry->at, 4, mutate_limit(edit, 4));
    }
}

static bool change_entry_type(struct mutate_edit *edit, const void *parts)
{
    const struct entry *entry = draw(edit, parts);
    const uint64_t type = mutate_one_in(edit, 2) ? mutate_below(edit, 4) : mutate_limit(edit, 1);
    return entry != NULL && mutate_put(edit, entry->at + TYPE_IN_ENTRY, 1, type);
}

static bool repeat_entry(struct mutate_edit *edit, const void *parts)
{
    const struct entries *entries = parts;
    const struct entry *entry = draw(edit, entries);
    return entry != NULL &&
           mutate_repeat(edit, entry->at, entry_len(entry),
                         mutate_one_in(edit, 2) ? entries->end : entry->at) &&
           recount(edit, entries->stated + 1);
}

static bool drop_entry(struct mutate_edit *edit, const void *parts)
{
    const struct entries *entries = parts;
    const struct entry *entry = draw(edit, entries);
    return entry != NULL && mutate_replace(edit, entry->at, entry_len(entry), bytes_of(NULL, 0)) &&
           recount(edit, entries->stated - 1);
}

static bool exchange_entries(struct mutate_edit *edit, const void *parts)
{
    const struct entry *a = draw(edit, parts), *b = draw(edit, parts);
    return a != NULL && a->at < b->at && mutate_exchange(edit, a->at, entry_len(a), b->at, entry_len(b));
}

/* Entries without data, of one type; at one place, a few or many. */
static bool add_empty_entries(struct mutate_edit *edit, const void *parts)
{
    const struct entries *entries = parts;
    const struct entry *entry = draw(edit, entries);
    const size_t at = entry == NULL || mutate_one_in(edit, 2) ? entries->end : entry->at;
    const size_t count = mutate_one_in(edit, 4) ? 1 + mutate_below(edit, ADDED_MAX) : 1;
    const uint8_t type =
        mutate_one_in(edit, 4) ? (uint8_t)mutate_limit(edit, 1) : (uint8_t)mutate_below(edit, 4);
    uint8_t *out = mutate_insert(edit, at, count * OJIN_ENTRY_HEADER_BYTES);
    if (out == NULL)
        return false;
    struct writer writer = writer_of(out, count * OJIN_ENTRY_HEADER_BYTES);
    for (size_t i = 0; i < count; i++)
        ojin_frame_write_entry(&writer, type, bytes_of(NULL, 0));
    return recount(edit, entries->stated + count);
}

/* Shorter data, or none, in an entry that says so: sound of an odd length, a picture that is cut. */
static bool shorten_data(struct mutate_edit *edit, const void *parts)
{
    const struct entry *entry = draw(edit, parts);
    if (entry == NULL || entry->size == 0)
        return false;
    const size_t kept = mutate_one_in(edit, 2) ? entry->size - 1
                                               : mutate_below(edit, mutate_one_in(edit, 2) ? 4 : entry->size);
    const size_t data = entry->at + OJIN_ENTRY_HEADER_BYTES;
    if (kept >= entry->size || !mutate_replace(edit, data + kept, entry->size - kept, bytes_of(NULL, 0)))
        return false;
    (void)mutate_put(edit, entry->at, 4, kept);
    return true;
}

/* --- the whole --- */

static bool cut(struct mutate_edit *edit, const void *parts)
{
    const struct entries *entries = parts;
    const struct entry *entry = draw(edit, entries);
    const size_t in_header[] = {AT_FINAL, AT_INTERACTION, AT_TIMESTAMP,           AT_USAGE,
                                AT_INDEX, AT_COUNT,       OJIN_FRAME_HEADER_BYTES};
    const size_t header = in_header[mutate_below(edit, sizeof in_header / sizeof in_header[0])];
    size_t at = header + mutate_below(edit, 2);
    if (entry != NULL && !mutate_one_in(edit, 3)) {
        const size_t data = entry->at + OJIN_ENTRY_HEADER_BYTES;
        const size_t in_entry = mutate_below(edit, OJIN_ENTRY_HEADER_BYTES);
        const size_t in_data = mutate_below(edit, entry->size + 1);
        const size_t places[] = {entry->at + in_entry, data, data + in_data,
                                 data + entry->size - (entry->size > 0)};
        at = places[mutate_below(edit, sizeof places / sizeof places[0])];
    }
    return mutate_cut(edit, at);
}

static bool add_behind(struct mutate_edit *edit, const void *parts)
{
    static const uint8_t SOME[] = {1, 0, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff, 1};
    (void)parts;
    switch (mutate_below(edit, 3)) {
    case 0:
        return mutate_repeat(edit, 0, OJIN_FRAME_HEADER_BYTES, edit->len);
    case 1:
        return mutate_repeat(edit, 0, edit->len, edit->len);
    default:
        return mutate_replace(edit, edit->len, 0, bytes_of(SOME, 1 + mutate_below(edit, sizeof SOME)));
    }
}

static bool shift_header(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    const uint8_t value = (uint8_t)mutate_below(edit, 3);
    const size_t at = mutate_below(edit, OJIN_FRAME_HEADER_BYTES);
    return mutate_one_in(edit, 2) ? mutate_replace(edit, at, 0, bytes_of(&value, 1))
                                  : mutate_replace(edit, at, 1, bytes_of(NULL, 0));
}

/* The entries of another message after the header of this one, or after its own. */
static bool take_entries(struct mutate_edit *edit, const void *parts)
{
    const struct entries *entries = parts;
    if (edit->other.len <= OJIN_FRAME_HEADER_BYTES)
        return false;
    const struct bytes others = bytes_behind(edit->other, OJIN_FRAME_HEADER_BYTES);
    const struct bytes count = bytes_of(edit->other.data + AT_COUNT, 4);
    if (mutate_one_in(edit, 2))
        return mutate_replace(edit, entries->end, 0, others) &&
               recount(edit, entries->stated + count.data[3]);
    return mutate_replace(edit, OJIN_FRAME_HEADER_BYTES, edit->len - OJIN_FRAME_HEADER_BYTES, others);
}

static bool change_data(struct mutate_edit *edit, const void *parts)
{
    const struct entry *entry = draw(edit, parts);
    if (entry == NULL || entry->size == 0)
        return false;
    const uint8_t value = (uint8_t)mutate_limit(edit, 1);
    const size_t within = mutate_one_in(edit, 2) ? mutate_below(edit, entry->size < 32 ? entry->size : 32)
                                                 : mutate_below(edit, entry->size);
    return mutate_replace(edit, entry->at + OJIN_ENTRY_HEADER_BYTES + within, 1, bytes_of(&value, 1));
}

static const struct mutate_row ROWS[] = {
    {"header field at a limit", 14, false, change_header},
    {"another interaction", 4, false, change_interaction},
    {"number of entries", 14, false, change_count},
    {"entry size", 24, false, change_size},
    {"entry type", 8, false, change_entry_type},
    {"entry repeated", 6, false, repeat_entry},
    {"entry left out", 6, false, drop_entry},
    {"entries exchanged", 3, false, exchange_entries},
    {"entries without data", 6, false, add_empty_entries},
    {"data cut short", 8, false, shorten_data},
    {"frame cut off", 10, false, cut},
    {"bytes behind the frame", 5, false, add_behind},
    {"header moved by a byte", 4, false, shift_header},
    {"entries of another frame", 4, false, take_entries},
    {"content of an entry", 3, true, change_data},
};

bool mutate_ojin_frame(struct mutate_edit *edit)
{
    struct entries entries;
    if (edit->len < OJIN_FRAME_HEADER_BYTES)
        return false;
    read_entries(edit, &entries);
    return mutate_by_rows(edit, ROWS, sizeof ROWS / sizeof ROWS[0], &entries);
}
