#include "client/app/interview/interview_report.h"

#include <inttypes.h>

static double seconds(uint64_t samples)
{
    return (double)samples / INTERVIEW_RATE;
}

/* ---- lines ---- */

static struct interview_line *add_line(struct interview_report *report, bool ai, uint64_t from, uint64_t to)
{
    if (report->line_count == INTERVIEW_LINES_MAX)
        return NULL;
    struct interview_line *line = &report->lines[report->line_count++];
    *line = (struct interview_line){.from_s = seconds(from), .to_s = seconds(to), .ai = ai, .whole = true};
    return line;
}

static const struct interview_line *tell(struct interview_line *line, const char text[OBSERVATION_TEXT_MAX])
{
    if (line == NULL)
        return NULL;
    memcpy(line->text, text, sizeof line->text);
    line->told = true;
    return line;
}

void interview_report_said(struct interview_report *report, const struct interview_client *client)
{
    uint64_t at = 0;
    struct bytes pcm;
    if (interview_client_said(client, &at, &pcm)) {
        if (!report->saying)
            report->said_at = at;
        report->saying = true;
        report->said_to = at + interview_sample_count(pcm);
    }
    if (interview_client_summary(client)->answers == report->answers)
        return;
    report->answers = interview_client_summary(client)->answers;
    report->saying = false;
    report->words[0] = '\0';
    report->cut = false;
    (void)add_line(report, false, report->said_at, report->said_to);
}

/* Of the answers whose words did not come the first; else a line of its own behind what was said. */
static const struct interview_line *candidate_words(struct interview_report *report,
                                                    const char text[OBSERVATION_TEXT_MAX])
{
    for (size_t i = 0; i < report->line_count; i++)
        if (!report->lines[i].ai && !report->lines[i].told)
            return tell(&report->lines[i], text);
    return tell(add_line(report, false, report->said_to, report->said_to), text);
}

/* The words of a reply come before it was heard to its end, as a rule, and then wait for that. */
static const struct interview_line *ai_words(struct interview_report *report,
                                             const char text[OBSERVATION_TEXT_MAX])
{
    struct interview_line *last = report->line_count > 0 ? &report->lines[report->line_count - 1] : NULL;
    if (report->cut)
        return NULL;
    if (!report->hearing && last != NULL && last->ai && last->whole && !last->told)
        return tell(last, text);
    memcpy(report->words, text, sizeof report->words);
    return NULL;
}

static const struct interview_line *end_reply(struct interview_report *report, const struct observation *seen)
{
    const uint32_t from = report->hearing ? report->heard_at : seen->at;
    struct interview_line *line = add_line(report, true, from, seen->at);
    const bool told = seen->is_final && report->words[0] != '\0';
    report->hearing = false;
    report->cut = !seen->is_final;
    if (line == NULL)
        return NULL;
    line->whole = seen->is_final;
    memcpy(line->text, told ? report->words : seen->text, sizeof line->text);
    line->told = told || !seen->is_final; /* else they may still come */
    report->words[0] = '\0';
    return line;
}

/* ---- what is seen ---- */

static void add_result(struct interview_report *report, const struct observation *seen)
{
    if (report->result_count == INTERVIEW_RESULTS_MAX)
        return;
    struct interview_result_line *line = &report->results[report->result_count++];
    memcpy(line->function, seen->code, sizeof line->function);
    memcpy(line->result, seen->text, sizeof line->result);
}

const struct interview_line *interview_report_observe(struct interview_report *report,
                                                      const struct observation *seen)
{
    switch (seen->kind) {
    case OBSERVED_HEARD:
        if (!report->hearing)
            report->heard_at = seen->at;
        report->hearing = true;
        break;
    case OBSERVED_TURN:
        return end_reply(report, seen);
    case OBSERVED_TRANSCRIPT:
        if (!seen->is_final)
            break;
        return strcmp(seen->code, interview_speaker_name(INTERVIEW_SPEAKER_AI)) == 0
                   ? ai_words(report, seen->text)
                   : candidate_words(report, seen->text);
    case OBSERVED_RESULT:
        add_result(report, seen);
        break;
    case OBSERVED_ERROR:
        report_error_write(report->error, seen);
        break;
    case OBSERVED_CLOSED:
        report->closed = true;
        report->close_code = seen->close_code;
        memcpy(report->close_reason, seen->text, sizeof report->close_reason);
        break;
    case OBSERVED_READY:
        report->error[0] = '\0'; /* what refused earlier connections is over */
        break;
    case OBSERVED_CANCELLED:
        report->cut = true;
        break;
    case OBSERVED_FRAME:
    case OBSERVED_PLAYED:
    case OBSERVED_STATE:
    case OBSERVED_QUEUE:
    case OBSERVED_DELTA:
    case OBSERVED_LISTEN:
    case OBSERVED_STATUS:
        break;
    }
    return NULL;
}

