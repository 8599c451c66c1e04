/* pinning_streams: do copies run beside one another, and beside a kernel, on one and two streams?
 */
#include "clock.h"
#include "mapped_copy.h"
#include "memory.h"
#include "program.h"
#include "random.h"

#include <stdlib.h>

enum { MODES = 3, OPERATIONS = 2, THREADS = 128, MOST_STEPS = 1 << 28 };

static const struct variant variants[] = {
    {"separate", "one operation after the other, each waited for"},
    {"one_stream", "both enqueued on the same stream"},
    {"two_streams", "each enqueued on a stream of its own"},
    {0},
};
static const char *const operations[OPERATIONS] = {"opposite_copies", "copy_and_kernel"};

static const struct column columns[] = {
    {"operation", COLUMN_PARAMETER,
     "opposite_copies: host to GPU and GPU to host; copy_and_kernel: host to GPU and a kernel that "
     "takes about as long"},
    {"size_bytes", COLUMN_PARAMETER, "bytes of each copy; host memory is page-locked"},
    {"overlap_ratio", COLUMN_METRIC, "time_s / time_s of separate in the same repetition"},
    {"call_share", COLUMN_METRIC, "time within the calls that enqueue / time_s"},
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

/* One variant; the shares are kept by sample, warm-up included. */
struct mode {
    struct pair *pair;
    int variant;
    double *call_shares;
    size_t count, capacity;
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

static void keep_share(struct mode *mode, double share)
{
    if (mode->count == mode->capacity) {
        mode->capacity = mode->capacity ? 2 * mode->capacity : 64;
        mode->call_shares = realloc(mode->call_shares, mode->capacity * sizeof(double));
        if (!mode->call_shares)
            fail("no host memory for %zu samples: choose fewer with -n", mode->capacity);
    }
    mode->call_shares[mode->count++] = share;
}

static double sample(void *context)
{
    struct mode *mode = context;
    struct pair *pair = mode->pair;
    bool separate = mode->variant == 0;
    double in_calls_s = 0.0, start_s = clock_now_s();
    for (int which = 0; which < 2; which++) {
        cudaStream_t stream = pair->streams[mode->variant == 2 ? which : 0];
        double call_s = clock_now_s();
        enqueue(pair, which, stream);
        in_calls_s += clock_now_s() - call_s;
        if (separate)
            check_cuda(cudaStreamSynchronize(stream));
    }
    for (int i = 0; i < 2; i++)
        check_cuda(cudaStreamSynchronize(pair->streams[i]));
    double time_s = clock_now_s() - start_s;
    keep_share(mode, in_calls_s / time_s);
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
    for (pair->steps = 64; pair->steps < MOST_STEPS; pair->steps *= 2) {
        kernel_s = time_alone(pair, 1);
        if (kernel_s >= copy_s)
            break;
    }
    double steps = pair->steps * (copy_s / kernel_s);
    pair->steps = steps < 1.0 ? 1 : (unsigned)steps;
}

static void open_pair(const struct run *run, struct pair *pair, bool with_kernel, size_t bytes)
{
    *pair = (struct pair){.with_kernel = with_kernel, .bytes = bytes};
    for (int i = 0; i < 2; i++) {
        pair->host[i] = memory_allocate(MEMORY_PINNED, bytes);
        pair->gpu[i] = memory_allocate(MEMORY_DEVICE, bytes);
        random_fill_bytes(pair->host[i], bytes, run->settings.seed + (uint64_t)i);
        check_cuda(cudaMemcpy(pair->gpu[i], pair->host[i], bytes, cudaMemcpyHostToDevice));
        check_cuda(cudaStreamCreateWithFlags(&pair->streams[i], cudaStreamNonBlocking));
    }
    pair->values = memory_allocate(MEMORY_DEVICE, THREADS * sizeof(double));
    check_cuda(cudaMemset(pair->values, 0, THREADS * sizeof(double)));
    check_cuda(cudaMemset(pair->gpu[0], 0, bytes));
    random_fill_bytes(pair->host[1], bytes, run->settings.seed + 2);
    check_cuda(cudaDeviceSynchronize());
    if (with_kernel)
        calibrate(pair);
}

/* Wrong bytes where the copies went. */
static long count_wrong(const struct run *run, struct pair *pair)
{
    unsigned char *back = memory_allocate(MEMORY_PAGEABLE, pair->bytes);
    check_cuda(cudaMemcpy(back, pair->gpu[0], pair->bytes, cudaMemcpyDeviceToHost));
    long wrong = (long)random_count_wrong_bytes(back, pair->bytes, run->settings.seed);
    memory_release(MEMORY_PAGEABLE, back);
    if (!pair->with_kernel)
        wrong += (long)random_count_wrong_bytes(pair->host[1], pair->bytes, run->settings.seed + 1);
    return wrong;
}

static void close_pair(struct pair *pair)
{
    for (int i = 0; i < 2; i++) {
        memory_release(MEMORY_PINNED, pair->host[i]);
        memory_release(MEMORY_DEVICE, pair->gpu[i]);
        check_cuda(cudaStreamDestroy(pair->streams[i]));
    }
    memory_release(MEMORY_DEVICE, pair->values);
}

static void record(struct run *run, const struct mode *mode, const struct subject *subject,
                   const struct subject *separate, long wrong)
{
    const double *shares = mode->call_shares + mode->count - subject->count;
    for (size_t i = 0; i < subject->count; i++) {
        struct value values[] = {
            text(operations[mode->pair->with_kernel]), integer((int64_t)mode->pair->bytes),
            separate ? real(subject->times_s[i] / separate->times_s[i]) : none(), real(shares[i])};
        record_row(run, subject->variant, (int)i, values, subject->times_s[i], wrong);
    }
}

static void measure_pair(struct run *run, bool with_kernel, size_t bytes)
{
    struct pair pair;
    struct mode modes[MODES] = {{0}};
    struct subject subjects[MODES];
    size_t count = 0;
    open_pair(run, &pair, with_kernel, bytes);
    for (int variant = 0; variant < MODES; variant++) {
        if (!program_wants(run, variants[variant].name))
            continue;
        modes[count] = (struct mode){.pair = &pair, .variant = variant};
        subjects[count] = (struct subject){
            .variant = variants[variant].name, .sample = sample, .context = &modes[count]};
        count++;
    }
    measure(run, subjects, count);
    long wrong = run->settings.check ? count_wrong(run, &pair) : 0;
    const struct subject *separate = modes[0].variant == 0 ? &subjects[0] : NULL;
    for (size_t i = 0; i < count; i++) {
        record(run, &modes[i], &subjects[i], separate, wrong);
        free(modes[i].call_shares);
    }
    measure_free(subjects, count);
    close_pair(&pair);
}

static void run_all(struct run *run)
{
    for (int with_kernel = 0; with_kernel < OPERATIONS; with_kernel++)
        for (size_t i = 0; i < run->settings.size_count; i++)
            measure_pair(run, with_kernel, run->settings.sizes[i]);
}

static const size_t default_sizes[] = {1 << 20, 4 << 20, 16 << 20, 64 << 20, 0};

static const struct program program = {
    .name = "pinning_streams",
    .summary = "overlaps copies of page-locked memory with one another and with a kernel",
    .details = "time_s runs until both operations are done. The kernel only computes, in one\n"
               "block of 128 threads, so that it leaves memory and other cores to the copy.",
    .variants = variants,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .default_begin = 1 << 20,
    .default_end = 64 << 20,
    .uses_gpu = true,
    .run = run_all,
};

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
