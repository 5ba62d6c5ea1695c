/*
 * A client core of any family under whatever a server may say, and whatever a plan may ask of it meanwhile:
 * it must not crash, must send nothing where no connection is open nor behind its close frame, must not
 * connect again once it was closed for good, and its observations are whole.
 *
 * The input: family and profile (2 bytes), then records of a kind, a detail and a number (2 bytes), for a
 * message with as many bytes of data.
 */
#include <stdlib.h>

#include "client/plan/plan_runner.h"
#include "codec/tests/exact_copy.h"
#include "codec/wire/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum {
    RECORDS_MAX = 100,
    RECORD_HEAD_BYTES = 4,
    TICKS_MAX = 128,
    SENT_BYTES_MAX = 128 * 1024,
    SPEECH_SAMPLES = 4000,
    TIME_UNIT_US = 20000,
    LINE_MAX_BYTES = 8192
};

enum connection { CONNECTING, OPEN, CLOSING, DOWN };

struct host {
    const struct client_class *class;
    void *core;
    struct client_actions *actions;
    enum connection connection;
    bool closed_for_good;
    uint64_t now_us;
    size_t unsent, sent_bytes;
    unsigned ticks;
};

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_observation(const struct observation *seen)
{
    char line[LINE_MAX_BYTES], error[200] = "";
    struct text text = text_of(line, sizeof line);
    struct observation again;
    observation_write(&text, seen);
    check(!text.cut);
    check(observation_read(bytes_of(line, text.len), &again, error) == OBSERVATION_GOOD &&
          again.kind == seen->kind);
}

static void carry_out(struct host *host)
{
    check(host->actions->count <= CLIENT_ACTIONS_MAX);
    for (size_t n = 0; n < host->actions->count; n++) {
        const struct client_action *action = &host->actions->list[n];
        switch (action->kind) {
        case CLIENT_CONNECT:
            check(!host->closed_for_good);
            host->connection = CONNECTING;
            break;
        case CLIENT_SEND_TEXT:
        case CLIENT_SEND_BINARY:
        case CLIENT_SEND_PING:
            check(host->connection == OPEN);
            host->sent_bytes += action->data.len;
            break;
        case CLIENT_SEND_CLOSE:
            check(host->connection == OPEN);
            host->connection = CLOSING;
            break;
        case CLIENT_OBSERVE:
            check_observation(&action->observation);
            break;
        }
    }
    host->actions->count = 0;
}

static void tell(struct host *host, enum client_event_kind kind, uint16_t code, struct bytes data)
{
    const struct exact_copy copy = exact_copy_of(data);
    const struct client_event event = {.kind = kind,
                                       .now_us = host->now_us,
                                       .code = code,
                                       .data = copy.bytes,
                                       .retry_after = kind == CLIENT_REFUSED ? copy.bytes : (struct bytes){0},
                                       .lasting = code % 8 == 7,
                                       .unsent = host->unsent,
                                       .taken_us = host->now_us};
    host->class->step(host->core, &event, host->actions);
    exact_copy_free(copy);
    carry_out(host);
}

static void run(struct host *host, uint64_t until_us)
{
    for (; host->ticks < TICKS_MAX && host->sent_bytes < SENT_BYTES_MAX; host->ticks++) {
        const uint64_t due_us = host->class->deadline_us(host->core);
        if (due_us > until_us)
            break;
        host->now_us = due_us > host->now_us ? due_us : host->now_us;
        tell(host, CLIENT_TICK, 0, (struct bytes){0});
    }
    host->now_us = until_us;
}

/* The host answers what it was asked for: lets the client in, or not; ends a connection that is there. */
static void connection_event(struct host *host, uint8_t detail, uint16_t number, struct bytes data)
{
    static const uint16_t statuses[] = {0, 401, 403, 404, 429, 500, 503, 302};
    static const uint16_t codes[] = {1000, 1001, 1005, 1006, 1008, 1009, 1011, 4000};
    if (host->connection == CONNECTING && detail % 4 != 0) {
        host->connection = OPEN;
        tell(host, CLIENT_OPENED, 0, (struct bytes){0});
    } else if (host->connection == CONNECTING) {
        host->connection = DOWN;
        tell(host, CLIENT_REFUSED, statuses[number % 8], data);
    } else if (host->connection != DOWN) {
        host->connection = DOWN;
        tell(host, CLIENT_CLOSED, codes[number % 8], data);
    }
}

static void command(struct host *host, uint8_t detail, uint16_t number)
{
    static const int16_t speech[SPEECH_SAMPLES] = {1, -1, 300, -300};
    static const char *const params[] = {"", "{}", "{\"a\":1}", "{\"filler_audio\":null}"};
    static const enum client_plan_do kinds[] = {DO_SPEAK, DO_CANCEL, DO_END, DO_RECONNECT, DO_FORCE_LISTEN};
    struct client_plan_step step = {.what = kinds[detail % 5],
                                    .times = number % 4U,
                                    .samples = speech,
                                    .sample_count = number % (SPEECH_SAMPLES + 1U)};
    if (detail >= 0xF0) {
        host->closed_for_good = true;
        host->class->close(host->core, host->now_us, host->actions);
    } else {
        struct text text = text_of(step.params, sizeof step.params);
        text_add(&text, params[detail / 5 % 4]);
        if (!host->class->plan->can_do(&step))
            return;
        (void)host->class->plan->perform(host->core, &step, host->now_us, host->actions);
    }
    carry_out(host);
}

static void play_one(struct host *host, struct reader *reader)
{
    const uint8_t kind = reader_u8(reader, "kind") % 8, detail = reader_u8(reader, "detail");
    const uint16_t number = reader_u16(reader, "number");
    const size_t left = reader_left(reader);
    struct bytes data = {0};
    if (kind <= 3)
        data = reader_take(reader, number < left ? number : left, "data");
    switch (kind) {
    case 0:
        connection_event(host, detail, number, data);
        break;
    case 1:
    case 2:
        if (host->connection == OPEN || host->connection == CLOSING)
            tell(host, kind == 1 ? CLIENT_TEXT : CLIENT_BINARY, 0, data);
        break;
    case 3:
        if (host->connection == OPEN || host->connection == CLOSING)
            tell(host, CLIENT_PONG, 0, data);
        break;
    case 4:
        host->unsent = number;
        break;
    case 5:
        command(host, detail, number);
        break;
    default:
        run(host, host->now_us + (uint64_t)number * TIME_UNIT_US);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static struct client_actions actions;
    struct reader reader = reader_of(bytes_of(data, len));
    size_t families = 0, profiles = 0;
    while (FAMILIES[families] != NULL)
        families++;
    check(families > 0);
    const struct family *family = FAMILIES[reader_u8(&reader, "family") % families];
    while (family->profiles[profiles] != NULL)
        profiles++;
    check(profiles > 0);
    const struct bytes picture = bytes_of("\xff\xd8\xff\xd9", 4);
    const struct client_making making = {.profile =
                                             family->profiles[reader_u8(&reader, "profile") % profiles],
                                         .epoch_ms = 1750000000000,
                                         .pictures = &picture,
                                         .picture_count = 1};
    struct host host = {.class = client_class_by_family(family->name), .actions = &actions};
    check(host.class != NULL);
    host.core = host.class->create(&making);
    check(host.core != NULL);
    actions.count = 0;
    for (size_t n = 0; n < RECORDS_MAX && reader_left(&reader) >= RECORD_HEAD_BYTES; n++)
        play_one(&host, &reader);
    const struct client_life *life = host.class->life(host.core);
    check(life != NULL);
    host.class->destroy(host.core);
    return 0;
}
