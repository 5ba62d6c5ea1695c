/*
 * The inside of an Ojin session core: what its files share. Not for hosts; see server/core/session.h.
 *
 *   admission   is the upgrade let in, and what does a refusal say       admission.c
 *   receive     what a client's message does                             receive.c
 *   run         what is due next, and doing it in order of time          run.c
 *   stream      which frame is due when                                  stream.c
 *   deliver     which frame leaves, and with what in it                  deliver.c
 *   cancel      what a cancel does, and the frames that come after it    cancel.c
 *   text        the text messages it sends                               text.c
 *   frames      putting one frame together                               frames.c
 *   dress       what quirks change about a frame                         dress.c
 *   compose     messages that a script asks for                          compose_*.c
 *
 * Client messages only change state and may be answered by an errorResponse; frames and sessionReady leave in
 * SESSION_TICK and SESSION_RESUMED alone, so a host can feed messages while it wants the session mute.
 */
#ifndef SERVER_OJIN_SESSION_H
#define SERVER_OJIN_SESSION_H

#include "codec/media/block_code.h"
#include "codec/ojin/frame.h"
#include "codec/ojin/input.h"
#include "codec/ojin/messages.h"
#include "codec/ojin/profile.h"
#include "server/core/session.h"
#include "server/ojin/mouth.h"
#include "server/ojin/pacer.h"
#include "server/ojin/quirk.h"
#include "server/ojin/rate_window.h"
#include "server/ojin/speech_queue.h"

enum {
    OJIN_PICTURE_BYTES_MAX = 32 * 1024 * 1024,
    OJIN_SENTENCE_MAX = 200, /* bytes of an errorResponse's message */
    OJIN_ERROR_BYTES_MAX = 1024
};

enum ojin_phase {
    OJIN_PHASE_NEW,          /* nobody has asked to come in */
    OJIN_PHASE_WAITING,      /* somebody has, and is not answered yet */
    OJIN_PHASE_ADMITTED,     /* accepted, not open yet; `refusal` is set when it is to be sent away then */
    OJIN_PHASE_SENDING_AWAY, /* open, to be told `refusal` and closed */
    OJIN_PHASE_OPEN,         /* open, the stream has not started */
    OJIN_PHASE_SILENCE,
    OJIN_PHASE_SPEECH,
    OJIN_PHASE_FINISHED, /* the final frame is out: nothing more is sent but the close */
    OJIN_PHASE_CLOSED,
    OJIN_PHASE_COUNT
};

/* Texts that are due besides the answers to messages, in the order in which they leave. */
enum ojin_notice {
    OJIN_NOTICE_READY_AGAIN,
    OJIN_NOTICE_SESSION_UPDATE,
    OJIN_NOTICE_WEBRTC_STATUS,
    OJIN_NOTICE_TURN,
    OJIN_NOTICE_CANCELLED,
    OJIN_NOTICE_COUNT
};

/* A cancel on its way, and the frames that come between speech and plain silence. */
struct ojin_cancel {
    bool settling; /* received, and not carried out before settle_us or the end of the speech */
    bool was_speaking;
    bool end_after;   /* endInteraction came meanwhile */
    bool end_retaken; /* endInteraction came before, and was not carried out */
    uint64_t settle_us;
    bool start_due; /* a stray start of speech */
    uint64_t fades_due;
    bool final_due; /* a stray final frame */
};

/* What a picture shows. */
struct frame_drawing {
    bool due; /* straight into the message */
    struct persona *persona;
    uint64_t tick;
    double mouth;
    struct block_code code;
};

struct session {
    struct session_config config;
    bool has_quirks; /* any is on: without them their values need not be looked at */
    struct session_progress progress;
    enum ojin_phase phase;
    bool refused;
    enum ojin_error_code refusal;
    const char *refusal_text; /* a plain text in place of the errorResponse; NULL: none */

    struct seeded interaction_seed;
    struct seeded silence_seed;
    uint8_t trace_id[UUID_BYTES];
    double load;

    uint64_t answer_us; /* WAITING: when the upgrade is answered */
    uint64_t opened_us;
    uint64_t away_us;         /* SENDING_AWAY: when it is told; before OPENED, how long after it */
    uint64_t held_us;         /* speech does not start before that */
    uint64_t audio_us;        /* when the latest speech came */
    uint64_t turn_audio_us;   /* when the first speech of the turn came */
    uint64_t speech_ready_us; /* when enough was queued to start speaking; UINT64_MAX: not yet */
    uint64_t dry_us;          /* SPEECH: since when there is less than a whole frame */
    uint64_t stalled_us;      /* SPEECH: nothing leaves before that */
    uint64_t finished_us;
    uint64_t first_frame_us; /* UINT64_MAX: none yet */
    bool pause_over;
    uint64_t seen_us; /* the time of the latest event */
    uint64_t ping_us; /* when the next sessionPing is due */

