/* The Ojin family from the client's end, for cases about servers. */
#ifndef CONFORMANCE_SCRIPT_OJIN_CLIENT_SIDE_H
#define CONFORMANCE_SCRIPT_OJIN_CLIENT_SIDE_H

#include "conformance/script/client_side.h"

enum ojin_client_send {
    OJIN_SEND_SILENCE, /* an input of 640 zero samples */
    OJIN_SEND_SPEECH,  /* an input of samples of a sound file */
    OJIN_SEND_INPUT,   /* an input whose every part can be said */
    OJIN_SEND_END,
    OJIN_SEND_CANCEL
};

extern const struct client_side OJIN_CLIENT_SIDE;

/* ---- client_write.c: the functions of the table ---- */

bool ojin_client_target(const struct client_target *target, const struct profile *profile,
                        const struct client_step *step, struct text *out);
bool ojin_client_head(const struct client_target *target, const struct client_step *step, struct buffer *out);
bool ojin_client_write(const struct client_step *step, const struct client_writing *with, struct buffer *out);

/* ---- client_probe.c ---- */

extern const struct client_probe OJIN_CLIENT_PROBE;

#endif