/* ---- for people ---- */

void interview_line_print(const struct interview_line *line, FILE *out)
{
    const enum interview_speaker speaker = line->ai ? INTERVIEW_SPEAKER_AI : INTERVIEW_SPEAKER_CANDIDATE;
    fprintf(out, "[%7.2f - %7.2f] %s: ", line->from_s, line->to_s, interview_speaker_name(speaker));
    report_words_print(line->text, out);
    fputs(line->whole ? "\n" : " (cut off)\n", out);
}

void interview_report_print(const struct interview_report *report, FILE *out)
{
    const struct interview_client_summary *summary = &report->summary;
    for (size_t i = 0; i < report->result_count; i++) {
        fputs("evaluation            ", out);
        report_words_print(report->results[i].function, out);
        fputc(' ', out);
        report_words_print(report->results[i].result, out);
        fputc('\n', out);
    }
    fprintf(out, "said                  %.2f s in %" PRIu64 " chunks, %" PRIu64 " answers\n",
            seconds(summary->samples_sent), summary->chunks_sent, summary->answers);
    fprintf(out, "received              %.2f s in %" PRIu64 " chunks\n", seconds(summary->samples),
            summary->chunks);
    fprintf(out, "heard                 %.2f s, %.2f s dropped, %" PRIu64 " gaps\n",
            seconds(summary->samples_heard), seconds(summary->samples_dropped), summary->gaps);
    fprintf(out, "replies               %" PRIu64 " heard to the end, %" PRIu64 " cut off\n",
            summary->replies, summary->replies_cut);
    if (summary->reply_us > 0)
        fprintf(out, "last reply            began %.0f ms after its answer\n",
                (double)summary->reply_us / 1000);
    if (report->progress.reconnects > 0)
        fprintf(out, "reconnects            %" PRIu64 "\n", report->progress.reconnects);
}

bool interview_report_write_transcript(const struct interview_report *report, const char *path)
{
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return false;
    for (size_t i = 0; i < report->line_count; i++)
        interview_line_print(&report->lines[i], out);
    return fclose(out) == 0;
}

/* ---- for machines ---- */

static void write_lines(FILE *out, const struct interview_report *report)
{
    fputs("  \"lines\": [", out);
    for (size_t i = 0; i < report->line_count; i++) {
        const struct interview_line *line = &report->lines[i];
        fprintf(out, "%s\n    {\"from_s\": %.6f, \"to_s\": %.6f, \"whole\": %s, ", i == 0 ? "" : ",",
                line->from_s, line->to_s, line->whole ? "true" : "false");
        report_string_write(
            out, "speaker",
            interview_speaker_name(line->ai ? INTERVIEW_SPEAKER_AI : INTERVIEW_SPEAKER_CANDIDATE));
        fputs(", ", out);
        report_string_write(out, "text", line->text);
        fputc('}', out);
    }
    fputs(report->line_count == 0 ? "],\n" : "\n  ],\n", out);
}

static void write_results(FILE *out, const struct interview_report *report)
{
    fputs("  \"results\": [", out);
    for (size_t i = 0; i < report->result_count; i++) {
        fprintf(out, "%s\n    {", i == 0 ? "" : ",");
        report_string_write(out, "function", report->results[i].function);
        fputs(", ", out);
        report_string_write(out, "result", report->results[i].result);
        fputc('}', out);
    }
    fputs(report->result_count == 0 ? "]\n" : "\n  ]\n", out);
}

bool interview_report_write_json(const struct interview_report *report, const char *path)
{
    const struct interview_client_summary *summary = &report->summary;
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return false;
    fputs("{\n  \"schema\": 1,\n", out);
    if (report->error[0] != '\0')
        report_string_line(out, "error", report->error);
    report_number_line(out, "chunks_sent", summary->chunks_sent);
    report_number_line(out, "samples_sent", summary->samples_sent);
    report_number_line(out, "answers", summary->answers);
    report_number_line(out, "chunks", summary->chunks);
    report_number_line(out, "chunks_ignored", summary->chunks_ignored);
    report_number_line(out, "samples_received", summary->samples);
    report_number_line(out, "samples_heard", summary->samples_heard);
    report_number_line(out, "samples_dropped", summary->samples_dropped);
    report_number_line(out, "replies_heard", summary->replies);
    report_number_line(out, "replies_cut", summary->replies_cut);
    report_number_line(out, "gaps", summary->gaps);
    report_number_line(out, "reconnects", report->progress.reconnects);
    report_number_line(out, "errors", report->progress.errors);
    if (report->closed)
        report_number_line(out, "close_code", report->close_code);
    write_lines(out, report);
    write_results(out, report);
    fputs("}\n", out);
    return fclose(out) == 0;
}
