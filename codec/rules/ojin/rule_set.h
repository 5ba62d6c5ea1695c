/*
 * Inside of the rules: what a rule is, what it is shown of an event, and the state the rules keep. Used by
 * the files of this folder only.
 *
 * An event is looked at once (struct observed) and then shown to every rule of the table in rules.c. What
 * several rules need to know of a session stands in `struct rule_set`; each rule changes only the part that
 * is its own.
 */
#ifndef CODEC_RULES_OJIN_RULE_SET_H
#define CODEC_RULES_OJIN_RULE_SET_H

#include "codec/ojin/constants.h"
#include "codec/ojin/messages.h"
#include "codec/ojin/profile.h"
#include "codec/rules/finding_book.h"
#include "codec/rules/framing.h"
#include "codec/rules/ojin/input_view.h"
#include "codec/rules/ojin/speech_follow.h"
#include "codec/rules/pong_wait.h"
#include "codec/rules/speech_likeness.h"
#include "codec/wire/text.h"

enum rule {
    RULE_CON_01,
    RULE_CON_02,
    RULE_CON_03,
    RULE_CON_06,
    RULE_CON_07,
    RULE_CON_11,
    RULE_CON_13,
    RULE_RDY_04,
    RULE_RDY_07,
    RULE_FHL_01,
    RULE_IN_01,
    RULE_IN_02,
    RULE_IN_03,
    RULE_IN_04,
    RULE_IN_05,
    RULE_IN_06,
    RULE_IN_07,
    RULE_IN_08,
    RULE_IN_09,
    RULE_IN_11,
    RULE_IN_12,
    RULE_END_01,
    RULE_CAN_01,
    RULE_CAN_02,
    RULE_COUNT
};

/* One event, as far as it can be understood. */
struct observed {
    const struct wire_event *event;
    bool client_message; /* a text or binary message from the client */
    bool is_json;        /* ... that is binary and a JSON object all the same */
    bool is_input;       /* ... that is binary and neither JSON nor too large: `input` is set */
    struct input_view input;
    bool has_audio; /* an input whose audio could be found: `audio` is set */
    struct audio_outcome audio;
    bool is_text; /* a whole text message, from either side: `message` is set */
    struct ojin_message message;
};

enum { RATE_MESSAGES = OJIN_REQUESTS_PER_SECOND + 1 };

struct opening_state {
    bool ready_clean; /* a sessionReady with nothing wrong about it came */
    uint64_t ready_us;
    uint64_t ready_event; /* finding_book_event */
    bool decided;         /* the first audio has been judged, or cannot be any more */
    bool quiet_over;      /* an error or the end ended the time in which silence was due */
    uint64_t quiet_until_us;
};

struct rate_state {
    size_t count;                  /* messages so far */
    uint64_t times[RATE_MESSAGES]; /* of the newest, a ring */
    bool in_burst;                 /* the latest came within OJIN_RATE_WINDOW_JUDGED_US … */
    bool in_squeeze;               /* … or OJIN_RATE_WINDOW_US of the sixth before it */
};

struct rule_set {
    struct finding_book book; /* the first: finding_book.h */
    struct rule_context context;
    bool applies[RULE_COUNT]; /* by the profile */
    uint8_t *learned_key;     /* the secret that the request gave when no key is known; NULL: none; owned */
    size_t learned_key_len;
    bool ready;       /* the server has sent a sessionReady … */
    bool ready_again; /* … and, when the client had opened the stream already, one more: it may open it again
                       */
    bool may_be_ready; /* it has sent raw bytes, which may have been one */
    bool over;         /* closed or ended, by either side: nothing more is waited for */
    struct pong_state pong;
    struct opening_state opening;
    struct rate_state rate;
    struct speech_follow speech;
    struct speech_heard heard; /* where it had to be converted; owned */
    uint64_t silent_samples;   /* ... that came besides */
    uint64_t audio_event;      /* the latest message with audio, finding_book_event */
    struct framing_state framing;
    bool misplaced_reported;
    bool noted_size;
};

/* A rule met its occasion and was kept so far. */
void rule_kept(struct rule_set *rules, enum rule rule);
/* The rule is broken (or, with `note`, only remarked on) at `at_us`. */
void finding_end(struct rule_set *rules, enum rule rule, struct finding_draft *draft, uint64_t at_us,
                 bool note);
/* Adds what the client sent as text_add_printable does, with the key replaced before anything is cut. */
void finding_add_sent(const struct rule_set *rules, struct text *out, struct bytes sent, size_t bytes_max);
/* Adds what is wrong with the member `error` names, "payload.timestamp is a string", of the text of an
 * object. */
void finding_add_fault(struct text *out, struct bytes json, const struct wire_error *error);
/* All of that for fixed texts. */
void rule_broken(struct rule_set *rules, enum rule rule, uint64_t at_us, const char *expected,
                 const char *actual);

/* The rules: each is shown every event. */
typedef void rule_handler(struct rule_set *rules, enum rule rule, const struct observed *seen);
rule_handler rule_config_present;
rule_handler rule_key_raw;
rule_handler rule_key_hidden;
rule_handler rule_config_encoded;
rule_handler rule_ready_first;
rule_handler rule_pong;
rule_handler rule_framing;
rule_handler rule_opening_silence;
rule_handler rule_no_opening;
rule_handler rule_input_header;
rule_handler rule_input_timestamp;
rule_handler rule_input_params;
rule_handler rule_input_param_types;
rule_handler rule_input_even;
rule_handler rule_speech_exact;
rule_handler rule_message_size;
rule_handler rule_message_rate;
rule_handler rule_only_speech;
rule_handler rule_chunks;
rule_handler rule_converted;
rule_handler rule_control;
rule_handler rule_cancelled_speech;

/* Rules that wait decide: the connection is over at `now_us`, or the case is. */
typedef void rule_ending(struct rule_set *rules, enum rule rule, uint64_t now_us);
rule_ending rule_pong_ending;
rule_ending rule_opening_silence_ending;
rule_ending rule_converted_ending;

#endif
