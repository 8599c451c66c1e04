/* common_divergence: what it costs that the threads of a warp take different branches. */
#include "clock.h"
#include "memory.h"
#include "program.h"
#include "random.h"
#include "workloads/divergence.h"

#include <stdlib.h>

enum { CASES = 6 }; /* 1, 2, 4, ... DIVERGENCE_PATHS */

static const struct variant variants[] = {{"branches", "a switch with a loop in each branch"}, {0}};

static const struct column columns[] = {
    {"paths", COLUMN_PARAMETER, "different branches that the threads of a warp take"},
    {"threads", COLUMN_PARAMETER, "threads of the launch"},
    {"steps", COLUMN_PARAMETER, "passes of the loop in each branch"},
    {"step_ps", COLUMN_METRIC, "time_s / (threads * steps), in 10^-12 s"},
    {0},
};

static int64_t steps = 256;
static const struct option options[] = {
    {"steps", OPTION_INTEGER, &steps, "N", "passes of the loop in each branch", 1, 1 << 20},
    {0},
};

/* One number of paths; all cases share the input. */
struct work {
    unsigned paths, threads;
    const unsigned *input;
    unsigned *output;
};

static double sample(void *context)
{
    struct work *work = context;
    double start_s = clock_now_s();
    check_cuda(
        divergence_run(work->output, work->input, work->threads, work->paths, (unsigned)steps, 0));
    check_cuda(cudaDeviceSynchronize());
    return clock_now_s() - start_s;
}

static long count_wrong(const struct work *work, const unsigned *input)
{
    long wrong = 0;
    size_t bytes = work->threads * sizeof *input;
    unsigned *output = memory_allocate(MEMORY_PAGEABLE, bytes);
    check_cuda(cudaMemcpy(output, work->output, bytes, cudaMemcpyDeviceToHost));
    for (unsigned thread = 0; thread < work->threads; thread++) {
        unsigned path = divergence_path(thread, work->paths), value = input[thread];
        for (int64_t i = 0; i < steps; i++)
            value = (value >> 15) ^ (value * (2 * path + 3));
        wrong += value != output[thread];
    }
    memory_release(MEMORY_PAGEABLE, output);
    return wrong;
}

static void record(struct run *run, const struct subject *subject, long wrong)
{
    const struct work *work = subject->context;
    double passes = (double)work->threads * (double)steps;
    for (size_t i = 0; i < subject->count; i++) {
        double time_s = subject->times_s[i];
        struct value values[] = {integer(work->paths), integer(work->threads), integer(steps),
                                 real(1e12 * time_s / passes)};
        record_row(run, subject->variant, (int)i, values, time_s, wrong);
    }
}

static void run_all(struct run *run)
{
    size_t threads = run->settings.size;
    if (threads % DIVERGENCE_BLOCK || !threads || threads > 1u << 30)
        fail("-s %zu: a multiple of %d threads, at most 2^30", threads, DIVERGENCE_BLOCK);
    size_t bytes = threads * sizeof(unsigned);
    unsigned *random = memory_allocate(MEMORY_PAGEABLE, bytes);
    unsigned *input = memory_allocate(MEMORY_DEVICE, bytes);
    random_fill_bytes(random, bytes, run->settings.seed);
    memory_copy(input, random, bytes);

    struct work works[CASES];
    struct subject subjects[CASES];
    for (int i = 0; i < CASES; i++) {
        works[i] = (struct work){.paths = 1u << i, .threads = (unsigned)threads, .input = input};
        works[i].output = memory_allocate(MEMORY_DEVICE, bytes);
        subjects[i] =
            (struct subject){.variant = variants[0].name, .sample = sample, .context = &works[i]};
    }
    measure(run, subjects, CASES);
    for (int i = 0; i < CASES; i++) {
        record(run, &subjects[i], run->settings.check ? count_wrong(&works[i], random) : 0);
        memory_release(MEMORY_DEVICE, works[i].output);
    }
    measure_free(subjects, CASES);
    memory_release(MEMORY_DEVICE, input);
    memory_release(MEMORY_PAGEABLE, random);
}

static const struct program program = {
    .name = "common_divergence",
    .summary = "what it costs that the threads of a warp take different branches",
    .details =
        "Each thread does the same work in one of 32 branches. With 1 path all threads of a\n"
        "warp take the same one, and warps different ones. -s is the number of threads.\n"
        "Times are those of a launch on the host's clock.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .default_size = 1 << 20,
    .uses_gpu = true,
    .run = run_all,
};

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
