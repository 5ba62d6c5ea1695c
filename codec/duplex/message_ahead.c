#include <stdlib.h>

#include "codec/duplex/messages.h"

static bool read_one_more(struct duplex_ahead *ahead, struct bytes text,
                          const struct duplex_read_options *options)
{
    struct duplex_message *message = &ahead->messages[ahead->count];
    ahead->options[ahead->count++] = *options;
    duplex_message_read(text, options, message);
    return !json_faults_no_memory(&message->faults);
}

struct duplex_ahead *duplex_ahead_new(struct bytes text, const struct duplex_read_options *options)
{
    struct duplex_ahead *ahead = calloc(1, sizeof *ahead);
    struct duplex_read_options without = *options;
    without.picture_size = NULL;
    if (ahead == NULL)
        return NULL;
    const bool is_read = read_one_more(ahead, text, options) &&
                         (!ahead->messages[0].has_pictures || read_one_more(ahead, text, &without));
    if (is_read)
        return ahead;
    duplex_ahead_free(ahead);
    return NULL;
}

void duplex_ahead_free(struct duplex_ahead *ahead)
{
    for (size_t i = 0; i < ahead->count; i++)
        duplex_message_free(&ahead->messages[i]);
    free(ahead);
}

/* Would a reading with these options come to the same? */
static bool is_the_same(const struct duplex_message *message, const struct duplex_read_options *with,
                        const struct duplex_read_options *options)
{
    const bool same_pictures =
        with->picture_size == options->picture_size && with->picture_context == options->picture_context;
    return with->profile == options->profile && (same_pictures || !message->has_pictures) &&
           (with->float32_voices == options->float32_voices || message->type != DUPLEX_MESSAGE_UPDATE);
}

void duplex_message_read_once(struct bytes text, const struct duplex_read_options *options,
                              const struct duplex_ahead *ahead, struct duplex_message *out)
{
    for (size_t i = 0; ahead != NULL && i < ahead->count; i++) {
        if (!is_the_same(&ahead->messages[i], &ahead->options[i], options))
            continue;
        *out = ahead->messages[i];
        out->tree = NULL; /* it is not theirs to free */
        return;
    }
    duplex_message_read(text, options, out);
}
