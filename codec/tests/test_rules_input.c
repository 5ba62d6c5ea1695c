/* What is inside the audio messages, and how many and how large they are. */
#include <check.h>

#include "codec/rules/ojin/classes.h"
#include "codec/rules/requirements.h"
#include "codec/tests/rules_session.h"
#include "codec/tests/suite.h"

#define ORIS  "oris-1.0"
#define EARLY "oris-1.0-earlier"

static const struct session_case HEADER[] = {
    {"a good header", ORIS, "open silence:640 all all all end", "OJ-IN-01", RULE_KEPT, NO_DATA},
    {"little-endian", ORIS, "little open silence:640 all all all end", "OJ-IN-01", RULE_BROKEN,
     .actual = "little-endian"},
    {"little-endian, with params", ORIS, "little params open silence:640 all all all end", "OJ-IN-01",
     RULE_BROKEN, SESSION_DATA("{\"client_frame_index\":3}"), .actual = "little-endian"},
    {"little-endian, once", ORIS, "open silence:640 little speak:3200 big all", "OJ-IN-01", RULE_BROKEN,
     NO_DATA},
    {"little-endian seconds", ORIS, "little clock:s open silence:640 speak:3200", "OJ-IN-01", RULE_BROKEN,
     NO_DATA},
    {"padded like a struct", ORIS, "padded open silence:640 all all all end", "OJ-IN-01", RULE_BROKEN,
     .actual = "padding"},
    {"padded and little-endian", ORIS, "padded little open silence:640 all all all end", "OJ-IN-01",
     RULE_BROKEN, .actual = "padding"},
    {"payload type 0", ORIS, "type:0 open silence:640 all all all end", "OJ-IN-01", RULE_BROKEN,
     .actual = "payload type 0"},
    {"payload type 2", ORIS, "open silence:640 all type:2 all all end", "OJ-IN-01", RULE_BROKEN,
     .actual = "payload type 2"},
    {"params size past the end", ORIS, "open silence:640 params-size:100000 speak:3200 no-params all all",
     "OJ-IN-01", RULE_BROKEN, .actual = "params size 100000"},
    {"an empty message", ORIS, "open silence:640 binary", "OJ-IN-01", RULE_BROKEN, SESSION_DATA(""),
     .actual = "0 bytes"},
    {"twelve bytes", ORIS, "open silence:640 binary", "OJ-IN-01", RULE_BROKEN,
     SESSION_DATA("\x01"
                  "12345678"
                  "\0\0\0"),
     .actual = "12 bytes"},
    {"audio without a header", ORIS, "open binary binary wait:9000", "OJ-IN-01", RULE_BROKEN,
     SESSION_DATA("\x35\x12\x34\x12\x33\x12\x32\x12\x31\x12\x30\x12\x29\x12\x28\x12"), .actual = "no header"},
    {"no input", ORIS, "open cancel", "OJ-IN-01", RULE_NOT_REACHED, NO_DATA},

    {"milliseconds", ORIS, "open silence:640 speak:3200", "OJ-IN-02", RULE_KEPT, NO_DATA},
    {"a minute ahead", ORIS, "clock:+ open silence:640 speak:3200", "OJ-IN-02", RULE_KEPT, NO_DATA},
    {"more than a minute ahead", ORIS, "clock:* open silence:640 speak:3200", "OJ-IN-02", RULE_BROKEN,
     NO_DATA},
    {"seconds", ORIS, "clock:s open silence:640 all", "OJ-IN-02", RULE_BROKEN, .actual = ": seconds"},
    {"microseconds", ORIS, "clock:u open silence:640 all", "OJ-IN-02", RULE_BROKEN,
     .actual = ": microseconds"},
    {"nanoseconds", ORIS, "clock:n open silence:640 all", "OJ-IN-02", RULE_BROKEN, .actual = ": nanoseconds"},
    {"low 32 bits", ORIS, "clock:l open silence:640 all", "OJ-IN-02", RULE_BROKEN, .actual = "low 32 bits"},
    {"monotonic", ORIS, "clock:m open silence:640 all", "OJ-IN-02", RULE_BROKEN, .actual = "monotonic"},
    {"zero", ORIS, "clock:0 open silence:640 all", "OJ-IN-02", RULE_BROKEN, .actual = "timestamp 0"},
    {"no input", ORIS, "open cancel", "OJ-IN-02", RULE_NOT_REACHED, NO_DATA},
};

