#include "choice.h"

#include <math.h>
#include <stdint.h>

#include "common/error_cuda.h"
#include "common/regions/copies_plan.h"

#include "model.h"

/* ---- samples ---- */

struct stopwatch {
    cudaEvent_t start, first, end;
};

static enum dm_status open_watch(struct stopwatch *watch)
{
    TRY_CUDA(cudaEventCreate(&watch->start));
    TRY_CUDA(cudaEventCreate(&watch->first));
    TRY_CUDA(cudaEventCreate(&watch->end));
    return DM_OK;
}

static void close_watch(struct stopwatch *watch)
{
    for (cudaEvent_t *event = &watch->start; event <= &watch->end; event++)
        if (*event)
            cudaEventDestroy(*event);
}

static enum dm_status seconds_of(const struct stopwatch *watch, double *seconds)
{
    TRY_CUDA(cudaEventSynchronize(watch->end));
    return copies_seconds_between(watch->start, watch->end, seconds);
}

/* Host memory of arrays split by columns, copied to their place on the device. Results, too: a
 * copy out is taken to need the time of a copy in, as results must not be written here. */
static enum dm_status copy_columns(const struct copies_plan *plan, cudaStream_t stream,
                                   enum dm_region_direction direction)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        struct chunk_range slices = chunk_window(&plan->schedule.chunks, array, 0);
        struct chunk_range iterations = chunk_iterations(&plan->schedule.chunks, 0);
        if (array->split != DM_REGION_COLUMNS || !(array->direction & direction))
            continue;
        size_t width = (size_t)(iterations.end - iterations.first) * array->slice_bytes;
        TRY_CUDA(cudaMemcpy2DAsync(
            plan->buffers[a].device, plan->buffers[a].pitch_bytes,
            (const char *)array->host + (size_t)slices.first * array->slice_bytes,
            array->pitch_bytes, width, array->rows, cudaMemcpyHostToDevice, stream));
    }
    return DM_OK;
}

static bool has_columns(const struct dm_region *region, enum dm_region_direction direction)
{
    for (int a = 0; a < region->array_count; a++)
        if (region->arrays[a].split == DM_REGION_COLUMNS && region->arrays[a].direction & direction)
            return true;
    return false;
}

/* Kernels of a chunk that is on the device. */
static enum dm_status issue_kernels(struct copies_plan *plan, long chunk, int stream)
{
    struct copies_task task = copies_task(plan, chunk);
    task.stream = stream;
    return copies_issue_kernels(plan, &task);
}

/* Lowers *minimum_s to the time that the copies take while kernels use the device's memory, too:
 * those of the first chunk, whose columns get the values that they have. */
static enum dm_status time_columns(struct copies_plan *plan, const struct stopwatch *watch,
                                   enum dm_region_direction direction, double *minimum_s)
{
    const int copies = plan->stream_count - 1;
    double time_s = 0.0;
    if (!has_columns(plan->region, direction)) {
        *minimum_s = 0.0;
        return DM_OK;
    }
    TRY_CUDA(cudaEventRecord(watch->start, plan->stream[copies]));
    TRY_CUDA(cudaStreamWaitEvent(plan->stream[0], watch->start, 0));
    TRY(issue_kernels(plan, 0, 0));
    TRY(copy_columns(plan, plan->stream[copies], direction));
    TRY_CUDA(cudaEventRecord(watch->end, plan->stream[copies]));
    TRY(seconds_of(watch, &time_s));
    TRY_CUDA(cudaStreamSynchronize(plan->stream[0]));
    *minimum_s = fmin(*minimum_s, time_s);
    return DM_OK;
}

/* The kernels of the first two chunks, so often each, on `streams` streams in turn; behind them
 * the watch's end, behind the first of them its first. */