    struct rate_window rate;
    struct speech_queue speech;
    struct ojin_params idle_params;
    struct mouth mouth;
    struct pacer pacer; /* of the frames of the phase */
    struct ojin_cancel cancel;
    uint32_t notices; /* a bit for each that is due */
    uint64_t notice_us;

    bool ending;          /* endInteraction was received and is not carried out yet */
    bool end_retaken;     /* a cancel took it back, and no input has come since */
    uint64_t retaken_us;  /* ... when it settled */
    bool in_interaction;  /* speech frames of progress.interaction are going out */
    uint32_t position;    /* the next sample within the interaction */
    uint32_t frame_count; /* frames sent, of every kind */
    uint64_t turn_frames; /* speech frames of the turn, those left out too */
    bool starved;         /* the latest frame of the turn was an idle one */
    uint64_t pose_shift;  /* added to frame_count, gives the tick of the idle motion */
    bool has_silence_id;
    uint8_t silence_id[UUID_BYTES]; /* of this stretch of silence */
    struct frame_drawing drawing;   /* of the next frame's picture, when it is still to be drawn */
    struct buffer picture;          /* or it is here */
    struct buffer padded;           /* the picture with what makes it larger */
    uint8_t audio[OJIN_FRAME_AUDIO_BYTES];
};

/* The value of a quirk; 0: off. Durations of quirks are as said, whatever the session's speed. */
static inline uint64_t ojin_quirk(const struct session *session, enum ojin_quirk quirk)
{
    return session->has_quirks ? session->config.quirks.value[quirk] : 0;
}

/* ---- admission.c ---- */

/* Takes the upgrade in, and answers it at once unless it has to wait. */
void ojin_admit(struct session *session, const struct session_event *event, struct actions *actions);
/* ACTION_ACCEPT or ACTION_REFUSE. */
void ojin_admission_answer(struct session *session, uint64_t now_us, struct actions *actions);
/* What an errorResponse that turns the client away says. */
const char *ojin_refusal_message(const struct session *session, enum ojin_error_code code);
/* There is no backend, or no longer one: BACKEND_UNAVAILABLE or the plain text that is asked for. */
void ojin_refuse_no_backend(struct session *session);

/* ---- receive.c ---- */

void ojin_receive_text(struct session *session, const struct session_event *event, struct actions *actions);
void ojin_receive_binary(struct session *session, const struct session_event *event, struct actions *actions);
/* Static: one of the class's receive types, or "other". */
const char *ojin_classify(bool binary, struct bytes message);

/* ---- text.c ---- */

/* An errorResponse. `interaction`: the one it is about; NULL: none. */
void ojin_write_error(const struct session *session, uint64_t now_us, enum ojin_error_code code,
                      const char *message, const uint8_t *interaction, struct text *out);
void ojin_send_error(struct session *session, uint64_t now_us, enum ojin_error_code code, const char *message,
                     struct actions *actions);
/* False when there is no room. */
bool ojin_send_ready(struct session *session, uint64_t now_us, struct actions *actions);
void ojin_send_plain(const char *label, const char *string, struct actions *actions);
void ojin_notice_add(struct session *session, uint64_t at_us, enum ojin_notice notice);
/* The next of those that are due. */
void ojin_notice_send(struct session *session, uint64_t now_us, struct actions *actions);
void ojin_send_session_ping(struct actions *actions);

/* ---- run.c ---- */

/* Does what is due by `now_us`, as far as the list has room. */
void ojin_run(struct session *session, uint64_t now_us, struct actions *actions);
uint64_t ojin_run_deadline_us(const struct session *session);

/* ---- stream.c ---- */

/* The next frame of SILENCE or SPEECH is due then. */
uint64_t ojin_stream_due_us(const struct session *session);
/* Speech that is not rendered is given up then; UINT64_MAX: never. */
uint64_t ojin_stream_timeout_us(const struct session *session);
void ojin_stream_give_up(struct session *session);
/* The first silence frame is due at `now_us`. Nothing when the stream has started already. */
void ojin_stream_start(struct session *session, uint64_t now_us);
/* The next frame is due now; what was missed is not caught up. */
void ojin_stream_resume(struct session *session, uint64_t now_us);
/* The paces of the config and of the quirks hold from the next frame on. */
void ojin_stream_pace(struct session *session);
/* Speech was queued, which had `queued_before` samples. */
void ojin_stream_audio(struct session *session, uint64_t now_us, size_t queued_before);
void ojin_stream_end(struct session *session, uint64_t now_us);
/* In SILENCE: when what is queued may be spoken; UINT64_MAX: not as things stand. */
uint64_t ojin_stream_speech_start_us(const struct session *session);
void ojin_stream_begin_speech(struct session *session, uint64_t at_us);
/* From speech back to silence, whose first frame is due at `at_us`. */
void ojin_stream_leave_speech(struct session *session, uint64_t at_us);
/* sessionReady is out. */
void ojin_stream_ready(struct session *session, uint64_t now_us);
/* The final frame is out. */
void ojin_stream_finish(struct session *session, uint64_t now_us);

