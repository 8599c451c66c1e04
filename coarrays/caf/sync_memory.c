#include <stdatomic.h>

#include "error.h"
#include "far.h"

int caf_sync_memory(void)
{
    /* Stores to near images, which other processors then see in this order. */
    atomic_thread_fence(memory_order_seq_cst);
    int code = memory_flush();
    if (!code)
        code = packed_complete();
    if (!code)
        pending_clear();
    return code;
}
