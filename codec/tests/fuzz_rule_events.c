#include "codec/tests/fuzz_rule_events.h"

#include <stdlib.h>

enum { KIND_MASK = 0x0F, CUT_BIT = 0x20, FAULT_BIT = 0x40, SERVER_BIT = 0x80 };

void fuzz_check(bool holds)
{
    if (!holds)
        abort();
}

void fuzz_finding_check(const struct finding *finding)
{
    fuzz_check(memchr(finding->expected, 0, sizeof finding->expected) != NULL);
    fuzz_check(memchr(finding->actual, 0, sizeof finding->actual) != NULL);
    fuzz_check(finding->actual[0] != '\0' && finding->expected[0] != '\0');
}

bool fuzz_picture_size(void *context, struct bytes jpeg, unsigned *width, unsigned *height)
{
    (void)context;
    *width = jpeg.len > 4 ? jpeg.data[4] : 1;
    *height = 2;
    return jpeg.len % 2 == 0;
}

void fuzz_event_read(struct reader *reader, uint64_t *now_us, uint64_t cut_bytes, struct wire_event *out)
{
    const uint8_t kind = reader_u8(reader, "kind");
    const size_t number = reader_u16(reader, "length");
    *now_us += (uint64_t)reader_u16(reader, "time") * FUZZ_TIME_UNIT_US;
    const size_t len = number < reader_left(reader) ? number : reader_left(reader);
    *out =
        (struct wire_event){.at_us = *now_us,
                            .direction = (kind & SERVER_BIT) != 0 ? WIRE_FROM_SERVER : WIRE_FROM_CLIENT,
                            .kind = (enum wire_event_kind)((kind & KIND_MASK) % (WIRE_EVENT_TRANSPORT + 1)),
                            .fault = (kind & FAULT_BIT) != 0,
                            .data = reader_take(reader, len, "data")};
    out->message_bytes = out->data.len + ((kind & CUT_BIT) != 0 ? cut_bytes : 0);
    if (out->kind == WIRE_EVENT_VIOLATION)
        out->code = (uint16_t)(number % 13);
    if (out->kind == WIRE_EVENT_RESPONSE)
        out->code = number % 2 == 0 ? 101 : 401;
    if (out->kind == WIRE_EVENT_TRANSPORT)
        out->code = (uint16_t)(number % 3);
    if (out->kind == WIRE_EVENT_CLOSE)
        out->code = (uint16_t)(1000 + number % 16);
}
