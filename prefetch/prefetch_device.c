/* prefetch_device: operations on blocks, on the host and on the GPU. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/openblas_core.h"
#include "common/harness/program.h"
#include "common/random.h"
#include "prefetch/sip/device_choice.h"
#include "prefetch/sip/tensor.h"

enum { TARGET, A, B, BLOCKS, VARIANTS = 4, LONGEST_SEGMENT = 1000 };
enum variant_number { HOST, GPU, GPU_TRANSFERS, AUTO };

static const struct variant variants[] = {
    {"host", "OpenBLAS on one thread"},
    {"gpu", "cuBLAS or the software GPU's own kernel; all blocks are in GPU memory"},
    {"gpu-transfers", "the same, and copies of the operands to the GPU and of the result back"},
    {"auto", "host, or gpu-transfers, whichever the run time expects to be faster"},
    {0},
};

static const struct column columns[] = {
    {"operation", COLUMN_PARAMETER, "contract, matmul or scale"},
    {"segment", COLUMN_PARAMETER, "elements along each dimension of the blocks"},
    {"block_elements", COLUMN_PARAMETER, "doubles in the largest block"},
    {"work_flops", COLUMN_METRIC, "floating-point operations"},
    {"transfer_bytes", COLUMN_METRIC, "bytes copied to the GPU and back"},
    {"kernel_s", COLUMN_METRIC, "time on the GPU without copies"},
    {"h2d_s", COLUMN_METRIC, "time of the copies to the GPU"},
    {"d2h_s", COLUMN_METRIC, "time of the copy back"},
    {"gflops", COLUMN_METRIC, "work_flops / time_s in 10^9 per second"},
    {"chosen", COLUMN_METRIC, "host or gpu, of variant auto"},
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
    struct tensor_device *devices[2]; /* by enum choice_device */
    struct device_choice *choice;
    cudaEvent_t events[EVENTS];
};

/* One variant's samples; `parts` has those of the warm-up, too. */
struct contender {
    enum variant_number variant;
    struct job *job;
    struct parts *parts;
    size_t count, capacity;
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
        job->gpu[i].data = memory_allocate(MEMORY_DEVICE, bytes); /* the scarcer memory first */
        job->host[i].data = memory_allocate(MEMORY_PINNED, bytes);
        random_fill_double(job->host[i].data, tensor_elements(&job->host[i]),
                           run->settings.seed + (uint64_t)i);
        check_cuda(cudaMemcpy(job->gpu[i].data, job->host[i].data, bytes, cudaMemcpyHostToDevice));
    }
    job->work = has_block(job, B)
                    ? tensor_contract_flops(&job->host[TARGET], &job->host[A], &job->host[B])
                    : (double)tensor_elements(&job->host[TARGET]);
    check_cuda(tensor_open_host(&job->devices[CHOICE_HOST]));
    check_cuda(tensor_open_gpu(&job->devices[CHOICE_GPU]));
    check_cuda(device_choice_create(&job->choice));
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
    for (int i = 0; i < BLOCKS; i++) {
        memory_release(MEMORY_PINNED, job->host[i].data);
        memory_release(MEMORY_DEVICE, job->gpu[i].data);
    }
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

static struct parts execute_variant(const struct contender *contender)
{
    switch (contender->variant) {
    case HOST:
        return execute_on_host(contender->job);
    case AUTO:
        return execute_chosen(contender->job);
    default:
        return execute_on_gpu(contender->job, contender->variant == GPU_TRANSFERS);
    }
}

static void keep_parts(struct contender *contender, struct parts parts)
{
    if (contender->count == contender->capacity) {
        contender->capacity = contender->capacity ? 2 * contender->capacity : 64;
        contender->parts =
            realloc(contender->parts, contender->capacity * sizeof *contender->parts);
        if (!contender->parts)
            fail("no host memory for %zu samples: choose fewer with -n", contender->capacity);
    }
    contender->parts[contender->count++] = parts;
}

