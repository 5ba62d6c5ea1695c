/*
 * The options of a script's `send` step, checked. Private to the Ojin session core.
 *
 * Each reader writes a sentence to `error` and returns false when a value is wrong. Nothing here touches a
 * session.
 */
#ifndef SERVER_OJIN_COMPOSE_H
#define SERVER_OJIN_COMPOSE_H

#include "server/core/compose.h"
#include "server/ojin/session.h"

enum {
    COMPOSE_TRAILING_MAX = 256,
    COMPOSE_PAD_MAX = 16 * 1024 * 1024,
    COMPOSE_ENTRY_BYTES_MAX = 1024 * 1024,
    COMPOSE_ENTRY_BYTES_DEFAULT = 8 /* of an entry of another type than audio and image */
};

/* ---- values ---- */

bool compose_u64(const struct compose_option *option, uint64_t value_max, uint64_t *out,
                 char error[COMPOSE_ERROR_MAX]);
bool compose_u32(const struct compose_option *option, uint32_t *out, char error[COMPOSE_ERROR_MAX]);
enum compose_id {
    COMPOSE_ID_DEFAULT,
    COMPOSE_ID_NIL,
    COMPOSE_ID_FRESH,
    COMPOSE_ID_CURRENT, /* in progress, or else the latest */
    COMPOSE_ID_GIVEN
};

struct compose_interaction {
    enum compose_id kind;
    uint8_t id[UUID_BYTES];
};

/* nil, fresh, current or a UUID. */
bool compose_interaction(const struct compose_option *option, struct compose_interaction *out,
                         char error[COMPOSE_ERROR_MAX]);

/* ---- the options of a frame ---- */

enum compose_content { COMPOSE_AUDIO, COMPOSE_IMAGE, COMPOSE_OTHER };

struct compose_entry {
    enum compose_content content;
    uint8_t type;   /* OTHER */
    uint32_t bytes; /* OTHER */
};

/* "1000", "+5", "-5" */
struct compose_size {
    enum { COMPOSE_SIZE_TRUE, COMPOSE_SIZE_IS, COMPOSE_SIZE_MORE, COMPOSE_SIZE_LESS } kind;
    uint32_t value;
};

enum compose_image { COMPOSE_IMAGE_JPEG, COMPOSE_IMAGE_DAMAGED, COMPOSE_IMAGE_PNG };

struct compose_frame_options {
    bool has_index, has_usage, has_timestamp, has_final, has_payload_count;
    uint32_t index, usage, payload_count;
    uint64_t timestamp;
    uint8_t final;
    struct compose_interaction interaction;
    bool has_payloads;
    size_t entry_count;
    struct compose_entry entries[FRAME_ENTRIES_MAX];
    struct compose_size size_audio, size_image;
    enum compose_image image;
    size_t truncate; /* SIZE_MAX: whole */
    size_t trailing_len;
    uint8_t trailing[COMPOSE_TRAILING_MAX];
    uint32_t pad;         /* bytes the picture grows by */
    uint32_t image_bytes; /* the picture's size, made up by padding; 0: as it comes */
};

#define COMPOSE_FRAME_OPTIONS                                                                                \
    "index usage timestamp interaction final payloads payload_count size_audio size_image image truncate "   \
    "trailing pad image_bytes"

bool compose_frame_options(const struct compose_option *options, size_t count,
                           struct compose_frame_options *out, char error[COMPOSE_ERROR_MAX]);

/* ---- the messages ---- */

bool compose_frame(const struct compose_call *call);
bool compose_ready(const struct compose_call *call);
bool compose_error(const struct compose_call *call);
bool compose_plain(const struct compose_call *call); /* text, json */
bool compose_binary(const struct compose_call *call);

#endif
