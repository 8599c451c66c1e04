/* rates.c: what copying costs by blocks and by copy engines: the times of runs that hardly compute.
 */
#include <datamotion/blp.h>

#include "common/clock.h"
#include "common/error_cuda.h"
#include "common/memory.h"

#include "rates_kernel.h"

enum { RUNS = 5, SLICE_BYTES = RATES_VECTORS * 16, SMALL_SLICES = 4 };

#if defined(SOFTGPU)
enum { SLICES = 32 };
#else
enum { SLICES = 1024 };
#endif

/* Narrow columns of what a direction has in host memory. */
enum { ROW_BYTES = 256, ROW_PITCH = 4096, ROWS = SLICES * (SLICE_BYTES / ROW_PITCH) };

struct trial {
    void *host[2]; /* of both directions */
    struct blp_groups groups;
    enum blp_mover in, out;
    size_t engine_bytes;
};

/* The shortest of some runs that copy so many slices in and so many out, 0 or the same number. */
static enum dm_status time_runs(const struct trial *trial, long in, long out, double *time_s)
{
    const struct rates_shape shape = {in > 0, out > 0};
    struct dm_region region = dm_region_make("rates", 0, in > 0 ? in : out, NULL, &shape);
    struct dm_region_array array = {.name = "input",
                                    .host = trial->host[0],
                                    .direction = DM_REGION_TO,
                                    .split = DM_REGION_ROWS,
                                    .slices = region.end,
                                    .slice_bytes = SLICE_BYTES,
                                    .rows = 1,
                                    .length = 1};
    const struct blp_options options = {.measured = trial->groups,
                                        .in = trial->in,
                                        .out = trial->out,
                                        .engine_bytes = trial->engine_bytes};
    struct blp_plan *plan;
    if (in > 0)
        dm_region_add(&region, array);
    array.name = "results", array.host = trial->host[1], array.direction = DM_REGION_FROM;
    if (out > 0)
        dm_region_add(&region, array);
    TRY(blp_open(&plan, &region, &rates_kernel, &options));
    enum dm_status status = DM_OK;
    for (int run = 0; run <= RUNS && status == DM_OK; run++) {
        struct blp_report report;
        status = blp_run(plan, &report);
        if (status == DM_OK && (run <= 1 || report.time_s < *time_s)) /* the first one warms up */
            *time_s = report.time_s;
    }
    blp_close(plan);
    return status;
}

/* Bytes per second of what more slices took longer. */
static double rate(double bytes, double time_s, double start_s)
{
    double longer_s = time_s > 1.01 * start_s ? time_s - start_s : 0.01 * start_s;
    return bytes / longer_s;
}

static enum dm_status measure_movers(struct trial *trial, int i, int o, struct blp_rates *rates)
{
    const double bytes = (double)(SLICES - SMALL_SLICES) * SLICE_BYTES;
    double small_s, large_s, small_alone_s, alone_s;
    trial->in = i ? BLP_ENGINE : BLP_BLOCKS;
    trial->out = o ? BLP_ENGINE : BLP_BLOCKS;
    TRY(time_runs(trial, SMALL_SLICES, SMALL_SLICES, &small_s));
    TRY(time_runs(trial, SLICES, SLICES, &large_s));
    rates->start_s[i][o] = small_s;
    rates->both[i][o] = rate(2.0 * bytes, large_s, small_s);
    if (i != o)
        return DM_OK;
    TRY(time_runs(trial, SMALL_SLICES, 0, &small_alone_s));
    TRY(time_runs(trial, SLICES, 0, &alone_s));
    rates->in[i] = rate(bytes, alone_s, small_alone_s);
    TRY(time_runs(trial, 0, SMALL_SLICES, &small_alone_s));
    TRY(time_runs(trial, 0, SLICES, &alone_s));
    rates->out[o] = rate(bytes, alone_s, small_alone_s);
    return DM_OK;
}

/* Many small batches against few large ones: each is a copy and a word. */
static enum dm_status measure_call(struct trial *trial, struct blp_rates *rates)
{
    enum { FEW = 4, MANY = SLICES / 4 };
    double few_s, many_s;
    trial->in = BLP_ENGINE, trial->out = BLP_BLOCKS;
    trial->engine_bytes = (size_t)SLICES / FEW * SLICE_BYTES;
    TRY(time_runs(trial, SLICES, 0, &few_s));
    trial->engine_bytes = (size_t)SLICES / MANY * SLICE_BYTES;
    TRY(time_runs(trial, SLICES, 0, &many_s));
    trial->engine_bytes = 0;
    rates->call_s = many_s > few_s ? (many_s - few_s) / (2.0 * (MANY - FEW)) : 0.0;
    return DM_OK;
}

static enum dm_status time_rows(const struct trial *trial, void *device, cudaStream_t stream,
                                double *time_s)
{
    double start_s = clock_now_s();
    TRY_CUDA(cudaMemcpy2DAsync(device, ROW_BYTES, trial->host[0], ROW_PITCH, ROW_BYTES, ROWS,
                               cudaMemcpyHostToDevice, stream));
    TRY_CUDA(cudaStreamSynchronize(stream));
    *time_s = clock_now_s() - start_s;
    return DM_OK;
}

/* One copy of many rows that hardly have bytes. */
static enum dm_status measure_row(struct trial *trial, struct blp_rates *rates)
{
    cudaStream_t stream = NULL;
    void *device = NULL;
    TRY(memory_obtain(MEMORY_DEVICE, (size_t)ROWS * ROW_BYTES, &device));
    enum dm_status status =
        status_of_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int run = 0; run <= RUNS && status == DM_OK; run++) {
        double time_s = 0.0;
        status = time_rows(trial, device, stream, &time_s);
        if (run <= 1 || time_s / ROWS < rates->row_s)
            rates->row_s = time_s / ROWS;
    }
    if (stream)
        cudaStreamDestroy(stream);
    memory_give_back(MEMORY_DEVICE, device);
    return status;
}

static enum dm_status measure(struct trial *trial, struct blp_rates *rates)
{
    for (int d = 0; d < 2; d++)
        TRY(memory_obtain(MEMORY_PINNED, (size_t)SLICES * SLICE_BYTES, &trial->host[d]));
    for (int i = 0; i < 2; i++)
        for (int o = 0; o < 2; o++)
            TRY(measure_movers(trial, i, o, rates));
    TRY(measure_call(trial, rates));
    TRY(measure_row(trial, rates));
    rates->measured = true;
    return DM_OK;
}

enum dm_status blp_measure_rates(const struct blp_groups *groups, struct blp_rates *rates)
{
    struct trial trial = {.groups = groups ? *groups : (struct blp_groups){0}};
    *rates = (struct blp_rates){0};
    enum dm_status status = measure(&trial, rates);
    for (int d = 0; d < 2; d++)
        memory_give_back(MEMORY_PINNED, trial.host[d]);
    if (status != DM_OK)
        *rates = (struct blp_rates){0};
    return status;
}
