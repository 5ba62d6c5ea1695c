/*
 * The drive: plays the client { } block of a case against a server, and says what held. A core without I/O:
 * the host owns the transport, asks what is wanted, and tells what happened.
 *
 *     drive_step(now)  until drive_is_over:
 *         drive_wants_transport: end the transport there is, open another
 *         drive_wants_end:       end the transport there is
 *         drive_wants_hold:      put it aside, open, until the drive is over
 *         drive_output:          bytes to be written
 *
 * The rules of codec/rules/server_rules.h watch every connection. What steps found is in `outcomes`; a step
 * that failed ends the case, and what comes after it is not reached.
 */
#ifndef CONFORMANCE_SERVER_DRIVE_H
#define CONFORMANCE_SERVER_DRIVE_H

#include "codec/rules/server_rules.h"
#include "conformance/script/case_script.h"
#include "conformance/server/client_bytes.h"
#include "conformance/server/motion.h"
#include "server/journal/journal.h"

enum { DRIVE_SPEECHES_MAX = 8, DRIVE_OUTCOMES_MAX = 48, DRIVE_TEXT_MAX = 400, DRIVE_SEEN_MAX = 100000 };

/* A sound file of the case's send steps: mono, 16-bit little-endian, at the family's rate. Borrowed. */
struct drive_speech {
    const char *file; /* as in the script */
    struct bytes pcm;
};

/* Everything is borrowed for the drive's life. */
struct drive_options {
    const struct case_script *script; /* with a client block */
    struct client_target target;
    struct server_rule_context rules; /* profile, epoch_ms, speed and the pictures' functions as the host has
                                         them */
    uint64_t seed;
    unsigned patience; /* what within= and the limit are multiplied by; 0 is 1 */
    struct journal *journal;
    size_t speech_count;
    struct drive_speech speech[DRIVE_SPEECHES_MAX];
    struct bytes picture; /* a JPEG for messages that hold some; empty: there is none */
    /* How far a picture differs from the one before it that was handed in, cell by cell; `first`: there is
     * none before, and all is 0. False: it is no picture, or of another size. */
    bool (*picture_motion)(void *context, struct bytes jpeg, bool first, double cells[MOTION_CELLS]);
    void *context;
};

/* What a recv, none or compare step found. */
struct drive_outcome {
    const char *clause_id; /* static */
    unsigned line;
    char name[SCRIPT_NAME_MAX]; /* "recv error, line 14" */
    bool held;
    bool waited;  /* it did not hold as something did not come in time, and the server was there all along */
    bool prelude; /* of a begin: what went wrong may be another rule's doing */
    char expected[DRIVE_TEXT_MAX];
    char actual[DRIVE_TEXT_MAX];
};

struct drive;

struct drive *drive_new(const struct drive_options *options); /* NULL when memory runs out */
void drive_free(struct drive *drive);

/* Goes as far as it can. */
void drive_step(struct drive *drive, uint64_t now_us);
bool drive_is_over(const struct drive *drive);
/* When drive_step is to be called at the latest. */
uint64_t drive_deadline_us(const struct drive *drive);

bool drive_wants_transport(const struct drive *drive);
bool drive_wants_end(const struct drive *drive);
bool drive_wants_hold(const struct drive *drive);
struct bytes drive_output(const struct drive *drive);

void drive_connected(struct drive *drive, uint64_t now_us);
/* No transport came about: a sentence. */
void drive_not_connected(struct drive *drive, uint64_t now_us, const char *sentence);
/* The first `len` bytes of the output have left. */
void drive_sent(struct drive *drive, uint64_t now_us, size_t len);
void drive_received(struct drive *drive, uint64_t now_us, struct bytes bytes);
/* The transport is over, by the server's doing or by what drive_wants_end asked for. */
void drive_ended(struct drive *drive, uint64_t now_us, bool reset);
/* The transport is put aside: for the drive there is none. */
void drive_held(struct drive *drive, uint64_t now_us);

/* ---- when it is over ---- */

size_t drive_outcome_count(const struct drive *drive);
const struct drive_outcome *drive_outcome_at(const struct drive *drive, size_t n);
/* Over all connections, the worst. */
enum rule_verdict drive_rule_verdict(const struct drive *drive, size_t n);
/* The bits of the family's rules: what could not be read of the frames of any connection. */
unsigned drive_blur(const struct drive *drive);
/* How the server first broke RFC 6455, on any connection: a static sentence. NULL: it did not. */
const char *drive_violation(const struct drive *drive);
/* Where the case broke off, and why; 0: it came through. */
unsigned drive_broken_line(const struct drive *drive);
const char *drive_broken_why(const struct drive *drive);

#endif
