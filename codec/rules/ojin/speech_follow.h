/*
 * Follows the audio of a session through the speech the client was given, and says of each audio message what
 * it is: the opening silence, speech, padding, silence where none is due, or something else (OJ-IN-06,
 * OJ-IN-09 and the opening rules judge by that).
 *
 * Zeros can be two things at once: a keep-alive and the quiet start of the next speech, say. They are taken
 * for speech first, and for the other thing when what follows does not fit.
 */
#ifndef CODEC_RULES_OJIN_SPEECH_FOLLOW_H
#define CODEC_RULES_OJIN_SPEECH_FOLLOW_H

#include "codec/rules/ojin/input_view.h"
#include "codec/rules/speech_match.h"

enum { SPEECH_STARTS_KEPT = 32 };

struct speech_follow {
    bool started;        /* an audio message came */
    bool speech_met;     /* audio that is no silence came */
    bool lost;           /* audio was sent in a way that cannot be followed; judged by another rule */
    bool broken;         /* the audio differed from the speech: said once */
    bool cancelled;      /* ever */
    bool cancel_pending; /* the next speech may begin at any message */
    bool error_seen;     /* the server reported an error */
    size_t refusals; /* ... that the client may answer by sending audio again, each once; not answered yet */
    bool odd_seen;
    bool confirmed; /* some sample that is not zero matched: the place is sure */
    struct speech_cursor cursor;
    uint64_t compared_bytes;
    uint64_t opening_bytes; /* of the opening silence, while it may turn out to be the start of the speech */
    bool has_fallback;      /* the last zeros may not have been speech; then the place is this one */
    bool fallback_is_first; /* ... and they were an opening silence */
    struct speech_cursor fallback;
    uint64_t fallback_bytes;
    size_t start_count; /* where the last messages began, a ring */
    struct speech_cursor starts[SPEECH_STARTS_KEPT];
};

/* What one audio message turned out to be. */
struct audio_outcome {
    bool first;   /* of the session */
    bool opening; /* the first, all zero, and not the start of the speech as far as can be told */
    bool empty;
    bool stray_silence;       /* all zero where the speech is not, and not the opening */
    bool stray_sound;         /* sound of some kind after the last speech, and none of it */
    uint64_t padding_samples; /* zeros past the end of a speech */
    bool compared;
    bool mismatch;           /* `match` and `difference` say how */
    bool opening_was_speech; /* there was no opening silence after all */
    bool start_was_opening;  /* there was one after all */
    /* The first audio behind a cancel that begins a later speech, with nothing of the cancelled one, of which
     * some was still to be sent. */
    bool after_cancel;
    uint64_t cancelled_samples; /* of speech that was cancelled before this message came … */
    struct speech_cursor cancelled_from;
    bool cancelled_leads; /* … in front of a later speech, which is in its place behind them */
    struct speech_match match;
    enum speech_difference difference;
    size_t difference_samples;
    bool nothing_fits;       /* no sample of any speech was recognised, in this message or before */
    int16_t received_sample; /* where it differs; 0 when the message ends inside it */
};

/* `opening_due`: the profile asks for one opening frame of silence. `view` has known audio. */
void speech_follow_audio(struct speech_follow *follow, const struct rule_context *context, bool opening_due,
                         const struct input_view *view, struct audio_outcome *out);
/* At the end of the interaction: how much of the speech did not come? False when nothing is missing that had
 * to come. `*whole_speeches`: speeches not begun; `*samples`: what the one begun lacks. */
bool speech_follow_missing(const struct speech_follow *follow, const struct rule_context *context,
                           size_t *samples, size_t *whole_speeches);
/* `speeches_said` of struct rule_class. */
size_t speech_follow_said(const struct speech_follow *follow, const struct rule_context *context);

#endif
