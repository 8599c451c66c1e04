#include "pending.h"

#include <stdlib.h>

#include "common/error_cuda.h"

enum { POLL_INTERVAL = 64 };

void pending_init(struct pending *pending)
{
    *pending = (struct pending){0};
    pthread_mutex_init(&pending->lock, NULL);
}

static struct pending_release *take_unused(struct pending *pending, int device)
{
    pthread_mutex_lock(&pending->lock);
    struct pending_release **at = &pending->unused;
    while (*at && (*at)->device != device)
        at = &(*at)->next;
    struct pending_release *found = *at;
    if (found)
        *at = found->next;
    pthread_mutex_unlock(&pending->lock);
    return found;
}

static enum dm_status make_release(int device, struct pending_release **made)
{
    struct pending_release *release = malloc(sizeof *release);
    if (!release)
        return error_no_memory(sizeof *release);
    *release = (struct pending_release){.device = device};
    enum dm_status status =
        status_of_cuda(cudaEventCreateWithFlags(&release->event, cudaEventDisableTiming));
    if (status == DM_OK)
        *made = release;
    else
        free(release);
    return status;
}

enum dm_status pending_record(struct pending *pending, cudaStream_t stream,
                              struct pending_release **release)
{
    int device;
    TRY_CUDA(cudaGetDevice(&device));
    *release = take_unused(pending, device);
    if (!*release)
        TRY(make_release(device, release));
    enum dm_status status = status_of_cuda(cudaEventRecord((*release)->event, stream));
    if (status != DM_OK)
        pending_cancel(pending, *release);
    return status;
}

void pending_cancel(struct pending *pending, struct pending_release *release)
{
    pthread_mutex_lock(&pending->lock);
    release->next = pending->unused;
    pending->unused = release;
    pthread_mutex_unlock(&pending->lock);
}

bool pending_add(struct pending *pending, struct pending_release *release, void *block)
{
    release->block = block;
    pthread_mutex_lock(&pending->lock);
    release->next = pending->first;
    pending->first = release;
    pending->count++;
    bool poll = ++pending->added % POLL_INTERVAL == 0;
    pthread_mutex_unlock(&pending->lock);
    return poll;
}

void pending_poll(struct pending *pending, void (*reclaim)(void *context, void *block),
                  void *context)
{
    pthread_mutex_lock(&pending->lock);
    struct pending_release **at = &pending->first;
    while (*at) {
        struct pending_release *release = *at;
        if (cudaEventQuery(release->event) == cudaErrorNotReady) {
            cudaGetLastError(); /* CUDA keeps it as the last error, but it is none */
            at = &release->next;
            continue;
        }
        *at = release->next;
        pending->count--;
        reclaim(context, release->block);
        release->next = pending->unused;
        pending->unused = release;
    }
    pthread_mutex_unlock(&pending->lock);
}

size_t pending_count(struct pending *pending)
{
    pthread_mutex_lock(&pending->lock);
    size_t count = pending->count;
    pthread_mutex_unlock(&pending->lock);
    return count;
}

static void destroy_list(struct pending_release *first)
{
    while (first) {
        struct pending_release *next = first->next;
        cudaEventDestroy(first->event);
        free(first);
        first = next;
    }
}

void pending_destroy(struct pending *pending)
{
    for (struct pending_release *release = pending->first; release; release = release->next)
        cudaEventSynchronize(release->event);
    destroy_list(pending->first);
    destroy_list(pending->unused);
    pthread_mutex_destroy(&pending->lock);
}
