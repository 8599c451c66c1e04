#include "engines.h"

#include <sched.h>
#include <stdlib.h>

#include "common/error_cuda.h"
#include "common/memory.h"

#include "layout.h"

/* Batches that are on their way before the kernel is launched; and how many looks at the tasks'
 * words come between two at the kernel, which ask the driver. */
enum { LEAD = 2, LOOKS = 1000 };

/* ---- open and close ---- */

/* The copies' streams have the highest priority, which gives them hardware queues of their own: in
 * one queue with the kernel they would wait for its end, and it for them. */
static enum dm_status create_lanes(cudaStream_t *lanes)
{
    int least, greatest;
    TRY_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    for (int lane = 0; lane < BLP_LANES; lane++)
        TRY_CUDA(cudaStreamCreateWithPriority(&lanes[lane], cudaStreamNonBlocking, greatest));
    return DM_OK;
}

static enum dm_status obtain_words(long count, unsigned **words)
{
    void *memory;
    TRY(memory_obtain(MEMORY_MAPPED, (size_t)count * sizeof **words, &memory));
    *words = memory;
    for (long i = 0; i < count; i++)
        (*words)[i] = 0;
    return DM_OK;
}

/* Whether copies in to an array's slots wait for copies out of them, both by engines. */
static bool in_awaits_out(const struct blp_work *work)
{
    bool awaits = false;
    for (int a = 0; a < work->array_count; a++)
        awaits |= work->arrays[a].ring && work->arrays[a].direction == DM_REGION_TOFROM;
    return awaits && work->engines.in && work->engines.out;
}

static enum dm_status create_events(struct engines *engines, bool of_batches)
{
    for (int e = 0; e < 2 * BLP_LANES; e++)
        TRY_CUDA(cudaEventCreateWithFlags(&engines->joined[e], cudaEventDisableTiming));
    if (!of_batches)
        return DM_OK;
    engines->left = calloc((size_t)engines->batches, sizeof *engines->left);
    if (!engines->left)
        return error_no_memory((size_t)engines->batches * sizeof *engines->left);
    for (long b = 0; b < engines->batches; b++)
        TRY_CUDA(cudaEventCreateWithFlags(&engines->left[b], cudaEventDisableTiming));
    return DM_OK;
}

enum dm_status engines_open(struct engines *engines, struct blp_work *work,
                            const struct dm_region *region)
{
    engines->region = region;
    engines->batches = (work->tasks + work->engines.batch - 1) / work->engines.batch;
    TRY(obtain_words(engines->batches, &engines->values));
    if (host_follows(work)) {
        void *device;
        TRY(obtain_words(work->tasks, &engines->done));
        TRY_CUDA(cudaHostGetDevicePointer(&device, engines->done, 0));
        work->engines.done = device;
    }
    TRY(create_lanes(engines->in));
    TRY(create_lanes(engines->out));
    TRY(create_events(engines, in_awaits_out(work)));
    TRY_CUDA(cudaMemsetAsync(work->engines.arrived, 0, 2 * BLP_LANES * sizeof(unsigned),
                             engines->in[0]));
    TRY_CUDA(cudaStreamSynchronize(engines->in[0]));
    return DM_OK;
}

void engines_close(struct engines *engines)
{
    for (int lane = 0; lane < BLP_LANES; lane++) {
        if (engines->in[lane])
            cudaStreamDestroy(engines->in[lane]);
        if (engines->out[lane])
            cudaStreamDestroy(engines->out[lane]);
    }
    for (int e = 0; e < 2 * BLP_LANES; e++)
        if (engines->joined[e])
            cudaEventDestroy(engines->joined[e]);
    for (long b = 0; engines->left && b < engines->batches; b++)
        if (engines->left[b])
            cudaEventDestroy(engines->left[b]);
    free(engines->left);
    memory_give_back(MEMORY_MAPPED, engines->values);
    memory_give_back(MEMORY_MAPPED, engines->done);
}

/* ---- copies ---- */

/* Where a copy goes. */
struct copy {
    struct engines *engines;
    const struct blp_work *work;
    long round;
    bool in;
    cudaStream_t stream;
};

/* Slices [first, end) of array a, whose slots lie in a row. */
static enum dm_status copy_run(const struct copy *copy, int a, long first, long end)
{
    const struct dm_region_array *array = &copy->engines->region->arrays[a];
    const struct dm_slices *view = &copy->work->arrays[a].view;
    char *host = (char *)dm_region_host(copy->engines->region, a, copy->round) +
                 (size_t)first * array->slice_bytes;
    char *device = (char *)view->base + (size_t)(first % view->capacity) * view->stride_bytes;
    size_t width = (size_t)(end - first) * array->slice_bytes;
    void *to = copy->in ? device : host;
    const void *from = copy->in ? host : device;
    enum cudaMemcpyKind kind = copy->in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    copy->engines->copies++;
    if (array->split != DM_REGION_COLUMNS)
        TRY_CUDA(cudaMemcpyAsync(to, from, width, kind, copy->stream));
    else
        TRY_CUDA(cudaMemcpy2DAsync(to, copy->in ? view->pitch_bytes : array->pitch_bytes, from,
                                   copy->in ? array->pitch_bytes : view->pitch_bytes, width,
                                   array->rows, kind, copy->stream));
    return DM_OK;
}