#define KNOWN                                                                                                \
    "{\"speech_filter_amount\":1.5,\"idle_filter_amount\":2,\"idle_mouth_opening_scale\":0,"                 \
    "\"speech_mouth_opening_scale\":1e0,\"client_frame_index\":7}"

static const struct session_case PARAMS[] = {
    {"no params", ORIS, "open silence:640 speak:3200", "OJ-IN-03", RULE_KEPT, NO_DATA},
    {"an object", ORIS, "open silence:640 params speak:3200", "OJ-IN-03", RULE_KEPT, SESSION_DATA(KNOWN)},
    {"an empty object", ORIS, "open silence:640 params speak:3200", "OJ-IN-03", RULE_KEPT,
     SESSION_DATA("{}")},
    {"unknown members", ORIS, "open silence:640 params speak:3200", "OJ-IN-03", RULE_KEPT,
     SESSION_DATA("{\"x\":\"\xc3\xa9\"}")},
    {"no JSON", ORIS, "open silence:640 params speak:3200 no-params all", "OJ-IN-03", RULE_BROKEN,
     SESSION_DATA("{'x':1}")},
    {"an object with a repeated member", ORIS, "open silence:640 params speak:3200 all all all end",
     "OJ-IN-03", RULE_KEPT, SESSION_DATA("{\"x\":1,\"x\":2}"),
     .actual = "in which a member comes twice, the last one counts here"},
    {"a repeated member whose last is of a wrong type", ORIS,
     "open silence:640 params speak:3200 no-params all all all end", "OJ-IN-04", RULE_BROKEN,
     SESSION_DATA("{\"idle_filter_amount\":1,\"idle_filter_amount\":\"1\"}"), .actual = "idle_filter_amount"},
    {"an object with half a surrogate pair", ORIS, "open silence:640 params speak:3200", "OJ-IN-03",
     RULE_KEPT, SESSION_DATA("{\"x\":\"\\ude00\"}"), .actual = "surrogate pair"},
    {"an object whose types cannot be told", ORIS, "open silence:640 params speak:3200", "OJ-IN-04",
     RULE_NOT_REACHED, SESSION_DATA("{\"idle_filter_amount\":\"\\u0000\"}")},
    {"a list", ORIS, "open silence:640 params speak:3200", "OJ-IN-03", RULE_BROKEN, SESSION_DATA("[1]")},
    {"size one short", ORIS, "open silence:640 params params-size:15 speak:3200 all", "OJ-IN-03", RULE_BROKEN,
     SESSION_DATA("{\"x\":\"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\"}"), .actual = "another length"},
    {"characters counted, not bytes", ORIS, "open silence:640 params params-size:9 speak:3200 no-params all",
     "OJ-IN-03", RULE_BROKEN, SESSION_DATA("{\"x\":\"\xc3\xa9\"}"), .actual = "another length"},
    {"params behind a size of 0", ORIS,
     "open silence:640 params params-size:0 speak:3200 no-params all all all end", "OJ-IN-03", RULE_BROKEN,
     SESSION_DATA("{\"x\":1}"), .actual = "another length"},
    {"size too large", ORIS, "open silence:640 params params-size:10 speak:3200 no-params all all all end",
     "OJ-IN-03", RULE_BROKEN, SESSION_DATA("{\"x\":1}"), .actual = "another length"},
    {"no input", ORIS, "open cancel", "OJ-IN-03", RULE_NOT_REACHED, NO_DATA},

    {"known types", ORIS, "open silence:640 params speak:3200", "OJ-IN-04", RULE_KEPT, SESSION_DATA(KNOWN)},
    {"a text for a number", ORIS, "open silence:640 params speak:3200 no-params all all all end", "OJ-IN-04",
     RULE_BROKEN, SESSION_DATA("{\"idle_filter_amount\":\"1\"}"),
     .actual = "idle_filter_amount is a string in {"},
    {"null for a number", ORIS, "open silence:640 params speak:3200", "OJ-IN-04", RULE_BROKEN,
     SESSION_DATA("{\"speech_filter_amount\":null}"), .actual = "speech_filter_amount is null in {"},
    {"a list for the index", ORIS, "open silence:640 params speak:3200", "OJ-IN-04", RULE_BROKEN,
     SESSION_DATA("{\"client_frame_index\":[40]}"), .actual = "client_frame_index is a list in {"},
    {"a fraction for the index", ORIS, "open silence:640 params speak:3200", "OJ-IN-04", RULE_BROKEN,
     SESSION_DATA("{\"client_frame_index\":1.5}"),
     .actual = "client_frame_index is a number with a fraction in {"},
    {"no params", ORIS, "open silence:640 speak:3200", "OJ-IN-04", RULE_NOT_REACHED, NO_DATA},

    {"even", ORIS, "open silence:640 speak:3200", "OJ-IN-05", RULE_KEPT, NO_DATA},
    {"a split sample", ORIS, "open silence:640 bytes:6401 bytes:6399 all all all end", "OJ-IN-05",
     RULE_BROKEN, .actual = "6401 bytes"},
    {"half a sample lost with it", ORIS, "open silence:640 bytes:6401 skip-byte all all all end", "OJ-IN-05",
     RULE_BROKEN, NO_DATA},
    {"half a sample twice", ORIS, "open silence:640 bytes:6401 back-byte all all all end", "OJ-IN-05",
     RULE_BROKEN, NO_DATA},
    {"speech unknown", ORIS, "unknown-speech open silence:640 bytes:6401", "OJ-IN-05", RULE_BROKEN, NO_DATA},
    {"no input", ORIS, "open cancel", "OJ-IN-05", RULE_NOT_REACHED, NO_DATA},
};

