#include "store_kernel.h"

#include <datamotion/launch.h>

/* Without it the kernel would copy its parameter into local memory. */
#if defined(__CUDACC__)
#define IN_PLACE __grid_constant__
#else
#define IN_PLACE
#endif

/* A thread has BATCH vectors of 16 bytes in flight, a thread block a tile of 64 KiB: about what a
 * multiprocessor needs for its share of the link at 1 us. The software GPU's threads share a
 * core, and more than a few only have to be switched at each barrier. */
#if defined(SOFTGPU)
enum { THREADS = 32 };
#else
enum { THREADS = 1024 };
#endif
enum { BATCH = 4, TILE_VECTORS = THREADS * BATCH, TILE_BYTES = TILE_VECTORS * sizeof(uint4) };

/* Blocks of up to a tile take one round of loads and stores; to deal them out would cost more than
 * it gains. */
enum { ALONE_BYTES = TILE_BYTES };

/* Kind of a command or job that is none; kinds below are ways. The bytes of such a job are the
 * number of the launch, as the word of an earlier launch may still be there. */
enum { LEAVE = STORE_WAYS };

static __device__ unsigned kind_of(uint64_t word)
{
    return (unsigned)(word >> STORE_KIND_SHIFT) & 3;
}

static __device__ size_t bytes_of(uint64_t word)
{
    return word & (((uint64_t)1 << STORE_KIND_SHIFT) - 1);
}

static __device__ bool bears(uint64_t word, uint64_t number)
{
    return word >> STORE_TAG_SHIFT == store_tag(number) >> STORE_TAG_SHIFT;
}

static __device__ uint64_t leave_word(uint32_t launch)
{
    return (uint64_t)LEAVE << STORE_KIND_SHIFT | launch;
}

/* Acquires: what was written before the word is seen by the whole block behind the next barrier,
 * also where this multiprocessor has an older copy in its L1 cache. One load does it all, as each
 * takes a round trip over the bus if the word is in host memory. */
static __device__ uint64_t look(const uint64_t *word)
{
    uint64_t value;
#if defined(__CUDA_ARCH__)
    asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
#else
    value = *(const volatile uint64_t *)word;
    __threadfence_system();
#endif
    return value;
}

/* Releases: whoever sees the flag sees what this thread has written, and what it has seen of
 * others, as of its block before a barrier. */
static __device__ void set_flag(uint32_t *flag, uint32_t value)
{
#if defined(__CUDA_ARCH__)
    asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
#else
    __threadfence_system();
    *(volatile uint32_t *)flag = value;
#endif
}

static __device__ void put(uint64_t *word, uint64_t value)
{
    *(volatile uint64_t *)word = value;
}

/* On a GPU a look takes long enough; the software GPU's threads share the processor's cores. */
static __device__ void give_way(void)
{
#if defined(SOFTGPU)
    __nanosleep(1000);
#endif
}

/* ---- moving ---- */

/* The `part`th of `parts` shares, in tiles. Buffers are aligned, so only the end can be odd. */
static __device__ void move_part(const struct store_way *way, size_t bytes, unsigned part,
                                 unsigned parts)
{
    const uint4 *from = (const uint4 *)way->from;
    uint4 *to = (uint4 *)way->to;
    const size_t vectors = bytes / sizeof(uint4);
    for (size_t tile = part; tile * TILE_VECTORS < vectors; tile += parts) {
        const size_t first = tile * TILE_VECTORS + threadIdx.x;
        uint4 batch[BATCH] = {};
        for (int i = 0; i < BATCH; i++)
            if (first + i * THREADS < vectors)
                batch[i] = from[first + i * THREADS];
        for (int i = 0; i < BATCH; i++)
            if (first + i * THREADS < vectors)
                to[first + i * THREADS] = batch[i];
    }
    if (part == 0 && threadIdx.x < bytes % sizeof(uint4)) {
        const size_t place = vectors * sizeof(uint4) + threadIdx.x;
        ((char *)way->to)[place] = ((const char *)way->from)[place];
    }
}

/* ---- block 0, which commands ---- */

static __device__ bool is_for_all(uint64_t command)
{
    return bytes_of(command) > ALONE_BYTES && gridDim.x > 1;
}

static __device__ bool jobs_are_finished(const struct store *store, uint64_t jobs)
{
    return look(&store->progress->finished) == jobs;
}

/* The fence keeps flags in order: those that this block has raised go before that of the job. */
static __device__ void give_out(const struct store *store, uint64_t number, uint64_t command,
                                uint32_t flag)
{
    struct store_job *job = &store->jobs[number & (store->slots - 1)];
    const uint64_t content = command & (((uint64_t)1 << STORE_TAG_SHIFT) - 1);
    __threadfence();
    put(&job->flag, store_tag(number) | flag);
    put(&job->command, store_tag(number) | content);
}

static __device__ void leave_kernel(const struct store *store, const struct store_progress *now,
                                    uint32_t launch)
{
    struct store_progress *kept = store->progress;
    put(&kept->commands, now->commands);
    put(&kept->jobs, now->jobs);
    for (int way = 0; way < STORE_WAYS; way++)
        kept->flags[way] = now->flags[way];
    put(&store->jobs[now->jobs & (store->slots - 1)].command,
        store_tag(now->jobs) | leave_word(launch));
    set_flag(store->left, launch);
}

