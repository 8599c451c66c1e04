/* partition_waves: how the time of a kernel grows with its number of blocks. */
#include <limits.h>
#include <stdlib.h>

#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "kernel_alone.h"

static const struct variant variants[] = {
    {"blocks", "update_velocities on one device, every thread with the same number of bodies"},
    {0},
};

static int64_t bodies = 4096, block_threads = 128, waves = 2;
static struct option_numbers more_blocks;
static const char *modules;
static const struct program_option options[] = {
    {"bodies", OPTION_INTEGER, &bodies, "N", "bodies that each thread reads", 2, 1 << 24},
    {"block", OPTION_INTEGER, &block_threads, "N", "threads of a block", 1, 1024},
    {"waves", OPTION_INTEGER, &waves, "N", "full waves of resident blocks, up to so many", 1, 64},
    {"blocks", OPTION_NUMBERS, &more_blocks, "LIST", "more numbers of blocks, such as 3,5..8", 1,
     INT_MAX},
    {"modules", OPTION_TEXT, &modules, "DIR",
     "folder of the kernels' modules; none: ../partition beside the program", 0, 0},
    {0},
};

struct row {
    long blocks;
    int64_t block_threads, bodies;
    long capacity, multiprocessors, waves;
};
static const struct column columns[] = {
    PARAMETER(struct row, blocks, "blocks of the launch"),
    PARAMETER(struct row, block_threads, "threads of a block"),
    PARAMETER(struct row, bodies, "bodies that each thread reads"),
    PARAMETER(struct row, capacity, "blocks of this kernel that the device holds at once"),
    PARAMETER(struct row, multiprocessors, "multiprocessors of the device"),
    METRIC(struct row, waves, "blocks / capacity, rounded up"),
    {0},
};

struct residency {
    long capacity, multiprocessors;
};

/* A launch of so many blocks. */
struct wave {
    int variant;
    struct kernel_alone *alone;
    struct residency device;
    long blocks;
};

static struct residency find_residency(struct kernel_alone *alone)
{
    struct application_run *device = &alone->device;
    int per_multiprocessor = 0, multiprocessors = 0;
    attempt(device, cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                                         device->device));
    attempt(device, cuOccupancyMaxActiveBlocksPerMultiprocessor(
                        &per_multiprocessor, alone->function, (int)block_threads, 0));
    if (device->error)
        fail("the device does not say how many blocks it holds, see above");
    if (per_multiprocessor == 0)
        fail("a multiprocessor does not hold a block of %ld threads", (long)block_threads);
    return (struct residency){(long)per_multiprocessor * multiprocessors, multiprocessors};
}

/* ---- numbers of blocks ---- */

/* Below a full wave: three, and those by factors of two up to INT_MAX. */
enum { PARTIAL_MAX = 3 + 31 };

static int by_number(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

static void sort_once(struct option_numbers *numbers)
{
    size_t kept = 0;
    qsort(numbers->values, numbers->count, sizeof *numbers->values, by_number);
    for (size_t i = 0; i < numbers->count; i++)
        if (numbers->values[i] > 0 &&
            (kept == 0 || numbers->values[i] != numbers->values[kept - 1]))
            numbers->values[kept++] = numbers->values[i];
    numbers->count = kept;
}

/* Up to the capacity as blocks pile up on the multiprocessors, then full waves; one more than a
 * number that fills something shows the step. Release with free(values). */
static struct option_numbers numbers_of_blocks(const struct residency *device)
{
    struct option_numbers all = {
        .values =
            allocate_or_fail(more_blocks.count + PARTIAL_MAX + 2 * (size_t)waves, sizeof(long))};
    all.values[all.count++] = 1;
    all.values[all.count++] = device->multiprocessors + 1;
    all.values[all.count++] = device->capacity / 2;
    for (long blocks = device->multiprocessors; blocks < device->capacity; blocks *= 2)
        all.values[all.count++] = blocks;
    for (long wave = 1; wave <= waves; wave++) {
        all.values[all.count++] = wave * device->capacity;
        all.values[all.count++] = wave * device->capacity + 1;
    }
    for (size_t i = 0; i < more_blocks.count; i++) {
        if (more_blocks.values[i] > INT_MAX / block_threads)
            fail("--blocks %ld: at most %ld blocks of %ld threads", more_blocks.values[i],
                 INT_MAX / (long)block_threads, (long)block_threads);
        all.values[all.count++] = more_blocks.values[i];
    }
    sort_once(&all);
    return all;
}

/* ---- measured and recorded ---- */

static size_t threads_of(const struct wave *wave)
{
    return (size_t)wave->blocks * (size_t)block_threads;
}

static double sample(void *task)
{
    const struct wave *wave = task;
    return kernel_alone_time(wave->alone, threads_of(wave));
}

static long verify(struct run *run, void *task)
{
    const struct wave *wave = task;
    return kernel_alone_check(wave->alone, threads_of(wave), run->settings.seed).errors;
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct wave *wave = task;
    const long capacity = wave->device.capacity;
    (void)time_s;
    *(struct row *)row = (struct row){wave->blocks,
                                      block_threads,
                                      bodies,
                                      capacity,
                                      wave->device.multiprocessors,
                                      (wave->blocks + capacity - 1) / capacity};
}

static const struct comparison comparison = {.task_bytes = TASK(struct wave),
                                             .row_bytes = sizeof(struct row),
                                             .sample = sample,
                                             .row = fill_row,
                                             .verify = verify};

static void run_all(struct run *run)
{
    struct kernel_alone alone;
    kernel_alone_open(&alone, kernel_kind_find("update_velocities"), run->settings.device, modules);
    alone.block[0] = (unsigned)block_threads;
    struct residency device = find_residency(&alone);
    struct option_numbers numbers = numbers_of_blocks(&device);
    /* Whatever the number of blocks, the arrays are the same. */
    size_t threads = (size_t)numbers.values[numbers.count - 1] * (size_t)block_threads;
    kernel_alone_fill(&alone, (int)bodies, threads > (size_t)bodies ? threads : (size_t)bodies,
                      run->settings.seed);
    struct wave *launches = allocate_or_fail(numbers.count, sizeof *launches);
    for (size_t i = 0; i < numbers.count; i++)
        launches[i] = (struct wave){0, &alone, device, numbers.values[i]};
    compare_tasks(run, &comparison, launches, numbers.count);
    free(launches);
    free(numbers.values);
    kernel_alone_close(&alone);
}

const struct program program = {
    .name = "partition_waves",
    .summary = "measures how the time of a kernel grows with the number of its blocks",
    .details =
        "Numbers of blocks: 1; 1, 2, 4, ... for each multiprocessor; half of the capacity; multiples\n"
        "of the capacity; one more than one for each multiprocessor, and than each multiple. The\n"
        "capacity is what the driver names: resident blocks of a multiprocessor times\n"
        "multiprocessors. Blocks on one multiprocessor share its issue slots, so a full wave may\n"
        "take longer than one block. The software GPU names what a cooperative launch may have; it\n"
        "executes as many blocks at once as there are cores, so there the times show no waves.\n"
        "time_s: a launch, waited for. errors: velocities that are not the CPU's, and others that\n"
        "changed. Source: Klein 2016, 4.3.1.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};