/* 262,138 samples and 13 bytes of header are 524,289 bytes. */
static const struct session_case TRAFFIC[] = {
    {"small messages", ORIS, "open silence:640 speak:3200", "OJ-IN-07", RULE_KEPT, NO_DATA},
    {"524,288 bytes", ORIS, "long-speech open silence:640 params speak:262136 no-params all end", "OJ-IN-07",
     RULE_KEPT, SESSION_DATA("{} "), .actual = "524288"},
    {"524,289 bytes", ORIS, "long-speech open silence:640 speak:262138 all end", "OJ-IN-07", RULE_BROKEN,
     .actual = "a message of 524289 bytes"},
    {"524,289 bytes, of which some are kept", ORIS,
     "long-speech kept:100000 open silence:640 speak:262138 all end", "OJ-IN-07", RULE_BROKEN,
     .actual = "a message of 524289 bytes"},
    {"524,289 bytes of silence", ORIS, "open silence:640 all silence:262138 all all end", "OJ-IN-07",
     RULE_BROKEN, NO_DATA},
    {"524,289 bytes of anything", ORIS, "open silence:640 all garbage:524289 all", "OJ-IN-07", RULE_BROKEN,
     NO_DATA},
    {"524,289 bytes at once", ORIS, "open garbage:524289", "OJ-IN-07", RULE_BROKEN, NO_DATA},
    {"512,001 bytes are noted", ORIS, "long-speech open silence:640 speak:255994 close", "OJ-IN-07",
     RULE_KEPT, .actual = "a message of 512001 bytes: some servers stop at 512000"},
    {"a large text", ORIS, "open silence:640 kept:20 text", "OJ-IN-07", RULE_KEPT,
     SESSION_DATA("{\"type\":\"something\",\"payload\":{\"long\":1}}")},
    {"no message", ORIS, "open ping:a pong:a", "OJ-IN-07", RULE_NOT_REACHED, NO_DATA},

    {"chunks of 400 ms", EARLY, "open speak:6400 all all", "OJ-IN-11", RULE_KEPT, NO_DATA},
    {"a whole speech at once", EARLY, "open rest-and-zeros:0", "OJ-IN-11", RULE_KEPT, NO_DATA},
    {"chunks of 200 ms", EARLY, "open speak:3200 speak:3200", "OJ-IN-11", RULE_BROKEN,
     .actual = "6400 bytes"},
    {"a short chunk in the middle", EARLY, "open speak:6400 speak:100 speak:3100", "OJ-IN-11", RULE_BROKEN,
     .actual = "200 bytes"},
    {"a short chunk before the cancel is told after it", EARLY, "open speak:6400 cancel next speak:100",
     "OJ-IN-11", RULE_KEPT, NO_DATA},
    {"chunks of any size in the current revision", ORIS, "open silence:640 speak:100 all", "OJ-IN-11",
     RULE_NOT_REACHED, NO_DATA},
    {"no speech", EARLY, "open end", "OJ-IN-11", RULE_NOT_REACHED, NO_DATA},

    {"six at once", EARLY,
     "gap:0 open speak:10 speak:10 speak:10 speak:10 speak:10 speak:10 wait:1000 speak:10", "OJ-IN-08",
     RULE_KEPT, NO_DATA},
    {"six a second", EARLY,
     "gap:166667 open speak:10 speak:10 speak:10 speak:10 speak:10 speak:10 speak:10 speak:10 speak:10 "
     "speak:10",
     "OJ-IN-08", RULE_KEPT, NO_DATA},
    {"seven within 950 ms", EARLY,
     "gap:0 open speak:10 speak:10 speak:10 speak:10 speak:10 speak:10 wait-us:950000 speak:10", "OJ-IN-08",
     RULE_BROKEN, .actual = "within 950 ms"},
    {"seven within a microsecond more", EARLY,
     "gap:0 open speak:10 speak:10 speak:10 speak:10 speak:10 speak:10 wait-us:950001 speak:10", "OJ-IN-08",
     RULE_KEPT, NO_DATA},
    {"all at once, by a server that had stopped reading", ORIS,
     "gap:0 open act:2 speak:10 speak:10 speak:10 speak:10 speak:10 speak:10 speak:10", "OJ-IN-08",
     RULE_NOT_REACHED, NO_DATA},
    {"a cancel is one of the seven", EARLY,
     "gap:0 open speak:10 speak:10 speak:10 cancel next speak:10 speak:10 speak:10", "OJ-IN-08", RULE_BROKEN,
     NO_DATA},
    {"pongs are none", EARLY,
     "gap:0 open ping:a speak:10 speak:10 speak:10 speak:10 speak:10 speak:10 pong:a pong:b pong:c",
     "OJ-IN-08", RULE_KEPT, NO_DATA},
    {"no message", EARLY, "open wait:100 close", "OJ-IN-08", RULE_NOT_REACHED, NO_DATA},
};

