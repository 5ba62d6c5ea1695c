/* Texts that are told where their sound is heard: the time that counts for a user is that of the sound. */
#include "conformance/judge/check_sound.h"

/* 100 ms: a text may be told a little before its sound or after its end. */
static uint64_t tolerance(const struct sound_check *sound)
{
    return sound->sent->input->script->class->messages->output_rate / 10;
}

static bool tells_text(const struct observation *observation)
{
    return observation->kind == OBSERVED_HEARD && observation->has_at && observation->text[0] != '\0';
}

/* The next that tells this text, from `from` on; the number of observations: none does. */
static size_t telling_find(const struct judge_input *input, size_t from, const char *text)
{
    for (size_t i = from; i < input->observation_count; i++)
        if (tells_text(&input->observations[i]) && strstr(input->observations[i].text, text) != NULL)
            return i;
    return input->observation_count;
}

static bool tells_any(const struct judge_input *input)
{
    return telling_find(input, 0, "") < input->observation_count;
}

static void say(const struct sound_check *sound, const struct score_part *part, uint64_t heard_at,
                const struct observation *told)
{
    text_add(sound->actual, "the text \"");
    text_add_printable(sound->actual, bytes_of_text(score_text(sound->score, part)), 40);
    text_add(sound->actual, "\" of ");
    sound_part_add(sound->actual, sound, part);
    text_add(sound->actual, ", whose sound begins at ");
    sound_place_add(sound->actual, sound, heard_at);
    text_add(sound->actual, ", was ");
    if (told == NULL) {
        text_add(sound->actual, "not told from there on");
    } else {
        text_add(sound->actual, "told at ");
        sound_place_add(sound->actual, sound, told->at);
    }
    sound_broken(sound, part, told == NULL);
}

static bool is_in_time(const struct sound_check *sound, const struct score_part *part, uint64_t heard_at,
                       uint64_t told_at)
{
    return told_at + tolerance(sound) >= heard_at && told_at <= heard_at + part->count + tolerance(sound);
}

void check_timed(const struct sound_check *sound)
{
    const struct judge_input *input = sound->sent->input;
    uint64_t number = 0;
    size_t from = 0;
    if (!tells_any(input)) {
        text_add(sound->actual, "the client reports no text with what is heard");
        sound->out->status = CHECK_DROPPED;
        return;
    }
    for (size_t i = 0; i < sound->score->part_count; i++) {
        const struct score_part *part = &sound->score->parts[i];
        uint64_t heard_at = 0;
        if (!sound_is_meant(sound, part) || part->text_len == 0 ||
            !heard_find(sound->heard, part->source, part->first, &heard_at))
            continue;
        const size_t told = telling_find(input, from, score_text(sound->score, part));
        const bool is_told = told < input->observation_count;
        if (!is_told || !is_in_time(sound, part, heard_at, input->observations[told].at)) {
            say(sound, part, heard_at, is_told ? &input->observations[told] : NULL);
            sound->out->observation_number = is_told ? told + 1 : 0;
            return;
        }
        from = told;
        number++;
    }
    if (number == 0) {
        text_add(sound->actual, "no text was sent with a sound that was played");
        sound->out->status = CHECK_UNMET;
        return;
    }
    text_add_u64(sound->actual, number);
    text_add(sound->actual, " texts were told where their sound was played");
}
