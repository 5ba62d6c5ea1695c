/*
 * How the context fills: the tokens that listening, pictures and speaking cost, and the length of the cache
 * that every delta and listen tells (kv_cache_length). 002 session.update, Mode Constraints; field notes.
 */
#ifndef CODEC_DUPLEX_CACHE_H
#define CODEC_DUPLEX_CACHE_H

#include "codec/duplex/constants.h"
#include "codec/wire/bytes.h"

/* What one picture costs, by the limit of slices. */
struct duplex_slice_cost {
    uint32_t slices;
    uint32_t tokens;
    const char *source; /* "002 session.update", "field notes" */
};

/* For DUPLEX_SLICES_MIN to DUPLEX_SLICES_MAX, in that order. */
extern const struct duplex_slice_cost DUPLEX_SLICE_COSTS[DUPLEX_SLICES_MAX];

/* Slices outside the table count as its nearest end. */
uint32_t duplex_picture_tokens(int64_t slices);
/* Of a system prompt; the document's example has 256. */
uint32_t duplex_prompt_tokens(struct bytes instructions);
/* Of a delta: in proportion to its sound, DUPLEX_DELTA_TOKENS_MAX for a second or more, one at least. */
uint32_t duplex_delta_tokens(size_t samples);

struct duplex_cache {
    uint32_t tokens; /* never more than DUPLEX_CONTEXT_TOKENS */
    uint32_t rest;   /* of listening, less than a token: samples times tokens a second */
};

void duplex_cache_init(struct duplex_cache *cache, uint32_t prompt_tokens);
/* Each is what was listened to, seen or said; the cache stops at its limit. */
void duplex_cache_listen(struct duplex_cache *cache, size_t samples);
void duplex_cache_see(struct duplex_cache *cache, size_t pictures, int64_t slices);
void duplex_cache_speak(struct duplex_cache *cache, size_t samples);
static inline bool duplex_cache_is_full(const struct duplex_cache *cache)
{
    return cache->tokens >= DUPLEX_CONTEXT_TOKENS;
}

#endif
