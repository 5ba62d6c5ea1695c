/* Handshake, sessionReady, pongs, framing, the opening and the control messages. */
#include <check.h>

#include "codec/tests/rules_session.h"
#include "codec/tests/suite.h"

#define ORIS                        "oris-1.0"
#define EARLY                       "oris-1.0-earlier"
#define FLASH                       "flashhead-lite-1.0"
#define AUTH                        "Authorization: " SESSION_KEY "\r\n"
#define HEAD(target, authorization) SESSION_DATA(SESSION_HEAD(target, authorization))
#define PAGE(method, target, headers)                                                                        \
    SESSION_DATA(method " " target " HTTP/1.1\r\nHost: 127.0.0.1\r\n" headers "\r\n")

static const struct session_case CONFIG[] = {
    {"config given", ORIS, "request", "OJ-CON-01", RULE_KEPT, NO_DATA},
    {"config missing", ORIS, "head", "OJ-CON-01", RULE_BROKEN, HEAD("/realtime", AUTH),
     .actual = "there is no"},
    {"config empty", ORIS, "head", "OJ-CON-01", RULE_BROKEN, HEAD("/realtime?config_id=", AUTH),
     .actual = "empty"},
    {"config of another name", ORIS, "head", "OJ-CON-01", RULE_BROKEN, HEAD("/realtime?configId=x", AUTH)},
    {"no request was seen", ORIS, "ready", "OJ-CON-01", RULE_NOT_REACHED, NO_DATA},
    {"a page asked for", ORIS, "plain-http", "OJ-CON-01", RULE_NOT_REACHED, PAGE("GET", "/", "")},
    {"an icon asked for", ORIS, "plain-http", "OJ-CON-01", RULE_NOT_REACHED, PAGE("GET", "/favicon.ico", "")},
    {"a head asked for", ORIS, "plain-http", "OJ-CON-01", RULE_NOT_REACHED, PAGE("HEAD", "/", "")},
    {"a browser's question before", ORIS, "plain-http", "OJ-CON-01", RULE_NOT_REACHED,
     PAGE("OPTIONS", "/realtime", "Origin: http://127.0.0.1\r\n")},
    {"an upgrade to something else", ORIS, "plain-http", "OJ-CON-01", RULE_NOT_REACHED,
     PAGE("GET", "/", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n")},

    {"key in the header alone", ORIS, "request", "OJ-CON-03", RULE_KEPT, NO_DATA},
    {"key in the URL", ORIS, "head", "OJ-CON-03", RULE_BROKEN,
     HEAD("/realtime?config_id=demo%2Fconfig%201&api_key=" SESSION_KEY, AUTH), .actual = "in the URL"},
    {"key in the URL, percent-encoded", ORIS, "head", "OJ-CON-03", RULE_BROKEN,
     HEAD("/realtime?config_id=demo%2Fconfig%201&api_key=sk%2Dsecret%2D1234", AUTH), .actual = "in the URL"},
    {"key that is not known in the URL", ORIS, "unknown-key head", "OJ-CON-03", RULE_NOT_REACHED,
     HEAD("/realtime?config_id=demo%2Fconfig%201&token=" SESSION_KEY, AUTH)},
    {"api_key in the URL, the key is not known", ORIS, "unknown-key head", "OJ-CON-03", RULE_BROKEN,
     HEAD("/realtime?config_id=demo%2Fconfig%201&api_key=" SESSION_KEY, AUTH),
     .actual = "an api_key stands in the URL"},
    {"api_key in the URL that is another", ORIS, "head", "OJ-CON-03", RULE_BROKEN,
     HEAD("/realtime?config_id=demo%2Fconfig%201&api_key=another", AUTH),
     .actual = "an api_key stands in the URL"},
    {"api_key in the URL that is empty", ORIS, "head", "OJ-CON-03", RULE_KEPT,
     HEAD("/realtime?config_id=demo%2Fconfig%201&api_key=", AUTH)},
    {"key in a message", ORIS, "open silence:640 text", "OJ-CON-03", RULE_BROKEN,
     SESSION_DATA("{\"type\":\"auth\",\"payload\":{\"key\":\"" SESSION_KEY "\"}}"), .actual = "in a message"},
    {"key in the URL of a page", ORIS, "plain-http", "OJ-CON-03", RULE_BROKEN,
     PAGE("GET", "/?key=" SESSION_KEY, ""), .actual = "in the URL"},
    {"a page without the key", ORIS, "plain-http", "OJ-CON-03", RULE_NOT_REACHED, PAGE("GET", "/", "")},
    {"another word in a message", ORIS, "open silence:640 text", "OJ-CON-03", RULE_KEPT,
     SESSION_DATA("{\"type\":\"auth\",\"payload\":{\"key\":\"sk-secret\"}}")},

    {"config encoded", ORIS, "request", "OJ-CON-13", RULE_KEPT, NO_DATA},
    {"a slash may stand bare", ORIS, "head", "OJ-CON-13", RULE_KEPT,
     HEAD("/realtime?config_id=demo/config%201", AUTH)},
    {"lower-case escapes", ORIS, "head", "OJ-CON-13", RULE_KEPT,
     HEAD("/realtime?config_id=demo%2fconfig%201", AUTH)},
    {"an equals sign may stand bare", ORIS, "unknown-config head", "OJ-CON-13", RULE_KEPT,
     HEAD("/realtime?config_id=mock.close=4401", AUTH)},
    {"an equals sign of the id bare", ORIS, "escapes-config head", "OJ-CON-13", RULE_KEPT,
     HEAD("/realtime?config_id=a/b?c=d%26e%20f%2Bg%25%c3%a9", AUTH)},
    {"an ampersand of the id bare", ORIS, "escapes-config head", "OJ-CON-13", RULE_BROKEN,
     HEAD("/realtime?config_id=a/b?c=d&e%20f%2Bg%25%c3%a9", AUTH)},
    {"a page with a config that is not", ORIS, "plain-http", "OJ-CON-13", RULE_NOT_REACHED,
     PAGE("GET", "/?config_id=a b", "")},
    {"other parameters besides", ORIS, "head", "OJ-CON-13", RULE_KEPT,
     HEAD("/realtime?mode=dev&config_id=demo%2Fconfig%201&x", AUTH)},
    {"config twice", ORIS, "head", "OJ-CON-13", RULE_BROKEN,
     HEAD("/realtime?config_id=demo%2Fconfig%201&config_id=demo%2Fconfig%201", AUTH),
     .actual = "more than once"},
    {"config twice, once empty", ORIS, "head", "OJ-CON-13", RULE_BROKEN,
     HEAD("/realtime?config_id=&config_id=demo%2Fconfig%201", AUTH)},
    {"bare space", ORIS, "head", "OJ-CON-13", RULE_BROKEN, HEAD("/realtime?config_id=demo%2Fconfig 1", AUTH),
     .actual = "stands bare"},
    {"encoded as a form", ORIS, "head", "OJ-CON-13", RULE_KEPT,
     HEAD("/realtime?config_id=demo%2Fconfig+1", AUTH)},
    {"encoded as a form, with other parameters", ORIS, "escapes-config head", "OJ-CON-13", RULE_KEPT,
     HEAD("/realtime?mode=a+b&config_id=a%2Fb%3Fc%3Dd%26e+f%2Bg%25%C3%A9", AUTH)},
    {"encoded as a URI", ORIS, "escapes-config head", "OJ-CON-13", RULE_KEPT,
     HEAD("/realtime?config_id=a/b?c%3Dd%26e%20f%2Bg%25%c3%a9", AUTH)},
    {"a plus of the id bare", ORIS, "escapes-config head", "OJ-CON-13", RULE_BROKEN,
     HEAD("/realtime?config_id=a%2Fb%3Fc%3Dd%26e%20f+g%25%C3%A9", AUTH), .actual = "a '+' that must"},
    {"a space and a plus of the id both as a plus", ORIS, "escapes-config head", "OJ-CON-13", RULE_BROKEN,
     HEAD("/realtime?config_id=a%2Fb%3Fc%3Dd%26e+f+g%25%C3%A9", AUTH), .actual = "does not decode"},
    {"a plus when the config is unknown", ORIS, "unknown-config head", "OJ-CON-13", RULE_KEPT,
     HEAD("/realtime?config_id=a+b", AUTH)},
    {"a form encoded again", ORIS, "head", "OJ-CON-13", RULE_BROKEN,
     HEAD("/realtime?config_id=demo%252Fconfig%2B1", AUTH), .actual = "twice"},
    {"bare non-ASCII", ORIS, "unknown-config head", "OJ-CON-13", RULE_BROKEN,
     HEAD("/realtime?config_id=d\xc3\xa9mo", AUTH)},
    {"the key for a config, percent-encoded", ORIS, "unknown-key head", "OJ-CON-13", RULE_BROKEN,
     HEAD("/realtime?config_id=sk%2dsecret-1234", AUTH), .actual = "config_id=<key>"},
    {"broken escape", ORIS, "unknown-config head", "OJ-CON-13", RULE_BROKEN,
     HEAD("/realtime?config_id=a%2", AUTH)},
    {"encoded twice", ORIS, "head", "OJ-CON-13", RULE_BROKEN,
     HEAD("/realtime?config_id=demo%252Fconfig%25201", AUTH), .actual = "twice"},
    {"another config", ORIS, "head", "OJ-CON-13", RULE_BROKEN, HEAD("/realtime?config_id=demo", AUTH)},
    {"any config when it is unknown", ORIS, "unknown-config head", "OJ-CON-13", RULE_KEPT,
     HEAD("/realtime?config_id=demo%252F", AUTH)},
    {"a bare ampersand cuts the config", ORIS, "head", "OJ-CON-13", RULE_BROKEN,
     HEAD("/realtime?config_id=demo%2Fconfig&1", AUTH)},
    {"no config, so no encoding", ORIS, "server-violation:1", "OJ-CON-13", RULE_NOT_REACHED, NO_DATA},
};

#define WITH(authorization) HEAD(SESSION_TARGET, authorization)

static const struct session_case KEY[] = {
    {"raw key", ORIS, "request", "OJ-CON-02", RULE_KEPT, NO_DATA},
    {"lower-case header name", ORIS, "head", "OJ-CON-02", RULE_KEPT,
     WITH("authorization: " SESSION_KEY "\r\n")},
    {"upper-case header name", ORIS, "head", "OJ-CON-02", RULE_KEPT,
     WITH("AUTHORIZATION:" SESSION_KEY "\r\n")},
    {"Bearer", ORIS, "head", "OJ-CON-02", RULE_BROKEN, WITH("Authorization: Bearer " SESSION_KEY "\r\n"),
     .actual = "\"Bearer \" and <key>"},
    {"bearer in lower case", ORIS, "head", "OJ-CON-02", RULE_BROKEN,
     WITH("authorization: bearer " SESSION_KEY "\r\n"), .actual = "\"Bearer \" and <key>"},
    {"Basic", ORIS, "head", "OJ-CON-02", RULE_BROKEN, WITH("Authorization: Basic c2s6\r\n"),
     .actual = "\"Basic \" and 4 bytes that are not the key"},
    {"a word of its own", ORIS, "head", "OJ-CON-02", RULE_BROKEN,
     WITH("Authorization: Ojin " SESSION_KEY "\r\n"), .actual = "a word of 4 bytes, a space and <key>"},
    {"another key", ORIS, "head", "OJ-CON-02", RULE_BROKEN, WITH("Authorization: sk-other\r\n"),
     .actual = "a value of 8 bytes"},
    {"key cut short", ORIS, "head", "OJ-CON-02", RULE_BROKEN, WITH("Authorization: sk-secret-123\r\n")},
    {"scheme alone", ORIS, "head", "OJ-CON-02", RULE_BROKEN, WITH("Authorization: Bearer\r\n"),
     .actual = "Bearer alone"},
    {"empty", ORIS, "head", "OJ-CON-02", RULE_BROKEN, WITH("Authorization:\r\n"), .actual = "empty"},
    {"missing", ORIS, "head", "OJ-CON-02", RULE_BROKEN, WITH(""), .actual = "no Authorization"},
    {"missing in a browser", ORIS, "head", "OJ-CON-02", RULE_BROKEN, WITH("Origin: http://localhost\r\n"),
     .actual = "--quirk key-in-url lets it in"},
    {"there in a browser", ORIS, "head", "OJ-CON-02", RULE_KEPT, WITH("Origin: http://localhost\r\n" AUTH)},
    {"another header", ORIS, "head", "OJ-CON-02", RULE_BROKEN, WITH("X-Api-Key: " SESSION_KEY "\r\n")},
    {"repeated", ORIS, "head", "OJ-CON-02", RULE_BROKEN, WITH(AUTH AUTH), .actual = "more than one"},
    {"any key when it is unknown", ORIS, "unknown-key head", "OJ-CON-02", RULE_KEPT,
     WITH("Authorization: whatever\r\n")},
    {"Bearer, key unknown", ORIS, "unknown-key head", "OJ-CON-02", RULE_BROKEN,
     WITH("Authorization: Bearer " SESSION_KEY "\r\n"), .actual = "\"Bearer \" and 14 bytes"},
    {"missing, key unknown", ORIS, "unknown-key head", "OJ-CON-02", RULE_BROKEN, WITH("")},
    {"no request was seen", ORIS, "ready", "OJ-CON-02", RULE_NOT_REACHED, NO_DATA},
    {"a page asked for", ORIS, "plain-http", "OJ-CON-02", RULE_NOT_REACHED, PAGE("GET", "/", "")},
};

static const struct session_case READY[] = {
    {"speaks after sessionReady", ORIS, "open silence:640 speak:3200", "OJ-CON-06", RULE_KEPT, NO_DATA},
    {"says nothing", ORIS, "open close", "OJ-CON-06", RULE_NOT_REACHED, NO_DATA},
    {"speaks before it", ORIS, "request silence:640 ready speak:3200", "OJ-CON-06", RULE_BROKEN, NO_DATA},
    {"speaks before it and goes on", EARLY, "request speak:3200 ready speak:3200 speak:3200 next all all end",
     "OJ-CON-06", RULE_BROKEN, NO_DATA},
    {"speaks after raw bytes, which may be one", ORIS, "request act:0 silence:640 speak:3200", "OJ-CON-06",
     RULE_NOT_REACHED, NO_DATA},
    {"speaks after raw bytes and it", ORIS, "request act:0 ready silence:640 speak:3200", "OJ-CON-06",
     RULE_KEPT, NO_DATA},
    {"speaks before raw bytes and it", ORIS, "request silence:640 act:0 ready speak:3200", "OJ-CON-06",
     RULE_BROKEN, NO_DATA},
    {"speaks after half a close", ORIS, "request act:1 silence:640", "OJ-CON-06", RULE_BROKEN, NO_DATA},
    {"cancels before it", ORIS, "request cancel ready silence:640", "OJ-CON-06", RULE_BROKEN,
     .actual = "text"},
    {"sends some text before it", ORIS, "request text ready silence:640", "OJ-CON-06", RULE_BROKEN,
     SESSION_DATA("hello")},
    {"pings and closes before it", ORIS, "request ping:a pong:a close", "OJ-CON-06", RULE_NOT_REACHED,
     NO_DATA},
    {"is refused", ORIS, "request plain wait:3000 server-close", "OJ-CON-06", RULE_NOT_REACHED, NO_DATA},
};

static const struct session_case PONGS[] = {
    {"answered", ORIS, "open silence:640 ping:a wait:100 pong:a wait:9000 frame", "OJ-CON-07", RULE_KEPT,
     NO_DATA},
    {"empty ping answered", ORIS, "open silence:640 ping: pong: wait:9000 frame", "OJ-CON-07", RULE_KEPT,
     NO_DATA},
    {"answered just in time", ORIS, "open silence:640 ping:a wait-us:2999999 pong:a wait:9000 frame",
     "OJ-CON-07", RULE_KEPT, NO_DATA},
    {"answered too late", ORIS, "open silence:640 ping:a wait:3000 pong:a", "OJ-CON-07", RULE_BROKEN,
     NO_DATA},
    {"the newest of several", ORIS, "open silence:640 ping:a ping:b ping:c pong:c wait:9000 frame",
     "OJ-CON-07", RULE_KEPT, NO_DATA},
    {"every one of several", ORIS, "open silence:640 ping:a ping:b pong:a pong:b wait:9000 frame",
     "OJ-CON-07", RULE_KEPT, NO_DATA},
    {"only the older of two", ORIS, "open silence:640 ping:a ping:b pong:a wait:3000 frame", "OJ-CON-07",
     RULE_BROKEN, NO_DATA},
    {"never", ORIS, "open silence:640 ping:a speak:3200 wait:3000 frame", "OJ-CON-07", RULE_BROKEN,
     .actual = "no such"},
    {"never, told at the end", ORIS, "open silence:640 ping:a wait:3000", "OJ-CON-07", RULE_BROKEN, NO_DATA},
    {"never, told when it closes", ORIS, "open silence:640 ping:a wait:3000 close", "OJ-CON-07", RULE_BROKEN,
     NO_DATA},
    {"other data", ORIS, "open silence:640 ping:a pong:b wait:3000 frame", "OJ-CON-07", RULE_BROKEN, NO_DATA},
    {"empty data", ORIS, "open silence:640 ping:a pong: wait:3000 frame", "OJ-CON-07", RULE_BROKEN, NO_DATA},
    {"other data, and it closes before the pong is due", ORIS,
     "open silence:640 ping:abc pong:ab wait:100 close", "OJ-CON-07", RULE_BROKEN,
     .actual = "a pong with other data, 2 bytes where the ping had 3"},
    {"other data, and the pong after all", ORIS, "open silence:640 ping:a pong:b pong:a close", "OJ-CON-07",
     RULE_KEPT, NO_DATA},
    {"other data, and a newer ping answered", ORIS, "open silence:640 ping:a pong:x ping:b pong:b close",
     "OJ-CON-07", RULE_BROKEN, .actual = "a pong with other data, 1 byte where the ping had 1"},
    {"a pong of its own while the newest is answered", ORIS,
     "open silence:640 ping:a ping:b pong:x pong:b close", "OJ-CON-07", RULE_KEPT, NO_DATA},
    {"never, with a new ping every second", ORIS,
     "open silence:640 ping:a wait:1000 ping:b wait:1000 ping:c wait:1000 ping:d wait:1000 ping:e wait:1000 "
     "ping:f "
     "wait:1000 ping:g wait:1000 ping:h wait:1000 ping:i wait:1000 ping:j wait:1000 ping:k",
     "OJ-CON-07", RULE_BROKEN, NO_DATA},
    {"closes before it is due", ORIS, "open silence:640 ping:a wait:2000 close wait:9000", "OJ-CON-07",
     RULE_NOT_REACHED, NO_DATA},
    {"the server closes before it is due", ORIS,
     "open silence:640 ping:a wait:2000 server-close wait:9000 frame", "OJ-CON-07", RULE_NOT_REACHED,
     NO_DATA},
    {"a pong that nobody asked for", ORIS, "open silence:640 pong:a wait:9000 frame", "OJ-CON-07",
     RULE_NOT_REACHED, NO_DATA},
    {"a ping broken on purpose", ORIS, "open silence:640 fault-ping:a wait:9000 frame", "OJ-CON-07",
     RULE_NOT_REACHED, NO_DATA},
    {"its server ended its own side", ORIS, "open silence:640 ping:a act:1 wait:4000 gone", "OJ-CON-07",
     RULE_NOT_REACHED, NO_DATA},
    {"its server sent bytes that are no message", ORIS, "open silence:640 ping:a act:0 wait:4000 gone",
     "OJ-CON-07", RULE_NOT_REACHED, NO_DATA},
    {"its server does not read", ORIS, "open silence:640 ping:a act:2 wait:8000 pong:a", "OJ-CON-07",
     RULE_NOT_REACHED, NO_DATA},
    {"never, before its server stopped reading", ORIS, "open silence:640 ping:a wait:3000 frame act:2 pong:a",
     "OJ-CON-07", RULE_BROKEN, NO_DATA},
    {"not pinged", ORIS, "open silence:640 speak:3200 close", "OJ-CON-07", RULE_NOT_REACHED, NO_DATA},
};

#define JSON_CANCEL "{\"type\":\"cancelInteraction\",\"payload\":{}}"

/* 99 and 100 groups of four: one character of base64 decides. */
#define TIMES_10(text) text text text text text text text text text text
#define TIMES_99(text) TIMES_10(TIMES_9(text)) TIMES_9(text)
#define TIMES_9(text)  text text text text text text text text text

static const struct session_case FRAMING[] = {
    {"well-formed", ORIS, "open silence:640 all cancel close", "OJ-CON-11", RULE_KEPT, NO_DATA},
    {"a pong is a frame", ORIS, "request ping:a pong:a", "OJ-CON-11", RULE_KEPT, NO_DATA},
    {"unmasked", ORIS, "open violation:1 silence:640 violation:1 speak:3200", "OJ-CON-11", RULE_BROKEN,
     NO_DATA},
    {"reserved bits, and the rest never comes", ORIS, "open violation:3 wait:9000", "OJ-CON-11", RULE_BROKEN,
     NO_DATA},
    {"no UTF-8 for audio", ORIS, "open violation:9 wait:9000 speak:3200", "OJ-CON-11", RULE_BROKEN, NO_DATA},
    {"a bad close", ORIS, "open silence:640 violation:10 close", "OJ-CON-11", RULE_BROKEN, NO_DATA},
    {"control in binary", ORIS, "open silence:640 speak:3200 binary next speak:3200", "OJ-CON-11",
     RULE_BROKEN, SESSION_DATA(JSON_CANCEL), .actual = "JSON"},
    {"control in binary, with blanks", ORIS, "open silence:640 binary", "OJ-CON-11", RULE_BROKEN,
     SESSION_DATA("\n " JSON_CANCEL)},
    {"audio in text", ORIS, "open text wait:9000 text", "OJ-CON-11", RULE_BROKEN,
     SESSION_DATA("\x01\x00\x00\x01\x11\x22\x33\x44\x55\x00\x00\x00\x00hello"), .actual = "binary content"},
    {"audio in text as base64", ORIS, "open text wait:9000 text", "OJ-CON-11", RULE_BROKEN,
     SESSION_DATA("{\"type\":\"audio\",\"data\":\"" TIMES_99("Qk+/") "Qk=="
                                                                     "\"}"),
     .actual = "base64"},
    {"audio in text as bare base64 with a line end", ORIS, "open text", "OJ-CON-11", RULE_BROKEN,
     SESSION_DATA(TIMES_99("Qk+/") "\r\nQ==")},
    {"audio in text as hex", ORIS, "open text", "OJ-CON-11", RULE_BROKEN,
     SESSION_DATA(TIMES_99("00ff") "0a0b")},
    {"audio in text as numbers", ORIS, "open text", "OJ-CON-11", RULE_BROKEN,
     SESSION_DATA("{\"audio\": [" TIMES_99("-12, ") "7]}"), .actual = "numbers"},
    {"audio in text as numbers with their places", ORIS, "open text", "OJ-CON-11", RULE_BROKEN,
     SESSION_DATA("{\"audio\":{" TIMES_99("\"1\":-12,") "\"2\":7}}")},
    {"a token of 399 characters is no audio", ORIS, "open silence:640 text", "OJ-CON-11", RULE_KEPT,
     SESSION_DATA("{\"token\":\"" TIMES_99("Qk+/") "Qk="
                                                   "\"}")},
    {"neither is a long sentence", ORIS, "open silence:640 text", "OJ-CON-11", RULE_KEPT,
     SESSION_DATA("{\"note\":\"" TIMES_99("as said before, ") "\"}")},
    {"plain text is no audio", ORIS, "open silence:640 text", "OJ-CON-11", RULE_KEPT, SESSION_DATA("hello")},
    {"the server's faults are not the client's", ORIS, "request server-violation:2", "OJ-CON-11",
     RULE_NOT_REACHED, NO_DATA},
    {"no frame came", ORIS, "request gone", "OJ-CON-11", RULE_NOT_REACHED, NO_DATA},
};

static const struct session_case OPENING[] = {
    {"one frame of silence", ORIS, "open silence:640 all all all end", "OJ-RDY-04", RULE_KEPT, NO_DATA},
    {"silence alone", ORIS, "open silence:640 wait:9000", "OJ-RDY-04", RULE_KEPT, NO_DATA},
    {"late silence", ORIS, "open wait:5000 silence:640", "OJ-RDY-04", RULE_KEPT, NO_DATA},
    {"the other profile with it", FLASH, "open silence:640 all", "OJ-FHL-01", RULE_KEPT, NO_DATA},
    {"dropped silence in the other profile", FLASH, "open all", "OJ-FHL-01", RULE_BROKEN, NO_DATA},
    {"dropped silence", ORIS, "open all all all end", "OJ-RDY-04", RULE_BROKEN,
     .actual = "is speech of 3200"},
    {"dropped silence before a quiet start", ORIS, "only-second open all end", "OJ-RDY-04", RULE_BROKEN,
     NO_DATA},
    {"dropped silence, and the speech begins with as much", ORIS,
     "only-second open speak:640 speak:640 speak:640 speak:640 all end", "OJ-RDY-04", RULE_BROKEN, NO_DATA},
    {"silence too short", ORIS, "open silence:320 all all all end", "OJ-RDY-04", RULE_BROKEN,
     .actual = "silence of 320"},
    {"silence too long", ORIS, "open silence:1280 all all all end", "OJ-RDY-04", RULE_BROKEN, NO_DATA},
    {"silence in two pieces", ORIS, "open silence:320 silence:320 all", "OJ-RDY-04", RULE_BROKEN, NO_DATA},
    {"silence too long before a quiet start", ORIS, "only-second open silence:1000 all end", "OJ-RDY-04",
     RULE_BROKEN, NO_DATA},
    {"silence and speech in one message", ORIS, "open zeros-and-speech:3200 all all all end", "OJ-RDY-04",
     RULE_BROKEN, NO_DATA},
    {"no audio at all", ORIS, "open wait:2000", "OJ-RDY-04", RULE_BROKEN,
     .actual = "no audio message in the 2000 ms"},
    {"no audio at all, then it closes", ORIS, "open wait:2500 close wait:5000", "OJ-RDY-04", RULE_BROKEN,
     NO_DATA},
    {"no audio at all, then an error", ORIS, "open wait:2500 error:TIMEOUT", "OJ-RDY-04", RULE_BROKEN,
     NO_DATA},
    {"no audio in a short time", ORIS, "open wait:1999", "OJ-RDY-04", RULE_NOT_REACHED, NO_DATA},
    {"closes soon", ORIS, "open wait:1000 close wait:9000", "OJ-RDY-04", RULE_NOT_REACHED, NO_DATA},
    {"the server closes soon", ORIS, "open wait:1000 server-close wait:9000", "OJ-RDY-04", RULE_NOT_REACHED,
     NO_DATA},
    {"an error comes instead", ORIS, "open wait:1000 error:TIMEOUT wait:9000", "OJ-RDY-04", RULE_NOT_REACHED,
     NO_DATA},
    {"plain text comes instead", ORIS, "open plain wait:9000", "OJ-RDY-04", RULE_NOT_REACHED, NO_DATA},
    {"a broken sessionReady", ORIS, "request half-ready wait:9000", "OJ-RDY-04", RULE_NOT_REACHED, NO_DATA},
    {"no sessionReady", ORIS, "request wait:9000", "OJ-RDY-04", RULE_NOT_REACHED, NO_DATA},

    {"begins with speech", EARLY, "open all all all end", "OJ-RDY-07", RULE_KEPT, NO_DATA},
    {"begins with quiet speech", EARLY, "only-second open speak:640 all end", "OJ-RDY-07", RULE_KEPT,
     NO_DATA},
    {"begins with silence", EARLY, "open silence:640 all all all end", "OJ-RDY-07", RULE_BROKEN, NO_DATA},
    {"begins with silence twice", EARLY, "open silence:640 silence:640 all", "OJ-RDY-07", RULE_BROKEN,
     NO_DATA},
    {"begins with silence before quiet speech", EARLY, "only-second open silence:640 all end", "OJ-RDY-07",
     RULE_BROKEN, NO_DATA},
    {"begins with silence, speech unknown", EARLY, "unknown-speech open silence:640 speak:3200", "OJ-RDY-07",
     RULE_BROKEN, NO_DATA},
    {"says nothing", EARLY, "open wait:9000 close", "OJ-RDY-07", RULE_NOT_REACHED, NO_DATA},
    {"not asked for in this profile", ORIS, "open silence:640", "OJ-RDY-07", RULE_NOT_REACHED, NO_DATA},
};

#define END(rest)    SESSION_DATA("{\"type\":\"endInteraction\"" rest "}")
#define CANCEL(rest) SESSION_DATA("{\"type\":\"cancelInteraction\"" rest "}")
#define A_LONG_TEXT  "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghi"
#define TYPE(name)   SESSION_DATA("{\"type\":\"" name "\",\"payload\":{\"timestamp\":1}}")

static const struct session_case CONTROL[] = {
    {"end", ORIS, "open silence:640 text", "OJ-END-01", RULE_KEPT,
     END(",\"payload\":{\"timestamp\":1750000000000}")},
    {"end in seconds", ORIS, "open silence:640 text", "OJ-END-01", RULE_BROKEN,
     END(",\"payload\":{\"timestamp\":1750000000}"), .actual = "1750000000: seconds, not milliseconds in {"},
    {"end in seconds, as the audio before it", ORIS, "clock:s open silence:640 text", "OJ-IN-02", RULE_BROKEN,
     END(",\"payload\":{\"timestamp\":1750000000}")},
    {"end in microseconds", ORIS, "open silence:640 text", "OJ-END-01", RULE_BROKEN,
     END(",\"payload\":{\"timestamp\":1750000000000000}"), .actual = "microseconds, not milliseconds"},
    {"end in nanoseconds", ORIS, "open silence:640 text", "OJ-END-01", RULE_BROKEN,
     END(",\"payload\":{\"timestamp\":1750000000000000000}"), .actual = "outside its range"},
    {"end in milliseconds since it began", ORIS, "open silence:640 text", "OJ-END-01", RULE_KEPT,
     END(",\"payload\":{\"timestamp\":4711}")},
    {"end in milliseconds before the epoch", ORIS, "open silence:640 text", "OJ-END-01", RULE_KEPT,
     END(",\"payload\":{\"timestamp\":-1}")},
    {"end without payload", ORIS, "open silence:640 text", "OJ-END-01", RULE_BROKEN, END("")},
    {"end without timestamp", ORIS, "open silence:640 text", "OJ-END-01", RULE_BROKEN, END(",\"payload\":{}"),
     .actual = "timestamp"},
    {"end with a null timestamp", ORIS, "open silence:640 text", "OJ-END-01", RULE_BROKEN,
     END(",\"payload\":{\"timestamp\":null}"), .actual = "payload.timestamp is null in {"},
    {"end with a text timestamp", ORIS, "open silence:640 text", "OJ-END-01", RULE_BROKEN,
     END(",\"payload\":{\"timestamp\":\"1750000000000\"}"), .actual = "payload.timestamp is a string in {"},
    {"end with fractions", ORIS, "open silence:640 text", "OJ-END-01", RULE_BROKEN,
     END(",\"payload\":{\"timestamp\":1750000000.25}")},
    {"end with its timestamp outside", ORIS, "open silence:640 text", "OJ-END-01", RULE_BROKEN,
     END(",\"timestamp\":1")},
    {"end in snake case", ORIS, "open silence:640 text", "OJ-END-01", RULE_BROKEN, TYPE("end_interaction"),
     .actual = "misspelt"},
    {"end with a capital", ORIS, "open silence:640 text", "OJ-END-01", RULE_BROKEN, TYPE("EndInteraction")},
    {"another type", ORIS, "open silence:640 text", "OJ-END-01", RULE_NOT_REACHED, TYPE("end")},
    {"end with a repeated member", ORIS, "open silence:640 text", "OJ-END-01", RULE_KEPT,
     END(",\"payload\":{\"timestamp\":1,\"timestamp\":1}"), .actual = "comes twice in an object"},
    {"end whose last timestamp is a text", ORIS, "open silence:640 text", "OJ-END-01", RULE_BROKEN,
     END(",\"payload\":{\"timestamp\":1,\"timestamp\":\"1\"}"), .actual = "timestamp"},
    {"end with a NUL escape", ORIS, "open silence:640 text", "OJ-END-01", RULE_NOT_REACHED,
     END(",\"id\":\"\\u0000\",\"payload\":{\"timestamp\":1}"), .actual = "NUL: the JSON is legal"},
    {"cancel with half a surrogate pair", ORIS, "open silence:640 text", "OJ-CAN-01", RULE_NOT_REACHED,
     CANCEL(",\"payload\":{\"why\":\"\\ud83d\"}"), .actual = "surrogate pair: the JSON is legal"},
    {"end with the key across the cut", ORIS, "open silence:640 text", "OJ-END-01", RULE_BROKEN,
     END(",\"a\":\"" A_LONG_TEXT SESSION_KEY "\""), .actual = "tuvwxyzabcdefghi<key>"},
    {"end with the key escaped", ORIS, "open silence:640 text", "OJ-END-01", RULE_BROKEN,
     END(",\"a\":\"\\u0073k-secret-1234\""), .actual = "\"a\":\"<key>\""},
    {"end with a key that is learnt", ORIS, "unknown-key open silence:640 text", "OJ-END-01", RULE_BROKEN,
     END(",\"a\":\"" SESSION_KEY "\""), .actual = "\"a\":\"<key>\""},
    {"no end", ORIS, "open silence:640 cancel", "OJ-END-01", RULE_NOT_REACHED, NO_DATA},
    {"the server's end", ORIS, "open silence:640 plain", "OJ-END-01", RULE_NOT_REACHED, NO_DATA},

    {"cancel", ORIS, "open silence:640 text", "OJ-CAN-01", RULE_KEPT, CANCEL(",\"payload\":{}")},
    {"cancel with null", ORIS, "open silence:640 text", "OJ-CAN-01", RULE_KEPT,
     CANCEL(",\"payload\":{\"timestamp\":null}")},
    {"cancel with a timestamp", ORIS, "open silence:640 text", "OJ-CAN-01", RULE_KEPT,
     CANCEL(",\"payload\":{\"timestamp\":1750000000000}")},
    {"cancel in seconds", ORIS, "open silence:640 text", "OJ-CAN-01", RULE_BROKEN,
     CANCEL(",\"payload\":{\"timestamp\":1750000000}"), .actual = "1750000000: seconds, not milliseconds"},
    {"cancel in seconds, as the audio before it", ORIS, "clock:s open silence:640 text", "OJ-IN-02",
     RULE_BROKEN, CANCEL(",\"payload\":{\"timestamp\":1750000000}")},
    {"cancel without payload", ORIS, "open silence:640 text", "OJ-CAN-01", RULE_BROKEN, CANCEL("")},
    {"cancel with a list", ORIS, "open silence:640 text", "OJ-CAN-01", RULE_BROKEN,
     CANCEL(",\"payload\":[]")},
    {"cancel with a text timestamp", ORIS, "open silence:640 text", "OJ-CAN-01", RULE_BROKEN,
     CANCEL(",\"payload\":{\"timestamp\":\"1\"}")},
    {"cancel with the key in it", ORIS, "open silence:640 text", "OJ-CAN-01", RULE_BROKEN,
     CANCEL(",\"key\":\"" SESSION_KEY "\""), .actual = "<key>"},
    {"cancel in kebab case", ORIS, "open silence:640 text", "OJ-CAN-01", RULE_BROKEN,
     TYPE("cancel-interaction")},
    {"no cancel", ORIS, "open silence:640 close", "OJ-CAN-01", RULE_NOT_REACHED, NO_DATA},
};

START_TEST(config_id_is_given_once_and_encoded)
{
    session_check(&CONFIG[_i]);
}
END_TEST
START_TEST(the_key_is_sent_raw)
{
    session_check(&KEY[_i]);
}
END_TEST
START_TEST(nothing_is_sent_before_session_ready)
{
    session_check(&READY[_i]);
}
END_TEST
START_TEST(pings_are_answered)
{
    session_check(&PONGS[_i]);
}
END_TEST
START_TEST(frames_are_well_formed_and_of_the_right_kind)
{
    session_check(&FRAMING[_i]);
}
END_TEST
START_TEST(the_stream_is_opened_as_the_profile_asks)
{
    session_check(&OPENING[_i]);
}
END_TEST
START_TEST(control_messages_have_their_form)
{
    session_check(&CONTROL[_i]);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("rules_connect");
    tcase_add_loop_test(tcase, config_id_is_given_once_and_encoded, 0, TABLE_COUNT(CONFIG));
    tcase_add_loop_test(tcase, the_key_is_sent_raw, 0, TABLE_COUNT(KEY));
    tcase_add_loop_test(tcase, nothing_is_sent_before_session_ready, 0, TABLE_COUNT(READY));
    tcase_add_loop_test(tcase, pings_are_answered, 0, TABLE_COUNT(PONGS));
    tcase_add_loop_test(tcase, frames_are_well_formed_and_of_the_right_kind, 0, TABLE_COUNT(FRAMING));
    tcase_add_loop_test(tcase, the_stream_is_opened_as_the_profile_asks, 0, TABLE_COUNT(OPENING));
    tcase_add_loop_test(tcase, control_messages_have_their_form, 0, TABLE_COUNT(CONTROL));
    return suite_run("rules_connect", tcase);
}