static enum dm_status issue_in_turn(struct copies_plan *plan, const struct stopwatch *watch,
                                    int streams, int times)
{
    TRY_CUDA(cudaEventRecord(watch->start, plan->stream[0]));
    for (int s = 1; s < streams; s++)
        TRY_CUDA(cudaStreamWaitEvent(plan->stream[s], watch->start, 0));
    for (int i = 0; i < times * plan->streams; i++) {
        TRY(issue_kernels(plan, i % plan->streams, i % streams));
        if (i == 0)
            TRY_CUDA(cudaEventRecord(watch->first, plan->stream[0]));
    }
    for (int s = 1; s < streams; s++) {
        TRY_CUDA(cudaEventRecord(watch->end, plan->stream[s]));
        TRY_CUDA(cudaStreamWaitEvent(plan->stream[0], watch->end, 0));
    }
    return status_of_cuda(cudaEventRecord(watch->end, plan->stream[0]));
}

/* Lowers the sample's times of kernels. */
static enum dm_status time_kernels(struct copies_plan *plan, const struct stopwatch *watch,
                                   struct sample *sample)
{
    enum { TIMES = 2 };
    int streams = plan->schedule.chunks.chained ? 1 : plan->streams;
    double first_s, time_s;
    TRY_CUDA(cudaEventRecord(watch->start, plan->stream[0]));
    TRY(issue_kernels(plan, 0, 0));
    TRY_CUDA(cudaEventRecord(watch->end, plan->stream[0]));
    TRY(seconds_of(watch, &time_s));
    sample->alone_s = fmin(sample->alone_s, time_s);
    TRY(issue_in_turn(plan, watch, streams, TIMES));
    TRY(seconds_of(watch, &time_s));
    TRY(copies_seconds_between(watch->start, watch->first, &first_s));
    sample->first_s = fmin(sample->first_s, first_s);
    sample->kernel_s = fmin(sample->kernel_s, time_s / (TIMES * plan->streams));
    return DM_OK;
}

/* Everything twice, as a kernel's first launch also loads it. */
static enum dm_status time_chunk(struct copies_plan *plan, const struct stopwatch *watch,
                                 struct sample *sample)
{
    for (int i = 0; i < plan->streams; i++) {
        struct copies_task task = copies_task(plan, i);
        task.stream = 0;
        TRY(copies_issue_copies(plan, &task, COPIES_IN));
    }
    for (int i = 0; i < 2; i++) {
        TRY(time_kernels(plan, watch, sample));
        TRY(time_columns(plan, watch, DM_REGION_FROM, &sample->columns_out_s));
        TRY(time_columns(plan, watch, DM_REGION_TO, &sample->columns_in_s));
    }
    return DM_OK;
}

