/*
 * Follows what a server makes of the speech that was sent to it: which samples are due next, and what a frame
 * has to do with them. 000 Frame Types; 001 Frame Synchronization.
 *
 * Speech is what was sent, joined over messages; each speech frame takes the next 640 samples of it. Padding
 * with zeros is allowed only where a message ends, because there a turn may have ended. When it cannot be
 * known what the server has taken in (`uncertain`), nothing is said until a cancel, or a long stretch of
 * silence after the latest message, has made it certain again.
 */
#ifndef CODEC_RULES_OJIN_SERVER_SPEECH_H
#define CODEC_RULES_OJIN_SERVER_SPEECH_H

#include "codec/rules/ojin/frame_view.h"
#include "codec/wire/buffer.h"

enum {
    SPEECH_SENT_BYTES_MAX = 64 * 1024 * 1024,
    SPEECH_MESSAGES_MAX = 2048,
    /* After these frames of silence, and this time after the latest message, nothing is queued any more. */
    SPEECH_QUIET_FRAMES = 50,
    SPEECH_QUIET_US = 2000000,
    /* Speech frames of a cancelled interaction may be on their way for this long, unless a frame of silence
       has shown that the server has turned. On a loaded machine the reader itself may be that late. */
    SPEECH_CANCEL_GRACE_US = 2000000,
    /* Speech that has not begun after this time of nothing but silence frames is lost; the rest of one that
       has begun, after the shorter time. Both with SPEECH_OVERDUE_FRAMES of silence since. */
    SPEECH_BEGIN_WAIT_US = 6000000,
    SPEECH_REST_WAIT_US = 3000000,
    SPEECH_OVERDUE_FRAMES = 25,
    /* A message that was sent before a turn's end, or so soon after it, may have been meant for that turn. */
    SPEECH_SAME_TURN_US = 1000000
};

struct speech_message {
    uint64_t start, end; /* bytes since the speech began to be followed */
    uint64_t at_us;
};

struct speech_turn {
    bool on;
    uint8_t id[UUID_BYTES];
    uint32_t frames;
    uint32_t messages; /* begun in it */
    uint64_t first_us, last_us;
    bool wrong;   /* some frame's audio was not what was sent */
    bool clean;   /* every frame stood for the next one due, and nothing was uncertain */
    bool gapped;  /* a frame of silence came in its middle */
    bool all_due; /* no speech was sent after its first frame came */
};

struct speech_cancel {
    bool watched;  /* a cancel was sent, and no turn has begun since */
    bool settled;  /* a frame of silence has come since */
    bool id_known; /* `id` is that of the cancelled interaction */
    uint8_t id[UUID_BYTES];
    uint64_t at_us;
    uint64_t due_frames;     /* when it was sent; 0: none, or not known */
    uint64_t speech_frames;  /* of the cancelled interaction since */
    uint64_t silence_frames; /* since */
};

enum speech_step_kind {
    SPEECH_STEP_NONE,      /* no speech frame */
    SPEECH_STEP_DUE,       /* the next 640 samples */
    SPEECH_STEP_PADDED,    /* the last of a message, and zeros */
    SPEECH_STEP_SKIPPED,   /* later samples: `samples` were left out */
    SPEECH_STEP_REPEATED,  /* the frame before, once more */
    SPEECH_STEP_WRONG,     /* nothing that was sent */
    SPEECH_STEP_EXTRA,     /* no speech is due */
    SPEECH_STEP_CANCELLED, /* of an interaction that was cancelled */
    SPEECH_STEP_UNKNOWN
};

/* What a frame meant. */
struct speech_step {
    enum speech_step_kind kind;
    uint64_t samples;    /* SKIPPED: left out; `gap`: still due of the same message */
    bool whole_message;  /* SKIPPED: whole messages, from one's start to another's */
    bool turn_begins;    /* the frame is the first of a turn */
    bool id_changes;     /* ... which has another id, with no silence since the last, in mid-message */
    bool id_again;       /* ... which has the id of the turn before, though that one was over */
    bool padding_inside; /* speech goes on with the same id after a padded frame */
    bool gap;            /* a frame of silence, in the middle of a message's speech */
    bool turn_ends;      /* by this frame, `turn` is over */
    bool complete;       /* ... with all that was sent */
    bool by_silence;     /* ... and silence after it */
    struct speech_turn turn;
    bool cancel_ends; /* a turn begins after a cancel, whose watch is over: `cancel` */
    struct speech_cancel cancel;
};

struct server_speech {
    struct buffer sent;
    uint64_t base; /* where sent.data begins */
    uint64_t at;   /* the next byte that is due */
    bool has_other;
    uint64_t other; /* the same, if zeros at the end of a frame were padding and not speech */
    size_t message_count;
    struct speech_message messages[SPEECH_MESSAGES_MAX]; /* those not over at `at`, and perhaps older */
    bool uncertain;
    bool padded;       /* the latest speech frame was padded */
    uint64_t sent_us;  /* the latest message that may hold speech */
    uint64_t frame_us; /* the latest speech frame */
    uint64_t quiet_us; /* the first of the frames of silence since */
    uint64_t quiet_frames;
    struct speech_turn turn;
    uint64_t turns_over;
    bool last_over; /* the turn before was over, with all that had been sent */
    uint64_t last_over_us;
    uint8_t last_id[UUID_BYTES];
    struct speech_cancel cancel;
};

/* Zeroed memory becomes an empty state. */
void server_speech_init(struct server_speech *speech);
void server_speech_free(struct server_speech *speech);

/* Is nothing being spoken, nor about to be, for sure? Then an all-zero message is not speech. */
bool server_speech_is_idle(const struct server_speech *speech);
/* Samples sent and not come back; 0 while uncertain. */
uint64_t server_speech_due_samples(const struct server_speech *speech);
/* Frames that takes. */
uint64_t server_speech_due_frames(const struct server_speech *speech);

/* Audio that the server must render. */
void server_speech_send(struct server_speech *speech, uint64_t at_us, struct bytes audio);
/* Speech may be taken in or not, or a frame could not be read. */
void server_speech_doubt(struct server_speech *speech, uint64_t at_us);
void server_speech_cancel(struct server_speech *speech, uint64_t at_us);
void server_speech_frame(struct server_speech *speech, uint64_t at_us, const struct frame_view *frame,
                         struct speech_step *step);

struct speech_overdue {
    uint64_t samples;
    uint64_t waited_us;
    bool begun; /* some of the same message came */
    bool
        later_message; /* what is missing begins with a message that was sent while the turn before went on */
};

/* True when speech is due that will not come any more; what follows is then uncertain. */
bool server_speech_overdue(struct server_speech *speech, uint64_t now_us, struct speech_overdue *out);

#endif
