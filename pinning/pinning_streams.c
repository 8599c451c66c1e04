/* pinning_streams: do copies run beside one another, and beside a kernel, on one and two streams?
 */
#include <math.h>

#include "common/clock.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"

#include "mapped_copy.h"

enum { SEPARATE, ONE_STREAM, TWO_STREAMS };
enum { OPERATIONS = 2, THREADS = 128, STEPS_MAX = 1 << 28 };

static const struct variant variants[] = {
    [SEPARATE] = {"separate", "one operation after the other, each waited for"},
    [ONE_STREAM] = {"one_stream", "both enqueued on the same stream"},
    [TWO_STREAMS] = {"two_streams", "each enqueued on a stream of its own"},
    [TWO_STREAMS + 1] = {0},
};
static const char *const operations[OPERATIONS] = {"opposite_copies", "copy_and_kernel"};

struct row {
    const char *operation;
    size_t size_bytes;
    double overlap_ratio, call_share;
};
static const struct column columns[] = {
    PARAMETER(struct row, operation,
              "opposite_copies: host to GPU and GPU to host; copy_and_kernel: host to GPU and a "
              "kernel that takes about as long"),
    PARAMETER(struct row, size_bytes, "bytes of each copy; host memory is page-locked"),
    METRIC(struct row, overlap_ratio, "time_s / time_s of separate in the same repetition"),
    METRIC(struct row, call_share, "time within the calls that enqueue / time_s"),
    {0},
};

/* Buffers and streams of one configuration. */
struct pair {
    bool with_kernel;
    size_t bytes;
    unsigned steps; /* of the kernel */
    void *host[2], *gpu[2];
    double *values;
    cudaStream_t streams[2];
};

struct mode {
    int variant;
    struct pair *pair;
    double call_share; /* of the last sample */
};

static void enqueue(struct pair *pair, int which, cudaStream_t stream)
{
    if (which == 0)
        check_cuda(cudaMemcpyAsync(pair->gpu[0], pair->host[0], pair->bytes, cudaMemcpyHostToDevice,
                                   stream));
    else if (pair->with_kernel)
        check_cuda(compute_only(pair->values, THREADS, pair->steps, stream));
    else
        check_cuda(cudaMemcpyAsync(pair->host[1], pair->gpu[1], pair->bytes, cudaMemcpyDeviceToHost,
                                   stream));
}

static double sample(void *task)
{
    struct mode *mode = task;
    struct pair *pair = mode->pair;
    double in_calls_s = 0.0, start_s = clock_now_s();
    for (int which = 0; which < 2; which++) {
        cudaStream_t stream = pair->streams[mode->variant == TWO_STREAMS ? which : 0];
        double call_s = clock_now_s();
        enqueue(pair, which, stream);
        in_calls_s += clock_now_s() - call_s;
        if (mode->variant == SEPARATE)
            check_cuda(cudaStreamSynchronize(stream));
    }
    for (int i = 0; i < 2; i++)
        check_cuda(cudaStreamSynchronize(pair->streams[i]));
    double time_s = clock_now_s() - start_s;
    mode->call_share = in_calls_s / time_s;
    return time_s;
}

static double time_alone(struct pair *pair, int which)
{
    double best_s = 1e9;
    for (int i = 0; i < 3; i++) {
        double start_s = clock_now_s();
        enqueue(pair, which, pair->streams[0]);
        check_cuda(cudaStreamSynchronize(pair->streams[0]));
        double time_s = clock_now_s() - start_s;
        best_s = time_s < best_s ? time_s : best_s;
    }
    return best_s;
}

/* Makes the kernel take about as long as the copy. */
static void calibrate(struct pair *pair)
{
    double copy_s = time_alone(pair, 0), kernel_s = 0.0;
    for (pair->steps = 64; pair->steps < STEPS_MAX; pair->steps *= 2) {
        kernel_s = time_alone(pair, 1);
        if (kernel_s >= copy_s)
            break;
    }
    double steps = pair->steps * (copy_s / kernel_s);
    pair->steps = steps < 1.0 ? 1 : (unsigned)steps;
}

static void open_pair(const struct run *run, struct pair *pair, bool with_kernel, size_t bytes)
{
    const uint64_t seed = run->settings.seed;
    *pair = (struct pair){
        .with_kernel = with_kernel,
        .bytes = bytes,
        .host = {scope_random(MEMORY_PINNED, bytes, seed),
                 scope_random(MEMORY_PINNED, bytes, seed + 2)},
        .gpu = {scope_zeros(MEMORY_DEVICE, bytes), scope_random(MEMORY_DEVICE, bytes, seed + 1)},
        .values = scope_zeros(MEMORY_DEVICE, THREADS * sizeof(double))};
    for (int i = 0; i < 2; i++)
        check_cuda(cudaStreamCreateWithFlags(&pair->streams[i], cudaStreamNonBlocking));
    if (with_kernel)
        calibrate(pair);
}

static void close_pair(struct pair *pair)
{
    for (int i = 0; i < 2; i++)
        check_cuda(cudaStreamDestroy(pair->streams[i]));
}

/* Wrong bytes where the copies went, which is the same place for all variants. */
static long count_wrong(struct run *run, void *task)
{
    const struct pair *pair = ((struct mode *)task)->pair;
    const uint64_t seed = run->settings.seed;
    long wrong = count_wrong_bytes(pair->gpu[0], pair->bytes, seed);
    if (!pair->with_kernel)
        wrong += count_wrong_bytes(pair->host[1], pair->bytes, seed + 1);
    return wrong;
}

static void fill_row(const void *task, double time_s, void *row)
{
    (void)time_s;
    const struct mode *mode = task;
    *(struct row *)row =
        (struct row){operations[mode->pair->with_kernel], mode->pair->bytes, NAN, mode->call_share};
}

static void fill_ratio(const struct compared *compared, size_t task, size_t repetition, void *row)
{
    const struct subject *separate = compared_variant(compared, SEPARATE);
    if (separate)
        ((struct row *)row)->overlap_ratio =
            compared->subjects[task].times_s[repetition] / separate->times_s[repetition];
}

static const struct comparison comparison = {.task_bytes = TASK(struct mode),
                                             .row_bytes = sizeof(struct row),
                                             .sample = sample,
                                             .row = fill_row,
                                             .relate = fill_ratio,
                                             .verify = count_wrong};

static void run_all(struct run *run)
{
    for (int with_kernel = 0; with_kernel < OPERATIONS; with_kernel++)
        for (size_t i = 0; i < run->settings.size_count; i++) {
            struct pair pair;
            scope_open();
            open_pair(run, &pair, with_kernel, run->settings.sizes[i]);
            compare_variants(run, &comparison, &(struct mode){.pair = &pair});
            close_pair(&pair);
            scope_close();
        }
}

static const size_t default_sizes[] = {1 << 20, 4 << 20, 16 << 20, 64 << 20, 0};

const struct program program = {
    .name = "pinning_streams",
    .summary = "overlaps copies of page-locked memory with one another and with a kernel",
    .details = "time_s runs until both operations are done. The kernel only computes, in one\n"
               "block of 128 threads, so that it leaves memory and other cores to the copy.",
    .variants = variants,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .uses_gpu = true,
    .run = run_all,
};