static double sample(void *context)
{
    struct contender *contender = context;
    double start_s = clock_now_s();
    struct parts parts = execute_variant(contender);
    double time_s = clock_now_s() - start_s;
    keep_parts(contender, parts);
    return time_s;
}

/* ---- verification and records ---- */

/* Executes once more into a result that holds no numbers, and counts wrong elements. */
static long count_wrong(const struct contender *contender, const double *expected)
{
    struct job *job = contender->job;
    size_t elements = tensor_elements(&job->host[TARGET]), bytes = elements * sizeof(double);
    double *result = job->host[TARGET].data;
    for (size_t i = 0; i < elements; i++)
        result[i] = NAN;
    check_cuda(cudaMemcpy(job->gpu[TARGET].data, result, bytes, cudaMemcpyHostToDevice));
    execute_variant(contender);
    if (contender->variant == GPU)
        check_cuda(cudaMemcpy(result, job->gpu[TARGET].data, bytes, cudaMemcpyDeviceToHost));
    /* factors are in [-1, 1): an error per sum of at most its terms, times that of a product */
    double tolerance = 1e-14 * job->work / (double)elements;
    long wrong = 0;
    for (size_t i = 0; i < elements; i++)
        wrong += !(fabs(result[i] - expected[i]) <= tolerance);
    return wrong;
}

static struct value real_or_none(double number)
{
    return isnan(number) ? none() : real(number);
}

static void record(struct run *run, const struct contender *contender,
                   const struct subject *subject, long wrong)
{
    const struct job *job = contender->job;
    const struct parts *parts = contender->parts + contender->count - subject->count;
    for (size_t i = 0; i < subject->count; i++) {
        double time_s = subject->times_s[i];
        bool moved = parts[i].on_gpu && contender->variant != GPU;
        struct value values[] = {text(job->operation->name),
                                 integer(job->segment),
                                 integer((int64_t)tensor_elements(&job->host[A])),
                                 real(job->work),
                                 integer(moved ? (int64_t)transfer_bytes(job) : 0),
                                 real_or_none(parts[i].kernel_s),
                                 real_or_none(parts[i].h2d_s),
                                 real_or_none(parts[i].d2h_s),
                                 real(1e-9 * job->work / time_s),
                                 contender->variant != AUTO ? none()
                                 : parts[i].on_gpu          ? text("gpu")
                                                            : text("host")};
        record_values(run, subject->variant, (int)i, values, time_s, wrong);
    }
}

/* Both devices are tried before anything is measured. */
static void let_learn(const struct job *job)
{
    for (int i = 0; i < 4; i++)
        execute_chosen(job);
}

static double *compute_expected(const struct job *job)
{
    double *expected = memory_allocate(MEMORY_PAGEABLE, bytes_of(&job->host[TARGET]));
    job->operation->reference((size_t)job->segment, expected, job->host[A].data, job->host[B].data);
    return expected;
}

static void measure_operation(struct run *run, const struct operation *operation, int segment)
{
    struct job job;
    struct contender contenders[VARIANTS];
    struct subject subjects[VARIANTS];
    size_t count = 0;
    open_job(run, &job, operation, segment);
    for (int v = 0; v < VARIANTS; v++) {
        if (!program_wants(run, variants[v].name))
            continue;
        contenders[count] = (struct contender){.variant = (enum variant_number)v, .job = &job};
        subjects[count] = (struct subject){
            .variant = variants[v].name, .sample = sample, .context = &contenders[count]};
        count++;
        if (v == AUTO)
            let_learn(&job);
    }
    measure(run, subjects, count);
    double *expected = run->settings.check ? compute_expected(&job) : NULL;
    for (size_t i = 0; i < count; i++) {
        long wrong = expected ? count_wrong(&contenders[i], expected) : 0;
        record(run, &contenders[i], &subjects[i], wrong);
        free(contenders[i].parts);
    }
    memory_release(MEMORY_PAGEABLE, expected);
    measure_free(subjects, count);
    close_job(&job);
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