/* The same where a ring may begin again in between. */
static enum dm_status copy_slices(const struct copy *copy, int a, long first, long end)
{
    long capacity = copy->work->arrays[a].view.capacity;
    while (first < end) {
        long lap = (first / capacity + 1) * capacity, run = lap < end ? lap : end;
        TRY(copy_run(copy, a, first, run));
        first = run;
    }
    return DM_OK;
}

/* The slices that a batch copies in or out of a split array. */
static void find_slices(const struct blp_work *work, const struct blp_array *array, long batch,
                        bool in, long *first, long *end)
{
    long task, tasks_end, ignored;
    blp_batch(work, batch, &task, &tasks_end);
    long halo = in ? array->halo : 0, group = task && in ? task + halo : task;
    blp_group(work, array, group, first, &ignored);
    blp_group(work, array, tasks_end - 1 + halo, &ignored, end);
    *end = *first < *end ? *end : *first;
}

/* Behind all copies on the lane before it. */
static enum dm_status raise_lane(const struct copy *copy, unsigned *word, long batch)
{
    copy->engines->copies++;
    TRY_CUDA(cudaMemcpyAsync(word, &copy->engines->values[batch], sizeof *word,
                             cudaMemcpyHostToDevice, copy->stream));
    return DM_OK;
}

static enum dm_status copy_whole(const struct copy *copy)
{
    for (int a = 0; a < copy->work->array_count; a++)
        if (copy->work->arrays[a].split == DM_REGION_WHOLE &&
            blp_copies(&copy->work->arrays[a], copy->in ? DM_REGION_TO : DM_REGION_FROM))
            TRY(copy_run(copy, a, 0, 1));
    return DM_OK;
}

static enum dm_status copy_batch(const struct copy *copy, long batch)
{
    const struct blp_work *work = copy->work;
    for (int a = 0; a < work->array_count; a++) {
        const struct blp_array *array = &work->arrays[a];
        long first, end;
        if (array->split == DM_REGION_WHOLE ||
            !blp_copies(array, copy->in ? DM_REGION_TO : DM_REGION_FROM))
            continue;
        find_slices(work, array, batch, copy->in, &first, &end);
        TRY(copy_slices(copy, a, first, end));
    }
    return DM_OK;
}

enum dm_status engines_copy_columns(struct engines *engines, const struct blp_work *work,
                                    cudaStream_t stream, long *rows)
{
    const struct copy copy = {engines, work, 0, true, stream};
    *rows = 0;
    for (int a = 0; a < work->array_count; a++) {
        const struct blp_array *array = &work->arrays[a];
        long first, end, ignored;
        if (array->split != DM_REGION_COLUMNS || !blp_copies(array, DM_REGION_TO))
            continue;
        blp_group(work, array, 0, &first, &ignored);
        blp_group(work, array, array->halo, &ignored, &end);
        TRY(copy_slices(&copy, a, first, end));
        *rows += (long)engines->region->arrays[a].rows;
    }
    return DM_OK;
}

/* ---- a batch in ---- */

/* Tasks that must be over, and batches that must have left by engines, before a batch may be copied
 * in to its slots: those before *tasks and *batches. */
static void find_needs(const struct blp_work *work, long batch, long *tasks, long *batches)
{
    *tasks = *batches = 0;
    for (int a = 0; a < work->array_count; a++) {
        const struct blp_array *array = &work->arrays[a];
        long first, end, from, to;
        if (array->split == DM_REGION_WHOLE || !blp_copies(array, DM_REGION_TO))
            continue;
        find_slices(work, array, batch, true, &first, &end);
        blp_replaced(work, array, first, end, &from, &to);
        *tasks = to > *tasks ? to : *tasks;
        long left = to ? (to - 1) / work->engines.batch + 1 : 0;
        if (work->engines.out && array->direction == DM_REGION_TOFROM)
            *batches = left > *batches ? left : *batches;
    }
    *tasks = *tasks < work->tasks ? *tasks : work->tasks;
}

static enum dm_status enqueue_in(struct engines *engines, const struct blp_work *work,
                                 const struct engines_progress *progress, long left)
{
    long batch = progress->in, lane = batch % BLP_LANES;
    struct copy copy = {engines, work, progress->round, true, engines->in[lane]};
    for (long b = left - 1; b >= 0 && b >= left - BLP_LANES; b--)
        TRY_CUDA(cudaStreamWaitEvent(copy.stream, engines->left[b], 0));
    if (batch == 0)
        TRY(copy_whole(&copy));
    TRY(copy_batch(&copy, batch));
    return raise_lane(&copy, &work->engines.arrived[lane], batch);
}

