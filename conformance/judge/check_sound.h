/*
 * What the checks of played sound share: see check_sound in check.h. Private to the judge.
 */
#ifndef CONFORMANCE_JUDGE_CHECK_SOUND_H
#define CONFORMANCE_JUDGE_CHECK_SOUND_H

#include "conformance/judge/check.h"
#include "conformance/judge/heard.h"

/* One check with what was sent and what was heard laid side by side. */
struct sound_check {
    const struct pattern *sent;
    const struct script_check *check;
    const struct check_window *window;
    const struct score *score;
    const struct heard *heard;
    struct check_outcome *out;
    struct text *actual;
};

/* Is the part of a message that matches, and with sound in it? */
bool sound_is_meant(const struct sound_check *sound, const struct score_part *part);
/* "delta 2 (step b) of turn 1" */
void sound_part_add(struct text *out, const struct sound_check *sound, const struct score_part *part);
/* "48000 samples (2000 ms)" */
void sound_samples_add(struct text *out, const struct sound_check *sound, uint64_t samples);
/* "sample 48000 (2000 ms) of what was played" */
void sound_place_add(struct text *out, const struct sound_check *sound, uint64_t at);
/* It is broken, and this message shows it. */
void sound_broken(const struct sound_check *sound, const struct score_part *part, bool missing);

/*
 * `samples` were not recognised in what was played. Where sound was played that is nothing that was
 * sent, they may be in it: read at another rate or in another form, which is one requirement's, or played
 * over others, which is another's. Says so; true: of a check of any other requirement there is nothing to
 * tell then.
 */
bool sound_is_anothers(const struct sound_check *sound, uint64_t missing);

/* For CHECK_ONLY. */
void check_only(const struct sound_check *sound);
/* For CHECK_TIMED. */
void check_timed(const struct sound_check *sound);

#endif
