/*
 * What stands in the messages of a family, for those who keep, show or judge them and know no family: the
 * journal, the control interface, refusals that a script asks for. A table of functions without state, one a
 * family; NO_MESSAGES for one whose messages nobody looks into.
 */
#ifndef SERVER_CORE_SESSION_MESSAGES_H
#define SERVER_CORE_SESSION_MESSAGES_H

#include "codec/wire/buffer.h"
#include "codec/wire/text.h"
#include "codec/wire/uuid.h"

/* What the judge needs to know of a frame of sound and pictures that the server sent. */
struct frame_summary {
    bool decodes;
    uint8_t is_final;
    uint32_t index;
    uint8_t interaction[UUID_BYTES];
    bool has_audio, has_image;
    bool has_checksums; /* where not, those are 0 and a journal's line leaves them out */
    uint32_t audio_crc, image_crc;
    uint32_t audio_bytes, image_bytes;
};

/* What the judge needs to know of a message of the server that brings speech, or ends it. */
struct speech_summary {
    bool decodes;     /* its sound can be played; a message without any has 0 samples */
    bool ends_turn;   /* what is said is over with it */
    bool stops;       /* what is not played yet is to be dropped */
    bool has_audio;   /* else there is no sound in it, not even none */
    uint32_t samples; /* at the family's output rate */
    uint32_t audio_crc;
    size_t text_len;
    char text[512]; /* NUL-terminated; longer ones are cut */
};

enum { SESSION_PARAMS_TEXT_MAX = 600, SESSION_SILENCE_BYTES_MAX = 16384 };
#define SESSION_NO_INPUT SIZE_MAX

/* A field of a binary message, in its order. */
struct message_field {
    const char *name;
    size_t bytes;
};

struct session_messages {
    /* Of binary messages of either side, for people; what follows them is data. Ended by a NULL name. NULL:
     * all of it is data. */
    const struct message_field *client_fields, *server_fields;
    /* Where the first wrong byte of a client's binary message stands; SIZE_MAX: all reads well. NULL: at its
     * beginning, as all messages are texts. */
    size_t (*wrong_offset)(struct bytes message);
    uint32_t index_silence, index_speech; /* of a frame of either kind; any other is of neither */
    size_t silence_bytes; /* a frame's sound when it is silent, that many zeros; 0: it has none */

    /* Is a message of the server a frame? Then its summary, without `checksums` with none in it. NULL: none
     * is. */
    bool (*summarise)(bool binary, struct bytes message, bool checksums, struct frame_summary *out);
    /* What is wrong with a message of our own that is no fault: a static sentence; NULL: nothing. `frame` is
     * its summary, NULL: it is no frame. */
    const char *(*mistake)(bool binary, struct bytes message, const struct frame_summary *frame);

    unsigned input_rate; /* samples a second of the speech that clients send */
    /* How many bytes of speech, as 16-bit little-endian samples, a client's message holds; SESSION_NO_INPUT:
     * it is no input. Appends the first `bytes_max` of them to `out`, unless that is NULL. */
    size_t (*input_audio)(bool binary, struct bytes message, struct buffer *out, size_t bytes_max);
    /* Adds the settings that hold for that input as a JSON object and is true, when it has some of its own.
     * Of an empty message adds what holds without any. */
    bool (*input_params)(bool binary, struct bytes message, struct text *out);

    unsigned output_rate; /* samples a second of the speech that the server sends as text; 0: it sends none */
    /* Is a text message of the server speech, or the end of it? Then its summary; its samples, as float32
     * little-endian, are appended to `pcm`. NULL: of no message; what is heard is frames. */
    bool (*speech)(struct bytes message, struct buffer *pcm, struct speech_summary *out);
    /* Checksums of that sound, here and those that clients tell, are of its samples as PCM16, else as
     * float32; both little-endian. */
    bool speech_is_pcm16;
    const char *speech_read_requirement;  /* that it is read for what it is, at its rate … */
    const char *speech_order_requirement; /* … and that its messages are played one after another */

    /* Does a client's message, of whatever type, ask the server to stop speaking? NULL: only its type says
     * so. */
    bool (*interrupts)(bool binary, struct bytes message);

    /* Is it the code of an error that the family knows? */
    bool (*is_error_code)(struct bytes code);
    /* Does a text message of the server say that the client made a mistake? Then adds its code and sentence:
     * "INVALID_MESSAGE: …". */
    bool (*blames_client)(struct bytes message, struct text *out);

    /* Does it tell the client the id of its session? Then adds that. NULL: sessions have no ids of their own.
     */
    bool (*session_id)(struct bytes message, struct text *out);

    /* Does a text message of the server say that the client has to wait, and nothing else? NULL: none does.
     */
    bool (*tells_to_wait)(struct bytes message);

    /* Is it an error of the server? Then adds its code. */
    bool (*error_code)(struct bytes message, struct text *out);

    const char *challenge; /* what a 401 asks for: the value of WWW-Authenticate; NULL: none */
    /* The code of the error that the service itself says with an HTTP status; NULL: none. Static. */
    const char *(*error_of_status)(uint16_t status);
    /* The JSON body of a refusal; `now_ms` is Unix time. */
    void (*error_body)(struct text *out, const char *code, uint64_t now_ms);
};

extern const struct session_messages NO_MESSAGES;

#endif
