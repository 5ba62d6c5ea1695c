/*
 * ojin-client conform: the adapter through which the conformance suite drives this client. A library of its
 * own, since the suite drives broken ones as well (conformance/defects).
 */
#ifndef CLIENT_APP_CONFORM_H
#define CLIENT_APP_CONFORM_H

#include "client/core/event.h"
#include "client/net/seams.h"
#include "codec/options/options.h"

/* What a defect changes; all zero changes nothing. */
struct conform_seams {
    const struct client_shell *shell; /* around the core; NULL: none */
    struct channel_seams channel;
    bool says_key;             /* prints the key on standard error */
    unsigned sample_rate;      /* speech is read at that rate and sent as it is; 0: as the protocol has it */
    unsigned wav_header_bytes; /* speech begins after these bytes of a sound file; 0: where its chunks say */
    /* Is a sound file of another form sent as it is, all channels in their order? NULL: none is. */
    bool (*as_it_is)(unsigned rate, unsigned channels);
    /* What it makes of speech that had to be converted: may change it, and make it shorter. */
    void (*converted)(int16_t *samples, size_t *count);
};

extern const struct option_page CONFORM_PAGE;

/* argv[0] is the command's name; returns what to exit with. */
int conform_command(int argc, char **argv);
/* The same with a defect; `seams` NULL: none. */
int conform_with(int argc, char **argv, const struct conform_seams *seams);

#endif
