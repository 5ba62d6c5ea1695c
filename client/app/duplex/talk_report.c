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

static void note_error(struct talk_report *report, const struct observation *seen)
{
    struct text text = text_of(report->error, sizeof report->error);
    observation_error_add(&text, strcmp(seen->code, "NO_CONNECTION") != 0 ? seen->code : "", seen->text);
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
        note_error(report, seen);
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
    char shown[4 * OBSERVATION_TEXT_MAX], line[OBSERVATION_TEXT_MAX];
    struct text text = text_of(shown, sizeof shown), words = text_of(line, sizeof line);
    for (const char *c = turn->text; *c != '\0'; c++)
        text_add_char(&words, (unsigned char)*c < ' ' || *c == 0x7F ? ' ' : *c);
    text_add_printable(&text, bytes_of_text(line), sizeof line); /* nothing moves a cursor */
    fprintf(out, "[%7.2f - %7.2f] %s%s\n", turn->from_s, turn->to_s, shown, turn->whole ? "" : " (cut off)");
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

static void write_string(FILE *out, const char *name, const char *value)
{
    char quoted[8192];
    struct text text = text_of(quoted, sizeof quoted);
    text_add_json_string(&text, bytes_of_text(value));
    fprintf(out, "\"%s\": %s", name, quoted);
}

static void write_number(FILE *out, const char *name, uint64_t value)
{
    fprintf(out, "  \"%s\": %" PRIu64 ",\n", name, value);
}

static void write_turns(FILE *out, const struct talk_report *report)
{
    fputs("  \"turns\": [", out);
    for (size_t i = 0; i < report->turn_count; i++) {
        const struct talk_turn *turn = &report->turns[i];
        fprintf(out, "%s\n    {\"from_s\": %.6f, \"to_s\": %.6f, \"whole\": %s, ", i == 0 ? "" : ",",
                turn->from_s, turn->to_s, turn->whole ? "true" : "false");
        write_string(out, "text", turn->text);
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
    fputs("{\n  \"schema\": 1,\n  ", out);
    write_string(out, "mode", mode);
    fputs(",\n  ", out);
    write_string(out, "session_id", summary->session_id);
    fputs(",\n  ", out);
    write_string(out, "reason", summary->reason);
    if (report->error[0] != '\0') {
        fputs(",\n  ", out);
        write_string(out, "error", report->error);
    }
    fputs(",\n", out);
    write_number(out, "appends", summary->appends);
    write_number(out, "appends_dropped", summary->appends_dropped);
    write_number(out, "samples_sent", summary->samples_sent);
    write_number(out, "pictures_sent", summary->pictures_sent);
    write_number(out, "deltas", summary->deltas);
    write_number(out, "samples_received", summary->samples);
    write_number(out, "samples_heard", summary->samples_heard);
    write_number(out, "samples_dropped", summary->samples_dropped);
    write_number(out, "turns_heard", summary->turns);
    write_number(out, "turns_cut", summary->turns_cut);
    write_number(out, "gaps", summary->gaps);
    write_number(out, "listens", summary->listens);
    write_number(out, "context_tokens", summary->cache_max);
    write_number(out, "reconnects", report->progress.reconnects);
    write_number(out, "errors", report->progress.errors);
    if (report->closed)
        write_number(out, "close_code", report->close_code);
    write_turns(out, report);
    fputs("}\n", out);
    return fclose(out) == 0;
}
