/* staging.c: the bounce buffer of one copy of pageable memory: two slots, filled by one thread and
 * drained by another. Buffers are kept for the next copy. */
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime.h"

static pthread_mutex_t unused_lock = PTHREAD_MUTEX_INITIALIZER;
static struct staging *unused;

static struct staging *staging_make(void)
{
    struct staging *staging = calloc(1, sizeof *staging);
    char *memory = mmap(NULL, STAGING_SLOTS * STAGING_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

    if (!staging || memory == MAP_FAILED) {
        free(staging);
        if (memory != MAP_FAILED)
            munmap(memory, STAGING_SLOTS * STAGING_BYTES);
        return NULL;
    }
    for (int i = 0; i < STAGING_SLOTS; i++)
        staging->slots[i] = memory + i * STAGING_BYTES;
    pthread_mutex_init(&staging->lock, NULL);
    pthread_cond_init(&staging->moved, NULL);
    return staging;
}

struct staging *staging_take(unsigned references)
{
    pthread_mutex_lock(&unused_lock);
    struct staging *staging = unused;
    if (staging)
        unused = staging->next_unused;
    pthread_mutex_unlock(&unused_lock);
    if (!staging)
        staging = staging_make();
    if (staging) {
        staging->references = references;
        staging->filled = staging->drained = 0;
        staging->abandoned = false;
    }
    return staging;
}

void staging_drop(struct staging *staging)
{
    pthread_mutex_lock(&staging->lock);
    bool last = --staging->references == 0;
    pthread_mutex_unlock(&staging->lock);
    if (last) {
        pthread_mutex_lock(&unused_lock);
        staging->next_unused = unused;
        unused = staging;
        pthread_mutex_unlock(&unused_lock);
    }
}

char *staging_wait_free(struct staging *staging)
{
    pthread_mutex_lock(&staging->lock);
    while (!staging->abandoned && staging->filled - staging->drained == STAGING_SLOTS)
        pthread_cond_wait(&staging->moved, &staging->lock);
    char *slot = staging->abandoned ? NULL : staging->slots[staging->filled % STAGING_SLOTS];
    pthread_mutex_unlock(&staging->lock);
    return slot;
}

char *staging_wait_full(struct staging *staging)
{
    pthread_mutex_lock(&staging->lock);
    while (!staging->abandoned && staging->filled == staging->drained)
        pthread_cond_wait(&staging->moved, &staging->lock);
    char *slot = staging->abandoned ? NULL : staging->slots[staging->drained % STAGING_SLOTS];
    pthread_mutex_unlock(&staging->lock);
    return slot;
}

static void advance(struct staging *staging, size_t *count)
{
    pthread_mutex_lock(&staging->lock);
    ++*count;
    pthread_cond_broadcast(&staging->moved);
    pthread_mutex_unlock(&staging->lock);
}

void staging_filled(struct staging *staging)
{
    advance(staging, &staging->filled);
}

void staging_drained(struct staging *staging)
{
    advance(staging, &staging->drained);
}

void staging_abandon(struct staging *staging)
{
    pthread_mutex_lock(&staging->lock);
    staging->abandoned = true;
    pthread_cond_broadcast(&staging->moved);
    pthread_mutex_unlock(&staging->lock);
}
