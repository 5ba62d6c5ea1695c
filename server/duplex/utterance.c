#include "server/duplex/utterance.h"

#include "server/duplex/utterance_samples.h"

struct duplex_utterance duplex_utterance_of(size_t n)
{
    /* The texts that fixtures/speech has for them. */
    const struct duplex_utterance utterances[DUPLEX_UTTERANCE_COUNT] = {
        {"Hello! It is good to hear you. How can I help?", DUPLEX_SAMPLES_1, DUPLEX_SAMPLES_1_COUNT},
        {"I see. Please tell me a little more about that.", DUPLEX_SAMPLES_2, DUPLEX_SAMPLES_2_COUNT},
        {"Thank you. What would you like to hear next?", DUPLEX_SAMPLES_3, DUPLEX_SAMPLES_3_COUNT},
    };
    return utterances[n];
}
