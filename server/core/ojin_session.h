/*
 * The inside of an Ojin session core: what its files share. Not for hosts; see session.h.
 *
 *   admission   is the upgrade let in, and what does a refusal say       ojin_admission.c
 *   receive     what a client's message does                             ojin_receive.c
 *   stream      which frame is due when                                  ojin_stream.c
 *   frames      putting one frame together                               ojin_frames.c
 *   compose     messages that a script asks for                          compose_*.c
 *
 * Client messages only change state and may be answered by an errorResponse; frames and sessionReady leave in
 * SESSION_TICK and SESSION_RESUMED alone, so a host can feed messages while it wants the session mute.
 */
#ifndef SERVER_CORE_OJIN_SESSION_H
#define SERVER_CORE_OJIN_SESSION_H

#include "codec/ojin/frame.h"
#include "codec/ojin/input.h"
#include "codec/ojin/messages.h"
#include "server/core/mouth.h"
#include "server/core/ojin_quirk.h"
#include "server/core/pacer.h"
#include "server/core/rate_window.h"
#include "server/core/session.h"
#include "server/core/speech_queue.h"

enum {
    OJIN_PICTURE_BYTES_MAX = 32 * 1024 * 1024,
    OJIN_SENTENCE_MAX = 200, /* bytes of an errorResponse's message */
    OJIN_ERROR_BYTES_MAX = 1024
};

enum ojin_phase {
    OJIN_PHASE_NEW,          /* nobody has asked to come in */
    OJIN_PHASE_ADMITTED,     /* accepted, not open yet; `refusal` is set when it is to be sent away then */
    OJIN_PHASE_SENDING_AWAY, /* open, to be told `refusal` and closed */
    OJIN_PHASE_OPEN,         /* open, the stream has not started */
    OJIN_PHASE_SILENCE,
    OJIN_PHASE_SPEECH,
    OJIN_PHASE_FINISHED, /* the final frame is out: nothing more is sent but the close */
    OJIN_PHASE_CLOSED,
    OJIN_PHASE_COUNT
};

struct session {
    struct session_config config;
    struct session_progress progress;
    enum ojin_phase phase;
    bool refused;
    enum ojin_error_code refusal;

    struct seeded interaction_seed;
    uint8_t trace_id[UUID_BYTES];
    double load;

    uint64_t opened_us;
    uint64_t audio_us;        /* when the latest speech came */
    uint64_t speech_ready_us; /* when enough was queued to start speaking; UINT64_MAX: not yet */
    uint64_t dry_us;          /* SPEECH: since when there is less than a whole frame */
    uint64_t finished_us;

    struct rate_window rate;
    struct speech_queue speech;
    struct ojin_params idle_params;
    struct mouth mouth;
    struct pacer pacer; /* of the frames of the phase */

    bool ending;          /* endInteraction was received and is not carried out yet */
    bool in_interaction;  /* speech frames of progress.interaction are going out */
    uint32_t position;    /* the next sample within the interaction */
    uint32_t frame_count; /* frames sent, of every kind */
    struct buffer picture;
    uint8_t audio[OJIN_FRAME_AUDIO_BYTES];
};

/* ---- ojin_admission.c ---- */

/* Answers the upgrade: ACTION_ACCEPT or ACTION_REFUSE. */
void ojin_admit(struct session *session, const struct session_event *event, struct actions *actions);

/* ---- ojin_receive.c ---- */

void ojin_receive_text(struct session *session, const struct session_event *event, struct actions *actions);
void ojin_receive_binary(struct session *session, const struct session_event *event, struct actions *actions);
/* Static: one of the class's receive types, or "other". */
const char *ojin_classify(bool binary, struct bytes message);
void ojin_send_error(struct session *session, uint64_t now_us, enum ojin_error_code code, const char *message,
                     struct actions *actions);

/* ---- ojin_stream.c ---- */

/* Does what is due by `now_us`, as far as the list has room. */
void ojin_stream_run(struct session *session, uint64_t now_us, struct actions *actions);
uint64_t ojin_stream_deadline_us(const struct session *session);
/* The first silence frame is due at `now_us`. Nothing when the stream has started already. */
void ojin_stream_start(struct session *session, uint64_t now_us);
/* The next frame is due now; what was missed is not caught up. */
void ojin_stream_resume(struct session *session, uint64_t now_us);
/* Speech was queued, which had `queued_before` samples. */
void ojin_stream_audio(struct session *session, uint64_t now_us, size_t queued_before);
void ojin_stream_end(struct session *session, uint64_t now_us);
void ojin_stream_cancel(struct session *session, uint64_t now_us);
/* sessionReady is out. */
void ojin_stream_ready(struct session *session, uint64_t now_us);
/* The final frame is out. */
void ojin_stream_finish(struct session *session, uint64_t now_us);

/* ---- ojin_frames.c ---- */

enum { FRAME_ENTRIES_MAX = 8 };

enum frame_kind { FRAME_SILENCE, FRAME_SPEECH, FRAME_FADE };

struct frame_entry {
    uint8_t type;
    uint32_t declared_bytes; /* as its header says; data.len when it does not lie */
    struct bytes data;
};

/* A frame about to be sent. Data is borrowed, from the session as a rule. */
struct frame_order {
    const char *label;
    enum frame_kind kind;
    struct ojin_frame header; /* the fields of the header only */
    size_t entry_count;
    struct frame_entry entries[FRAME_ENTRIES_MAX];
    struct bytes trailing;
    size_t bytes_max; /* cut after so many */
    bool fault;
};

/* A new id, and its first sample. */
void ojin_interaction_begin(struct session *session);
/* Takes the next queued speech into session->audio; false when there is none. */
bool ojin_frame_take_speech(struct session *session, struct ojin_params *params);
/* Draws the picture of the next frame into session->picture; false when it cannot be had. */
bool ojin_frame_draw(struct session *session, double mouth, const uint8_t interaction[UUID_BYTES],
                     uint32_t position);
/* The order of a correct frame of that kind with session->audio and session->picture. Usage is the number of
 * speech frames of this session so far, the frame itself included. */
void ojin_frame_order(struct session *session, uint64_t now_us, enum frame_kind kind,
                      const uint8_t interaction[UUID_BYTES], struct frame_order *order);
/* Adds the frame and counts it; false when there is no room. */
bool ojin_frame_send(struct session *session, const struct frame_order *order, struct actions *actions);
uint64_t ojin_now_ms(const struct session *session, uint64_t now_us);

/* ---- compose_text.c, compose_frame.c ---- */

extern const struct send_kind OJIN_SEND_KINDS[];
bool ojin_compose(struct session *session, uint64_t now_us, const char *kind,
                  const struct compose_option *options, size_t option_count, struct actions *actions,
                  char error[200]);

#endif
