#include "codec/rules/follows.h"

#include <string.h>

const struct follow_row FOLLOWS[] = {
    /* ---- the Ojin family ---- */
    {"OJ-CON-06", "it does not wait where there is nothing to be taken for sessionReady either",
     .what = {"OJ-CON-12"}, .without = true},
    {"OJ-ERR-02", "it survives an errorResponse whose members are all given", .by_crash = true},
    {"OJ-RDY-02", "it survives a sessionReady with parameters", .by_crash = true},
    {"OJ-ERR-01", "it dies of each errorResponse",
     .what = {"OJ-ERR-03", "OJ-ERR-07", "OJ-ERR-09", "OJ-ERR-10", "OJ-CON-05", "OJ-CAN-04", "OJ-CAN-05"},
     .by_crash = true},
    {"OJ-RDY-02",
     "to a client that wants parameters a sessionReady with none is none either, and no session starts",
     .what = {"OJ-RDY-01", "OJ-RDY-04", "OJ-RDY-09", "OJ-FHL-01"}},
    {"OJ-RDY-01", "no session starts", .what = {"OJ-RDY-04", "OJ-RDY-09", "OJ-FHL-01"}},
    {"OJ-RDY-03", "no session starts", .what = {"OJ-RDY-04", "OJ-FHL-01"}},
    {"OJ-CON-01", "a config_id that is not there is not there once", .what = {"OJ-CON-13"}},
    {"OJ-CON-12", "what it takes for sessionReady is none", .what = {"OJ-CON-06"}},
    {"OJ-CON-06", "what is sent before sessionReady is not heard, in a new session as in the first",
     .what = {"OJ-IN-06", "OJ-CLS-04", "OJ-ERR-06"}},
    {"OJ-IN-12", "what is not converted is not the speech, and its parts are no part of it",
     .what = {"OJ-IN-06", "OJ-IN-09", "OJ-CLS-04"}},
    {"OJ-IN-09", "what is no speech lies between, before and behind the speech, and is rendered as speech",
     .what = {"OJ-RDY-04", "OJ-RDY-07", "OJ-IN-06", "OJ-CAN-02", "OJ-CAN-04", "OJ-BUF-01", "OJ-BUF-02",
              "OJ-BUF-09", "OJ-CLS-04"}},
    {"OJ-RDY-04",
     "what was sent in place of the silence stands before the speech, in a new session as in the first",
     .what = {"OJ-IN-06", "OJ-IN-11", "OJ-BUF-01", "OJ-CLS-04"}},
    {"OJ-FHL-01", "a new session begins as the first", .what = {"OJ-CLS-04"}},
    {"OJ-IN-08", "who is not held back by the limit is not held back by a refusal", .what = {"OJ-ERR-07"}},
    {"OJ-IN-01", "the service takes it for no message: nobody speaks", .what = {"OJ-RDY-09"}},
    {"OJ-IN-05", "each message is one byte longer or shorter", .what = {"OJ-IN-11"}},
    {"OJ-IN-06",
     "what is rendered is not what was to be said, and the last message is not as long as it would be",
     .what = {"OJ-IN-10", "OJ-IN-11", "OJ-BUF-07", "OJ-ERR-06", "OJ-FLD-04", "OJ-FLD-08", "OJ-RDY-09"}},
    {"OJ-OUT-06", "a frame with another index is not read", .what = {"OJ-OUT-07"}},
    {"OJ-OUT-07", "a frame dropped over a number in it is not played in its turn", .what = {"OJ-OUT-14"}},
    {"OJ-OUT-01", "a large entry is not read", .what = {"OJ-OUT-13", "OJ-OUT-19"}},
    {"OJ-OUT-02", "an order of entries is not read", .what = {"OJ-OUT-04", "OJ-OUT-05"}},
    {"OJ-OUT-03", "a frame with one entry or none is not read", .what = {"OJ-OUT-04"}},
    {"OJ-OUT-18", "no frame of such a kind is shown with its picture, wherever all of them are asked for",
     .what = {"OJ-BUF-01", "OJ-BUF-06", "OJ-BUF-07", "OJ-CAN-04", "OJ-CAN-06", "OJ-CLS-04", "OJ-OUT-13",
              "OJ-OUT-14", "OJ-OUT-15", "OJ-OUT-17", "OJ-OUT-20", "OJ-RDY-08", "OJ-FLD-08"}},
    {"OJ-BUF-01", "a frame that was dropped is missing wherever all of them are asked for",
     .what = {"OJ-BUF-06", "OJ-BUF-07", "OJ-CAN-04", "OJ-CAN-06", "OJ-CLS-04", "OJ-OUT-13", "OJ-OUT-14",
              "OJ-OUT-15", "OJ-OUT-20", "OJ-RDY-08", "OJ-FLD-08"}},
    {"OJ-OUT-13", "the pictures are not shown before or after the change", .what = {"OJ-OUT-20"}},
    {"OJ-OUT-17", "the frames of a new interaction are taken for those of the old one",
     .what = {"OJ-OUT-05", "OJ-OUT-14", "OJ-ERR-06", "OJ-ERR-09", "OJ-RDY-08"}},
    {"OJ-CAN-02", "speech of the old turn arrives in the new one, and the cancel behind it",
     .what = {"OJ-CAN-06", "OJ-CAN-07", "OJ-FLD-03", "OJ-BUF-04"}},
    {"OJ-END-01",
     "the two control messages are of one form, and of one hand: what is wrong in both is told once",
     .what = {"OJ-CAN-01"}, .anywhere = true},
    {"OJ-CAN-01", "the service refuses the cancel, and the turn goes on", .what = {"OJ-CAN-03", "OJ-CAN-06"}},
    {"OJ-CAN-03", "frames of the cancelled turn are played in the new one",
     .what = {"OJ-CAN-06", "OJ-FLD-03"}},
    {"OJ-CON-04", "it tries again without waiting, as after any refusal", .what = {"OJ-ERR-08"}},
    {"OJ-CON-05", "it tries again without waiting, as after any error", .what = {"OJ-ERR-08"}},
    {"OJ-ERR-01", "an error that is not reported is not reported, whatever else stands in it",
     .what = {"OJ-ERR-02", "OJ-ERR-07"}},
    {"OJ-ERR-05", "a text in mid-stream goes the same way", .what = {"OJ-ERR-03", "OJ-ERR-06"}},
    {"OJ-END-04", "it waits for no final frame, and has left", .what = {"OJ-ERR-06", "OJ-ERR-09"}},
    {"OJ-ERR-09", "an odd message goes the way of such an error", .what = {"OJ-ERR-06"}},
    {"OJ-CLS-01", "who tells another code than that of the close tells it of a lost connection, too",
     .what = {"OJ-CLS-02"}},

    /* ---- the full-duplex family ---- */
    {"DX-CON-02", "it does not know the queue, and sends session.update again when it is time",
     .what = {"DX-CON-04", "DX-CON-05", "DX-FLD-02"}, .anywhere = true},
    {"DX-CON-04", "what is repeated in the queue is answered again", .what = {"DX-FLD-02"}},
    {"DX-APP-01", "samples that cannot be read are not those of the source",
     .what = {"DX-APP-03", "DX-APP-07"}},
    {"DX-APP-02", "a second takes several appends", .what = {"DX-APP-03"}},
    {"DX-OUT-03", "the last delta of a turn is not heard, whatever is asked of it",
     .what = {"DX-OUT-01", "DX-OUT-02", "DX-OUT-04", "DX-OUT-05", "DX-OUT-08", "DX-ERR-04", "DX-FLD-03"}},
    {"DX-OUT-01", "a delta that is not read for what it is is not heard, whatever is asked of it",
     .what = {"DX-OUT-02", "DX-OUT-04", "DX-OUT-05", "DX-OUT-08", "DX-ERR-01", "DX-ERR-04", "DX-FLD-03"}},
    {"DX-OUT-02", "what is not in its place is not heard there",
     .what = {"DX-OUT-05", "DX-OUT-08", "DX-ERR-04"}},
    {"DX-SES-02", "it leaves, or waits, before its session began", .what = {"DX-CLS-01"}},
    {"DX-OUT-08", "it leaves at the message, without session.close", .what = {"DX-ERR-04", "DX-CLS-01"}},
    {"DX-ERR-04", "it leaves at the message, without session.close", .what = {"DX-CLS-01"}},
    {"DX-CLS-02", "a close whose reason is not told is not told after deltas either", .what = {"DX-FLD-03"}},
    {"DX-ERR-01",
     "an error that is not reported is not reported with a close either; to leave at one is to leave in a "
     "hurry",
     .what = {"DX-ERR-02", "DX-ERR-05", "DX-CLS-01"}},

    /* ---- the interview family ---- */
    {"IV-IN-01", "samples that cannot be read are not those of the source", .what = {"IV-IN-02"}},
    {"IV-IN-05",
     "a commit_audio too many or too early ends the rest of an interruption, or the error that was to come",
     .what = {"IV-IN-06", "IV-ERR-01"}},
    {"IV-OUT-01", "a chunk that is not read for what it is is not heard, in the next reply either",
     .what = {"IV-OUT-02", "IV-IN-06"}},
};

