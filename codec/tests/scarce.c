#include "codec/tests/scarce.h"

#include <cjson/cJSON.h>
#include <stdint.h>

/* What the linker makes of the names in the program, and of the true ones. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static struct {
    size_t left; /* until one fails, from 1 on; 0: none does */
    bool all, failed;
    long blocks;
} scarce;

static bool fails(void)
{
    if (scarce.left == 0)
        return false;
    if (scarce.left > 1) {
        scarce.left--;
        return false;
    }
    scarce.left = scarce.all ? 1 : 0;
    scarce.failed = true;
    return true;
}

static void *counted(void *block)
{
    scarce.blocks += block != NULL ? 1 : 0;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (fails())
        return NULL;
    return block == NULL ? counted(__real_realloc(NULL, size)) : __real_realloc(block, size);
}

void __wrap_free(void *block)
{
    scarce.blocks -= block != NULL ? 1 : 0;
    __real_free(block);
}

void scarce_begin(size_t n, bool all)
{
    cJSON_Hooks hooks = {.malloc_fn = __wrap_malloc, .free_fn = __wrap_free};
    cJSON_InitHooks(&hooks);
    scarce.left = n;
    scarce.all = all;
    scarce.failed = false;
}

bool scarce_end(void)
{
    scarce.left = 0;
    return scarce.failed;
}

long scarce_blocks(void)
{
    return scarce.blocks;
}
