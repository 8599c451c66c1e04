/* blp_residency: whether more persistent blocks than multiprocessors run at once, and what that is
 * worth to a kernel that waits for memory. */
#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/option_lists.h"
#include "common/harness/program.h"
#include "common/random.h"

#include "bench_cycle.h"
#include "bench_residency.h"

enum { SUBJECTS_MOST = 256 };

enum kind { BARRIER, LATENCY_BOUND, KINDS };
static const struct variant variants[] = {
    [BARRIER] = {"barrier", "all blocks of a cooperative launch wait for one another"},
    [LATENCY_BOUND] = {"latency-bound", "persistent blocks follow pointers, or read in a row"},
    [KINDS] = {0},
};

enum { BLOCKS_PER_SM, ACCESS, BLOCKS, THREADS, RESIDENT, COLUMNS };
static const struct column columns[] = {
    [BLOCKS_PER_SM] = {"blocks_per_sm", COLUMN_PARAMETER, "blocks per multiprocessor"},
    [ACCESS] = {"access", COLUMN_PARAMETER,
                "chase: each load waits for the last; stream: none does"},
    [BLOCKS] = {"blocks", COLUMN_PARAMETER, "blocks of the launch"},
    [THREADS] = {"threads", COLUMN_PARAMETER, "threads of a block"},
    [RESIDENT] = {"resident", COLUMN_METRIC,
                  "1: every block saw all others; 0: they cannot be resident at once"},
    [COLUMNS] = {0},
};

static const char *block_list = "1,2,4";
static int64_t threads = 128, chains_per_sm = 1024, steps = 256;
static const struct program_option options[] = {
    {"blocks-per-sm", OPTION_TEXT, &block_list, "LIST", "blocks per multiprocessor", 0, 0},
    {"threads", OPTION_INTEGER, &threads, "N", "threads of a block", 1, 1024},
    {"chains", OPTION_INTEGER, &chains_per_sm, "N",
     "chains of pointers per multiprocessor, followed by all its blocks together", 1, 1e6},
    {"steps", OPTION_INTEGER, &steps, "N", "pointers of a chain that are followed", 1, 1e6},
    {0},
};

static struct {
    struct blp_bench_cycle cycle;
    unsigned *device_next;
    unsigned *starts; /* of the chains */
    unsigned *device_place;
    unsigned *device_words; /* arrived, met; or a sum */
    long chains;
} memory;

struct test {
    enum kind kind;
    bool streams;
    long blocks_per_sm;
    int blocks;
    bool resident; /* what can be launched */
    long errors;   /* of all samples */
};

static void open_memory(const struct run *run, int multiprocessors)
{
    const size_t bytes = run->settings.size, entries = bytes / sizeof(unsigned);
    memory.chains = (long)(chains_per_sm * multiprocessors);
    if (entries < 2 || entries > UINT32_MAX)
        fail("-s %zu: from 8 bytes to 16G are needed", bytes);
    blp_bench_cycle_make(&memory.cycle, entries, run->settings.seed);
    memory.starts = allocate_or_fail((size_t)memory.chains, sizeof(unsigned));
    memory.device_next = memory_allocate(MEMORY_DEVICE, bytes);
    memory.device_place = memory_allocate(MEMORY_DEVICE, (size_t)memory.chains * sizeof(unsigned));
    memory.device_words = memory_allocate(MEMORY_DEVICE, 2 * sizeof(unsigned));
    unsigned *next = allocate_or_fail(entries, sizeof(unsigned));
    blp_bench_cycle_next(&memory.cycle, next);
    check_cuda(
        cudaMemcpy(memory.device_next, next, entries * sizeof(unsigned), cudaMemcpyHostToDevice));
    free(next);
}

static void close_memory(void)
{
    blp_bench_cycle_free(&memory.cycle);
    free(memory.starts);
    memory_release(MEMORY_DEVICE, memory.device_next);
    memory_release(MEMORY_DEVICE, memory.device_place);
    memory_release(MEMORY_DEVICE, memory.device_words);
}

/* ---- samples: each is verified ---- */

static double wait_since(double start_s)
{
    check_cuda(cudaStreamSynchronize(0));
    return clock_now_s() - start_s;
}

static double sample_barrier(struct test *test)
{
    unsigned words[2];
    check_cuda(cudaMemset(memory.device_words, 0, sizeof words));
    check_cuda(cudaDeviceSynchronize());
    double start_s = clock_now_s();
    check_cuda(blp_bench_meet(test->blocks, (int)threads, memory.device_words,
                              memory.device_words + 1, 0));
    double time_s = wait_since(start_s);
    check_cuda(cudaMemcpy(words, memory.device_words, sizeof words, cudaMemcpyDeviceToHost));
    test->errors += test->blocks - (long)words[1];
    return time_s;
}

static struct blp_bench_chase chase_of(const struct test *test)
{
    return (struct blp_bench_chase){.blocks = test->blocks,
                                    .threads = (int)threads,
                                    .next = memory.device_next,
                                    .entries = memory.cycle.entries,
                                    .place = memory.device_place,
                                    .chains = memory.chains,
                                    .steps = (long)steps};
}