const size_t FOLLOWS_COUNT = sizeof FOLLOWS / sizeof FOLLOWS[0];

const struct stop_row STOPS[] = {
    {"OJ-CON-12", .because = "who takes a text for a frame reads no text, and no session begins",
     .mute = true, .what = {"OJ-RDY-04", "OJ-FHL-01"}},
    {"OJ-RDY-02", .because = "no session begins", .unbegun = true, .what = {"OJ-RDY-04", "OJ-FHL-01"}},
    {"OJ-RDY-01", .because = "no session begins", .unbegun = true, .what = {"OJ-RDY-04", "OJ-FHL-01"}},
    {"OJ-IN-06", .because = "what is not said is not answered"},
    {"OJ-IN-10", .because = "the service answers speech, and none comes for long"},
    {"OJ-END-02", .because = "it leaves before the final frame, and what comes up to it"},
    {"OJ-BUF-03", .because = "who plays too slowly has not played it yet",
     .what = {"OJ-BUF-01", "OJ-BUF-02", "OJ-BUF-09", "OJ-OUT-16"}},
    {"OJ-CAN-02", .because = "what was cancelled and comes all the same holds up the new turn"},
    {"OJ-CAN-05", .because = "it leaves at what confirms its cancel, or takes it for a failure"},
    {"OJ-CAN-07", .because = "what no cancelInteraction asks for is not confirmed"},
    {"DX-CON-03", .because = "no session begins", .mute = true},
    {"DX-CON-03", .because = "no session begins", .leaves = true},
    {"DX-SES-02", .because = "no session begins", .unbegun = true, .what = {"DX-CLS-01"}},
    {"DX-APP-03", .because = "the service goes on with its answer as appends come"},
    {"DX-FLD-02", .because = "it leaves while it is queued"},
    {"DX-OUT-05", .because = "it leaves at the message", .leaves = true},
    {"DX-OUT-08", .because = "it leaves at the message", .leaves = true},
    {"DX-ERR-04", .because = "it leaves at the message", .leaves = true},
    {"DX-FLD-03", .because = "it leaves at the message", .leaves = true},
};

const size_t STOPS_COUNT = sizeof STOPS / sizeof STOPS[0];

static bool holds(const char *const what[FOLLOWERS_MAX], const char *id)
{
    for (size_t i = 0; i < FOLLOWERS_MAX && what[i] != NULL; i++)
        if (strcmp(what[i], id) == 0)
            return true;
    return false;
}

bool stop_row_holds(const struct stop_row *row, const char *id)
{
    return holds(row->what, id);
}

enum { FAMILY_CHARS = 2 };

bool follow_row_holds(const struct follow_row *row, const char *id)
{
    if (row->by_crash && row->what[0] == NULL)
        return strncmp(row->from, id, FAMILY_CHARS) == 0 && strcmp(row->from, id) != 0;
    return holds(row->what, id);
}

bool requirement_follows(const char *id, const char *from)
{
    for (size_t i = 0; i < FOLLOWS_COUNT; i++)
        if (!FOLLOWS[i].by_crash && strcmp(FOLLOWS[i].from, from) == 0 && holds(FOLLOWS[i].what, id))
            return true;
    return false;
}
