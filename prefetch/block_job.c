#include "block_job.h"

#include <math.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/scope.h"
#include "common/random.h"

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

const struct operation block_operations[] = {
    {"contract", {"il", "ijkl", "jk"}, CHOICE_CONTRACT, contract_reference},
    {"matmul", {"ik", "ij", "jk"}, CHOICE_CONTRACT, matmul_reference},
    {"scale", {"ijkl", "ijkl", ""}, CHOICE_SCALE, scale_reference},
    {0},
};
/* ---- the blocks ---- */

static struct tensor block_of(const char *labels, int segment)
{
    struct tensor block = {.rank = (int)strlen(labels)};
    for (int d = 0; d < block.rank; d++) {
        block.label[d] = labels[d];
        block.extent[d] = segment;
    }
    return block;
}

static bool has_block(const struct block_job *job, int i)
{
    return *job->operation->labels[i] != '\0';
}

static size_t bytes_of(const struct tensor *block)
{
    return tensor_elements(block) * sizeof(double);
}

void block_job_open(const struct run *run, struct block_job *job, const struct operation *operation,
                    int segment)
{
    *job = (struct block_job){.operation = operation, .segment = segment};
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

void block_job_close(struct block_job *job)
{
    for (int i = 0; i < EVENTS; i++)
        check_cuda(cudaEventDestroy(job->events[i]));
    device_choice_destroy(job->choice);
    for (int i = 0; i < 2; i++)
        tensor_close(job->devices[i]);
}

/* ---- execution ---- */

static void execute(const struct block_job *job, enum choice_device device)
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

static void copy_to_gpu(const struct block_job *job, cudaStream_t stream)
{
    for (int i = A; i < BLOCKS; i++)
        if (has_block(job, i))
            check_cuda(cudaMemcpyAsync(job->gpu[i].data, job->host[i].data, bytes_of(&job->gpu[i]),
                                       cudaMemcpyHostToDevice, stream));
}

static void copy_back(const struct block_job *job, cudaStream_t stream)
{
    check_cuda(cudaMemcpyAsync(job->host[TARGET].data, job->gpu[TARGET].data,
                               bytes_of(&job->gpu[TARGET]), cudaMemcpyDeviceToHost, stream));
}

static double between_s(const struct block_job *job, int first, int last)
{
    float elapsed_ms;
    check_cuda(cudaEventElapsedTime(&elapsed_ms, job->events[first], job->events[last]));
    return 1e-3 * elapsed_ms;
}

struct parts block_job_on_gpu(const struct block_job *job, bool with_transfers)
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

size_t block_job_bytes(const struct block_job *job)
{
    size_t bytes = 0;
    for (int i = 0; i < BLOCKS; i++)
        if (has_block(job, i))
            bytes += bytes_of(&job->host[i]);
    return bytes;
}

/* The result has to be on the host again, so it counts as a block to be moved. */
static enum choice_device choose(const struct block_job *job)
{
    return device_choice_decide(job->choice, job->operation->kind, job->work, block_job_bytes(job),
                                has_block(job, B) ? BLOCKS : BLOCKS - 1, 0, 0);
}

struct parts block_job_on_host(const struct block_job *job)
{
    execute(job, CHOICE_HOST);
    return (struct parts){.kernel_s = NAN, .h2d_s = NAN, .d2h_s = NAN};
}

struct parts block_job_chosen(const struct block_job *job)
{
    double start_s = clock_now_s();
    enum choice_device device = choose(job);
    struct parts parts =
        device == CHOICE_GPU ? block_job_on_gpu(job, true) : block_job_on_host(job);
    double time_s = clock_now_s() - start_s;
    if (parts.on_gpu)
        time_s -= parts.h2d_s + parts.d2h_s;
    device_choice_learn(job->choice, job->operation->kind, job->work, device, time_s);
    return parts;
}

/* ---- verification ---- */

void block_job_spoil(const struct block_job *job)
{
    const struct tensor *target = &job->host[TARGET];
    for (size_t i = 0; i < tensor_elements(target); i++)
        target->data[i] = NAN;
    check_cuda(
        cudaMemcpy(job->gpu[TARGET].data, target->data, bytes_of(target), cudaMemcpyHostToDevice));
}

/* Factors are in [-1, 1): an error per sum of at most its terms, times that of a product. */
long block_job_wrong(const struct block_job *job)
{
    const struct tensor *target = &job->host[TARGET];
    size_t elements = tensor_elements(target);
    double tolerance = 1e-14 * job->work / (double)elements;
    long wrong = 0;
    for (size_t i = 0; i < elements; i++)
        wrong += !(fabs(target->data[i] - job->expected[i]) <= tolerance);
    return wrong;
}
