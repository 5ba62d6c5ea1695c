/* Memory that is given back all at once: what the tree of a script is made of. */
#ifndef SERVER_SCRIPT_ARENA_H
#define SERVER_SCRIPT_ARENA_H

#include <stddef.h>

struct arena_block;

struct script_arena {
    struct arena_block *blocks;
    size_t block_bytes; /* taken from the system at a time; 0: enough for a tree */
};

/* Zeroed, aligned for anything; NULL when memory runs out. Stays until arena_free. */
void *arena_take(struct script_arena *arena, size_t size);
void arena_free(struct script_arena *arena);

#endif
