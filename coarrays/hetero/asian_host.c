/* asian_host.c: Asian options on the CPU. Threads work on paths of one option or on options of
 * their own; within a thread the paths of a tile go in SIMD lanes. */
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/error.h"

#include "asian_path.h"

/* Paths that are advanced together: some vectors, so that their operations overlap. */
enum { TILE = 32 };

static void add_lanes(struct asian_sums lanes[ASIAN_LANES])
{
    for (int half = ASIAN_LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            asian_add_sums(&lanes[i], &lanes[i + half]);
}

/* The TILE paths from `first` on, to their ends. */
static inline __attribute__((always_inline)) void
walk_paths(const struct asian_walk *walk, uint32_t first, struct asian_path paths[TILE])
{
    float logarithm[TILE] = {0}, prices[TILE] = {0}, logarithms[TILE] = {0};
    for (uint32_t group = 0; group < walk->groups; group++)
#pragma omp simd
        for (int i = 0; i < TILE; i++) {
            struct asian_path path = {logarithm[i], prices[i], logarithms[i]};
            asian_advance(walk, first + (uint32_t)i, group, &path);
            logarithm[i] = path.logarithm;
            prices[i] = path.prices;
            logarithms[i] = path.logarithms;
        }
    for (int i = 0; i < TILE; i++)
        paths[i] = (struct asian_path){logarithm[i], prices[i], logarithms[i]};
}

#define WALK_TILE(name, attributes)                                                                \
    attributes static void name(const struct asian_walk *walk, uint32_t first,                     \
                                struct asian_path paths[TILE])                                     \
    {                                                                                              \
        walk_paths(walk, first, paths);                                                            \
    }

WALK_TILE(walk_tile_anywhere, )

/* For processors by what they can do, and not by the levels of the x86-64 architecture: a virtual
 * machine may hide an instruction that a level asks for and that is not used here, and without FMA
 * each fused operation is a call, ten times as slow. The bits are the same. */
#if defined(__x86_64__)
WALK_TILE(walk_tile_avx2, __attribute__((target("avx2,fma"))))
WALK_TILE(walk_tile_avx512, __attribute__((target("avx512f,avx512dq,avx512vl,fma"))))

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

static void walk_tile(const struct asian_walk *walk, uint32_t first, struct asian_path paths[TILE])
{
#if defined(__x86_64__)
    if (has_avx512())
        walk_tile_avx512(walk, first, paths);
    else if (has_avx2())
        walk_tile_avx2(walk, first, paths);
    else
#endif
        walk_tile_anywhere(walk, first, paths);
}

static struct asian_sums block_sums(const struct asian_walk *walk, int64_t paths, int64_t block)
{
    struct asian_sums lanes[ASIAN_LANES] = {0};
    int count = asian_paths_of_block(paths, block);
    for (int begin = 0; begin < count; begin += TILE) {
        struct asian_path tile[TILE];
        walk_tile(walk, (uint32_t)(block * ASIAN_BLOCK_PATHS + begin), tile);
        for (int i = 0; i < TILE && begin + i < count; i++)
            asian_add_path(walk, &tile[i], &lanes[(begin + i) % ASIAN_LANES]);
    }
    add_lanes(lanes);
    return lanes[0];
}

/* In both versions thread t begins with part t, so that as many threads work as there are parts,
 * and goes on with the next part that no thread has taken. */

enum dm_status asian_host_mt(const struct asian_simulation *simulation,
                             const struct asian_option *options, size_t count, int threads,
                             struct asian_sums *sums, int *busy_threads)
{
    int64_t blocks = asian_blocks(simulation);
    struct asian_sums *parts = calloc((size_t)blocks, sizeof *parts);
    if (!parts)
        return error_no_memory((size_t)blocks * sizeof *parts);
    atomic_llong next = 0;
    int busy = 0;
#pragma omp parallel num_threads(threads) reduction(+ : busy)
    {
#pragma omp single
        atomic_store(&next, omp_get_num_threads());
        for (size_t i = 0; i < count; i++) {
            struct asian_walk walk = asian_walk_of(simulation, &options[i]);
            int64_t block = omp_get_thread_num();
            for (; block < blocks; block = atomic_fetch_add(&next, 1)) {
                parts[block] = block_sums(&walk, simulation->paths, block);
                busy = 1;
            }
#pragma omp barrier
#pragma omp single
            {
                sums[i] = parts[0];
                for (int64_t b = 1; b < blocks; b++)
                    asian_add_sums(&sums[i], &parts[b]);
                atomic_store(&next, omp_get_num_threads());
            }
        }
    }
    free(parts);
    if (busy_threads)
        *busy_threads = busy;
    return DM_OK;
}

static struct asian_sums price_serially(const struct asian_simulation *simulation,
                                        const struct asian_option *option)
{
    struct asian_walk walk = asian_walk_of(simulation, option);
    struct asian_sums sums = block_sums(&walk, simulation->paths, 0);
    for (int64_t block = 1; block < asian_blocks(simulation); block++) {
        struct asian_sums part = block_sums(&walk, simulation->paths, block);
        asian_add_sums(&sums, &part);
    }
    return sums;
}

int asian_host_mo(const struct asian_simulation *simulation, const struct asian_option *options,
                  size_t count, int threads, struct asian_sums *sums)
{
    atomic_size_t next = 0;
    int busy = 0;
#pragma omp parallel num_threads(threads) reduction(+ : busy)
    {
#pragma omp single
        atomic_store(&next, (size_t)omp_get_num_threads());
        size_t i = (size_t)omp_get_thread_num();
        for (; i < count; i = atomic_fetch_add(&next, 1)) {
            sums[i] = price_serially(simulation, &options[i]);
            busy = 1;
        }
    }
    return busy;
}
