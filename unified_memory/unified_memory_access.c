/* unified_memory_access: ways to bring an array to the device, by pattern of access. */
#include <math.h>

#include "common/harness/device.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/regions/managed_limit.h"

#include "functions.h"

/* In the order of enum way. */
static const struct variant variants[] = {
    {"first-touch", "managed memory without hints: pages migrate when they are touched"},
    {"prefetch", "managed memory, prefetched to where it is needed next"},
    {"prefetch-batch", "the same, in 16 pieces by one call of CUDA 13"},
    {"discard-prefetch", "managed memory whose contents are discarded while it is prefetched to be "
                         "overwritten (CUDA 13; pattern write-only)"},
    {"discard", "managed memory whose contents are discarded, to be overwritten without a prefetch "
                "(CUDA 13; pattern write-only)"},
    {"read-mostly",
     "managed memory, advised read-mostly: duplicated when it is read (patterns that "
     "write: up to 64 MiB)"},
    {"accessed-by", "managed memory, advised to be accessed by the device: mapped there"},
    {"preferred-host", "managed memory, advised to stay on the host"},
    {"zero-copy", "page-locked memory that kernels read and write over the link"},
    {"explicit", "page-locked memory, copied to and from device memory"},
    {"recopy", "explicit, copied in again before every kernel (pattern read-many)"},
    {0},
};

struct row {
    const char *pattern;
    size_t bytes;
    double bandwidth_gbs;
    int64_t bytes_to_device, bytes_from_device, device_faults, host_faults, evictions;
    int64_t used_allocated_bytes, used_touched_bytes;
};
static const struct column columns[] = {
    PARAMETER(struct row, pattern, "how the array is used, see -h"),
    PARAMETER(struct row, bytes, "size of the array"),
    METRIC(struct row, bandwidth_gbs, "bytes, times the passes or turns, / time_s in 10^9 byte/s"),
    METRIC(struct row, bytes_to_device,
           "bytes copied or migrated to the device in one run; empty: not known"),
    METRIC(struct row, bytes_from_device, "and from it"),
    METRIC(struct row, device_faults, "page faults of kernels (CUDA: groups of faults)"),
    METRIC(struct row, host_faults, "page faults of the host on memory that was on the device"),
    METRIC(struct row, evictions, "pieces that left a full device"),
    METRIC(struct row, used_allocated_bytes,
           "functions: device memory in use after the allocation"),
    METRIC(struct row, used_touched_bytes,
           "functions: and after a kernel or a prefetch touched it"),
    {0},
};

/* In the order of enum pattern; `functions` is beside them. */
enum { FUNCTIONS = PATTERNS };
static const char *const pattern_names[] = {"read-once", "read-many", "write-only", "random",
                                            "ping-pong", "functions", NULL};
static struct option_choices patterns = {
    .noun = "pattern",
    .names = pattern_names,
    .list = "read-once,read-many,write-only,random,ping-pong,functions"};
static int64_t passes = 10, turns = 4;
static size_t function_bytes = (size_t)64 << 20;
static const struct program_option options[] = {
    {"patterns", OPTION_CHOICES, &patterns, "LIST", "patterns of access, separated by commas", 0,
     0},
    {"passes", OPTION_INTEGER, &passes, "N", "kernels of pattern read-many", 1, 1000},
    {"turns", OPTION_INTEGER, &turns, "N", "turns of pattern ping-pong", 1, 1000},
    {"function-bytes", OPTION_SIZE, &function_bytes, "BYTES", "array of pattern functions", 65536,
     1e15},
    {0},
};

/* ---- patterns that are timed ---- */

struct trial {
    int variant; /* enum way */
    enum pattern pattern;
    size_t bytes;
    int repeats;
    uint32_t seed, sum;
    struct ways_memory *memory;
    struct array array;
    struct unified_traffic traffic;
    bool is_counted; /* traffic is known, and sum is that of the counted run */
};

/* A write to a duplicated page makes it one again, page by page: for 16 MiB an NVIDIA H200 takes
 * 0.16 s. */
static const size_t duplicates_max = (size_t)64 << 20;

/* Results of copies are verified in page-locked memory, which has to hold them. */
static enum dm_status open_array(struct trial *trial)
{
    const bool has_results =
        trial->pattern == PATTERN_WRITE_ONLY || trial->pattern == PATTERN_PING_PONG;

    if (trial->variant == WAY_READ_MOSTLY && has_results && trial->bytes > duplicates_max)
        return dm_fail(DM_UNAVAILABLE,
                       "what is advised read-mostly and written takes long (16 MiB 0.16 s on an "
                       "H200): at most 64 MiB here");
    if (trial->variant == WAY_EXPLICIT && has_results && trial->memory->count > PINNED_ELEMENTS_MAX)
        return dm_fail(DM_NO_MEMORY, "page-locked results are at most 16 GiB here");
    return array_open(&trial->array, (enum way)trial->variant, trial->memory, trial->seed);
}

static bool open_trial(struct run *run, void *task)
{
    struct trial *trial = task;

    if (!way_fits((enum way)trial->variant, trial->pattern))
        return false;
    trial->repeats = (int)(trial->pattern == PATTERN_READ_MANY ? passes : turns);
    trial->seed = (uint32_t)run->settings.seed;
    const enum dm_status status = open_array(trial);
    if (status == DM_OK)
        return true;
    if (status != DM_NO_MEMORY && status != DM_UNAVAILABLE)
        fail_status(status);
    record_waived(run, variants[trial->variant].name, dm_message());
    return false;
}

static void place(void *task)
{
    array_place(&((struct trial *)task)->array);
}

