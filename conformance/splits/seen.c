#include "conformance/splits/splits.h"

/* Does it follow from a message alone? */
static bool is_of_a_message(enum observation_kind kind)
{
    switch (kind) {
    case OBSERVED_READY:
    case OBSERVED_FRAME:
    case OBSERVED_ERROR:
    case OBSERVED_CLOSED:
    case OBSERVED_QUEUE:
    case OBSERVED_DELTA:
    case OBSERVED_LISTEN:
    case OBSERVED_STATUS:
    case OBSERVED_TRANSCRIPT:
    case OBSERVED_RESULT:
        return true;
    case OBSERVED_PLAYED:
    case OBSERVED_CANCELLED:
    case OBSERVED_STATE:
    case OBSERVED_HEARD:
    case OBSERVED_TURN:
        break;
    }
    return false;
}

void split_seen_add(struct text *out, const struct observation *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct observation seen = list[i];
        if (!is_of_a_message(seen.kind))
            continue;
        seen.has_at = false;
        seen.has_samples = seen.has_samples && seen.kind != OBSERVED_LISTEN;
        observation_write(out, &seen);
        text_add_char(out, '\n');
    }
}

/* The next line, without its end; `*rest` goes on behind it. */
static bool next_line(struct bytes *rest, struct bytes *line)
{
    *line = bytes_of(NULL, 0);
    if (rest->len == 0)
        return false;
    const size_t end = bytes_find_byte(*rest, '\n');
    *line = bytes_of(rest->data, end);
    *rest = bytes_behind(*rest, end < rest->len ? end + 1 : end);
    return true;
}

bool split_seen_compare(struct bytes expected, struct bytes found, struct split_difference *out)
{
    *out = (struct split_difference){.line = 0};
    for (;;) {
        const bool more = next_line(&expected, &out->expected);
        const bool other_more = next_line(&found, &out->found);
        out->line++;
        if (!more && !other_more)
            return false;
        if (more != other_more || !bytes_equal(out->expected, out->found))
            return true;
    }
}
