/* partition_waves: how the time of a kernel grows with its number of blocks. */
#include <limits.h>
#include <stdlib.h>

#include "common/harness/option_lists.h"
#include "common/harness/program.h"

#include "kernel_alone.h"

static const struct variant variants[] = {
    {"blocks", "update_velocities on one device, every thread with the same number of bodies"},
    {0},
};

static int64_t bodies = 4096, block_threads = 128, waves = 2;
static const char *block_list, *modules;
static const struct program_option options[] = {
    {"bodies", OPTION_INTEGER, &bodies, "N", "bodies that each thread reads", 2, 1 << 24},
    {"block", OPTION_INTEGER, &block_threads, "N", "threads of a block", 1, 1024},
    {"waves", OPTION_INTEGER, &waves, "N", "full waves of resident blocks, up to so many", 1, 64},
    {"blocks", OPTION_TEXT, &block_list, "LIST", "more numbers of blocks, such as 3,5..8", 0, 0},
    {"modules", OPTION_TEXT, &modules, "DIR",
     "directory of the kernels' modules; none: ../partition beside the program", 0, 0},
    {0},
};

enum { BLOCKS, BLOCK_THREADS, BODIES, CAPACITY, MULTIPROCESSORS, WAVES, COLUMNS };
static const struct column columns[COLUMNS + 1] = {
    {"blocks", COLUMN_PARAMETER, "blocks of the launch"},
    {"block_threads", COLUMN_PARAMETER, "threads of a block"},
    {"bodies", COLUMN_PARAMETER, "bodies that each thread reads"},
    {"capacity", COLUMN_PARAMETER, "blocks of this kernel that the device holds at once"},
    {"multiprocessors", COLUMN_PARAMETER, "multiprocessors of the device"},
    {"waves", COLUMN_METRIC, "blocks / capacity, rounded up"},
    {0},
};

/* A launch of so many blocks. */
struct wave_launch {
    struct kernel_alone *alone;
    long blocks;
};

struct residency {
    long capacity, multiprocessors;
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
    struct option_numbers more = {0};
    if (block_list)
        more = option_read_numbers("blocks", block_list, 1, INT_MAX / (long)block_threads);
    struct option_numbers all = {
        .values = allocate_or_fail(more.count + PARTIAL_MAX + 2 * (size_t)waves, sizeof(long))};
    all.values[all.count++] = 1;
    all.values[all.count++] = device->multiprocessors + 1;
    all.values[all.count++] = device->capacity / 2;
    for (long blocks = device->multiprocessors; blocks < device->capacity; blocks *= 2)
        all.values[all.count++] = blocks;
    for (long wave = 1; wave <= waves; wave++) {
        all.values[all.count++] = wave * device->capacity;
        all.values[all.count++] = wave * device->capacity + 1;
    }
    for (size_t i = 0; i < more.count; i++)
        all.values[all.count++] = more.values[i];
    free(more.values);
    sort_once(&all);
    return all;
}

/* ---- measured and recorded ---- */

static size_t threads_of(const struct wave_launch *launch)
{
    return (size_t)launch->blocks * (size_t)block_threads;
}

static double sample(void *context)
{
    struct wave_launch *launch = context;
    return kernel_alone_time(launch->alone, threads_of(launch));
}

static void record(struct run *run, const struct wave_launch *launch,
                   const struct residency *device, const struct subject *subject)
{
    const struct settings *settings = &run->settings;
    struct kernel_check check = {0};
    if (settings->check)
        check = kernel_alone_check(launch->alone, threads_of(launch), settings->seed);
    struct value values[COLUMNS] = {
        [BLOCKS] = integer(launch->blocks),
        [BLOCK_THREADS] = integer(block_threads),
        [BODIES] = integer(bodies),
        [CAPACITY] = integer(device->capacity),
        [MULTIPROCESSORS] = integer(device->multiprocessors),
        [WAVES] = integer((launch->blocks + device->capacity - 1) / device->capacity),
    };
    for (size_t i = 0; i < subject->count; i++)
        record_values(run, "blocks", (int)i, values, subject->times_s[i], check.errors);
}

static void measure_numbers(struct run *run, struct kernel_alone *alone,
                            const struct residency *device, const struct option_numbers *numbers)
{
    struct wave_launch *launches = allocate_or_fail(numbers->count, sizeof *launches);
    struct subject *subjects = allocate_or_fail(numbers->count, sizeof *subjects);
    for (size_t i = 0; i < numbers->count; i++) {
        launches[i] = (struct wave_launch){alone, numbers->values[i]};
        subjects[i] =
            (struct subject){.variant = "blocks", .sample = sample, .context = &launches[i]};
    }
    measure(run, subjects, numbers->count);
    for (size_t i = 0; i < numbers->count; i++)
        record(run, &launches[i], device, &subjects[i]);
    measure_free(subjects, numbers->count);
    free(subjects);
    free(launches);
}

static void run_all(struct run *run)
{
    struct kernel_alone alone;
    kernel_alone_open(&alone, kernel_kind_find("update_velocities"), run->settings.device, modules);
    alone.block[0] = (unsigned)block_threads;
    struct residency device = find_residency(&alone);
    struct option_numbers numbers = numbers_of_blocks(&device);
    /* Whatever the number of blocks, the arrays are the same. */
    size_t most = (size_t)numbers.values[numbers.count - 1] * (size_t)block_threads;
    kernel_alone_fill(&alone, (int)bodies, most > (size_t)bodies ? most : (size_t)bodies,
                      run->settings.seed);
    measure_numbers(run, &alone, &device, &numbers);
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