/* ---- cancel.c ---- */

/* cancelInteraction came. */
void ojin_cancel(struct session *session, uint64_t now_us);
/* Carries it out. */
void ojin_cancel_settle(struct session *session, uint64_t at_us);
/* Is audio that comes now thrown away? */
bool ojin_cancel_discards(const struct session *session);
/* Are there frames to come between speech and plain silence? */
static inline bool ojin_cancel_has_tail(const struct session *session)
{
    return session->cancel.start_due || session->cancel.fades_due > 0 || session->cancel.final_due;
}

/* ---- deliver.c ---- */

/* A frame while nothing is spoken: silence, or what a cancel left to be sent. */
void ojin_deliver_silence(struct session *session, uint64_t now_us, struct actions *actions);
/* A whole frame of speech, or what is left of it, padded. */
void ojin_deliver_speech(struct session *session, uint64_t now_us, struct actions *actions);
/* An idle frame in the middle of speech. */
void ojin_deliver_idle(struct session *session, uint64_t now_us, struct actions *actions);

/* ---- stream_frame.c ---- */

/* Sends the next frame, or goes from one phase to the other. */
void ojin_stream_frame(struct session *session, uint64_t now_us, struct actions *actions);

/* ---- frames.c ---- */

/* Is there enough speech for a frame without padding? */
static inline bool ojin_frame_is_whole(const struct session *session)
{
    return speech_queue_samples(&session->speech) >= OJIN_FRAME_SAMPLES;
}

enum { FRAME_ENTRIES_MAX = 8 };

enum frame_kind { FRAME_SILENCE, FRAME_SPEECH, FRAME_FADE };

struct frame_entry {
    uint8_t type;
    uint32_t declared_bytes; /* as its header says; data.len when it does not lie */
    struct bytes data;       /* of an IMAGE that is still to be drawn: empty, and it is the last entry */
};

/* A frame about to be sent. Data is borrowed, from the session as a rule. */
struct frame_order {
    const char *label;
    enum frame_kind kind;
    struct ojin_frame header; /* the fields of the header only */
    size_t entry_count;
    struct frame_entry entries[FRAME_ENTRIES_MAX];
    struct bytes trailing;
    size_t bytes_max;         /* the frame is cut there */
    bool sizes_little_endian; /* of the entries */
    bool fault;
};

/* The frame-type byte that some servers put after the payloads (field notes). */
enum ojin_frame_type {
    OJIN_FRAME_TYPE_IDLE,
    OJIN_FRAME_TYPE_SPEECH,
    OJIN_FRAME_TYPE_FADE,
    OJIN_FRAME_TYPE_START
};

/* A new id, and its first sample. */
void ojin_interaction_begin(struct session *session);
/* Takes the next queued speech into session->audio; false when there is none. */
bool ojin_frame_take_speech(struct session *session, struct ojin_params *params);
/* Draws the picture of the next frame into session->picture; false when it cannot be had. */
bool ojin_frame_draw(struct session *session, double mouth, const uint8_t interaction[UUID_BYTES],
                     uint32_t position);
/* The same for a frame of the service, but it is left to ojin_frame_send to draw the picture into the
 * message, which saves copying it, unless a quirk does something with it before. */
bool ojin_frame_draw_late(struct session *session, double mouth, const uint8_t interaction[UUID_BYTES],
                          uint32_t position);
/* The order of a frame of that kind with session->audio and session->picture. Usage counts what the service
 * is used for: the speech frames of this session so far, the frame itself included. */
void ojin_frame_order(struct session *session, uint64_t now_us, enum frame_kind kind,
                      const uint8_t interaction[UUID_BYTES], struct frame_order *order);
/* Adds the frame and counts it; false when there is no room. */
bool ojin_frame_send(struct session *session, const struct frame_order *order, struct actions *actions);
uint64_t ojin_now_ms(const struct session *session, uint64_t now_us);

/* ---- dress.c ---- */

/* The byte after the payloads. */
void ojin_dress_type(struct frame_order *order, enum ojin_frame_type type);
/* What quirks put into a frame of the service, or leave out. */
void ojin_dress_payloads(struct session *session, struct frame_order *order);
/* The audio of speech frame `turn_frames` as it is heard. */
void ojin_dress_audio(struct session *session);
/* A JPEG with comment segments (0xFFFE) of `pad` bytes altogether after its first marker; still a JPEG. False
 * when `out` is full. */
bool ojin_picture_pad(struct bytes jpeg, uint32_t pad, struct buffer *out);

/* ---- compose_text.c, compose_frame.c ---- */

extern const struct send_kind OJIN_SEND_KINDS[];
bool ojin_compose(struct session *session, uint64_t now_us, const char *kind,
                  const struct compose_option *options, size_t option_count, struct actions *actions,
                  char error[200]);

#endif