static const struct session_case SPEECH[] = {
    {"the whole speech", ORIS, "open silence:640 all all all end", "OJ-IN-06", RULE_KEPT, NO_DATA},
    {"a part of it, without an end", ORIS, "open silence:640 speak:3200 close", "OJ-IN-06", RULE_KEPT,
     NO_DATA},
    {"two speeches in one message", ORIS, "open silence:640 speak:3200 speak:6400 next all all end",
     "OJ-IN-06", RULE_KEPT, NO_DATA},
    {"quiet speech", ORIS, "only-second open silence:640 speak:640 speak:640 all end", "OJ-IN-06", RULE_KEPT,
     NO_DATA},
    {"samples skipped", ORIS, "open silence:640 speak:3200 skip:640 all", "OJ-IN-06", RULE_BROKEN,
     .actual = "640 samples (40 ms) are missing there"},
    {"samples repeated", ORIS, "open silence:640 speak:3200 back:640 all", "OJ-IN-06", RULE_BROKEN,
     .actual = "the last 640 samples (40 ms) again"},
    {"bytes swapped", ORIS, "swapped open silence:640 all", "OJ-IN-06", RULE_BROKEN, .actual = "swapped"},
    {"bytes swapped after the first message", ORIS, "open silence:640 speak:3200 swapped all", "OJ-IN-06",
     RULE_BROKEN, .actual = "swapped"},
    {"speeches in another order", ORIS, "open silence:640 next next speak:3200", "OJ-IN-06", RULE_BROKEN,
     .actual = "start of speech 3, and the rest of speech 1 is missing"},
    {"the first speech cut without a cancel", ORIS, "open silence:640 speak:3200 next next speak:3200",
     "OJ-IN-06", RULE_BROKEN, NO_DATA},
    {"the speech twice", ORIS, "speeches:1 open silence:640 all again all", "OJ-IN-06", RULE_BROKEN,
     .actual = "the last 9600 samples (600 ms) again"},
    {"ends too early", ORIS, "open silence:640 speak:3200 end", "OJ-IN-06", RULE_BROKEN,
     .actual = "6400 samples (400 ms) missing at the end, from sample 3200 of speech 1 (0.200 s) on, and 2 "
               "speeches "
               "after it"},
    {"leaves a speech out", ORIS, "open silence:640 all all end", "OJ-IN-06", RULE_BROKEN,
     .actual = "1 speech after it not sent at all"},

    {"cancelled and spoken on", ORIS, "open silence:640 speak:3200 cancel next next all end", "OJ-IN-06",
     RULE_KEPT, NO_DATA},
    {"cancelled before anything was begun", ORIS, "open silence:640 cancel next next all end", "OJ-IN-06",
     RULE_KEPT, NO_DATA},
    {"cancelled and ended", ORIS, "open silence:640 speak:3200 cancel end", "OJ-IN-06", RULE_KEPT, NO_DATA},
    {"cancelled, and the next is not whole", ORIS, "open silence:640 speak:3200 cancel next speak:3200 end",
     "OJ-IN-06", RULE_BROKEN,
     .actual = "3200 samples (200 ms) missing at the end, from sample 3200 of speech 2 (0.200 s)"},
    {"cancelled, and the next lacks its start", ORIS,
     "open silence:640 speak:3200 cancel next next skip:10 speak:3200", "OJ-IN-06", RULE_BROKEN,
     .actual = "10 samples (0 ms) are missing there"},
    {"cancelled and confirmed, and the next is not whole", ORIS,
     "open silence:640 speak:3200 cancel error:CANCELLED next speak:3200 end", "OJ-IN-06", RULE_BROKEN,
     .actual = "3200 samples (200 ms) missing at the end, from sample 3200 of speech 2 (0.200 s)"},
    {"another speech than the one that was given", ORIS, "open silence:640 shout:3200 end", "OJ-IN-06",
     RULE_BROKEN, .actual = "does the client speak the sound file it is given (OJIN_AUDIO, {audio})?"},

    {"cancelled, then the next", ORIS, "open silence:640 speak:3200 cancel next all end", "OJ-CAN-02",
     RULE_KEPT, NO_DATA},
    {"cancelled, then nothing", ORIS, "open silence:640 speak:3200 cancel end", "OJ-CAN-02", RULE_NOT_REACHED,
     NO_DATA},
    {"cancelled when all was sent", ORIS, "open silence:640 all cancel all end", "OJ-CAN-02",
     RULE_NOT_REACHED, NO_DATA},
    {"cancelled before it was begun", ORIS, "open silence:640 cancel speak:3200", "OJ-CAN-02",
     RULE_NOT_REACHED, NO_DATA},
    {"cancelled, the rest still comes", ORIS, "open silence:640 speak:3200 cancel speak:3200 next all end",
     "OJ-CAN-02", RULE_BROKEN,
     .actual = "3200 samples (200 ms) of the cancelled speech, from sample 3200 of speech 1 (0.200 s) on"},
    {"cancelled, what was held back leads the next", ORIS,
     "open silence:640 speak:3200 cancel held-and-next:320", "OJ-CAN-02", RULE_BROKEN,
     .actual =
         "320 samples (20 ms) of the cancelled speech, from sample 3200 of speech 1 (0.200 s) on, lead the "
         "next speech"},
    {"cancelled, a later part leads the next", ORIS,
     "open silence:640 speak:3200 cancel skip:1000 held-and-next:320", "OJ-CAN-02", RULE_BROKEN,
     .actual = "320 samples (20 ms) of the cancelled speech, from sample 4200 of speech 1 (0.262 s) on"},

    {"refused and sent again", ORIS,
     "open silence:640 speak:3200 speak:3200 error:RATE_LIMITED back:3200 all all all end", "OJ-IN-06",
     RULE_KEPT, NO_DATA},
    {"refused twice back", ORIS, "open silence:640 speak:3200 speak:3200 error:RATE_LIMITED back:6400 all",
     "OJ-IN-06", RULE_KEPT, NO_DATA},
    {"too large and sent again in pieces", ORIS,
     "open silence:640 speak:6400 error:FRAME_SIZE_EXCEEDED back:6400 speak:3200 all", "OJ-IN-06", RULE_KEPT,
     NO_DATA},
    {"refused once and sent again twice", ORIS,
     "open silence:640 speak:3200 speak:3200 error:RATE_LIMITED back:3200 speak:3200 back:3200 all",
     "OJ-IN-06", RULE_BROKEN, .actual = "the last 3200 samples (200 ms) again"},
    {"refused twice and sent again twice", ORIS,
     "open silence:640 speak:3200 speak:3200 error:RATE_LIMITED error:RATE_LIMITED back:3200 speak:3200 "
     "back:3200 all all all end",
     "OJ-IN-06", RULE_KEPT, NO_DATA},
    {"refused and not from the start of a message", ORIS,
     "open silence:640 speak:3200 speak:3200 error:RATE_LIMITED back:100 all", "OJ-IN-06", RULE_BROKEN,
     NO_DATA},
    {"sent again after another error", ORIS,
     "open silence:640 speak:3200 speak:3200 error:TIMEOUT back:3200 all", "OJ-IN-06", RULE_BROKEN, NO_DATA},
    {"ends when the server has closed", ORIS, "open silence:640 speak:3200 server-close end", "OJ-IN-06",
     RULE_KEPT, NO_DATA},
    {"an error excuses what is missing", ORIS, "open silence:640 speak:3200 error:INTERNAL_ERROR end",
     "OJ-IN-06", RULE_KEPT, NO_DATA},

    {"speech unknown", ORIS, "unknown-speech open silence:640 skip:10 speak:3200 end", "OJ-IN-06",
     RULE_NOT_REACHED, NO_DATA},
    {"speech not exact", ORIS, "inexact-speech open silence:640 skip:10 speak:3200 end", "OJ-IN-06",
     RULE_NOT_REACHED, NO_DATA},
    {"no speech", ORIS, "open silence:640 close", "OJ-IN-06", RULE_NOT_REACHED, NO_DATA},

    {"only speech", ORIS, "open silence:640 all all all end", "OJ-IN-09", RULE_KEPT, NO_DATA},
    {"a second silence", ORIS, "open silence:640 silence:640 all all all end", "OJ-IN-09", RULE_BROKEN,
     .actual = "640 samples of silence"},
    {"silence between the speeches", ORIS, "open silence:640 all silence:640 all all end", "OJ-IN-09",
     RULE_BROKEN, NO_DATA},
    {"a second opening, for a second sessionReady", ORIS,
     "open silence:640 ready silence:640 all all all end", "OJ-IN-09", RULE_KEPT, NO_DATA},
    {"... one for each", ORIS, "open silence:640 ready silence:640 silence:640 all all all end", "OJ-IN-09",
     RULE_BROKEN, .actual = "640 samples of silence"},
    {"... which is longer", ORIS, "open silence:640 ready silence:1280 all all all end", "OJ-IN-09",
     RULE_BROKEN, .actual = "1280 samples of silence"},
    {"silence in the middle", ORIS, "open silence:640 speak:3200 silence:640 all all all end", "OJ-IN-09",
     RULE_BROKEN, NO_DATA},
    {"silence before a quiet start", ORIS, "open silence:640 all silence:640 silence:640 all all end",
     "OJ-IN-09", RULE_BROKEN, NO_DATA},
    {"silence after the end of the speech", ORIS, "open silence:640 all all all silence:640 silence:640 end",
     "OJ-IN-09", RULE_BROKEN, NO_DATA},
    {"a sound after the end of the speech", ORIS, "speeches:1 open silence:640 all next speak:640 speak:640",
     "OJ-IN-09", RULE_BROKEN, .actual = "640 samples more than the speech"},
    {"the last message filled up", ORIS, "speeches:1 open silence:640 speak:6400 rest-and-zeros:100 end",
     "OJ-IN-09", RULE_BROKEN, .actual = "100 samples of zero past the end"},
    {"the last message of the first speech filled up", ORIS,
     "open silence:640 speak:6400 rest-and-zeros:100 next all all end", "OJ-IN-09", RULE_BROKEN,
     .actual = "100 samples of zero"},
    {"an empty message", ORIS, "open silence:640 speak:0 all all all end", "OJ-IN-09", RULE_BROKEN,
     .actual = "without audio"},
    {"silence, speech unknown", ORIS, "unknown-speech open silence:640 speak:3200 silence:640", "OJ-IN-09",
     RULE_BROKEN, NO_DATA},
    {"silence, speech not exact", ORIS, "speeches:1 inexact-speech open silence:640 speak:3200 silence:640",
     "OJ-IN-09", RULE_BROKEN, NO_DATA},
    {"quiet in a speech that is not exact", ORIS,
     "inexact-speech only-second open silence:640 silence:1590 skip:1600 all", "OJ-IN-09", RULE_KEPT,
     NO_DATA},
    {"only the opening", ORIS, "open silence:640 close", "OJ-IN-09", RULE_NOT_REACHED, NO_DATA},

    {"converted", ORIS, "long-speech inexact-speech open silence:640 all end close", "OJ-IN-12", RULE_KEPT,
     NO_DATA},
    {"converted, and cut short", ORIS, "long-speech inexact-speech open silence:640 speak:64000 end close",
     "OJ-IN-12", RULE_KEPT, NO_DATA},
    {"converted, with more silence in front", ORIS,
     "long-speech inexact-speech open silence:640 silence:6400 all end close", "OJ-IN-12", RULE_KEPT,
     NO_DATA},
    {"another sound", ORIS,
     "long-speech inexact-speech open silence:640 shout:8000 shout:8000 shout:8000 end close", "OJ-IN-06",
     RULE_BROKEN, .actual = "they are not like it"},
    {"converted, and a part lost", ORIS,
     "long-speech inexact-speech open silence:640 speak:64000 skip:32000 speak:100000 end close", "OJ-IN-06",
     RULE_BROKEN, .actual = "is missing, repeated or moved"},
    {"converted, and a part again", ORIS,
     "long-speech inexact-speech open silence:640 speak:64000 back:32000 speak:100000 end close", "OJ-IN-06",
     RULE_BROKEN, .actual = "is missing, repeated or moved"},
    {"converted, and swapped", ORIS, "long-speech inexact-speech swapped open silence:640 all end close",
     "OJ-IN-06", RULE_BROKEN, .actual = "the bytes of the samples are swapped"},
    {"silence in place of it", ORIS,
     "long-speech inexact-speech open silence:640 silence:200000 silence:200000 silence:200000 close",
     "OJ-IN-12", RULE_BROKEN, .actual = "nothing but silence"},
    {"no conversion, and cancelled", ORIS,
     "long-speech inexact-speech swapped open silence:640 speak:64000 cancel close", "OJ-IN-12",
     RULE_NOT_REACHED, NO_DATA},
    {"no conversion, and refused", ORIS,
     "long-speech inexact-speech swapped open silence:640 speak:64000 error:INVALID_MESSAGE close",
     "OJ-IN-12", RULE_NOT_REACHED, NO_DATA},
    {"too little of it", ORIS, "long-speech inexact-speech swapped open silence:640 speak:3200 close",
     "OJ-IN-12", RULE_NOT_REACHED, NO_DATA},
    {"nothing to convert", ORIS, "long-speech open silence:640 all end close", "OJ-IN-12", RULE_NOT_REACHED,
     NO_DATA},
};

