/* What the interviewer says, part by part: how long, with what text, and what has been said. reply.c says
 * when. */
#include "codec/media/coded_signal.h"
#include "server/interview/session.h"

enum { STALL_CHUNK = 2 /* the third */ };

static uint64_t chunk_us(const struct session *session)
{
    const uint64_t length_us = interview_quirk(session, INTERVIEW_QUIRK_CHUNK_LENGTH);
    return length_us == 0 ? INTERVIEW_CHUNK_US : length_us;
}

/* The whole words of the text that are said in its first `samples`. */
static struct bytes text_until(const struct interview_question *question, size_t samples)
{
    const size_t len = strlen(question->text);
    if (samples >= question->sample_count)
        return bytes_of(question->text, len);
    size_t end = len * samples / question->sample_count;
    while (end > 0 && question->text[end] != ' ')
        end--;
    return bytes_of(question->text, end);
}

struct bytes interview_said(const struct session *session)
{
    const struct interview_question question = interview_question_of(session->reply.saying);
    return text_until(&question, session->reply.said);
}

void interview_part_next(const struct session *session, struct interview_part *part)
{
    const struct interview_reply *reply = &session->reply;
    const struct interview_question question = interview_question_of(reply->saying);
    const size_t left = reply->said < question.sample_count ? question.sample_count - reply->said : 0;
    const size_t most = (size_t)(chunk_us(session) * INTERVIEW_RATE / 1000000);
    const bool stops = reply->cancelled && reply->chunks_left == 0;
    *part = (struct interview_part){.first = reply->said, .samples = stops ? 0 : left < most ? left : most};
    const bool is_last = part->samples == left;
    part->is_final =
        stops || left == 0 || (is_last && interview_quirk(session, INTERVIEW_QUIRK_EMPTY_FINAL) == 0);
    struct text text = text_of(part->text, sizeof part->text);
    struct bytes said = text_until(&question, part->first + part->samples);
    if (interview_quirk(session, INTERVIEW_QUIRK_TRANSCRIPT_DELTAS) != 0) {
        const size_t before = text_until(&question, part->first).len;
        said = bytes_of(said.data + before, said.len - before);
    }
    if (interview_quirk(session, INTERVIEW_QUIRK_NO_PARTIALS) == 0)
        text_add_bytes(&text, said);
}

void interview_part_samples(const struct session *session, const struct interview_part *part, uint8_t *out)
{
    const struct interview_question question = interview_question_of(session->reply.saying);
    for (size_t i = 0; i < part->samples; i++) {
        const size_t n = part->first + i;
        const int16_t sample = session->reply.coded
                                   ? (int16_t)(coded_sample(session->reply.source, (uint32_t)n) * 32768.0F)
                                   : question.samples[n % question.sample_count];
        out[2 * i] = (uint8_t)((uint16_t)sample & 0xFFU);
        out[2 * i + 1] = (uint8_t)((uint16_t)sample >> 8);
    }
}

void interview_saying_begin(struct session *session, enum interview_saying saying, uint64_t at_us)
{
    struct interview_reply *reply = &session->reply;
    session->replies++;
    reply->saying = saying;
    reply->source = (uint16_t)session->replies;
    reply->coded = interview_quirk(session, INTERVIEW_QUIRK_CODED_AUDIO) != 0;
    reply->said = 0;
    reply->chunks = 0;
    reply->cancelled = false;
    reply->start_us = at_us;
    reply->step = INTERVIEW_REPLY_CHUNK;
    reply->due_us = at_us;
    if (interview_quirk(session, INTERVIEW_QUIRK_QUESTION) != 0)
        return;
    session->followed_up = saying == INTERVIEW_FOLLOW_UP;
    if (saying <= INTERVIEW_QUESTION_LAST)
        session->asked = (unsigned)saying + 1;
    session->over = saying == INTERVIEW_FAREWELL;
}

void interview_part_said(struct session *session, uint64_t at_us, const struct interview_part *part)
{
    struct interview_reply *reply = &session->reply;
    const bool burst = interview_quirk(session, INTERVIEW_QUIRK_BURST) != 0;
    reply->said = part->first + part->samples;
    reply->chunks++;
    session->chunks++;
    session->progress.speech_frames++;
    if (reply->chunks_left > 0)
        reply->chunks_left--;
    if (part->is_final) {
        session->progress.finals++;
        reply->step = INTERVIEW_REPLY_SUMMARY;
        reply->due_us = at_us;
        return;
    }
    reply->due_us =
        burst || (reply->cancelled && reply->chunks_left == 0)
            ? at_us
            : reply->start_us + reply->chunks * chunk_us(session) * 100 / session->config.speech_percent;
    if (reply->chunks == STALL_CHUNK) {
        reply->start_us += interview_quirk(session, INTERVIEW_QUIRK_STALL);
        reply->due_us += interview_quirk(session, INTERVIEW_QUIRK_STALL);
    }
}
