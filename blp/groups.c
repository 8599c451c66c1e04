/* groups.c: how many blocks the copying of each direction takes. Source: Cui, 4.3.4. */
#include <datamotion/blp.h>

#include "common/error_cuda.h"
#include "common/memory.h"

#include "groups_copy.h"

enum { CANDIDATES = 8, ROUNDS = 4, BLOCKS_MAX = 32, WARP = 32 };
static const int candidates[CANDIDATES] = {1, 2, 3, 4, 6, 8, 12, 16};

#if defined(SOFTGPU)
enum { DEFAULT_THREADS = 64 };
static const size_t copy_bytes = 1u << 20;
#else
enum { DEFAULT_THREADS = 1024 };
static const size_t copy_bytes = 64u << 20;
#endif

/* Memory of the copies, and when each block began and ended. */
struct trial {
    void *host, *device; /* of both directions */
    void *words;         /* zeros */
    void *stamps;        /* BLOCKS_MAX begins, then as many ends */
    int threads;
};

/* Seconds from the first block's begin to the last one's end: until both directions are done. */
static enum dm_status copy_both_ways(const struct trial *trial, int in, int out, double *time_s)
{
    char *host = trial->host, *device = trial->device;
    long long *begins = trial->stamps, *ends = begins + BLOCKS_MAX;
    TRY_CUDA(groups_copy(host, device, host + copy_bytes, device + copy_bytes, copy_bytes, in, out,
                         trial->threads, trial->words, begins, ends, 0));
    TRY_CUDA(cudaDeviceSynchronize());
    long long begin = begins[0], end = ends[0];
    for (int b = 1; b < in + out; b++) {
        begin = begins[b] < begin ? begins[b] : begin;
        end = ends[b] > end ? ends[b] : end;
    }
    *time_s = 1e-9 * (double)(end - begin);
    return DM_OK;
}

/* The shortest times of all pairs, after a round that warms up. */
static enum dm_status measure_pairs(const struct trial *trial, int count,
                                    double (*times_s)[CANDIDATES])
{
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < count; i++)
            for (int o = 0; o < count; o++) {
                double time_s;
                TRY(copy_both_ways(trial, candidates[i], candidates[o], &time_s));
                if (round <= 1 || time_s < times_s[i][o])
                    times_s[i][o] = time_s;
            }
    return DM_OK;
}

/* Of the pairs within 5 % of the fastest that with the fewest blocks, of these the fastest. */
static void choose_pair(int count, double (*times_s)[CANDIDATES], struct blp_groups *groups)
{
    double fastest = times_s[0][0], chosen_s = 0.0;
    for (int pair = 1; pair < count * count; pair++)
        if (times_s[pair / count][pair % count] < fastest)
            fastest = times_s[pair / count][pair % count];
    groups->in = groups->out = BLOCKS_MAX;
    for (int pair = 0; pair < count * count; pair++) {
        double time_s = times_s[pair / count][pair % count];
        int i = candidates[pair / count], o = candidates[pair % count];
        int sum = groups->in + groups->out;
        bool fewer = i + o < sum || (i + o == sum && time_s < chosen_s);
        if (time_s * 0.95 <= fastest && fewer)
            groups->in = i, groups->out = o, chosen_s = time_s;
    }
}

static enum dm_status open_trial(struct trial *trial)
{
    TRY(memory_obtain(MEMORY_PINNED, 2 * copy_bytes, &trial->host));
    TRY(memory_obtain(MEMORY_PINNED, 2 * BLOCKS_MAX * sizeof(long long), &trial->stamps));
    TRY(memory_obtain(MEMORY_DEVICE, 2 * copy_bytes, &trial->device));
    TRY(memory_obtain(MEMORY_DEVICE, 2 * sizeof(unsigned), &trial->words));
    TRY_CUDA(cudaMemset(trial->words, 0, 2 * sizeof(unsigned)));
    return DM_OK;
}

static void close_trial(const struct trial *trial)
{
    memory_give_back(MEMORY_PINNED, trial->host);
    memory_give_back(MEMORY_PINNED, trial->stamps);
    memory_give_back(MEMORY_DEVICE, trial->device);
    memory_give_back(MEMORY_DEVICE, trial->words);
}

static enum dm_status measure(const struct trial *trial, struct blp_groups *groups)
{
    int device, processors, count = 0;
    double times_s[CANDIDATES][CANDIDATES];
    TRY_CUDA(cudaGetDevice(&device));
    TRY_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    while (count < CANDIDATES && 3 * candidates[count] <= processors)
        count++;
    count += count == 0;
    TRY(measure_pairs(trial, count, times_s));
    choose_pair(count, times_s, groups);
    groups->threads = trial->threads;
    return DM_OK;
}

enum dm_status blp_measure_groups(int threads, struct blp_groups *groups)
{
    struct trial trial = {.threads = threads ? threads : DEFAULT_THREADS};
    *groups = (struct blp_groups){0};
    if (trial.threads < WARP || trial.threads > BLP_THREADS_MAX || trial.threads % WARP)
        return dm_fail(DM_INVALID, "%d threads per block are not a multiple of %d up to %d",
                       threads, WARP, BLP_THREADS_MAX);
    enum dm_status status = open_trial(&trial);
    if (status == DM_OK)
        status = measure(&trial, groups);
    else
        cudaGetLastError(); /* or the next launch would report it */
    close_trial(&trial);
    return status;
}
