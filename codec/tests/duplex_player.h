/*
 * Sessions of the full-duplex protocol for the tests of its rules, written as words: "open qdone update
 * created append listen:300 close closed:stopped cclose". Each word is one thing that crosses the wire, or
 * changes how the next ones are sent:
 *
 *  +N               N milliseconds pass
 *  ping:DATA, pong:DATA   of the server, of the client; violation:N of the client, an enum ws_violation
 *  open, open:TARGET   the request for the mode's own target or another, and the 101
 *  update, append, append:N, close, close:REASON    of the client, as they should be; an append comes a
 * second after what was before it and holds N samples (16000) and, in video mode, a picture now:N an append
 * of N samples with no time before it speak:N          an append of the next N samples of the speech force an
 * append with force_listen true; slices:N one with max_slice_nums N c:JSON, s:JSON   a text of the client or
 * the server, without blanks, in which @N stands for base64 of N samples; b:TEXT a binary message of the
 * client. big-endian, faint: the samples of appends that follow are that. queued, qupdate, qdone, created of
 * the server listen:KV, delta:N, last:N    a listen; a delta of N samples and text in proportion, without and
 * with end_of_turn closed:REASON, error:CODE cclose:CODE, sclose:CODE, cend, send   a close frame, or the end
 * of the connection, by either side. raw, half-close, stop-reading: what the server does below the messages
 */
#ifndef CODEC_TESTS_DUPLEX_PLAYER_H
#define CODEC_TESTS_DUPLEX_PLAYER_H

#include "codec/duplex/messages.h"
#include "codec/wire/wire_event.h"

enum { DUPLEX_TEST_SPEECH = 40000 };

/* Two speeches for speak:N, of 40,000 samples and of 20,000 whose first 100 are zero. */
const int16_t *duplex_test_speech(size_t n, size_t *count);

typedef void duplex_test_sink(void *context, const struct wire_event *event);

/* Plays the words; returns the time of the last. A word that is not known fails the test. */
uint64_t duplex_test_play(const struct duplex_profile *profile, const char *words, duplex_test_sink *sink,
                          void *context);

#endif
