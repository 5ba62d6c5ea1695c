#include "codec/duplex/cache.h"

static const char DOCUMENT[] = "002 session.update";
static const char PRACTICE[] = "field notes";

/* From practice the first picture and 66 for each further slice; not more than the document has for four
 * where there are fewer. */
const struct duplex_slice_cost DUPLEX_SLICE_COSTS[DUPLEX_SLICES_MAX] = {
    {1, DUPLEX_PICTURE_TOKENS, DOCUMENT},
    {2, DUPLEX_PICTURE_TOKENS + DUPLEX_SLICE_TOKENS, PRACTICE},
    {3, DUPLEX_PICTURE_TOKENS_4_SLICES, PRACTICE},
    {4, DUPLEX_PICTURE_TOKENS_4_SLICES, DOCUMENT},
    {5, DUPLEX_PICTURE_TOKENS_4_SLICES + 1 * DUPLEX_SLICE_TOKENS, PRACTICE},
    {6, DUPLEX_PICTURE_TOKENS_4_SLICES + 2 * DUPLEX_SLICE_TOKENS, PRACTICE},
    {7, DUPLEX_PICTURE_TOKENS_4_SLICES + 3 * DUPLEX_SLICE_TOKENS, PRACTICE},
    {8, DUPLEX_PICTURE_TOKENS_4_SLICES + 4 * DUPLEX_SLICE_TOKENS, PRACTICE},
    {9, DUPLEX_PICTURE_TOKENS_4_SLICES + 5 * DUPLEX_SLICE_TOKENS, PRACTICE},
};

uint32_t duplex_picture_tokens(int64_t slices)
{
    if (slices < DUPLEX_SLICES_MIN)
        slices = DUPLEX_SLICES_MIN;
    if (slices > DUPLEX_SLICES_MAX)
        slices = DUPLEX_SLICES_MAX;
    return DUPLEX_SLICE_COSTS[slices - 1].tokens;
}

/* A token for four bytes of text; with the voices and the frame around them, the document's example of 36
 * bytes comes to its 256. */
uint32_t duplex_prompt_tokens(struct bytes instructions)
{
    const size_t text = instructions.len / 4;
    const size_t frame = DUPLEX_PROMPT_TOKENS - 36 / 4;
    return text >= DUPLEX_CONTEXT_TOKENS - frame ? DUPLEX_CONTEXT_TOKENS : (uint32_t)(frame + text);
}

uint32_t duplex_delta_tokens(size_t samples)
{
    if (samples >= DUPLEX_DELTA_SAMPLES)
        return DUPLEX_DELTA_TOKENS_MAX;
    const uint32_t tokens = (uint32_t)(samples * DUPLEX_DELTA_TOKENS_MAX / DUPLEX_DELTA_SAMPLES);
    return tokens == 0 ? 1 : tokens;
}

static void add(struct duplex_cache *cache, uint64_t tokens)
{
    const uint32_t left = DUPLEX_CONTEXT_TOKENS - cache->tokens;
    cache->tokens += tokens < left ? (uint32_t)tokens : left;
}

void duplex_cache_init(struct duplex_cache *cache, uint32_t prompt_tokens)
{
    *cache = (struct duplex_cache){.tokens = 0};
    add(cache, prompt_tokens);
}

void duplex_cache_listen(struct duplex_cache *cache, size_t samples)
{
    const uint64_t total = cache->rest + (uint64_t)samples * DUPLEX_LISTEN_TOKENS_PER_SECOND;
    cache->rest = (uint32_t)(total % DUPLEX_INPUT_RATE);
    add(cache, total / DUPLEX_INPUT_RATE);
}

void duplex_cache_see(struct duplex_cache *cache, size_t pictures, int64_t slices)
{
    add(cache, (uint64_t)pictures * duplex_picture_tokens(slices));
}

void duplex_cache_speak(struct duplex_cache *cache, size_t samples)
{
    add(cache, duplex_delta_tokens(samples));
}