/* The first chunks of a plan, by themselves. After a failure nothing is in flight any more. */
static enum dm_status measure_chunk(struct copies_plan *plan, struct sample *sample)
{
    struct copies_report report = {0};
    struct stopwatch watch = {0};
    *sample = (struct sample){
        plan->schedule.chunks.size, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    plan->report = &report;
    enum dm_status status = open_watch(&watch);
    if (status == DM_OK)
        status = time_chunk(plan, &watch, sample);
    if (status != DM_OK)
        copies_drain(plan);
    close_watch(&watch);
    plan->report = NULL;
    return status;
}

static void insert_sample(struct model *model, const struct sample *sample)
{
    int i = model->count++;
    for (; i > 0 && model->samples[i - 1].iterations > sample->iterations; i--)
        model->samples[i] = model->samples[i - 1];
    model->samples[i] = *sample;
}

/* Measures chunks of this size, if they fit: *fits. */
static enum dm_status take_sample(struct model *model, long size, int streams, size_t budget,
                                  bool *fits)
{
    struct dm_region once = *model->region;
    struct copies_options options = {
        .chunk_size = size, .streams = streams, .budget_bytes = budget};
    struct copies_plan *plan;
    struct sample sample;
    enum dm_status status = DM_OK;
    once.rounds = 1;
    once.between = NULL;
    TRY(copies_open(&plan, COPIES_RINGS, &once, &options));
    *fits = plan->schedule.chunks.size == size;
    if (*fits)
        status = measure_chunk(plan, &sample);
    copies_close(plan);
    if (*fits && status == DM_OK)
        insert_sample(model, &sample);
    return status;
}

/* What is measured: more than a quarter of the loop would take too long. */
static long largest_sample(const struct dm_region *region)
{
    long quarter = (region->end - region->begin) / 4;
    return quarter > 1 ? quarter : 1;
}

/* Chunks of 1, 4, 16, ... iterations, as long as they fit. */
static enum dm_status take_samples(struct model *model, size_t budget)
{
    long iterations = model->region->end - model->region->begin;
    long largest = largest_sample(model->region);
    bool fits = true;
    for (long size = 1; fits && size <= largest && model->count < MODEL_SAMPLES; size *= 4)
        TRY(take_sample(model, size, size < iterations ? 2 : 1, budget, &fits));
    return DM_OK;
}

/* ---- the choice ---- */

/* Chunk sizes: up to 2^40 iterations. */
enum { STREAMS_TRIED = 8, SIZES_TRIED = 164 };

/* What more memory must gain. */
static const double gain_min = 0.01;

struct candidates {
    struct {
        struct pipeline_choice choice;
        size_t bytes;
    } of[STREAMS_TRIED * SIZES_TRIED];
    int count;
};

/* By steps of a quarter of a power of two, so that samples are among them. */
static long next_chunk_size(long size)
{
    long power = 4;
    while (power <= size)
        power *= 2;
    return size + (size < 4 ? 1 : power / 8);
}

/* All numbers of streams and chunk sizes that fit. Returns the shortest time. */
static double predict(const struct model *model, size_t available, struct candidates *candidates)
{
    double shortest_s = INFINITY;
    long iterations = model->region->end - model->region->begin, size = 1;
    for (int streams = 1; streams <= STREAMS_TRIED; streams++, size = 1)
        for (int s = 0; s < SIZES_TRIED && size <= iterations; s++, size = next_chunk_size(size)) {
            size_t bytes = copies_ring_bytes(model->region, size, streams);
            if (bytes > available)
                break;
            double predicted_s = model_round_s(model, size, streams);
            shortest_s = fmin(shortest_s, predicted_s);
            candidates->of[candidates->count].choice =
                (struct pipeline_choice){size, streams, 0, predicted_s};
            candidates->of[candidates->count++].bytes = bytes;
        }
    return shortest_s;
}

struct pipeline_choice choice_of_model(const struct model *model, size_t bytes)
{
    struct candidates candidates = {.count = 0};
    const double limit_s = (1 + gain_min) * predict(model, bytes, &candidates);
    struct pipeline_choice best = {.chunk_size = 0};
    size_t least = SIZE_MAX;
    for (int c = 0; c < candidates.count; c++) {
        const struct pipeline_choice *choice = &candidates.of[c].choice;
        bool less = candidates.of[c].bytes < least ||
                    (candidates.of[c].bytes == least && choice->predicted_s < best.predicted_s);
        if (choice->predicted_s > limit_s || !less)
            continue;
        best = *choice;
        least = candidates.of[c].bytes;
    }
    best.kernel_s = model_kernel_s(model, best.chunk_size);
    return best;
}

/* What is free, but no less than the sample of one iteration had. */
static enum dm_status available_bytes(const struct dm_region *region, size_t budget, size_t *bytes)
{
    size_t available = budget, total, minimum = copies_minimum_bytes(region);
    if (!budget)
        TRY_CUDA(cudaMemGetInfo(&available, &total));
    *bytes = budget || available > minimum ? available : minimum;
    return DM_OK;
}

static bool needs_sample(const struct model *model, long size)
{
    for (int i = 0; i < model->count; i++)
        if (model->samples[i].iterations == size)
            return false;
    return model->count < MODEL_SAMPLES && size <= largest_sample(model->region);
}

/* What is chosen has been measured: between samples a chunk may take longer than a straight line
 * says, as its last wave of thread blocks leaves more or less of the GPU idle. */
enum dm_status choice_make(struct pipeline_choice *choice, const struct dm_region *region,
                           const struct link_rates *link, size_t budget_bytes)
{
    struct model model = {.region = region, .link = link};
    bool fits = true;
    size_t bytes;
    TRY(take_samples(&model, budget_bytes));
    TRY(available_bytes(region, budget_bytes, &bytes));
    *choice = choice_of_model(&model, bytes);
    while (fits && needs_sample(&model, choice->chunk_size)) {
        TRY(take_sample(&model, choice->chunk_size, choice->streams > 1 ? 2 : 1, budget_bytes,
                        &fits));
        *choice = choice_of_model(&model, bytes);
    }
    return DM_OK;
}
