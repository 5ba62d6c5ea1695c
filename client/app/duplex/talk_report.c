#include "client/app/duplex/talk_report.h"

#include <inttypes.h>

static double seconds(uint64_t samples)
{
    return (double)samples / DUPLEX_OUTPUT_RATE;
}

static bool add_turn(struct talk_report *report, const struct observation *seen)
{
    const bool heard = report->in_turn;
    report->in_turn = false;
    if (!heard || report->turn_count == TALK_TURNS_MAX)
        return false;
    struct talk_turn *turn = &report->turns[report->turn_count++];
    *turn = (struct talk_turn){
        .from_s = seconds(report->turn_at), .to_s = seconds(seen->at), .whole = seen->is_final};
    memcpy(turn->text, seen->text, sizeof turn->text);
    return true;
}

bool talk_report_observe(struct talk_report *report, const struct observation *seen)
{
    switch (seen->kind) {
    case OBSERVED_HEARD:
        if (!report->in_turn)
            report->turn_at = seen->at;
        report->in_turn = true;
        break;
    case OBSERVED_TURN:
        return add_turn(report, seen);
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
    case OBSERVED_FRAME:
    case OBSERVED_PLAYED:
    case OBSERVED_CANCELLED:
    case OBSERVED_STATE:
    case OBSERVED_QUEUE:
    case OBSERVED_DELTA:
    case OBSERVED_LISTEN:
    case OBSERVED_STATUS:
    case OBSERVED_TRANSCRIPT:
    case OBSERVED_RESULT:
        break;
    }
    return false;
}

/* ---- for people ---- */

void talk_turn_print(const struct talk_turn *turn, FILE *out)
{
    fprintf(out, "[%7.2f - %7.2f] ", turn->from_s, turn->to_s);
    report_words_print(turn->text, out);
    fputs(turn->whole ? "\n" : " (cut off)\n", out);
}

/* What a server sent, on a line of its own. */
static void print_shown(FILE *out, const char *name, const char *value)
{
    char shown[4 * OBSERVATION_TEXT_MAX];
    struct text text = text_of(shown, sizeof shown);
    text_add_printable(&text, bytes_of_text(value), OBSERVATION_TEXT_MAX);
    fprintf(out, "%s%s\n", name, shown);
}

void talk_report_print(const struct talk_report *report, FILE *out)
{
    const struct duplex_client_summary *summary = &report->summary;
    print_shown(out, "session               ", summary->session_id);
    fprintf(out, "said                  %.2f s in %" PRIu64 " appends, %" PRIu64 " pictures\n",
            (double)summary->samples_sent / DUPLEX_INPUT_RATE, summary->appends, summary->pictures_sent);
    if (summary->appends_dropped > 0)
        fprintf(out, "not taken in time     %" PRIu64 " appends\n", summary->appends_dropped);
    fprintf(out, "received              %.2f s in %" PRIu64 " deltas\n", seconds(summary->samples),
            summary->deltas);
    fprintf(out, "heard                 %.2f s, %.2f s dropped, %" PRIu64 " gaps\n",
            seconds(summary->samples_heard), seconds(summary->samples_dropped), summary->gaps);
    fprintf(out, "turns                 %" PRIu64 " heard to the end, %" PRIu64 " cut off\n", summary->turns,
            summary->turns_cut);
    if (summary->first_heard_us > summary->talk_sent_us && summary->talk_sent_us != 0)
        fprintf(out, "first sound           %.0f ms after the last speech was sent\n",
                (double)(summary->first_heard_us - summary->talk_sent_us) / 1000);
    fprintf(out, "context               %" PRIu32 " of %d tokens\n", summary->cache_max,
            DUPLEX_CONTEXT_TOKENS);
    if (report->progress.reconnects > 0)
        fprintf(out, "reconnects            %" PRIu64 "\n", report->progress.reconnects);
    print_shown(out, "ended                 ",
                summary->reason[0] != '\0' ? summary->reason
                : report->closed           ? "without session.closed"
                                           : "without a word");
}

bool talk_report_write_transcript(const struct talk_report *report, const char *path)
{
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return false;
    for (size_t i = 0; i < report->turn_count; i++)
        talk_turn_print(&report->turns[i], out);
    return fclose(out) == 0;
}

/* ---- for machines ---- */

static void write_turns(FILE *out, const struct talk_report *report)
{
    fputs("  \"turns\": [", out);
    for (size_t i = 0; i < report->turn_count; i++) {
        const struct talk_turn *turn = &report->turns[i];
        fprintf(out, "%s\n    {\"from_s\": %.6f, \"to_s\": %.6f, \"whole\": %s, ", i == 0 ? "" : ",",
                turn->from_s, turn->to_s, turn->whole ? "true" : "false");
        report_string_write(out, "text", turn->text);
        fputc('}', out);
    }
    fputs(report->turn_count == 0 ? "]\n" : "\n  ]\n", out);
}

bool talk_report_write_json(const struct talk_report *report, const char *mode, const char *path)
{
    const struct duplex_client_summary *summary = &report->summary;
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return false;
    fputs("{\n  \"schema\": 1,\n", out);
    report_string_line(out, "mode", mode);
    report_string_line(out, "session_id", summary->session_id);
    report_string_line(out, "reason", summary->reason);
    if (report->error[0] != '\0')
        report_string_line(out, "error", report->error);
    report_number_line(out, "appends", summary->appends);
    report_number_line(out, "appends_dropped", summary->appends_dropped);
    report_number_line(out, "samples_sent", summary->samples_sent);
    report_number_line(out, "pictures_sent", summary->pictures_sent);
    report_number_line(out, "deltas", summary->deltas);
    report_number_line(out, "samples_received", summary->samples);
    report_number_line(out, "samples_heard", summary->samples_heard);
    report_number_line(out, "samples_dropped", summary->samples_dropped);
    report_number_line(out, "turns_heard", summary->turns);
    report_number_line(out, "turns_cut", summary->turns_cut);
    report_number_line(out, "gaps", summary->gaps);
    report_number_line(out, "listens", summary->listens);
    report_number_line(out, "context_tokens", summary->cache_max);
    report_number_line(out, "reconnects", report->progress.reconnects);
    report_number_line(out, "errors", report->progress.errors);
    if (report->closed)
        report_number_line(out, "close_code", report->close_code);
    write_turns(out, report);
    fputs("}\n", out);
    return fclose(out) == 0;
}
