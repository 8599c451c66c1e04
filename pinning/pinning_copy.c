/* pinning_copy: one block between host and GPU, by the kind of the host memory. */
#include "clock.h"
#include "mapped_copy.h"
#include "memory.h"
#include "program.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>

enum { KINDS = 4, BUFFERS_MOST = 8, BUFFERS_LEAST = 2 };
/* Buffers take turns over at least this much memory where their number allows it. */
static const size_t rotate_bytes = (size_t)64 << 20;

static const struct variant variants[] = {
    {"pageable", "malloc: the driver stages the copy through page-locked memory"},
    {"pinned", "cudaMallocHost: the copy engine reads and writes the block itself"},
    {"registered", "malloc, then cudaHostRegister"},
    {"mapped", "cudaHostAlloc, mapped: a kernel reads and writes the block itself"},
    {0},
};
/* By variant: the kind of host memory. */
static const enum memory_kind kinds[KINDS] = {MEMORY_PAGEABLE, MEMORY_PINNED, MEMORY_REGISTERED,
                                              MEMORY_MAPPED};

static const struct column columns[] = {
    {"direction", COLUMN_PARAMETER, "h2d: host to GPU; d2h: GPU to host"},
    {"block_elements", COLUMN_PARAMETER, "size of the block in doubles"},
    {"size_bytes", COLUMN_METRIC, "size of the block in bytes"},
    {"bandwidth_gbs", COLUMN_METRIC, "size_bytes / time_s in 10^9 byte/s"},
    {0},
};

static const char *directions = "h2d,d2h";
static const struct option options[] = {
    {"directions", OPTION_TEXT, &directions, "LIST", "h2d, d2h or both, separated by a comma", 0,
     0},
    {0},
};

/* One variant in one configuration. */
struct copy {
    int variant;
    bool to_gpu;
    size_t elements, buffers, turn;
    double *host[BUFFERS_MOST], *gpu[BUFFERS_MOST];
    double *mapped[BUFFERS_MOST]; /* the GPU's address of host[i], of variant mapped */
};

static size_t bytes_of(const struct copy *copy)
{
    return copy->elements * sizeof(double);
}

static uint64_t seed_of(const struct run *run, size_t buffer)
{
    return run->settings.seed + buffer;
}

static void open_copy(struct copy *copy, int variant, bool to_gpu, size_t elements)
{
    *copy = (struct copy){.variant = variant, .to_gpu = to_gpu, .elements = elements};
    size_t wanted = rotate_bytes / bytes_of(copy);
    copy->buffers = wanted > BUFFERS_MOST    ? BUFFERS_MOST
                    : wanted < BUFFERS_LEAST ? BUFFERS_LEAST
                                             : wanted;
    for (size_t i = 0; i < copy->buffers; i++) {
        copy->host[i] = memory_allocate(kinds[variant], bytes_of(copy));
        copy->gpu[i] = memory_allocate(MEMORY_DEVICE, bytes_of(copy));
        if (kinds[variant] == MEMORY_MAPPED)
            check_cuda(cudaHostGetDevicePointer((void **)&copy->mapped[i], copy->host[i], 0));
    }
}

static void close_copy(struct copy *copy)
{
    for (size_t i = 0; i < copy->buffers; i++) {
        memory_release(kinds[copy->variant], copy->host[i]);
        memory_release(MEMORY_DEVICE, copy->gpu[i]);
    }
}

/* Random data at the source, other data at the target. */
static void fill(const struct run *run, struct copy *copy)
{
    for (size_t i = 0; i < copy->buffers; i++) {
        random_fill_bytes(copy->host[i], bytes_of(copy), seed_of(run, i));
        check_cuda(cudaMemcpy(copy->gpu[i], copy->host[i], bytes_of(copy), cudaMemcpyDefault));
        if (copy->to_gpu)
            check_cuda(cudaMemset(copy->gpu[i], 0, bytes_of(copy)));
        else
            memset(copy->host[i], 0, bytes_of(copy));
    }
    check_cuda(cudaDeviceSynchronize());
}

