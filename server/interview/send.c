/* The messages a session sends, as 004 has them, and what quirks make of them (field notes). */
#include <stdlib.h>

#include "server/core/json_send.h"
#include "server/interview/session.h"

enum { UNKNOWN_EVERY = 3, RESULT_BYTES_MAX = 1024 };

static const char EXTRA_MEMBERS[] =
    ",\"request_id\":\"mock-1\",\"metrics\":{\"latency_ms\":40,\"load\":0.25}";
static const char UNKNOWN_MESSAGE[] = "{\"type\":\"session_metrics\",\"cpu\":0.5}";

int64_t interview_now(const struct session *session, uint64_t at_us)
{
    return interview_time_of(&session->dialect, session->config.epoch_ms + at_us / 1000);
}

/* ---- any of them ---- */

bool interview_send(struct session *session, const struct interview_message *message, const char *label,
                    struct bytes members, bool fault, struct actions *actions)
{
    const bool extra = interview_quirk(session, INTERVIEW_QUIRK_EXTRA_MEMBERS) != 0;
    const struct json_send_options options = {.members = members,
                                              .extra = extra ? EXTRA_MEMBERS : NULL,
                                              .escaped =
                                                  interview_quirk(session, INTERVIEW_QUIRK_ESCAPES) != 0,
                                              .fault = fault};
    struct buffer *out = json_send_begin(actions, label);
    return out != NULL &&
           json_send_end(actions, interview_message_write(&session->dialect, message, out), &options);
}

static void send_unknown(const struct session *session, struct actions *actions)
{
    if (interview_quirk(session, INTERVIEW_QUIRK_UNKNOWN_MESSAGES) != 0 &&
        session->chunks % UNKNOWN_EVERY == 0)
        (void)json_send_text(actions, "text", bytes_of_text(UNKNOWN_MESSAGE), false);
}

/* ---- one by one ---- */

bool interview_send_error(struct session *session, enum interview_error_code code, const char *sentence,
                          struct bytes details, struct actions *actions)
{
    const struct interview_message message = {.type = INTERVIEW_MESSAGE_ERROR,
                                              .has_code = true,
                                              .code = bytes_of_text(interview_error_name(code)),
                                              .has_message = true,
                                              .message = bytes_of_text(sentence),
                                              .has_details = details.len > 0,
                                              .details = details};
    return interview_send(session, &message, "error", bytes_of(NULL, 0), false, actions);
}

/* Where "connected" is a message of its own there are no others. */
void interview_send_status(struct session *session, enum interview_status status, const char *sentence,
                           struct actions *actions)
{
    const struct interview_message message = {.type = INTERVIEW_MESSAGE_STATUS,
                                              .has_status = true,
                                              .status = status,
                                              .has_message = true,
                                              .message = bytes_of_text(sentence)};
    if (session->dialect.connected == NULL || status == INTERVIEW_STATUS_CONNECTED)
        (void)interview_send(session, &message, "status", bytes_of(NULL, 0), false, actions);
}

void interview_send_transcript(struct session *session, uint64_t at_us, enum interview_speaker speaker,
                               struct bytes text, struct actions *actions)
{
    const bool timeless = interview_quirk(session, INTERVIEW_QUIRK_NO_TIMES) != 0;
    const struct interview_message message = {.type = INTERVIEW_MESSAGE_TRANSCRIPT,
                                              .has_speaker = true,
                                              .speaker = speaker,
                                              .has_text = true,
                                              .text = text,
                                              .has_timestamp = !timeless,
                                              .timestamp = interview_now(session, at_us)};
    (void)interview_send(session, &message, "transcript", bytes_of(NULL, 0), timeless, actions);
}

void interview_send_chunk(struct session *session, uint64_t at_us, struct actions *actions)
{
    struct interview_part part;
    interview_part_next(session, &part);
    uint8_t *pcm = malloc(part.samples * INTERVIEW_SAMPLE_BYTES + 1);
    if (pcm == NULL) { /* it has nothing more to say */
        session->reply.step = INTERVIEW_REPLY_SUMMARY;
        return;
    }
    interview_part_samples(session, &part, pcm);
    const struct interview_message message = {.type = INTERVIEW_MESSAGE_AI_AUDIO_CHUNK,
                                              .has_audio = true,
                                              .audio = bytes_of(pcm, part.samples * INTERVIEW_SAMPLE_BYTES),
                                              .has_text = *part.text != '\0',
                                              .text = bytes_of_text(part.text),
                                              .has_is_final = true,
                                              .is_final = part.is_final};
    send_unknown(session, actions);
    (void)interview_send(session, &message, "ai_audio_chunk", bytes_of(NULL, 0), false, actions);
    free(pcm);
    interview_part_said(session, at_us, &part);
}

void interview_send_result(struct session *session, const struct interview_turn *turn,
                           struct actions *actions)
{
    char data[RESULT_BYTES_MAX];
    struct text text = text_of(data, sizeof data);
    interview_result_write(session, turn, &text);
    const struct interview_message message = {.type = INTERVIEW_MESSAGE_FUNCTION_RESULT,
                                              .has_function_name = true,
                                              .function_name = bytes_of_text(INTERVIEW_FUNCTION),
                                              .has_result = true,
                                              .result = bytes_of(data, text.len)};
    (void)interview_send(session, &message, "function_result", bytes_of(NULL, 0), false, actions);
}

void interview_send_ping(struct session *session, enum interview_message_type type, struct actions *actions)
{
    const struct interview_message message = {.type = type};
    (void)interview_send(session, &message, "text", bytes_of(NULL, 0), false, actions);
}