static double sample_stream(struct test *test)
{
    const struct blp_bench_chase chase = chase_of(test);
    unsigned sum;
    check_cuda(cudaMemset(memory.device_words, 0, sizeof sum));
    check_cuda(cudaDeviceSynchronize());
    double start_s = clock_now_s();
    check_cuda(blp_bench_sum(&chase, memory.device_words, 0));
    double time_s = wait_since(start_s);
    check_cuda(cudaMemcpy(&sum, memory.device_words, sizeof sum, cudaMemcpyDeviceToHost));
    /* Each entry points to another, so that all numbers below `entries` are added. */
    test->errors += sum != (unsigned)(memory.cycle.entries * (memory.cycle.entries - 1) / 2);
    return time_s;
}

static long wrong_places(void)
{
    const size_t bytes = (size_t)memory.chains * sizeof(unsigned);
    unsigned *places = allocate_or_fail((size_t)memory.chains, sizeof(unsigned));
    check_cuda(cudaMemcpy(places, memory.device_place, bytes, cudaMemcpyDeviceToHost));
    const long wrong =
        blp_bench_cycle_wrong(&memory.cycle, memory.starts, places, memory.chains, (long)steps);
    free(places);
    return wrong;
}

static double sample_chase(struct test *test)
{
    static uint64_t turn;
    const struct blp_bench_chase chase = chase_of(test);
    for (long chain = 0; chain < memory.chains; chain++)
        memory.starts[chain] = (unsigned)random_below(turn, (uint64_t)chain, memory.cycle.entries);
    turn++;
    check_cuda(cudaMemcpy(memory.device_place, memory.starts,
                          (size_t)memory.chains * sizeof(unsigned), cudaMemcpyHostToDevice));
    double start_s = clock_now_s();
    check_cuda(blp_bench_chase(&chase, 0));
    double time_s = wait_since(start_s);
    test->errors += wrong_places();
    return time_s;
}

static double sample(void *context)
{
    struct test *test = context;
    if (test->kind == BARRIER)
        return sample_barrier(test);
    return test->streams ? sample_stream(test) : sample_chase(test);
}

/* ---- all tests ---- */

static void record(struct run *run, const struct test *test, int repetition, double time_s)
{
    struct value values[COLUMNS] = {
        [BLOCKS_PER_SM] = integer(test->blocks_per_sm),
        [ACCESS] = test->kind == BARRIER ? none() : text(test->streams ? "stream" : "chase"),
        [BLOCKS] = integer(test->blocks),
        [THREADS] = integer(threads),
        [RESIDENT] = integer(test->resident && (test->kind != BARRIER || test->errors == 0)),
    };
    record_values(run, variants[test->kind].name, repetition, values, time_s,
                  run->settings.check ? test->errors : 0);
}

static size_t make_tests(const struct run *run, struct test *tests)
{
    struct option_numbers blocks = option_read_numbers("blocks-per-sm", block_list, 1, 64);
    const int multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount, run->settings.device);
    int limit;
    size_t count = 0;
    check_cuda(blp_bench_meet_limit((int)threads, &limit));
    for (size_t i = 0; i < blocks.count; i++)
        for (int access = 0; access < 3; access++) {
            struct test test = {.kind = access == 0 ? BARRIER : LATENCY_BOUND,
                                .streams = access == 1,
                                .blocks_per_sm = blocks.values[i],
                                .blocks = (int)blocks.values[i] * multiprocessors};
            test.resident = test.blocks <= limit;
            if (count == SUBJECTS_MOST)
                fail("--blocks-per-sm: too many numbers");
            if (program_wants(run, variants[test.kind].name))
                tests[count++] = test;
        }
    free(blocks.values);
    return count;
}

static void measure_all(struct run *run, struct test *tests, size_t count)
{
    struct subject subjects[SUBJECTS_MOST];
    size_t able = 0;
    for (size_t i = 0; i < count; i++)
        if (tests[i].resident)
            subjects[able++] = (struct subject){
                .variant = variants[tests[i].kind].name, .sample = sample, .context = &tests[i]};
    measure(run, subjects, able);
    for (size_t i = 0; i < able; i++)
        for (size_t k = 0; k < subjects[i].count; k++)
            record(run, subjects[i].context, (int)k, subjects[i].times_s[k]);
    for (size_t i = 0; i < count; i++)
        if (!tests[i].resident)
            record(run, &tests[i], 0, NAN);
    measure_free(subjects, able);
}

static void run_all(struct run *run)
{
    static struct test tests[SUBJECTS_MOST];
    size_t count = make_tests(run, tests);
    open_memory(run, gpu_attribute(cudaDevAttrMultiProcessorCount, run->settings.device));
    measure_all(run, tests, count);
    close_memory();
}

const struct program program = {
    .name = "blp_residency",
    .summary = "persistent blocks beyond one per multiprocessor: residency, and waiting for memory",
    .details = "-s is the size in bytes of the entries that point to one another. The work is the\n"
               "same for any number of blocks: all chains, or all entries. Blocks that cannot be\n"
               "resident at once are not launched; their row has resident 0 and no time.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .default_size = 64 << 20,
    .uses_gpu = true,
    .run = run_all,
};
