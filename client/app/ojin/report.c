#include "client/app/ojin/report.h"

#include <inttypes.h>
#include <math.h>

#include "codec/media/block_code.h"
#include "codec/ojin/constants.h"

static void measure(struct report *report, const struct client_action *action)
{
    const struct observation *played = &action->observation;
    if (played->index != OJIN_INDEX_SPEECH)
        return;
    if (!report->heard_turn || memcmp(report->interaction, played->interaction, UUID_BYTES) != 0) {
        report->heard_turn = true;
        report->heard_samples = 0;
        memcpy(report->interaction, played->interaction, UUID_BYTES);
    }
    struct block_code code;
    if (!played->has_image || !block_code_read_jpeg(action->data, &code)) {
        report->uncoded++;
    } else if (action->samples != NULL) {
        double offset_ms =
            ((double)code.sample_position - (double)report->heard_samples) * 1000 / OJIN_SAMPLE_RATE;
        report->coded++;
        report->offset_sum_ms += offset_ms;
        if (fabs(offset_ms) > fabs(report->offset_max_ms))
            report->offset_max_ms = offset_ms;
    }
    if (action->samples != NULL)
        report->heard_samples += OJIN_FRAME_SAMPLES;
}

static void note_error(struct report *report, const struct observation *error)
{
    if (strcmp(error->code, "SPEECH_LOST") == 0)
        report->speech_lost = true;
    if (report->error[0] != '\0')
        return;
    report_error_write(report->error, error);
}

void report_observe(struct report *report, const struct client_action *action)
{
    switch (action->observation.kind) {
    case OBSERVED_PLAYED:
        measure(report, action);
        break;
    case OBSERVED_ERROR:
        note_error(report, &action->observation);
        break;
    case OBSERVED_CLOSED:
        report->closed = true;
        report->close_code = action->observation.close_code;
        memcpy(report->close_reason, action->observation.text, sizeof report->close_reason);
        break;
    case OBSERVED_READY:
        if (!report->speech_lost)
            report->error[0] = '\0'; /* what refused earlier connections is over */
        break;
    case OBSERVED_FRAME:
    case OBSERVED_CANCELLED:
    case OBSERVED_STATE:
    case OBSERVED_QUEUE: /* of the full-duplex family, as those that follow */
    case OBSERVED_DELTA:
    case OBSERVED_HEARD:
    case OBSERVED_LISTEN:
    case OBSERVED_TURN:
    case OBSERVED_STATUS:
    case OBSERVED_TRANSCRIPT:
    case OBSERVED_RESULT:
        break;
    }
}

static double mean_offset_ms(const struct report *report)
{
    return report->coded > 0 ? report->offset_sum_ms / (double)report->coded : 0;
}

/* From the first speech sent to the first speech frame. */
static double first_speech_ms(const struct ojin_client_summary *summary)
{
    return (double)(summary->first_speech_us - summary->first_sent_us) / 1000;
}

void report_print(const struct report *report, const char *video, FILE *out)
{
    const struct ojin_client_summary *summary = &report->summary;
    fprintf(out, "frames received       %" PRIu64 " speech, %" PRIu64 " silence, %" PRIu64 " other\n",
            summary->frames[1], summary->frames[0], summary->frames[2]);
    fprintf(out, "frames played         %" PRIu64 " speech, %" PRIu64 " silence, %" PRIu64 " other\n",
            summary->played[1], summary->played[0], summary->played[2]);
    fprintf(out, "silence dropped       %" PRIu64 " frames\n", summary->silence_dropped);
    fprintf(out, "buffer high water     %" PRIu64 " frames\n", summary->buffer_high_water);
    fprintf(out, "speech sent           %.2f s in %" PRIu64 " messages\n",
            (double)summary->samples_sent / OJIN_SAMPLE_RATE, summary->messages_sent);
    if (summary->first_speech_us != 0 && summary->first_sent_us != 0)
        fprintf(out, "first speech frame    %.0f ms after the first speech was sent\n",
                first_speech_ms(summary));
    if (report->coded > 0)
        fprintf(out, "audio/video offset    mean %.1f ms, max %.1f ms (%" PRIu64 " pictures)\n",
                mean_offset_ms(report), report->offset_max_ms, report->coded);
    else
        fprintf(out, "audio/video offset    not measured: no picture holds a block code\n");
    if (summary->has_load)
        fprintf(out, "server load           %.3g\n", summary->load);
    if (summary->parameters[0] != '\0')
        fprintf(out, "session parameters    %s\n", summary->parameters);
    if (report->progress.reconnects > 0)
        fprintf(out, "reconnects            %" PRIu64 "\n", report->progress.reconnects);
    if (video != NULL)
        fprintf(out, "video                 %s\n", video);
}

static void write_kinds(FILE *out, const char *name, const uint64_t kinds[3])
{
    fprintf(out, "  \"%s\": {\"speech\": %" PRIu64 ", \"silence\": %" PRIu64 ", \"other\": %" PRIu64 "},\n",
            name, kinds[1], kinds[0], kinds[2]);
}

bool report_write_json(const struct report *report, const char *sound, const char *video, const char *path)
{
    const struct ojin_client_summary *summary = &report->summary;
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return false;
    fprintf(out, "{\n  \"schema\": 1,\n");
    report_string_line(out, "sound", sound);
    if (video != NULL)
        report_string_line(out, "video", video);
    if (report->error[0] != '\0')
        report_string_line(out, "error", report->error);
    write_kinds(out, "frames_received", summary->frames);
    write_kinds(out, "frames_played", summary->played);
    report_number_line(out, "silence_dropped", summary->silence_dropped);
    report_number_line(out, "undecodable", summary->undecodable);
    report_number_line(out, "buffer_high_water_frames", summary->buffer_high_water);
    report_number_line(out, "messages_sent", summary->messages_sent);
    report_number_line(out, "samples_sent", summary->samples_sent);
    if (summary->first_speech_us != 0 && summary->first_sent_us != 0)
        fprintf(out, "  \"first_speech_ms\": %.3f,\n", first_speech_ms(summary));
    if (report->coded > 0)
        fprintf(out, "  \"offset_mean_ms\": %.3f,\n  \"offset_max_ms\": %.3f,\n", mean_offset_ms(report),
                report->offset_max_ms);
    report_number_line(out, "pictures_measured", report->coded);
    if (summary->has_load)
        fprintf(out, "  \"load\": %.9g,\n", summary->load);
    if (summary->parameters[0] != '\0')
        fprintf(out, "  \"parameters\": %s,\n", summary->parameters);
    fprintf(out,
            "  \"reconnects\": %" PRIu64 ",\n  \"pings_sent\": %" PRIu64 ",\n  \"stalls\": %" PRIu64 ",\n",
            report->progress.reconnects, report->progress.pings_sent, summary->stalls);
    if (report->closed)
        fprintf(out, "  \"close_code\": %u,\n", report->close_code);
    fprintf(out, "  \"errors\": %" PRIu64 "\n}\n", report->progress.errors);
    return fclose(out) == 0;
}
