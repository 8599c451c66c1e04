#include "model.h"

#include <math.h>

#include "common/regions/waits.h"

/* ---- what one chunk takes ---- */

static double between(double x, double y, double share)
{
    return x + (y - x) * share;
}

static struct sample scaled(struct sample sample, long iterations)
{
    double factor = (double)iterations / (double)sample.iterations;
    return (struct sample){iterations,
                           factor * sample.kernel_s,
                           factor * sample.alone_s,
                           factor * sample.first_s,
                           factor * sample.columns_in_s,
                           factor * sample.columns_out_s};
}

struct sample model_chunk(const struct model *model, long iterations)
{
    int i = 0;
    while (i < model->count && model->samples[i].iterations < iterations)
        i++;
    if (i == model->count)
        return scaled(model->samples[i - 1], iterations);
    const struct sample *above = &model->samples[i];
    if (i == 0)
        return scaled(*above, iterations);
    const struct sample *below = above - 1;
    double share =
        (double)(iterations - below->iterations) / (double)(above->iterations - below->iterations);
    return (struct sample){iterations,
                           between(below->kernel_s, above->kernel_s, share),
                           between(below->alone_s, above->alone_s, share),
                           between(below->first_s, above->first_s, share),
                           between(below->columns_in_s, above->columns_in_s, share),
                           between(below->columns_out_s, above->columns_out_s, share)};
}

double model_kernel_s(const struct model *model, long chunk_size)
{
    struct chunks chunks = chunks_make(model->region, chunk_size);
    struct chunk_range last = chunk_iterations(&chunks, chunks.count - 1);
    return (double)(chunks.count - 1) * model_chunk(model, chunks.size).kernel_s +
           model_chunk(model, last.end - last.first).kernel_s;
}

/* ---- one chunk in the engines ---- */

/* Work of an engine for a chunk: first a delay that does not use the link, then seconds that a copy
 * would take if the other direction were idle, or that kernels take. */
struct job {
    int copies;
    double delay_s, work_s;
};

static struct job copy_job(const struct model *model, const struct chunks *chunks, long chunk,
                           bool in)
{
    struct job job = {0, 0, 0};
    struct chunk_range iterations = chunk_iterations(chunks, chunk);
    struct sample sample = model_chunk(model, iterations.end - iterations.first);
    double rate = in ? model->link->to_device : model->link->from_device;
    for (int a = 0; a < model->region->array_count; a++) {
        const struct dm_region_array *array = &model->region->arrays[a];
        struct chunk_range slices = in ? chunk_new_slices(chunks, array, chunk)
                                       : chunk_finished_slices(chunks, array, chunk);
        if (!(array->direction & (in ? DM_REGION_TO : DM_REGION_FROM)) ||
            slices.first >= slices.end)
            continue;
        job.copies++;
        if (array->split != DM_REGION_COLUMNS)
            job.work_s +=
                (double)(slices.end - slices.first) * (double)dm_region_slice_size(array) / rate;
    }
    job.work_s += in ? sample.columns_in_s : sample.columns_out_s;
    job.delay_s = job.copies * model->link->operation_s;
    return job;
}

static struct job kernel_job(const struct model *model, const struct chunks *chunks, long chunk)
{
    struct chunk_range iterations = chunk_iterations(chunks, chunk);
    double kernel_s = model_chunk(model, iterations.end - iterations.first).kernel_s;
    return (struct job){0, 0, kernel_s};
}

/* ---- the engines ---- */

/* Kernels have two streams. */
enum { JOBS = 2 };

struct engine {
    long done;             /* chunks */
    int width;             /* jobs at a time */
    int busy;              /* jobs of the next chunks that are under way */
    struct job jobs[JOBS]; /* what is left of them, the oldest first */
    double alone;          /* speed of the oldest: while nothing else is under way */
    double beside;         /* while the other direction copies, or kernels of another chunk run */
};

struct engines {
    const struct model *model;
    struct chunks chunks;
    struct engine engine[COPIES_STAGES];
    int streams;
    enum copies_stage last; /* which uses the slots that copies in fill */
    double now_s;
    double call_s; /* host time per chunk */
    double next_s; /* when the host has enqueued the next chunk to be copied in */
};

/* Calls that order a chunk's stages: each stage records an event and waits for two. */
enum { ORDER_CALLS = 9 };

/* What rounding leaves of a job, in s. */
static const double least_s = 1e-12;

static bool is_over(const struct job *job)
{
    return job->delay_s <= least_s && job->work_s <= least_s;
}

static struct job job_of(const struct engines *engines, enum copies_stage stage, long chunk)
{
    return stage == COPIES_KERNEL
               ? kernel_job(engines->model, &engines->chunks, chunk)
               : copy_job(engines->model, &engines->chunks, chunk, stage == COPIES_IN);
}

static bool may_start(const struct engines *engines, enum copies_stage stage)
{
    const struct engine *engine = &engines->engine[stage];
    long chunk = engine->done + engine->busy;
    if (engine->busy == engine->width || chunk == engines->chunks.count)
        return false;
    if (stage > COPIES_IN && engines->engine[stage - 1].done <= chunk)
        return false;
    if (stage == COPIES_IN && engines->now_s < engines->next_s)
        return false;
    enum copies_stage before = stage == COPIES_IN ? engines->last : COPIES_OUT;
    return stage == COPIES_OUT || engines->engine[before].done > chunk - engines->streams;
}

