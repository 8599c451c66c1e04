#include <stdatomic.h>

#include "error.h"
#include "far.h"
#include "messages.h"
#include "parcel.h"
#include "runtime.h"

enum dm_status caf_sync_memory(void)
{
    /* Stores to near images, which other processors then see in this order. */
    atomic_thread_fence(memory_order_seq_cst);
    /* And what the thread that serves other images reads and has written. */
    if (runtime.windows) {
        messages_hold();
        messages_release();
    }
    TRY(parcels_complete());
    TRY(parcels_receive());
    enum dm_status status = memory_flush();
    if (status == DM_OK)
        status = packed_complete();
    if (status == DM_OK)
        pending_clear();
    return status;
}
