/* The defects of the Ojin family, by area. */
#ifndef CONFORMANCE_DEFECTS_OJIN_TABLES_H
#define CONFORMANCE_DEFECTS_OJIN_TABLES_H

#include "client/ojin/internal.h"
#include "conformance/defects/defect.h"

extern const struct defect_table OJIN_DEFECTS_CONNECT, OJIN_DEFECTS_READY, OJIN_DEFECTS_INPUT,
    OJIN_DEFECTS_FRAME, OJIN_DEFECTS_PLAY, OJIN_DEFECTS_TURN, OJIN_DEFECTS_ERROR, OJIN_DEFECTS_TYPES,
    OJIN_DEFECTS_DAMAGE, OJIN_DEFECTS_CLOSE, OJIN_DEFECTS_BLUNT, OJIN_DEFECTS_TRIAL;

extern const struct defect_class OJIN_DEFECTS;

/* The core within. */
struct ojin_client *defect_client(const struct defect_state *state);
/* The frame that comes in; false: a text comes, or no good frame. */
bool defect_frame(const struct defect_state *state, struct bytes message, struct ojin_frame *out);
/* In the place of what comes the frame is heard … */
enum defect_taking defect_hear_frame(struct defect_state *state, const struct ojin_frame *frame);
/* … or, if it is refused, what nobody can read. */
enum defect_taking defect_refuse(struct defect_state *state, bool refused);
bool defect_is_played(const struct client_action *action);

/* Speech goes out in messages of `samples`. */
void defect_send_chunks(struct defect_state *state, uint32_t samples);
void defect_wait_for_final_for_ever(struct defect_state *state);
/* The frames that are held are kept from what the core does with them until they are put back. */
void defect_take_frames(struct defect_state *state);
void defect_put_frames_back(struct defect_state *state);
/* Sends all but the opening silence. */
bool defect_keep_no_opening(struct defect_state *state, struct buffer *message);
/* Ready once it is connected: it does not wait for sessionReady, and tells of it all the same. */
enum defect_taking defect_hear_ready_late(struct defect_state *state, struct bytes text);
void defect_be_ready(struct defect_state *state);

#endif
