#include "contender.h"

const char *contender_jemalloc, *contender_mimalloc;

static struct block_cache *open_cache(const struct contender *contender)
{
    struct block_cache_config config = {
        .kind = contender->kind == CONTENDER_THESIS ? BLOCK_CACHE_THESIS : BLOCK_CACHE_SEGMENTS,
        .limit_bytes = contender->limit_bytes,
        .spare_percent = contender->spare_percent};
    struct block_cache *cache = block_cache_create(&config);
    if (!cache)
        fail("no host memory for the tables of a block cache");
    return cache;
}

static bool open_peer(struct contender *contender, const char **reason)
{
    bool jemalloc = contender->kind == CONTENDER_JEMALLOC;
    const char *library = malloc_peer_find(jemalloc ? contender_jemalloc : contender_mimalloc,
                                           jemalloc ? "libjemalloc.so.2" : "libmimalloc.so.2");
    *reason = jemalloc ? "libjemalloc.so.2 is in none of the usual folders (--jemalloc names it)"
                       : "libmimalloc.so.2 is in none of the usual folders (--mimalloc names it)";
    if (library)
        contender->peer = malloc_peer_start(library);
    return library != NULL;
}

/* False, with the reason, if this kind cannot run here. */
static bool open_one(struct contender *contender, const char **reason)
{
    switch (contender->kind) {
    case CONTENDER_UNCACHED:
        contender->allocator = allocator_uncached;
        return true;
    case CONTENDER_MALLOC:
        contender->allocator = allocator_malloc;
        return true;
    case CONTENDER_POOL:
        return allocator_pool_open(&contender->allocator, reason);
    case CONTENDER_JEMALLOC:
    case CONTENDER_MIMALLOC:
        return open_peer(contender, reason);
    default:
        return true;
    }
}

size_t contenders_open(struct run *run, const char *const variants[CONTENDER_KINDS],
                       struct contender contenders[CONTENDER_KINDS])
{
    size_t count = 0;
    for (int kind = 0; kind < CONTENDER_KINDS; kind++) {
        if (!variants[kind] || !program_wants(run, variants[kind]))
            continue;
        const char *reason = NULL;
        contenders[count] =
            (struct contender){.variant = variants[kind], .kind = (enum contender_kind)kind};
        if (open_one(&contenders[count], &reason))
            count++;
        else
            record_waived(run, variants[kind], reason);
    }
    return count;
}

static void close_cache(struct contender *contender)
{
    if (contender->cache)
        block_cache_destroy(contender->cache);
    contender->cache = NULL;
}

void contenders_close(struct contender *contenders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        close_cache(&contenders[i]);
        malloc_peer_stop(contenders[i].peer);
        if (contenders[i].kind == CONTENDER_POOL)
            allocator_pool_close(&contenders[i].allocator);
    }
}

void contender_load(struct contender *contender, const struct steps *steps, bool cold,
                    size_t limit_bytes, unsigned spare_percent)
{
    close_cache(contender);
    contender->steps = steps;
    contender->cold = cold;
    contender->limit_bytes = limit_bytes;
    contender->spare_percent = spare_percent;
    if (contender->peer)
        malloc_peer_load(contender->peer, steps);
}

double contender_sample(void *context)
{
    struct contender *contender = context;
    if (contender->peer)
        return malloc_peer_replay(contender->peer);
    if (contender->kind != CONTENDER_THESIS && contender->kind != CONTENDER_CACHE)
        return allocator_replay(&contender->allocator, contender->steps);
    if (!contender->cache)
        contender->cache = open_cache(contender);
    contender->allocator = allocator_of_cache(contender->cache);
    double time_s = allocator_replay(&contender->allocator, contender->steps);
    block_cache_statistics(contender->cache, &contender->statistics);
    if (contender->cold)
        close_cache(contender);
    return time_s;
}
