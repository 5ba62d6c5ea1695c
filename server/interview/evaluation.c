/*
 * What the interviewer makes of an answer: by how long somebody spoke, as nothing here understands speech.
 * field notes, Interview family.
 */
#include "server/interview/session.h"

struct quality {
    const char *name;
    unsigned score;
};

static uint64_t speech_us(const struct interview_turn *turn)
{
    return turn->speech_samples * 1000000 / INTERVIEW_RATE;
}

static struct quality quality_of(const struct interview_turn *turn)
{
    if (turn->speech_samples == 0)
        return (struct quality){"off_topic", 1};
    if (speech_us(turn) < INTERVIEW_ANSWER_US_MIN)
        return (struct quality){"needs_clarification", 4};
    if (speech_us(turn) < INTERVIEW_ANSWER_US_LONG)
        return (struct quality){"good", 8};
    return (struct quality){"excellent", 10};
}

enum interview_saying interview_saying_after(const struct session *session, const struct interview_turn *turn)
{
    const uint64_t only = interview_quirk(session, INTERVIEW_QUIRK_QUESTION);
    const bool short_answer = turn != NULL && speech_us(turn) < INTERVIEW_ANSWER_US_MIN;
    if (only != 0)
        return (enum interview_saying)(only - 1);
    if (short_answer && session->asked > 0 && !session->followed_up)
        return INTERVIEW_FOLLOW_UP;
    if (session->asked <= INTERVIEW_QUESTION_LAST)
        return (enum interview_saying)session->asked;
    return interview_quirk(session, INTERVIEW_QUIRK_ENDLESS) != 0 ? INTERVIEW_QUESTION_FIRST
                                                                  : INTERVIEW_FAREWELL;
}

static void write_usual(const struct session *session, const struct interview_turn *turn, struct text *out)
{
    const struct quality quality = quality_of(turn);
    const bool rich =
        session->profile->rich_results || interview_quirk(session, INTERVIEW_QUIRK_RICH_RESULTS) != 0;
    const bool follows_up = session->reply.saying == INTERVIEW_FOLLOW_UP;
    text_add(out, "{\"answer_quality\":");
    text_add_json_string(out, bytes_of_text(quality.name));
    if (rich)
        text_add(out, ",\"key_points_covered\":[\"background\",\"motivation\"]");
    text_add_json_text_member(out, "next_action", follows_up ? "follow_up" : "continue");
    text_add(out, follows_up ? ",\"follow_up_needed\":true" : ",\"follow_up_needed\":false");
    if (!rich)
        text_add_json_number_member(out, "score", quality.score);
    text_add(out, "}");
}

void interview_result_write(const struct session *session, const struct interview_turn *turn,
                            struct text *out)
{
    static const char *const others[INTERVIEW_RESULT_COUNT] = {
        [INTERVIEW_RESULT_NULL] = "null",
        [INTERVIEW_RESULT_LIST] = "[\"good\",8,false]",
        [INTERVIEW_RESULT_TEXT] = "\"good\"",
        [INTERVIEW_RESULT_NUMBER] = "8",
        [INTERVIEW_RESULT_NESTED] =
            ("{\"evaluation\":{\"answer_quality\":\"good\",\"scores\":[{\"clarity\":8},"
             "{\"depth\":7.5}]},\"follow_up_needed\":null}")};
    const char *other = others[interview_quirk(session, INTERVIEW_QUIRK_ODD_RESULTS)];
    if (other != NULL)
        text_add(out, other);
    else
        write_usual(session, turn, out);
}

void interview_transcript_write(const struct interview_turn *turn, struct text *out)
{
    if (turn->speech_samples == 0) {
        text_add(out, "(no speech)");
        return;
    }
    text_add(out, "An answer of ");
    text_add_double(out, (double)turn->speech_samples / INTERVIEW_RATE, 1);
    text_add(out, " seconds.");
}