static void execute(void *task)
{
    struct trial *trial = task;
    trial->sum = pattern_run(&trial->array, trial->pattern, trial->repeats, trial->seed);
}

static void count_once(struct trial *trial)
{
    if (!trial->is_counted)
        trial->sum = pattern_count(&trial->array, trial->pattern, trial->repeats, trial->seed,
                                   &trial->traffic);
    trial->is_counted = true;
}

static long count_wrong(struct run *run, void *task)
{
    struct trial *trial = task;

    (void)run;
    count_once(trial);
    return pattern_wrong(&trial->array, trial->pattern, trial->repeats, trial->seed, trial->sum);
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct trial *trial = task;
    const double bytes = pattern_bytes(trial->pattern, trial->array.count, trial->repeats);

    *(struct row *)row = (struct row){.pattern = pattern_names[trial->pattern],
                                      .bytes = trial->array.count * sizeof(uint32_t),
                                      .bandwidth_gbs = 1e-9 * bytes / time_s,
                                      .used_allocated_bytes = NO_VALUE,
                                      .used_touched_bytes = NO_VALUE};
}

static int64_t counted(bool known, unsigned long long number)
{
    return known ? (int64_t)number : NO_VALUE;
}

static void set_traffic(struct row *row, const struct unified_traffic *traffic)
{
    row->bytes_to_device = counted(traffic->known, traffic->bytes_to_device);
    row->bytes_from_device = counted(traffic->known, traffic->bytes_from_device);
    row->device_faults = counted(traffic->faults_known, traffic->device_faults);
    row->host_faults = counted(traffic->faults_known, traffic->host_faults);
    row->evictions = counted(traffic->known, traffic->evictions);
}

static void add_traffic(const struct compared *compared, size_t task, size_t repetition, void *row)
{
    (void)repetition;
    count_once(compared->tasks[task]);
    set_traffic(row, &((struct trial *)compared->tasks[task])->traffic);
}

static const struct comparison comparison = {.task_bytes = TASK(struct trial),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_trial,
                                             .prepare = place,
                                             .operation = execute,
                                             .row = fill_row,
                                             .relate = add_traffic,
                                             .verify = count_wrong};

static void measure_pattern(struct run *run, enum pattern pattern)
{
    for (size_t i = 0; i < run->settings.size_count; i++) {
        const size_t bytes = run->settings.sizes[i];
        struct ways_memory memory;
        ways_memory_open(&memory, bytes / sizeof(uint32_t));
        compare_variants(run, &comparison,
                         &(struct trial){.pattern = pattern, .bytes = bytes, .memory = &memory});
        ways_memory_close(&memory);
    }
}

/* What must work, not how fast. */
static void check_function(struct run *run, enum way way)
{
    struct row row = {
        .pattern = pattern_names[FUNCTIONS], .bytes = function_bytes, .bandwidth_gbs = NAN};
    struct device_use use = {NO_VALUE, NO_VALUE};

    if (!program_wants_variant(run, way))
        return;
    if (way != WAY_ZERO_COPY)
        check_status(managed_check_limit(function_bytes, false));
    long wrong = function_wrong(way, function_bytes, (uint32_t)run->settings.seed, &use);
    row.used_allocated_bytes = use.allocated_bytes;
    row.used_touched_bytes = use.touched_bytes;
    set_traffic(&row, &(struct unified_traffic){0});
    record_row(run, variants[way].name, 0, &row, NAN, wrong);
}

static void check_sizes(const struct run *run)
{
    const size_t *sizes = run->settings.sizes;

    for (size_t i = 0; i < run->settings.size_count; i++)
        if (sizes[i] < PAGE_ELEMENTS * sizeof(uint32_t) || sizes[i] > (size_t)1 << 40)
            fail("an array of %zu bytes: from 4K to 1T are possible", sizes[i]);
}

static void run_all(struct run *run)
{
    check_sizes(run);
    if (!gpu_attribute(cudaDevAttrConcurrentManagedAccess, run->settings.device))
        waive("this device does not migrate managed memory on demand");
    for (size_t i = 0; i < patterns.count; i++) {
        if (patterns.values[i] < FUNCTIONS) {
            measure_pattern(run, (enum pattern)patterns.values[i]);
            continue;
        }
        check_function(run, WAY_ZERO_COPY);
        check_function(run, WAY_FIRST_TOUCH);
        check_function(run, WAY_PREFETCH);
    }
    if (unified_count_check() != DM_OK)
        program_note(run, "traffic of managed memory is not known: %s", dm_message());
}

static const size_t default_sizes[] = {(size_t)4 << 20, (size_t)64 << 20, 0};

const struct program program = {
    .name = "unified_memory_access",
    .summary = "brings an array to the device in several ways, by pattern of access",
    .details =
        "time_s runs from data on the host to results on the host, on the host's clock. Patterns:\n"
        "read-once: a kernel adds all elements; read-many: --passes kernels do; write-only: a\n"
        "kernel writes all elements, then the host reads one of each page of 4 KiB; random: a\n"
        "kernel reads one element per 4 KiB on average, at random places; ping-pong: --turns\n"
        "times a kernel changes all elements and the host one per page; functions: what must work\n"
        "(pointers of page-locked memory in kernels, one pointer for host and device, pages that\n"
        "are populated when they are touched), with device memory in use. All ways share one\n"
        "managed array and one page-locked one (at most 16 GiB, which copies of more take several\n"
        "times), and before each run nothing is on the device. Traffic and faults are those of\n"
        "more runs, which are not timed; beyond 8 GiB nothing is counted.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .default_begin = (size_t)4 << 20,
    .default_end = (size_t)64 << 20,
    .uses_gpu = true,
    .run = run_all,
};
