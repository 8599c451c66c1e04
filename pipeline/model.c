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
    return (struct sample){iterations, factor * sample.kernel_s, factor * sample.columns_in_s,
                           factor * sample.columns_out_s, sample.sharing};
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
    return (struct sample){iterations, between(below->kernel_s, above->kernel_s, share),
                           between(below->columns_in_s, above->columns_in_s, share),
                           between(below->columns_out_s, above->columns_out_s, share),
                           between(below->sharing, above->sharing, share)};
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

struct engine {
    long done;                      /* chunks */
    int width;                      /* jobs at a time: kernels that are on different streams */
    int busy;                       /* jobs of the next chunks that are under way */
    double speed;                   /* of copies when the link is shared */
    struct job jobs[MODEL_STREAMS]; /* what is left of them, the oldest first */
};

struct engines {
    const struct model *model;
    struct chunks chunks;
    struct engine engine[COPIES_STAGES];
    int streams;
    double sharing;
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
    return stage == COPIES_OUT || engines->engine[stage + 1].done > chunk - engines->streams;
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

/* The oldest of several kernels has what it does not share with the others. */
static double kernel_speed(const struct engines *engines, int job)
{
    double share = engines->sharing / engines->engine[COPIES_KERNEL].busy;
    return job == 0 ? 1.0 - engines->sharing + share : share;
}

static double speed_of(const struct engines *engines, enum copies_stage stage, int job)
{
    if (stage == COPIES_KERNEL)
        return kernel_speed(engines, job);
    bool shared =
        copies_now(&engines->engine[COPIES_IN]) && copies_now(&engines->engine[COPIES_OUT]);
    return shared ? engines->engine[stage].speed : 1.0;
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
    double work_s[COPIES_STAGES][MODEL_STREAMS];
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

double model_round_s(const struct model *model, long chunk_size, int streams)
{
    const struct link_rates *link = model->link;
    struct engines engines = {
        .model = model, .chunks = chunks_make(model->region, chunk_size), .streams = streams};
    int calls = copy_job(model, &engines.chunks, 0, true).copies +
                copy_job(model, &engines.chunks, engines.chunks.count - 1, false).copies + 1;
    engines.next_s = engines.call_s = link->call_s * (calls + ORDER_CALLS);
    engines.sharing = model_chunk(model, engines.chunks.size).sharing;
    engines.engine[COPIES_IN].width = engines.engine[COPIES_OUT].width = 1;
    engines.engine[COPIES_KERNEL].width = engines.chunks.chained ? 1 : streams;
    engines.engine[COPIES_IN].speed = link->both_to_device / link->to_device;
    engines.engine[COPIES_OUT].speed = (link->both - link->both_to_device) / link->from_device;
    while (engines.engine[COPIES_OUT].done < engines.chunks.count) {
        start_what_may(&engines);
        advance(&engines, next_step_s(&engines));
    }
    return engines.now_s;
}
