/* blp_groups.c: how many blocks the copying of each direction takes. Source: Cui, 4.3.4. */
#include "blp_groups.h"

#include "common/gpu.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"

#include "blp.h"

enum { CANDIDATES = 8, ROUNDS = 4, BLOCKS_MOST = 32 };
static const int candidates[CANDIDATES] = {1, 2, 3, 4, 6, 8, 12, 16};

#if defined(SOFTGPU)
enum { DEFAULT_THREADS = 64 };
static const size_t copy_bytes = 1u << 20;
#else
enum { DEFAULT_THREADS = 1024 };
static const size_t copy_bytes = 64u << 20;
#endif

/* The last measurement, of this process; threads == 0: none. */
static struct {
    int threads, in, out;
} measured;

static int default_blocks(int found, int blocks, int threads, int share)
{
    if (measured.threads)
        return (found * measured.threads + threads - 1) / threads;
    return blocks / share > 1 ? blocks / share : 1;
}

int blp_default_copy_in(int blocks, int threads, int share)
{
    return default_blocks(measured.in, blocks, threads, share);
}

int blp_default_copy_out(int blocks, int threads, int share)
{
    return default_blocks(measured.out, blocks, threads, share);
}

/* ---- measurement ---- */

/* Memory of the copies, and when each block began and ended. */
struct trial {
    char *host, *device;
    unsigned *words; /* zeros */
    long long *begin_ns, *end_ns;
    int threads;
};

/* Seconds from the first block's begin to the last one's end: until both directions are done. */
static double copy_both_ways(const struct trial *trial, int in, int out)
{
    check_cuda(blp_groups_copy(trial->host, trial->device, trial->host + copy_bytes,
                               trial->device + copy_bytes, copy_bytes, in, out, trial->threads,
                               trial->words, trial->begin_ns, trial->end_ns, 0));
    check_cuda(cudaDeviceSynchronize());
    long long begin = trial->begin_ns[0], end = trial->end_ns[0];
    for (int b = 1; b < in + out; b++) {
        begin = trial->begin_ns[b] < begin ? trial->begin_ns[b] : begin;
        end = trial->end_ns[b] > end ? trial->end_ns[b] : end;
    }
    return 1e-9 * (double)(end - begin);
}

/* The shortest times of all pairs, after a round that warms up. */
static void measure_pairs(const struct trial *trial, int count, double (*times_s)[CANDIDATES])
{
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < count; i++)
            for (int o = 0; o < count; o++) {
                double time_s = copy_both_ways(trial, candidates[i], candidates[o]);
                if (round <= 1 || time_s < times_s[i][o])
                    times_s[i][o] = time_s;
            }
}

/* Of the pairs within 5 % of the fastest that with the fewest blocks, of these the fastest. */
static void choose_pair(int count, double (*times_s)[CANDIDATES], int *in, int *out)
{
    double fastest = times_s[0][0], chosen_s = 0.0;
    for (int pair = 1; pair < count * count; pair++)
        if (times_s[pair / count][pair % count] < fastest)
            fastest = times_s[pair / count][pair % count];
    *in = *out = BLOCKS_MOST;
    for (int pair = 0; pair < count * count; pair++) {
        double time_s = times_s[pair / count][pair % count];
        int i = candidates[pair / count], o = candidates[pair % count];
        bool fewer = i + o < *in + *out || (i + o == *in + *out && time_s < chosen_s);
        if (time_s * 0.95 <= fastest && fewer)
            *in = i, *out = o, chosen_s = time_s;
    }
}

void blp_measure_groups(int threads, int *copy_in_blocks, int *copy_out_blocks)
{
    int device, count = 0;
    double times_s[CANDIDATES][CANDIDATES];
    check_cuda(cudaGetDevice(&device));
    int processors = gpu_attribute(cudaDevAttrMultiProcessorCount, device);
    threads = threads ? threads : DEFAULT_THREADS;
    long long *stamps = memory_allocate(MEMORY_PINNED, 2 * BLOCKS_MOST * sizeof *stamps);
    struct trial trial = {memory_allocate(MEMORY_PINNED, 2 * copy_bytes),
                          memory_allocate(MEMORY_DEVICE, 2 * copy_bytes),
                          memory_allocate(MEMORY_DEVICE, 2 * sizeof(unsigned)),
                          stamps,
                          stamps + BLOCKS_MOST,
                          threads};
    check_cuda(cudaMemset(trial.words, 0, 2 * sizeof *trial.words));
    while (count < CANDIDATES && 3 * candidates[count] <= processors)
        count++;
    count += count == 0;
    measure_pairs(&trial, count, times_s);
    choose_pair(count, times_s, copy_in_blocks, copy_out_blocks);
    memory_release(MEMORY_PINNED, trial.host);
    memory_release(MEMORY_DEVICE, trial.device);
    memory_release(MEMORY_DEVICE, trial.words);
    memory_release(MEMORY_PINNED, stamps);
    measured.threads = threads;
    measured.in = *copy_in_blocks;
    measured.out = *copy_out_blocks;
}
