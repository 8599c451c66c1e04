/* prefetch_device: operations on blocks, on the host and on the GPU. */
#include "common/harness/compare.h"
#include "common/harness/openblas_core.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"

#include "block_job.h"

enum { LONGEST_SEGMENT = 1000 };
enum { HOST, GPU, GPU_TRANSFERS, AUTO };

static const struct variant variants[] = {
    {"host", "OpenBLAS on one thread"},
    {"gpu", "cuBLAS or the software GPU's own kernel; all blocks are in GPU memory"},
    {"gpu-transfers", "the same, and copies of the operands to the GPU and of the result back"},
    {"auto", "host, or gpu-transfers, whichever the run time expects to be faster"},
    {0},
};

struct row {
    const char *operation;
    int segment;
    size_t block_elements;
    double work_flops;
    size_t transfer_bytes;
    double kernel_s, h2d_s, d2h_s, gflops;
    const char *chosen;
};
static const struct column columns[] = {
    PARAMETER(struct row, operation, "contract, matmul or scale"),
    PARAMETER(struct row, segment, "elements along each dimension of the blocks"),
    PARAMETER(struct row, block_elements, "doubles in the largest block"),
    METRIC(struct row, work_flops, "floating-point operations"),
    METRIC(struct row, transfer_bytes, "bytes copied to the GPU and back"),
    METRIC(struct row, kernel_s, "time on the GPU without copies"),
    METRIC(struct row, h2d_s, "time of the copies to the GPU"),
    METRIC(struct row, d2h_s, "time of the copy back"),
    METRIC(struct row, gflops, "work_flops / time_s in 10^9 per second"),
    METRIC(struct row, chosen, "host or gpu, of variant auto"),
    {0},
};

struct task {
    int variant;
    struct block_job *job;
    struct parts last; /* of the last sample */
};

static struct parts execute_variant(const struct task *task)
{
    switch (task->variant) {
    case HOST:
        return block_job_on_host(task->job);
    case AUTO:
        return block_job_chosen(task->job);
    default:
        return block_job_on_gpu(task->job, task->variant == GPU_TRANSFERS);
    }
}

static void operate(void *context)
{
    struct task *task = context;
    task->last = execute_variant(task);
}

/* ---- verification and records ---- */

/* Executes again, into a result that holds no numbers. */
static long count_wrong(struct run *run, void *context)
{
    (void)run;
    const struct task *task = context;
    const struct tensor *host = &task->job->host[TARGET], *gpu = &task->job->gpu[TARGET];
    block_job_spoil(task->job);
    execute_variant(task);
    if (task->variant == GPU)
        check_cuda(cudaMemcpy(host->data, gpu->data, tensor_elements(host) * sizeof(double),
                              cudaMemcpyDeviceToHost));
    return block_job_wrong(task->job);
}

static void fill_row(const void *context, double time_s, void *row)
{
    const struct task *task = context;
    const struct block_job *job = task->job;
    const struct parts *parts = &task->last;
    bool moved = parts->on_gpu && task->variant != GPU;
    *(struct row *)row = (struct row){.operation = job->operation->name,
                                      .segment = job->segment,
                                      .block_elements = tensor_elements(&job->host[A]),
                                      .work_flops = job->work,
                                      .transfer_bytes = moved ? block_job_bytes(job) : 0,
                                      .kernel_s = parts->kernel_s,
                                      .h2d_s = parts->h2d_s,
                                      .d2h_s = parts->d2h_s,
                                      .gflops = 1e-9 * job->work / time_s,
                                      .chosen = task->variant != AUTO ? NULL
                                                : parts->on_gpu       ? "gpu"
                                                                      : "host"};
}

/* Both devices are tried before anything is measured. */
static bool let_learn(struct run *run, void *context)
{
    (void)run;
    const struct task *task = context;
    for (int i = 0; i < 4 && task->variant == AUTO; i++)
        block_job_chosen(task->job);
    return true;
}

static const struct comparison comparison = {.task_bytes = TASK(struct task),
                                             .row_bytes = sizeof(struct row),
                                             .open = let_learn,
                                             .operation = operate,
                                             .row = fill_row,
                                             .verify = count_wrong};

static void measure_operation(struct run *run, const struct operation *operation, int segment)
{
    struct block_job job;
    struct task task = {.job = &job};
    scope_open();
    block_job_open(run, &job, operation, segment);
    compare_variants(run, &comparison, &task);
    block_job_close(&job);
    scope_close();
}

static void run_all(struct run *run)
{
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] < 1 || run->settings.sizes[i] > LONGEST_SEGMENT)
            fail("a segment of %zu elements: choose from 1 to %d, for blocks of segment^4 elements",
                 run->settings.sizes[i], LONGEST_SEGMENT);
    openblas_note_core(run);
    for (const struct operation *each = block_operations; each->name; each++)
        for (size_t i = 0; i < run->settings.size_count; i++)
            measure_operation(run, each, (int)run->settings.sizes[i]);
}

/* The segments of table 6-5. */
static const size_t default_sizes[] = {15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 0};

const struct program program = {
    .name = "prefetch_device",
    .summary = "executes operations on blocks on the host and on the GPU",
    .details = "Sizes are segments: the elements along each dimension of the blocks.\n"
               "contract: c[i,l] = a[i,j,k,l] * b[j,k]; matmul: c[i,k] = a[i,j] * b[j,k];\n"
               "scale: c[i,j,k,l] = factor * a[i,j,k,l]. Host memory is page-locked. time_s is on\n"
               "the host's clock until the result is there; kernel_s, h2d_s and d2h_s are between\n"
               "events on the GPU's stream.",
    .variants = variants,
    .columns = columns,
    .size_unit = "elements",
    .default_sizes = default_sizes,
    .default_begin = 15,
    .default_end = 60,
    .uses_gpu = true,
    .run = run_all,
};