static void copy_once(struct copy *copy, size_t i)
{
    double *host = copy->mapped[i] ? copy->mapped[i] : copy->host[i];
    double *to = copy->to_gpu ? copy->gpu[i] : host, *from = copy->to_gpu ? host : copy->gpu[i];
    if (copy->mapped[i])
        check_cuda(mapped_copy(to, from, copy->elements, 0));
    else
        check_cuda(cudaMemcpy(to, from, bytes_of(copy),
                              copy->to_gpu ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost));
    check_cuda(cudaStreamSynchronize(0));
}

static double sample(void *context)
{
    struct copy *copy = context;
    size_t i = copy->turn++ % copy->buffers;
    double start_s = clock_now_s();
    copy_once(copy, i);
    return clock_now_s() - start_s;
}

/* Wrong bytes at the targets, all of which have been copied to. */
static long count_wrong(const struct run *run, struct copy *copy)
{
    long wrong = 0;
    unsigned char *back = memory_allocate(MEMORY_PAGEABLE, bytes_of(copy));
    for (size_t i = 0; i < copy->buffers; i++) {
        if (copy->turn < copy->buffers)
            copy_once(copy, copy->turn++);
        const void *target = copy->host[i];
        if (copy->to_gpu) {
            check_cuda(cudaMemcpy(back, copy->gpu[i], bytes_of(copy), cudaMemcpyDeviceToHost));
            target = back;
        }
        wrong += (long)random_count_wrong_bytes(target, bytes_of(copy), seed_of(run, i));
    }
    memory_release(MEMORY_PAGEABLE, back);
    return wrong;
}

static void record(struct run *run, const struct copy *copy, const struct subject *subject,
                   long wrong)
{
    for (size_t i = 0; i < subject->count; i++) {
        double time_s = subject->times_s[i];
        struct value values[] = {text(copy->to_gpu ? "h2d" : "d2h"),
                                 integer((int64_t)copy->elements), integer((int64_t)bytes_of(copy)),
                                 real(1e-9 * (double)bytes_of(copy) / time_s)};
        record_row(run, variants[copy->variant].name, (int)i, values, time_s, wrong);
    }
}

static void measure_size(struct run *run, bool to_gpu, size_t elements)
{
    struct copy copies[KINDS];
    struct subject subjects[KINDS];
    size_t count = 0;
    for (int variant = 0; variant < KINDS; variant++) {
        if (!program_wants(run, variants[variant].name))
            continue;
        open_copy(&copies[count], variant, to_gpu, elements);
        fill(run, &copies[count]);
        subjects[count] = (struct subject){
            .variant = variants[variant].name, .sample = sample, .context = &copies[count]};
        count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        long wrong = run->settings.check ? count_wrong(run, &copies[i]) : 0;
        record(run, &copies[i], &subjects[i], wrong);
        close_copy(&copies[i]);
    }
    measure_free(subjects, count);
}

static bool next_direction(const char **at, bool *to_gpu)
{
    if (!**at)
        return false;
    size_t length = strcspn(*at, ",");
    *to_gpu = length == 3 && strncmp(*at, "h2d", 3) == 0;
    if (!*to_gpu && !(length == 3 && strncmp(*at, "d2h", 3) == 0))
        fail("--directions %s: h2d and d2h are the directions", directions);
    *at += length + ((*at)[length] == ',');
    return true;
}

static void run_all(struct run *run)
{
    bool to_gpu;
    if (!*directions)
        fail("--directions needs h2d, d2h or both");
    for (const char *at = directions; next_direction(&at, &to_gpu);)
        for (size_t i = 0; i < run->settings.size_count; i++)
            measure_size(run, to_gpu, run->settings.sizes[i]);
}

/* The sizes of table 6-5: segments of 15 to 60 numbers, squared and to the fourth power. */
static const size_t default_sizes[] = {
    225,    400,    625,    900,     1225,    1600,    2025,    2500,    3025,     3600, 50625,
    160000, 390625, 810000, 1500625, 2560000, 4100625, 6250000, 9150625, 12960000, 0};

static const struct program program = {
    .name = "pinning_copy",
    .summary = "copies a block of doubles between host and GPU",
    .details = "time_s runs from the call of cudaMemcpy (mapped: the launch of the kernel) until\n"
               "the block has arrived, on the host's clock, so it includes the latency of the\n"
               "call. Several buffers take turns.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "elements",
    .default_sizes = default_sizes,
    .default_begin = 225,
    .default_end = 12960000,
    .uses_gpu = true,
    .run = run_all,
};

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
