/* At whose door it is laid that less was recognised than was sent. */
#include "conformance/judge/check_sound.h"
#include "conformance/judge/judge_parts.h"

/* Pieces were played over each other, as far as can be told. */
static bool is_mixed(const struct heard *heard)
{
    for (size_t i = 0; i < heard->run_count; i++)
        if (heard->runs[i].kind == CODED_RUN_MIXED)
            return true;
    return false;
}

bool sound_is_anothers(const struct sound_check *sound, uint64_t missing)
{
    const struct case_script *script = sound->sent->input->script;
    const struct session_messages *messages = script->class->messages;
    const uint64_t strange = sound->heard->strange;
    /* What was merely dropped leaves nothing strange behind, or little. */
    if (strange == 0 || strange * 2 < missing)
        return false;
    /* Where so little is missing that nothing could be known by it, what lies over it or stands beside it
     * is enough to hide it. */
    const bool by_order = missing < CODED_WINDOW_SAMPLES || is_mixed(sound->heard);
    const char *owner = by_order ? messages->speech_order_requirement : messages->speech_read_requirement;
    const struct requirement *clause = judge_check_clause(script, sound->check);
    text_add(sound->actual, "; ");
    sound_samples_add(sound->actual, sound, strange);
    text_add(sound->actual, " that were played are nothing that was sent");
    if (!by_order)
        text_add(sound->actual, ": read at another rate, or in another form?");
    if (owner == NULL || clause == NULL || strcmp(owner, clause->id) == 0)
        return false;
    text_add(sound->actual, "; see ");
    text_add(sound->actual, owner);
    sound->out->status = CHECK_UNMET;
    return true;
}
