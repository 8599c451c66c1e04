/* prefetch_device: operations on blocks, on the host and on the GPU. */
#include <math.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/compare.h"
#include "common/harness/openblas_core.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"
#include "common/random.h"
#include "prefetch/sip/device_choice.h"
#include "prefetch/sip/tensor.h"

enum { TARGET, A, B, BLOCKS, LONGEST_SEGMENT = 1000 };
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

/* Blocks by their labels; "" as the second operand: there is none. */
struct operation {
    const char *name;
    const char *labels[BLOCKS];
    enum choice_operation kind;
    void (*reference)(size_t s, double *c, const double *a, const double *b);
};

static const double scale_factor = -1.5;

/* ---- the operations as plain loops ---- */

static void contract_reference(size_t s, double *c, const double *a, const double *b)
{
    memset(c, 0, s * s * sizeof *c);
    for (size_t i = 0; i < s; i++)
        for (size_t jk = 0; jk < s * s; jk++)
            for (size_t l = 0; l < s; l++)
                c[i * s + l] += a[(i * s * s + jk) * s + l] * b[jk];
}

static void matmul_reference(size_t s, double *c, const double *a, const double *b)
{
    memset(c, 0, s * s * sizeof *c);
    for (size_t i = 0; i < s; i++)
        for (size_t j = 0; j < s; j++)
            for (size_t k = 0; k < s; k++)
                c[i * s + k] += a[i * s + j] * b[j * s + k];
}

static void scale_reference(size_t s, double *c, const double *a, const double *b)
{
    (void)b;
    for (size_t i = 0; i < s * s * s * s; i++)
        c[i] = scale_factor * a[i];
}

