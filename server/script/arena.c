#include "server/script/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

enum { ARENA_BLOCK_BYTES = 16384, ARENA_ALIGN = alignof(max_align_t) };

struct arena_block {
    struct arena_block *next;
    size_t used;
    size_t size;
    alignas(max_align_t) unsigned char data[];
};

static struct arena_block *arena_block_new(struct script_arena *arena, size_t size)
{
    struct arena_block *block = calloc(1, sizeof *block + size);
    if (block == NULL)
        return NULL;
    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

void *arena_take(struct script_arena *arena, size_t size)
{
    size = (size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    struct arena_block *block = arena->blocks;
    const size_t at_least = arena->block_bytes != 0 ? arena->block_bytes : ARENA_BLOCK_BYTES;
    if (block == NULL || block->size - block->used < size)
        block = arena_block_new(arena, size > at_least ? size : at_least);
    if (block == NULL)
        return NULL;
    void *taken = block->data + block->used;
    block->used += size;
    return taken;
}

void arena_free(struct script_arena *arena)
{
    while (arena->blocks != NULL) {
        struct arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}
