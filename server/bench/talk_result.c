/* What a trial with talking clients came to. */
#include <stdlib.h>

#include "codec/ws/frame.h"
#include "server/bench/talk.h"

enum { FRAME_BYTES_MAX = 2 * 1024 * 1024, CLOSE_BYTES = 2 };

static const double WAITED_MAX = 0.01;
static const double TALKER_CORE_MAX = 0.9;

/* Too little of the core was theirs for what they took to say something. */
static bool is_disturbed(const struct talk_result *result)
{
    return result->waited > WAITED_MAX || result->talker_core > TALKER_CORE_MAX;
}

enum bench_verdict talk_verdict(enum bench_verdict verdict, const struct talk_result *result)
{
    return verdict == BENCH_NOT_MET && is_disturbed(result) ? BENCH_INCONCLUSIVE : verdict;
}

void talk_tell(const struct talk_trial *trial, const struct talk_result *result, const char *how)
{
    bench_tell(
        "%3zu sessions%s: events late by %.2f / %.2f / %.2f ms (half, 99 %%, all of %lu), %lu messages sent, "
        "%lu events, %lu of them deltas, %lu missing, %.0f us of the core a message, %.0f %% of it (the "
        "clients "
        "%.0f %% of theirs; others took %.1f %%); %.0f KB a session",
        trial->sessions, how, result->p50_ms, result->p99_ms, result->max_ms, (unsigned long)result->judged,
        (unsigned long)result->sent, (unsigned long)result->events, (unsigned long)result->deltas,
        (unsigned long)(result->missing + result->unsent), result->cpu_us, result->core * 100,
        result->talker_core * 100, result->waited * 100, result->session_kb);
}

double talk_ratio(const struct talk_result results[2])
{
    return results[0].cpu_us / results[1].cpu_us;
}

static int round_compare(const void *a, const void *b)
{
    const double left = talk_ratio(a), right = talk_ratio(b);
    return left < right ? -1 : left > right;
}

const struct talk_result *talk_middle(struct talk_result (*rounds)[2], size_t count)
{
    qsort(rounds, count, sizeof rounds[0], round_compare);
    return rounds[count / 2];
}

bool talk_frame_make(struct bytes text, bool close, struct buffer *out)
{
    static const uint8_t normal[CLOSE_BYTES] = {WS_CLOSE_NORMAL >> 8, WS_CLOSE_NORMAL & 0xFF};
    if (close)
        text = bytes_of(normal, sizeof normal);
    const struct ws_frame_bits bits = {.fin = true,
                                       .opcode = close ? WS_OPCODE_CLOSE : WS_OPCODE_TEXT,
                                       .mask = WS_MASK_GOOD,
                                       .length = text.len};
    uint8_t header[WS_FRAME_HEADER_BYTES_MAX];
    buffer_init(out, FRAME_BYTES_MAX);
    const size_t header_bytes = ws_frame_write_header(&bits, header);
    if (!buffer_append(out, bytes_of(header, header_bytes)) || !buffer_append(out, text))
        return false;
    ws_frame_mask_payload(&bits, out->data + header_bytes, text.len);
    return true;
}