static void start_what_may(struct engines *engines)
{
    for (enum copies_stage stage = COPIES_IN; stage < COPIES_STAGES; stage++)
        while (may_start(engines, stage)) {
            struct engine *engine = &engines->engine[stage];
            engine->jobs[engine->busy] = job_of(engines, stage, engine->done + engine->busy);
            engine->busy++;
            if (stage == COPIES_IN)
                engines->next_s += engines->call_s;
        }
}

static bool copies_now(const struct engine *engine)
{
    return engine->busy && engine->jobs[0].delay_s <= 0 && engine->jobs[0].work_s > 0;
}

static double speed_of(const struct engines *engines, enum copies_stage stage, int job)
{
    const struct engine *engine = &engines->engine[stage];
    if (job > 0)
        return 1.0 - engine->beside;
    bool shared = stage == COPIES_KERNEL ? engine->busy > 1
                                         : copies_now(&engines->engine[COPIES_IN]) &&
                                               copies_now(&engines->engine[COPIES_OUT]);
    return shared ? engine->beside : engine->alone;
}

/* Until the next delay or job ends, or the host has enqueued what an idle engine waits for. */
static double next_step_s(const struct engines *engines)
{
    double step_s = engines->next_s > engines->now_s && !engines->engine[COPIES_IN].busy
                        ? engines->next_s - engines->now_s
                        : INFINITY;
    for (enum copies_stage stage = COPIES_IN; stage < COPIES_STAGES; stage++)
        for (int j = 0; j < engines->engine[stage].busy; j++) {
            const struct job *job = &engines->engine[stage].jobs[j];
            if (j == 0 || !is_over(job))
                step_s = fmin(step_s, job->delay_s > 0 ? job->delay_s
                                                       : job->work_s / speed_of(engines, stage, j));
        }
    return step_s;
}

/* Chunks are done in their order. */
static void end_what_is_over(struct engine *engine)
{
    while (engine->busy && is_over(&engine->jobs[0])) {
        engine->busy--;
        engine->done++;
        for (int j = 0; j < engine->busy; j++)
            engine->jobs[j] = engine->jobs[j + 1];
    }
}

static void advance(struct engines *engines, double step_s)
{
    double work_s[COPIES_STAGES][JOBS];
    for (enum copies_stage stage = COPIES_IN; stage < COPIES_STAGES; stage++)
        for (int j = 0; j < engines->engine[stage].busy; j++)
            work_s[stage][j] = step_s * speed_of(engines, stage, j);
    engines->now_s += step_s;
    for (enum copies_stage stage = COPIES_IN; stage < COPIES_STAGES; stage++) {
        struct engine *engine = &engines->engine[stage];
        for (int j = 0; j < engine->busy; j++) {
            struct job *job = &engine->jobs[j];
            *(job->delay_s > 0 ? &job->delay_s : &job->work_s) -=
                job->delay_s > 0 ? step_s : work_s[stage][j];
        }
        end_what_is_over(engine);
    }
}

/* Whether a copy in of any array has to wait for results that leave the same slots. */
static bool has_results_in_place(const struct dm_region *region)
{
    for (int a = 0; a < region->array_count; a++)
        if (region->arrays[a].split != DM_REGION_WHOLE &&
            region->arrays[a].direction == DM_REGION_TOFROM)
            return true;
    return false;
}

static void set_speeds(struct engines *engines)
{
    const struct link_rates *link = engines->model->link;
    const struct sample chunk = model_chunk(engines->model, engines->chunks.size);
    struct engine *engine = engines->engine;
    engine[COPIES_IN].width = engine[COPIES_OUT].width = 1;
    engine[COPIES_IN].alone = engine[COPIES_OUT].alone = 1.0;
    engine[COPIES_IN].beside = link->both_to_device / link->to_device;
    engine[COPIES_OUT].beside = (link->both - link->both_to_device) / link->from_device;
    engine[COPIES_KERNEL].width = engines->chunks.chained || engines->streams == 1 ? 1 : JOBS;
    engine[COPIES_KERNEL].alone =
        chunk.kernel_s > 0.0 ? fmin(chunk.kernel_s / chunk.alone_s, 1.0) : 1.0;
    engine[COPIES_KERNEL].beside = fmin(fmax(chunk.kernel_s / chunk.first_s, 0.5), 1.0);
}

double model_round_s(const struct model *model, long chunk_size, int streams)
{
    struct engines engines = {.model = model,
                              .chunks = chunks_make(model->region, chunk_size),
                              .streams = streams,
                              .last =
                                  has_results_in_place(model->region) ? COPIES_OUT : COPIES_KERNEL};
    int calls = copy_job(model, &engines.chunks, 0, true).copies +
                copy_job(model, &engines.chunks, engines.chunks.count - 1, false).copies + 1;
    engines.next_s = engines.call_s = model->link->call_s * (calls + ORDER_CALLS);
    set_speeds(&engines);
    while (engines.engine[COPIES_OUT].done < engines.chunks.count) {
        start_what_may(&engines);
        advance(&engines, next_step_s(&engines));
    }
    return engines.now_s;
}
