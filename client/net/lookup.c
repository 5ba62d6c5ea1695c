#define _DEFAULT_SOURCE /* EAI_NODATA */
#include "client/net/lookup.h"

#include <errno.h>
#include <netdb.h>
#include <stdbool.h>

enum { STACK_BYTES = 1024 * 1024 };

static int status_of(int result)
{
    switch (result) {
    case 0:
        return 0;
    case EAI_AGAIN:
        return UV_EAI_AGAIN;
    case EAI_FAMILY:
        return UV_EAI_FAMILY;
    case EAI_MEMORY:
        return UV_EAI_MEMORY;
    case EAI_NONAME:
        return UV_EAI_NONAME;
    case EAI_SERVICE:
        return UV_EAI_SERVICE;
    case EAI_SYSTEM:
        return uv_translate_sys_error(errno);
    default:
        return UV_EAI_FAIL;
    }
}

static int addresses_of(struct lookup *lookup, int flags)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = flags};
    return getaddrinfo(lookup->host, lookup->port, &hints, &lookup->addresses);
}

static void look_up(void *context)
{
    struct lookup *lookup = context;
    lookup->status = status_of(addresses_of(lookup, 0));
    uv_async_send(&lookup->done);
}

static void on_closed(uv_handle_t *handle)
{
    struct lookup *lookup = handle->data;
    lookup->found(lookup->context, lookup->status, lookup->addresses);
}

static void on_done(uv_async_t *handle)
{
    struct lookup *lookup = handle->data;
    uv_thread_join(&lookup->thread);
    uv_close((uv_handle_t *)handle, on_closed);
}

int lookup_start(struct lookup *lookup, uv_loop_t *loop)
{
    const uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = STACK_BYTES};
    lookup->addresses = NULL;
    lookup->done.data = lookup;
    int status = uv_async_init(loop, &lookup->done, on_done);
    if (status != 0)
        return status;
    const bool is_address = addresses_of(lookup, AI_NUMERICHOST) == 0;
    if (!is_address && (status = uv_thread_create_ex(&lookup->thread, &options, look_up, lookup)) == 0)
        return 0;
    /* Without a thread it is told in the next round of the loop, as any other outcome. */
    lookup->status = status == UV_EAGAIN ? UV_ENOMEM : status;
    uv_close((uv_handle_t *)&lookup->done, on_closed);
    return 0;
}
