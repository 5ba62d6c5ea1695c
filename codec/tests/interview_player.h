/*
 * Sessions of the interview protocol for the tests of its rules, written as words: "open connected chunk
 * commit heard ai final said result cclose". Each word is one thing that crosses the wire, or changes how the
 * next ones are sent:
 *
 * - +N                  N milliseconds pass
 * - open, open:TARGET   the right request or another, and the 101; refuse:TARGET=STATUS the same without it
 * - chunk, chunk:N      an audio_chunk of N samples (2400), 100 ms after what was before it; now:N with no
 * time before it; speak:N one of the next N samples of the speech; near:N, off:N each of them off by one, by
 * two
 * - commit, cancel; big:N a message of N bytes
 * - c:JSON, s:JSON      a text of the client or the server, without blanks; b:TEXT a binary message
 * - ping:DATA, pong:DATA   of the server, of the client; violation:N of the client, an enum ws_violation
 * - connecting, connected, disconnected; heard, said: a transcript of the candidate, of the ai; ai:N, final:N
 *   (2400) a chunk of the reply; result; error:CODE
 * - cclose:CODE, sclose:CODE, cend, send   a close frame, or the end of the connection, by either side
 * - raw, half-close, stop-reading          what the server does below the messages
 */
#ifndef CODEC_TESTS_INTERVIEW_PLAYER_H
#define CODEC_TESTS_INTERVIEW_PLAYER_H

#include "codec/interview/messages.h"
#include "codec/wire/wire_event.h"

enum { INTERVIEW_TEST_SPEECH = 6000 };

#define INTERVIEW_TEST_ID    "11111111-2222-4333-8444-555555555555"
#define INTERVIEW_TEST_TOKEN "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln-_x"

/* The speech of speak:N, of 6,000 samples. */
const int16_t *interview_test_speech(void);

typedef void interview_test_sink(void *context, const struct wire_event *event);

/* Plays the words; returns the time of the last. A word that is not known fails the test. */
uint64_t interview_test_play(const struct interview_profile *profile, const char *words,
                             interview_test_sink *sink, void *context);

#endif
