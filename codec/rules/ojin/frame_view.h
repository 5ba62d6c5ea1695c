/*
 * An InteractionResponse as the rules see it: read as far as it goes, with what is wrong in its layout named,
 * so that a fault is laid at one door only. 000 InteractionResponse.
 */
#ifndef CODEC_RULES_OJIN_FRAME_VIEW_H
#define CODEC_RULES_OJIN_FRAME_VIEW_H

#include "codec/ojin/frame.h"
#include "codec/wire/wire_event.h"

enum frame_fault {
    FRAME_FAULT_NONE,
    FRAME_FAULT_CUT,          /* the message was not kept whole: nothing can be said of its entries */
    FRAME_FAULT_SHORT,        /* fewer than 37 bytes: no field of `header` is set */
    FRAME_FAULT_ENTRY_HEADER, /* an entry's 5 bytes run past the message: fewer entries than counted */
    FRAME_FAULT_ENTRY_SIZE,   /* an entry's data runs past the message */
    FRAME_FAULT_TRAILING      /* bytes are left after the last entry */
};

struct frame_view {
    enum frame_fault fault;
    struct ojin_frame header; /* the fields of the header, as sent */
    uint32_t entry;           /* number of the entry with the fault, from 0 */
    uint32_t entry_bytes;     /* FRAME_FAULT_ENTRY_SIZE: the size it claims */
    uint64_t left;            /* bytes that were left there */
    uint32_t audio_count, image_count;
    struct bytes audio, image; /* data of the last such entry */
};

/* The header's fields are there. */
static inline bool frame_view_has_header(const struct frame_view *view)
{
    return view->fault != FRAME_FAULT_SHORT;
}

/* The entries are there whole, whatever follows them. */
static inline bool frame_view_has_entries(const struct frame_view *view)
{
    return view->fault == FRAME_FAULT_NONE || view->fault == FRAME_FAULT_TRAILING;
}

/* A binary message of a server. */
void frame_view_read(const struct wire_event *event, struct frame_view *out);

#endif
