/*
 * The numbers of the realtime interview protocol, each once, with its source: document number and section, or
 * field notes. "house" is a bound of our own, where neither gives one.
 */
#ifndef CODEC_INTERVIEW_CONSTANTS_H
#define CODEC_INTERVIEW_CONSTANTS_H

#include "codec/wire/json.h"
#include "codec/ws/frame.h"

/* 004 Endpoints, Authentication: the id of the interview, which the client is given as its config, is a
 * segment of the path; the token, which is its key, is in the query. */
#define INTERVIEW_PATH_BEFORE_ID  "/api/v1/interviews/"
#define INTERVIEW_PATH_AFTER_ID   "/realtime/connect"
#define INTERVIEW_PATH            INTERVIEW_PATH_BEFORE_ID "{config}" INTERVIEW_PATH_AFTER_ID
#define INTERVIEW_TOKEN_PARAMETER "token"
/* 004 Authentication: what the token must name as its role */
#define INTERVIEW_TOKEN_ROLE "candidate"
/* 004 Function Call Response, the example */
#define INTERVIEW_FUNCTION "evaluate_candidate_answer"
/* 004 Connection Response: reasons of the closes with 1008 and 1011 */
#define INTERVIEW_REASON_POLICY   "POLICY_VIOLATION"
#define INTERVIEW_REASON_INTERNAL "INTERNAL_ERROR"

enum {
    /* 004 Audio Format Specifications: mono PCM16, little-endian, in both directions */
    INTERVIEW_SAMPLE_BYTES = 2,
    INTERVIEW_RATE = 24000,

    /* 004 Rate Limiting: at most 10 chunks a second, of about 100 to 200 ms */
    INTERVIEW_CHUNKS_PER_SECOND_MAX = 10,
    INTERVIEW_CHUNK_SAMPLES_MIN = INTERVIEW_RATE / 10,
    INTERVIEW_CHUNK_SAMPLES_MAX = INTERVIEW_RATE / 5,

    /* 004 Rate Limiting: 1 MB, of either side's messages; the spec README: that is 1,048,576 bytes */
    INTERVIEW_MESSAGE_BYTES_MAX = 1024 * 1024,

    /* 004 Rate Limiting: sessions of an interview at once */
    INTERVIEW_CONNECTIONS_MAX = 1,

    /* 004 WebSocket Close Codes: how long a client waits after 1012 */
    INTERVIEW_RESTART_WAIT_US = 5000000
};

/* The close codes that have a use of their own here: 004 WebSocket Close Codes */
enum {
    INTERVIEW_CLOSE_NORMAL = WS_CLOSE_NORMAL,
    INTERVIEW_CLOSE_POLICY = WS_CLOSE_POLICY,   /* 1008: the token, the interview, a second connection */
    INTERVIEW_CLOSE_TOO_BIG = WS_CLOSE_TOO_BIG, /* 1009: above INTERVIEW_MESSAGE_BYTES_MAX; RFC 6455 */
    INTERVIEW_CLOSE_INTERNAL = WS_CLOSE_INTERNAL_ERROR, /* 1011 */
    INTERVIEW_CLOSE_RESTART = WS_CLOSE_RESTART          /* 1012 */
};

/* Times: seconds since 1970, in a dialect with milliseconds those. A number from here on is milliseconds, and
 * one below seconds: the two are told apart from 1973 to 5138. */
#define INTERVIEW_MILLISECONDS_MIN INT64_C(100000000000)

#endif
