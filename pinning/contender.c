#include "contender.h"

#include <stdlib.h>

#include "common/harness/exit.h"

const char *contender_jemalloc, *contender_mimalloc;

static struct pinning_cache *open_cache(const struct contender *contender)
{
    struct pinning_cache_config config = {
        .kind = contender->kind == CONTENDER_THESIS ? PINNING_CACHE_THESIS : PINNING_CACHE_SEGMENTS,
        .limit_bytes = contender->limit_bytes,
        .spare_percent = contender->spare_percent};
    struct pinning_cache *cache;
    check_status(pinning_cache_create(&cache, &config));
    return cache;
}

static enum dm_status open_peer(struct contender *contender, const char *given, const char *library,
                                const char *option)
{
    const char *path = malloc_peer_find(given, library);
    if (!path)
        return dm_fail(DM_UNAVAILABLE, "%s is in none of the usual folders (--%s names it)",
                       library, option);
    contender->peer = malloc_peer_start(path);
    return DM_OK;
}

static enum dm_status open_one(struct contender *contender)
{
    switch (contender->kind) {
    case CONTENDER_UNCACHED:
        contender->allocator = allocator_uncached;
        return DM_OK;
    case CONTENDER_MALLOC:
        contender->allocator = allocator_malloc;
        return DM_OK;
    case CONTENDER_POOL:
        return allocator_pool_open(&contender->allocator);
    case CONTENDER_JEMALLOC:
        return open_peer(contender, contender_jemalloc, "libjemalloc.so.2", "jemalloc");
    case CONTENDER_MIMALLOC:
        return open_peer(contender, contender_mimalloc, "libmimalloc.so.2", "mimalloc");
    default:
        return DM_OK;
    }
}

struct contenders contenders_open(struct run *run, const enum contender_kind *kinds)
{
    const struct variant *variants = run->program->variants;
    size_t variant_count = 0;
    while (variants[variant_count].name)
        variant_count++;
    struct contenders opened = {.all = allocate_or_fail(variant_count, sizeof *opened.all)};
    for (int variant = 0; variant < (int)variant_count; variant++) {
        struct contender contender = {.variant = variant, .kind = kinds[variant]};
        if (!program_wants_variant(run, variant))
            continue;
        if (open_one(&contender) == DM_OK)
            opened.all[opened.count++] = contender;
        else
            record_waived(run, variants[variant].name, dm_message());
    }
    return opened;
}

static void close_cache(struct contender *contender)
{
    pinning_cache_destroy(contender->cache);
    contender->cache = NULL;
}

void contenders_close(struct contenders *contenders)
{
    for (size_t i = 0; i < contenders->count; i++) {
        struct contender *contender = &contenders->all[i];
        close_cache(contender);
        malloc_peer_stop(contender->peer);
        if (contender->kind == CONTENDER_POOL)
            allocator_pool_close(&contender->allocator);
    }
    free(contenders->all);
}

void contenders_compare(struct run *run, struct contenders *contenders,
                        const struct comparison *comparison, const void *workload)
{
    for (size_t i = 0; i < contenders->count; i++)
        contenders->all[i].workload = workload;
    compare_tasks(run, comparison, contenders->all, contenders->count);
}

bool contender_is_cache(const struct contender *contender)
{
    return contender->kind == CONTENDER_THESIS || contender->kind == CONTENDER_CACHE;
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

double contender_replay(void *context)
{
    struct contender *contender = context;
    if (contender->peer)
        return malloc_peer_replay(contender->peer);
    if (!contender_is_cache(contender))
        return allocator_replay(&contender->allocator, contender->steps);
    if (!contender->cache)
        contender->cache = open_cache(contender);
    contender->allocator = allocator_of_cache(contender->cache);
    double time_s = allocator_replay(&contender->allocator, contender->steps);
    pinning_cache_statistics(contender->cache, &contender->statistics);
    if (contender->cold)
        close_cache(contender);
    return time_s;
}
