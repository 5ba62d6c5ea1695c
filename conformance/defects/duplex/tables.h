/* The defects of the full-duplex family, by area. */
#ifndef CONFORMANCE_DEFECTS_DUPLEX_TABLES_H
#define CONFORMANCE_DEFECTS_DUPLEX_TABLES_H

#include "client/duplex/internal.h"
#include "codec/duplex/messages.h"
#include "conformance/defects/defect.h"

extern const struct defect_table DUPLEX_DEFECTS_OPEN, DUPLEX_DEFECTS_APPEND, DUPLEX_DEFECTS_OUTPUT,
    DUPLEX_DEFECTS_TYPES, DUPLEX_DEFECTS_END, DUPLEX_DEFECTS_BLUNT, DUPLEX_DEFECTS_TRIAL;

extern const struct defect_class DUPLEX_DEFECTS;

/* The core within. */
struct duplex_client *defect_duplex_client(const struct defect_state *state);
/* Hooks for messages that the defect's `change` sees as a struct duplex_message. */
bool defect_say_changed(struct defect_state *state, struct buffer *text);
enum defect_taking defect_hear_changed(struct defect_state *state, struct bytes text);

/* When `message` is an append: the next one comes `every_us` after it … */
void defect_append_every(struct defect_state *state, const struct buffer *message, uint64_t every_us);
/* … or `count` of them come at once. */
void defect_append_burst(struct defect_state *state, const struct buffer *message, uint64_t count,
                         uint64_t every_us);
/* An eighth of a second at a time. */
void defect_append_eighths(struct defect_state *state);
bool defect_time_eighths(struct defect_state *state, struct buffer *message);
/* It does not wait for session.created, and tells of it all the same. */
void defect_stream_at_once(struct defect_state *state);
enum defect_taking defect_note_created(struct defect_state *state, struct bytes text);

/* What is queued is played on when response.listen comes, … */
enum defect_taking defect_keep_queue(struct defect_state *state, struct bytes text);
void defect_put_queue_back(struct defect_state *state); /* after it */
/* … when it interrupts, and what comes then. */
bool defect_keep_playing(struct defect_state *state, const struct client_plan_step *step);
void defect_play_on(struct defect_state *state);
/* The loudspeaker starts `late_us` later. */
void defect_start_late(struct defect_state *state, uint64_t late_us);

#endif
