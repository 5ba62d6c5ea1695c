/* What the checks of played sound share: which parts are meant, and words for them. */
#include "conformance/judge/check_sound.h"
#include "conformance/judge/check_words.h"

void sound_samples_add(struct text *out, const struct sound_check *sound, uint64_t samples)
{
    check_words_samples(out, samples, sound->sent->input->script->class->messages->output_rate);
}

void sound_place_add(struct text *out, const struct sound_check *sound, uint64_t at)
{
    text_add(out, "sample ");
    text_add_u64(out, at);
    text_add(out, " (");
    text_add_u64(out, at * 1000 / sound->sent->input->script->class->messages->output_rate);
    text_add(out, " ms) of what was played");
}

void sound_part_add(struct text *out, const struct sound_check *sound, const struct score_part *part)
{
    const struct journal_entry *entry = journal_at(sound->sent->input->journal, part->position);
    text_add(out, entry->label);
    text_add(out, " ");
    text_add_u64(out, part->number);
    check_words_step(out, sound->sent->input->script, entry);
    text_add(out, " of turn ");
    text_add_u64(out, part->turn);
}

void sound_broken(const struct sound_check *sound, const struct score_part *part, bool missing)
{
    sound->out->status = CHECK_BROKEN;
    sound->out->missing = missing;
    if (part != NULL)
        sound->out->journal_sequence = journal_at(sound->sent->input->journal, part->position)->sequence;
}

bool sound_is_meant(const struct sound_check *sound, const struct score_part *part)
{
    return part->sound == SCORE_CODED && part->position >= sound->window->from &&
           part->position < sound->window->to && pattern_matches(sound->sent, part->position);
}
