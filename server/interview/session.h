/*
 * The inside of an interview session core: what its files share. Not for hosts; see server/core/session.h.
 *
 *   admission   is the upgrade let in: the token, the interview, its one connection   admission.c
 *   receive     what a client's message does                                          receive.c
 *   hear        taking in the candidate's sound; speech, pauses and turns             hear.c
 *   reply       what the interviewer says to a turn, and when                         reply.c, part.c
 *   evaluation  what the interviewer thinks of a turn                                 evaluation.c
 *   send        the messages it sends, and what quirks make of them                   send.c
 *   run         what is due next, and doing it in order of time                       run.c, ending.c
 *   compose     messages that a script asks for                                       compose*.c
 *
 * A turn of the candidate ends with commit_audio, or with speech and a pause. It gets a transcript, a reply
 * in chunks, the transcript of the reply and an evaluation. Turns that end while a reply is under way wait;
 * there is one that waits, as who speaks on adds to it.
 *
 * Client messages only change state and may be answered by an error; everything else leaves in SESSION_TICK
 * and SESSION_RESUMED alone.
 */
#ifndef SERVER_INTERVIEW_SESSION_H
#define SERVER_INTERVIEW_SESSION_H

#include "codec/interview/messages.h"
#include "codec/media/energy.h"
#include "server/core/rooms.h"
#include "server/core/session.h"
#include "server/interview/question.h"
#include "server/interview/quirk.h"

enum {
    /* house: what a service needs to be ready */
    INTERVIEW_CONNECT_US = 100000,
    /* house: a chunk of the reply */
    INTERVIEW_CHUNK_US = 200000,
    /* house: how soon a session learns that it has lost its interview to a newer one */
    INTERVIEW_LOOK_US = 20000,
    /* house: how long the interviewer stays after the farewell was spoken */
    INTERVIEW_FAREWELL_US = 1000000,
    /* house: an answer below that is too short, one from there on excellent */
    INTERVIEW_ANSWER_US_MIN = 500000,
    INTERVIEW_ANSWER_US_LONG = 10000000,
    INTERVIEW_ID_BYTES_MAX = 512, /* a card's, too */
    INTERVIEW_SENTENCE_MAX = 300,
    INTERVIEW_REPLY_TEXT_MAX = 256
};

enum interview_stage {
    INTERVIEW_STAGE_NEW,      /* nobody has asked to come in */
    INTERVIEW_STAGE_ADMITTED, /* accepted, not open yet */
    INTERVIEW_STAGE_OPEN,
    INTERVIEW_STAGE_CLOSED,
    INTERVIEW_STAGE_COUNT
};

/* What is due of an answer to a turn, in this order. */
enum interview_reply_step {
    INTERVIEW_REPLY_NONE,
    INTERVIEW_REPLY_TRANSCRIPT, /* of the candidate */
    INTERVIEW_REPLY_CHUNK,      /* the next of them */
    INTERVIEW_REPLY_SUMMARY     /* the transcript of what was said, and the evaluation */
};

/* A turn of the candidate, and what was made of it. */
struct interview_turn {
    uint64_t samples;        /* all of it */
    uint64_t speech_samples; /* while somebody spoke */
};

struct interview_reply {
    enum interview_reply_step step;
    uint64_t due_us;
    uint64_t start_us; /* of its chunks */
    bool to_turn;      /* else the interviewer begins by itself, and evaluates nothing */
    struct interview_turn turn;
    enum interview_saying saying;
    bool coded;
    uint16_t source; /* of the coded signal: counts from 1 */
    size_t said;     /* samples */
    uint64_t chunks; /* sent */
    bool fails;      /* by quirk, an error comes in place of its chunks */
    bool cancelled;
    uint64_t chunks_left; /* after a cancel, by quirk */
};

struct session {
    struct session_config config;
    bool has_quirks;
    struct session_progress progress;
    const struct interview_profile *profile;
    struct interview_dialect dialect; /* the profile's, as quirks have it */
    enum interview_stage stage;
    uint64_t opened_us;

    /* admission */
    uint8_t id[INTERVIEW_ID_BYTES_MAX];
    size_t id_len;
    const char *refusal; /* why it is not let in: static; NULL: it is */
    enum interview_error_code
        refused_by; /* by quirk, said before the close; INTERVIEW_ERROR_COUNT: nothing */
    struct room_seat seat;
    const char *put_out; /* in the latest step, by another connection: static */

    /* status */
    bool greeted; /* status connecting is out, or left out */
    bool connected;
    uint64_t connected_us; /* when it is, or is due */
    uint64_t ping_us;      /* by quirk, the next of the server's */
    uint64_t looked_us;

    /* hearing */
    struct energy energy;
    struct interview_turn turn; /* that goes on */
    bool paused;                /* the latest turn ended with a pause, and no commit has come for it */
    bool turn_waits;
    struct interview_turn waiting;

    /* speaking */
    struct interview_reply reply;
    uint64_t turns;   /* that were answered */
    uint64_t replies; /* begun */
    unsigned asked;   /* questions, of this round of the interview */
    bool followed_up; /* the latest of them was */
    bool over;        /* the farewell was said, or is being said */
    uint64_t chunks;  /* sent, of all replies */