/* The next command, or a leave word when there has been none for so long. One that is not for all
 * waits until the jobs before it are finished: flags go up in the order of the commands. */
static __device__ uint64_t await_command(const struct store *store,
                                         const struct store_progress *now)
{
    const uint64_t *slot = &store->commands[now->commands & (store->slots - 1)];
    const long long start = clock64();
    uint64_t command = look(slot);
    while (!bears(command, now->commands)) {
        if (clock64() - start > store->idle_ticks && jobs_are_finished(store, now->jobs))
            return leave_word(0);
        give_way();
        command = look(slot);
    }
    while (!is_for_all(command) && !jobs_are_finished(store, now->jobs))
        give_way();
    return command;
}

/* The next flag of the way. No array index, which would put the counters into local memory. */
static __device__ uint32_t count_flag(struct store_progress *now, unsigned way)
{
    now->flags[0] += way == 0;
    now->flags[1] += way == 1;
    return way == 0 ? now->flags[0] : now->flags[1];
}

static __device__ void command_blocks(const struct store *store, uint32_t launch)
{
    __shared__ uint64_t shared_command;
    struct store_progress now = *store->progress;
    for (;;) {
        if (threadIdx.x == 0)
            shared_command = await_command(store, &now);
        __syncthreads();
        const uint64_t command = shared_command;
        const unsigned way = kind_of(command);
        if (way == LEAVE)
            break;
        if (!is_for_all(command))
            move_part(&store->ways[way], bytes_of(command), 0, 1);
        __syncthreads();
        now.commands++;
        const uint32_t flag = count_flag(&now, way);
        if (is_for_all(command)) {
            if (threadIdx.x == 0)
                give_out(store, now.jobs, command, flag);
            now.jobs++;
        } else if (threadIdx.x == 0) {
            set_flag(store->ways[way].flag, flag);
        }
    }
    if (threadIdx.x == 0)
        leave_kernel(store, &now, launch);
}

/* ---- the other blocks ---- */

/* The command of the job, or a leave word of this launch. The flag's word is not written with a
 * leave word, so that its tag is always that of a job. */
static __device__ uint64_t await_job(const struct store *store, uint64_t number, uint32_t launch,
                                     uint32_t *flag)
{
    const struct store_job *job = &store->jobs[number & (store->slots - 1)];
    for (;; give_way()) {
        const uint64_t command = look(&job->command), flag_word = look(&job->flag);
        if (command == (store_tag(number) | leave_word(launch)))
            return command;
        *flag = (uint32_t)flag_word;
        if (bears(command, number) && kind_of(command) != LEAVE && bears(flag_word, number))
            return command;
    }
}

/* The counter is ready for the next job of the slot before the flag allows one. */
static __device__ void report(const struct store *store, uint64_t number, unsigned way,
                              uint32_t flag)
{
    struct store_job *job = &store->jobs[number & (store->slots - 1)];
    __threadfence_system();
    if (atomicAdd(&job->arrived, 1u) != gridDim.x - 2)
        return;
    *(volatile uint32_t *)&job->arrived = 0;
    set_flag(store->ways[way].flag, flag);
    __threadfence(); /* block 0 raises the next flag when it sees this */
    put(&store->progress->finished, number + 1);
}

static __device__ void do_jobs(const struct store *store, uint32_t launch)
{
    __shared__ uint64_t shared_command;
    uint32_t flag = 0;
    for (uint64_t number = look(&store->progress->jobs);; number++) {
        if (threadIdx.x == 0)
            shared_command = await_job(store, number, launch, &flag);
        __syncthreads();
        const uint64_t command = shared_command;
        if (kind_of(command) == LEAVE)
            return;
        move_part(&store->ways[kind_of(command)], bytes_of(command), blockIdx.x - 1, gridDim.x - 1);
        __syncthreads();
        if (threadIdx.x == 0)
            report(store, number, kind_of(command), flag);
    }
}

static __global__ void __launch_bounds__(THREADS)
    store_kernel(const IN_PLACE struct store store, uint32_t launch)
{
    if (blockIdx.x == 0)
        command_blocks(&store, launch);
    else
        do_jobs(&store, launch);
}

/* ---- launching ---- */

/* Cooperative: blocks wait for one another, so all must be there at once. */
cudaError_t store_launch(const struct store *store, uint32_t launch, int blocks,
                         cudaStream_t stream)
{
    dm_launch_cooperative(store_kernel, (unsigned)blocks, THREADS, 0, stream, *store, launch);
    return cudaGetLastError();
}

cudaError_t store_blocks_max(int *blocks)
{
    int device, of_each = 0, multiprocessors = 0;
    struct cudaFuncAttributes attributes;
    cudaError_t result = cudaFuncGetAttributes(&attributes, store_kernel);
    if (result == cudaSuccess)
        result = cudaGetDevice(&device);
    if (result == cudaSuccess)
        result = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (result == cudaSuccess)
        result = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_each, store_kernel, THREADS, 0);
    *blocks = of_each * multiprocessors;
    return result;
}
