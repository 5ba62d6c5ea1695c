/*
 * The host of a drive: sockets and the clock.
 */
#ifndef CONFORMANCE_SERVER_HOST_SERVER_HOST_H
#define CONFORMANCE_SERVER_HOST_SERVER_HOST_H

#include "conformance/options/server_options.h"
#include "conformance/process/core_waits.h"
#include "conformance/server/drive.h"

/* What the pictures of a case are compared with. All zero to begin with. */
struct server_pictures {
    uint8_t *grey; /* the picture before, small */
    unsigned width, height;
};

/* A picture for clients to send: 640x480, made on the spot. False when memory runs out. */
bool server_picture_make(struct buffer *out);
/* For drive_options.picture_motion: the mean square of the change in brightness (0 to 255), cell by cell,
 * a block code in the lowest rows is left out. */
bool server_picture_motion(void *context, struct bytes jpeg, bool first, double cells[MOTION_CELLS]);

struct server_clock {
    uint64_t began_us; /* monotonic, at now_us == 0 */
    uint64_t epoch_ms; /* Unix time then */
};
void server_clock_start(struct server_clock *clock);
uint64_t server_clock_now_us(const struct server_clock *clock);

/* What a drive needs to know of the options, but for script, journal, speech and pictures. */
void server_drive_options(const struct server_options *options, const struct profile *profile,
                          const struct server_clock *clock, struct drive_options *out);

/* Plays it to its end. How late we were ourselves, at worst, is returned: microseconds. What we had to wait
 * for a core goes to `waits`. */
uint64_t server_host_play(const struct server_options *options, const struct server_clock *clock,
                          struct drive *drive, struct core_waits *waits);

#endif