START_TEST(the_header_is_big_endian_and_carries_the_time)
{
    session_check(&HEADER[_i]);
}
END_TEST
START_TEST(params_are_one_object_of_known_types)
{
    session_check(&PARAMS[_i]);
}
END_TEST
START_TEST(messages_keep_their_size_and_rate)
{
    session_check(&TRAFFIC[_i]);
}
END_TEST
START_TEST(the_audio_is_the_speech_and_nothing_else)
{
    session_check(&SPEECH[_i]);
}
END_TEST

static const struct {
    const char *words;
    size_t said;
} SAID[] = {
    {"open silence:640", 0},
    {"open silence:640 speak:3200 close", 0},
    {"open silence:640 all close", 1},
    {"open silence:640 all speak:640 close", 1},
    {"open silence:640 all all all end close", 3},
    {"open silence:640 speak:3200 cancel close", RULE_SPEECHES_UNKNOWN},
    {"open silence:640 speak:3200 error:INVALID_MESSAGE close", RULE_SPEECHES_UNKNOWN},
    {"open silence:640 swapped speak:3200 close", RULE_SPEECHES_UNKNOWN},
    {"long-speech inexact-speech open silence:640 speak:64000 close", RULE_SPEECHES_UNKNOWN},
};

START_TEST(the_speeches_that_came_whole_are_counted)
{
    const struct session_case session = {.name = SAID[_i].words, .profile = ORIS, .words = SAID[_i].words};
    ck_assert_uint_eq(session_speeches_said(&session), SAID[_i].said);
}
END_TEST

START_TEST(every_rule_has_a_requirement_of_the_table)
{
    for (size_t i = 0; i < OJIN_RULES.count; i++) {
        const struct requirement *requirement = requirement_by_id(OJIN_RULES.requirement(i));
        ck_assert_msg(requirement != NULL, "%s", OJIN_RULES.requirement(i));
        ck_assert_int_eq(requirement->party, REQUIREMENT_CLIENT);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("rules_input");
    tcase_add_loop_test(tcase, the_header_is_big_endian_and_carries_the_time, 0, TABLE_COUNT(HEADER));
    tcase_add_loop_test(tcase, params_are_one_object_of_known_types, 0, TABLE_COUNT(PARAMS));
    tcase_add_loop_test(tcase, messages_keep_their_size_and_rate, 0, TABLE_COUNT(TRAFFIC));
    tcase_add_loop_test(tcase, the_audio_is_the_speech_and_nothing_else, 0, TABLE_COUNT(SPEECH));
    tcase_add_loop_test(tcase, the_speeches_that_came_whole_are_counted, 0, TABLE_COUNT(SAID));
    tcase_add_test(tcase, every_rule_has_a_requirement_of_the_table);
    return suite_run("rules_input", tcase);
}