static enum dm_status feed_in(struct engines *engines, const struct blp_work *work,
                              struct engines_progress *progress, bool *fed)
{
    long tasks, batches;
    if (!work->engines.in || progress->in == engines->batches)
        return DM_OK;
    find_needs(work, progress->in, &tasks, &batches);
    if (tasks > progress->tasks_done || batches > progress->out)
        return DM_OK;
    TRY(enqueue_in(engines, work, progress, batches));
    progress->in++;
    *fed = true;
    return DM_OK;
}

/* ---- a batch out ---- */

static bool any_ring_from(const struct blp_work *work)
{
    bool any = false;
    for (int a = 0; a < work->array_count; a++)
        any |= work->arrays[a].ring && blp_copies(&work->arrays[a], DM_REGION_FROM);
    return any;
}

static enum dm_status feed_out(struct engines *engines, const struct blp_work *work,
                               struct engines_progress *progress, bool *fed)
{
    long batch = progress->out, lane = batch % BLP_LANES, task, tasks_end;
    struct copy copy = {engines, work, progress->round, false, engines->out[lane]};
    if (!work->engines.out || batch == engines->batches)
        return DM_OK;
    blp_batch(work, batch, &task, &tasks_end);
    if (progress->tasks_done < tasks_end)
        return DM_OK;
    TRY(copy_batch(&copy, batch));
    if (any_ring_from(work))
        TRY(raise_lane(&copy, &work->engines.left[lane], batch));
    if (engines->left)
        TRY_CUDA(cudaEventRecord(engines->left[batch], copy.stream));
    progress->out++;
    *fed = true;
    return DM_OK;
}

/* ---- a round ---- */

enum dm_status engines_begin(struct engines *engines, struct blp_work *work, long round,
                             struct engines_progress *progress)
{
    bool fed = true;
    *progress = (struct engines_progress){.round = round};
    engines->rounds++;
    work->engines.run = (unsigned)engines->rounds;
    work->engines.base = (unsigned)(engines->rounds - 1) * (unsigned)engines->batches;
    for (long b = 0; b < engines->batches; b++)
        engines->values[b] = work->engines.base + (unsigned)b + 1;
    while (fed && progress->in < LEAD) {
        fed = false;
        TRY(feed_in(engines, work, progress, &fed));
    }
    return DM_OK;
}

static bool is_fed(const struct engines *engines, const struct blp_work *work,
                   const struct engines_progress *progress)
{
    return (!work->engines.in || progress->in == engines->batches) &&
           (!work->engines.out || progress->out == engines->batches);
}

static void count_done(const struct engines *engines, const struct blp_work *work,
                       struct engines_progress *progress)
{
    const volatile unsigned *done = engines->done;
    while (done && progress->tasks_done < work->tasks &&
           done[progress->tasks_done] == work->engines.run)
        progress->tasks_done++;
}

/* Fails if the kernel has ended without what the copies wait for; *ended says that it has. */
static enum dm_status look_at_kernel(cudaStream_t stream, bool *ended)
{
    cudaError_t state = cudaStreamQuery(stream);
    if (state == cudaErrorNotReady) {
        cudaGetLastError(); /* or the next launch would report it */
        return DM_OK;
    }
    TRY_CUDA(state);
    if (*ended)
        return dm_fail(DM_FAILED, "the persistent kernel ended before all of its tasks were over");
    *ended = true;
    return DM_OK;
}

enum dm_status engines_feed(struct engines *engines, const struct blp_work *work,
                            cudaStream_t stream, struct engines_progress *progress)
{
    bool ended = false;
    for (long look = 1; !is_fed(engines, work, progress); look++) {
        bool fed = false;
        count_done(engines, work, progress);
        TRY(feed_in(engines, work, progress, &fed));
        TRY(feed_out(engines, work, progress, &fed));
        if (fed)
            continue;
        sched_yield();
        if (ended || look % LOOKS == 0)
            TRY(look_at_kernel(stream, &ended));
    }
    return DM_OK;
}

static enum dm_status join(struct engines *engines, cudaStream_t stream)
{
    for (int e = 0; e < 2 * BLP_LANES; e++) {
        TRY_CUDA(cudaEventRecord(engines->joined[e],
                                 e < BLP_LANES ? engines->in[e] : engines->out[e - BLP_LANES]));
        TRY_CUDA(cudaStreamWaitEvent(stream, engines->joined[e], 0));
    }
    return DM_OK;
}

enum dm_status engines_end(struct engines *engines, const struct blp_work *work,
                           cudaStream_t stream, const struct engines_progress *progress)
{
    struct copy copy = {engines, work, progress->round, false, stream};
    if (work->engines.out)
        TRY(copy_whole(&copy)); /* behind the kernel */
    return join(engines, stream);
}