static const struct operation operations[] = {
    {"contract", {"il", "ijkl", "jk"}, CHOICE_CONTRACT, contract_reference},
    {"matmul", {"ik", "ij", "jk"}, CHOICE_CONTRACT, matmul_reference},
    {"scale", {"ijkl", "ijkl", ""}, CHOICE_SCALE, scale_reference},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* ---- one configuration ---- */

/* Where the time of one sample went; NaN: not on the GPU. */
struct parts {
    double kernel_s, h2d_s, d2h_s;
    bool on_gpu;
};

enum { BEGIN, ARRIVED, COMPUTED, RETURNED, EVENTS };

/* Blocks of one operation and size, shared by the variants. */
struct job {
    const struct operation *operation;
    int segment;
    double work;
    struct tensor host[BLOCKS], gpu[BLOCKS];
    double *expected;                 /* the right result; NULL: nobody asks */
    struct tensor_device *devices[2]; /* by enum choice_device */
    struct device_choice *choice;
    cudaEvent_t events[EVENTS];
};

struct task {
    int variant;
    struct job *job;
    struct parts last; /* of the last sample */
};

static struct tensor block_of(const char *labels, int segment)
{
    struct tensor block = {.rank = (int)strlen(labels)};
    for (int d = 0; d < block.rank; d++) {
        block.label[d] = labels[d];
        block.extent[d] = segment;
    }
    return block;
}

static bool has_block(const struct job *job, int i)
{
    return *job->operation->labels[i] != '\0';
}

static size_t bytes_of(const struct tensor *block)
{
    return tensor_elements(block) * sizeof(double);
}

static void open_job(const struct run *run, struct job *job, const struct operation *operation,
                     int segment)
{
    *job = (struct job){.operation = operation, .segment = segment};
    for (int i = 0; i < BLOCKS; i++) {
        if (!has_block(job, i))
            continue;
        job->host[i] = job->gpu[i] = block_of(operation->labels[i], segment);
        size_t bytes = bytes_of(&job->host[i]);
        job->gpu[i].data = scope_allocate(MEMORY_DEVICE, bytes); /* the scarcer memory first */
        job->host[i].data = scope_allocate(MEMORY_PINNED, bytes);
        random_fill_double(job->host[i].data, tensor_elements(&job->host[i]),
                           run->settings.seed + (uint64_t)i);
        check_cuda(cudaMemcpy(job->gpu[i].data, job->host[i].data, bytes, cudaMemcpyHostToDevice));
    }
    job->work = has_block(job, B)
                    ? tensor_contract_flops(&job->host[TARGET], &job->host[A], &job->host[B])
                    : (double)tensor_elements(&job->host[TARGET]);
    if (run->settings.check) {
        job->expected = scope_allocate(MEMORY_PAGEABLE, bytes_of(&job->host[TARGET]));
        operation->reference((size_t)segment, job->expected, job->host[A].data, job->host[B].data);
    }
    check_cuda(tensor_open_host(&job->devices[CHOICE_HOST]));
    check_cuda(tensor_open_gpu(&job->devices[CHOICE_GPU]));
    check_status(device_choice_create(&job->choice));
    for (int i = 0; i < EVENTS; i++)
        check_cuda(cudaEventCreate(&job->events[i]));
}

static void close_job(struct job *job)
{
    for (int i = 0; i < EVENTS; i++)
        check_cuda(cudaEventDestroy(job->events[i]));
    device_choice_destroy(job->choice);
    for (int i = 0; i < 2; i++)
        tensor_close(job->devices[i]);
}

/* ---- execution ---- */

static void execute(const struct job *job, enum choice_device device)
{
    const struct tensor *blocks = device == CHOICE_HOST ? job->host : job->gpu;
    struct tensor_device *tensor_device = job->devices[device];
    if (has_block(job, B))
        check_cuda(tensor_contract(tensor_device, &blocks[TARGET], TENSOR_SET, 1.0, &blocks[A],
                                   &blocks[B]));
    else
        check_cuda(
            tensor_copy(tensor_device, &blocks[TARGET], TENSOR_SET, scale_factor, &blocks[A]));
}

static void copy_to_gpu(const struct job *job, cudaStream_t stream)
{
    for (int i = A; i < BLOCKS; i++)
        if (has_block(job, i))
            check_cuda(cudaMemcpyAsync(job->gpu[i].data, job->host[i].data, bytes_of(&job->gpu[i]),
                                       cudaMemcpyHostToDevice, stream));
}

static void copy_back(const struct job *job, cudaStream_t stream)
{
    check_cuda(cudaMemcpyAsync(job->host[TARGET].data, job->gpu[TARGET].data,
                               bytes_of(&job->gpu[TARGET]), cudaMemcpyDeviceToHost, stream));
}

static double between_s(const struct job *job, int first, int last)
{
    float elapsed_ms;
    check_cuda(cudaEventElapsedTime(&elapsed_ms, job->events[first], job->events[last]));
    return 1e-3 * elapsed_ms;
}

static struct parts execute_on_gpu(const struct job *job, bool with_transfers)
{
    cudaStream_t stream = tensor_stream(job->devices[CHOICE_GPU]);
    check_cuda(cudaEventRecord(job->events[BEGIN], stream));
    if (with_transfers)
        copy_to_gpu(job, stream);
    check_cuda(cudaEventRecord(job->events[ARRIVED], stream));
    execute(job, CHOICE_GPU);
    check_cuda(cudaEventRecord(job->events[COMPUTED], stream));
    if (with_transfers)
        copy_back(job, stream);
    check_cuda(cudaEventRecord(job->events[RETURNED], stream));
    check_cuda(cudaStreamSynchronize(stream));
    return (struct parts){.on_gpu = true,
                          .kernel_s = between_s(job, ARRIVED, COMPUTED),
                          .h2d_s = with_transfers ? between_s(job, BEGIN, ARRIVED) : NAN,
                          .d2h_s = with_transfers ? between_s(job, COMPUTED, RETURNED) : NAN};
}

static size_t transfer_bytes(const struct job *job)
{
    size_t bytes = 0;
    for (int i = 0; i < BLOCKS; i++)
        if (has_block(job, i))
            bytes += bytes_of(&job->host[i]);
    return bytes;
}

/* The result has to be on the host again, so it counts as a block to be moved. */
static enum choice_device choose(const struct job *job)
{
    return device_choice_decide(job->choice, job->operation->kind, job->work, transfer_bytes(job),
                                has_block(job, B) ? BLOCKS : BLOCKS - 1, 0, 0);
}

static struct parts execute_on_host(const struct job *job)
{
    execute(job, CHOICE_HOST);
    return (struct parts){.kernel_s = NAN, .h2d_s = NAN, .d2h_s = NAN};
}

/* Where the choice says; it learns the time without the copies. */
static struct parts execute_chosen(const struct job *job)
{
    double start_s = clock_now_s();
    enum choice_device device = choose(job);
    struct parts parts = device == CHOICE_GPU ? execute_on_gpu(job, true) : execute_on_host(job);
    double time_s = clock_now_s() - start_s;
    if (parts.on_gpu)
        time_s -= parts.h2d_s + parts.d2h_s;
    device_choice_learn(job->choice, job->operation->kind, job->work, device, time_s);
    return parts;
}

static struct parts execute_variant(const struct task *task)
{
    switch (task->variant) {
    case HOST:
        return execute_on_host(task->job);
    case AUTO:
        return execute_chosen(task->job);
    default:
        return execute_on_gpu(task->job, task->variant == GPU_TRANSFERS);
    }
}

static void operate(void *context)
{
    struct task *task = context;
    task->last = execute_variant(task);
}

/* ---- verification and records ---- */

/* Executes again, into a result that holds no numbers, and counts wrong elements. */
static long count_wrong(struct run *run, void *context)
{
    (void)run;
    const struct task *task = context;
    struct job *job = task->job;
    size_t elements = tensor_elements(&job->host[TARGET]), bytes = elements * sizeof(double);
    double *result = job->host[TARGET].data;
    for (size_t i = 0; i < elements; i++)
        result[i] = NAN;
    check_cuda(cudaMemcpy(job->gpu[TARGET].data, result, bytes, cudaMemcpyHostToDevice));
    execute_variant(task);
    if (task->variant == GPU)
        check_cuda(cudaMemcpy(result, job->gpu[TARGET].data, bytes, cudaMemcpyDeviceToHost));
    /* factors are in [-1, 1): an error per sum of at most its terms, times that of a product */
    double tolerance = 1e-14 * job->work / (double)elements;
    long wrong = 0;
    for (size_t i = 0; i < elements; i++)
        wrong += !(fabs(result[i] - job->expected[i]) <= tolerance);
    return wrong;
}

static void fill_row(const void *context, double time_s, void *row)
{
    const struct task *task = context;
    const struct job *job = task->job;
    const struct parts *parts = &task->last;
    bool moved = parts->on_gpu && task->variant != GPU;
    *(struct row *)row = (struct row){.operation = job->operation->name,
                                      .segment = job->segment,
                                      .block_elements = tensor_elements(&job->host[A]),
                                      .work_flops = job->work,
                                      .transfer_bytes = moved ? transfer_bytes(job) : 0,
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
        execute_chosen(task->job);
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
    struct job job;
    struct task task = {.job = &job};
    scope_open();
    open_job(run, &job, operation, segment);
    compare_variants(run, &comparison, &task);
    close_job(&job);
    scope_close();
}

static void run_all(struct run *run)
{
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] < 1 || run->settings.sizes[i] > LONGEST_SEGMENT)
            fail("a segment of %zu elements: choose from 1 to %d, for blocks of segment^4 elements",
                 run->settings.sizes[i], LONGEST_SEGMENT);
    openblas_note_core(run);
    for (int o = 0; o < OPERATIONS; o++)
        for (size_t i = 0; i < run->settings.size_count; i++)
            measure_operation(run, &operations[o], (int)run->settings.sizes[i]);
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