    /* the end */
    uint16_t close_code; /* 0: none is due */
    uint64_t close_us;
    const char *close_reason;   /* static; a refusal's sentence is added to it */
    const char *status_message; /* status disconnected says so before the close; NULL: it does not come */
};

/* The value of a quirk; 0: off. Durations of quirks are as said, whatever the session's speed. */
static inline uint64_t interview_quirk(const struct session *session, enum interview_quirk quirk)
{
    return session->has_quirks ? session->config.quirks.value[quirk] : 0;
}

/* ---- admission.c ---- */

void interview_admit(struct session *session, const struct session_event *event, struct actions *actions);
/* For session_class.config_of: the id of the interview. */
bool interview_id_of(const struct http_head *head, uint8_t *out, size_t capacity, size_t *len);
/* The interview is somebody else's now, who came later. */
bool interview_is_lost(const struct session *session);

/* ---- receive.c ---- */

void interview_receive_text(struct session *session, const struct session_event *event,
                            struct actions *actions);
void interview_receive_binary(struct session *session, const struct session_event *event,
                              struct actions *actions);

/* ---- classify.c ---- */

/* Static: one of the class's receive types, or "other". */
const char *interview_classify(bool binary, struct bytes message);
extern const char *const INTERVIEW_RECEIVE_TYPES[];

/* ---- hear.c ---- */

/* PCM16 of the candidate. */
void interview_hear(struct session *session, uint64_t now_us, struct bytes pcm);
/* commit_audio came. False: there is nothing to commit. */
bool interview_commit(struct session *session, uint64_t now_us);

/* ---- reply.c ---- */

/* A turn has ended: it is answered now, or after the reply that is under way. */
void interview_reply_to(struct session *session, uint64_t now_us, const struct interview_turn *turn);
/* The interviewer says the next thing by itself. */
void interview_reply_begin(struct session *session, uint64_t now_us);
/* cancel_response came, or what stands for it. */
void interview_reply_cancel(struct session *session, uint64_t now_us);
/* Does what is due of the reply. */
void interview_reply_next(struct session *session, uint64_t at_us, struct actions *actions);

/* ---- part.c ---- */

/* A part of what the interviewer says. */
struct interview_part {
    size_t first, samples;
    bool is_final;
    char text[INTERVIEW_REPLY_TEXT_MAX]; /* of ai_audio_chunk; NUL-terminated */
};
/* The next part. */
void interview_part_next(const struct session *session, struct interview_part *part);
/* Its samples as they go out, 2 bytes each. */
void interview_part_samples(const struct session *session, const struct interview_part *part, uint8_t *out);
/* An ai_audio_chunk with that part is out. */
void interview_part_said(struct session *session, uint64_t at_us, const struct interview_part *part);
/* Begins to say that, with its first chunk next and due at `at_us`. */
void interview_saying_begin(struct session *session, enum interview_saying saying, uint64_t at_us);
/* What was said so far of it. */
struct bytes interview_said(const struct session *session);

/* ---- evaluation.c ---- */

/* What is next after such an answer; with NULL: after none. */
enum interview_saying interview_saying_after(const struct session *session,
                                             const struct interview_turn *turn);
/* The result of evaluate_candidate_answer, as JSON. */
void interview_result_write(const struct session *session, const struct interview_turn *turn,
                            struct text *out);
/* What the candidate is taken to have said. */
void interview_transcript_write(const struct interview_turn *turn, struct text *out);

/* ---- send.c ---- */

/* Adds the message; false when there is no room. */
bool interview_send(struct session *session, const struct interview_message *message, const char *label,
                    struct bytes members, bool fault, struct actions *actions);
/* `details`: JSON; empty: none. */
bool interview_send_error(struct session *session, enum interview_error_code code, const char *sentence,
                          struct bytes details, struct actions *actions);
void interview_send_status(struct session *session, enum interview_status status, const char *sentence,
                           struct actions *actions);
void interview_send_transcript(struct session *session, uint64_t at_us, enum interview_speaker speaker,
                               struct bytes text, struct actions *actions);
void interview_send_chunk(struct session *session, uint64_t at_us, struct actions *actions);
void interview_send_result(struct session *session, const struct interview_turn *turn,
                           struct actions *actions);
void interview_send_ping(struct session *session, enum interview_message_type type, struct actions *actions);
/* Now, as messages have it. */
int64_t interview_now(const struct session *session, uint64_t at_us);

/* ---- run.c ---- */

void interview_run(struct session *session, uint64_t now_us, struct actions *actions);
uint64_t interview_run_deadline_us(const struct session *session);
/* Status connected is out. */
void interview_connected(struct session *session, uint64_t at_us);

/* ---- ending.c ---- */

/* The connection closes at that time, unless it already does sooner. `status`: what status disconnected says
 * before; NULL: none comes. */
void interview_close(struct session *session, uint16_t code, const char *reason, const char *status,
                     uint64_t at_us);

/* ---- compose.c ---- */

extern const struct send_kind INTERVIEW_SEND_KINDS[];
bool interview_compose(struct session *session, uint64_t now_us, const char *kind,
                       const struct compose_option *options, size_t option_count, struct actions *actions,
                       char error[200]);

#endif
