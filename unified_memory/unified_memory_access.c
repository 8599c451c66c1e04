/* unified_memory_access: ways to bring an array to the device, by pattern of access. */
#include <math.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/option_lists.h"
#include "common/harness/program.h"

#include "unified_capacity.h"
#include "unified_counters.h"
#include "unified_functions.h"
#include "unified_ways.h"

/* In the order of enum unified_way. */
static const struct variant variants[] = {
    {"first-touch", "managed memory without hints: pages migrate when they are touched"},
    {"prefetch", "managed memory, prefetched to where it is needed next"},
    {"read-mostly", "managed memory, advised read-mostly: duplicated when it is read"},
    {"accessed-by", "managed memory, advised to be accessed by the device: mapped there"},
    {"preferred-host", "managed memory, advised to stay on the host"},
    {"zero-copy", "page-locked memory that kernels read and write over the bus"},
    {"explicit", "page-locked memory, copied to and from device memory"},
    {"recopy", "explicit, copied in again before every kernel (pattern read-many)"},
    {0},
};

/* In the order of enum unified_pattern; `functions` is beside them. */
static const char *const pattern_names[] = {"read-once", "read-many", "write-only",
                                            "random",    "ping-pong", "functions"};
enum { FUNCTIONS = PATTERNS, NAMES };

static const struct column columns[] = {
    {"pattern", COLUMN_PARAMETER, "how the array is used, see -h"},
    {"bytes", COLUMN_PARAMETER, "size of the array"},
    {"bandwidth_gbs", COLUMN_METRIC, "bytes, times the passes or turns, / time_s in 10^9 byte/s"},
    {"bytes_to_device", COLUMN_METRIC,
     "bytes copied or migrated to the device in one run; empty: not known"},
    {"bytes_from_device", COLUMN_METRIC, "and from it"},
    {"device_faults", COLUMN_METRIC, "page faults of kernels (CUDA: groups of faults)"},
    {"host_faults", COLUMN_METRIC, "page faults of the host on memory that was on the device"},
    {"evictions", COLUMN_METRIC, "pieces that left a full device"},
    {"used_allocated_bytes", COLUMN_METRIC, "functions: device memory in use after the allocation"},
    {"used_touched_bytes", COLUMN_METRIC, "functions: and after a kernel or a prefetch touched it"},
    {0},
};

static const char *patterns = "read-once,read-many,write-only,random,ping-pong,functions";
static int64_t passes = 10, turns = 4;
static size_t function_bytes = (size_t)64 << 20;
static const struct program_option options[] = {
    {"patterns", OPTION_TEXT, &patterns, "LIST", "patterns of access, separated by commas", 0, 0},
    {"passes", OPTION_INTEGER, &passes, "N", "kernels of pattern read-many", 1, 1000},
    {"turns", OPTION_INTEGER, &turns, "N", "turns of pattern ping-pong", 1, 1000},
    {"function-bytes", OPTION_SIZE, &function_bytes, "BYTES", "array of pattern functions", 65536,
     1e15},
    {0},
};

/* ---- patterns that are timed ---- */

struct trial {
    struct unified_array array;
    enum unified_pattern pattern;
    int repeats;
    uint32_t seed;
};

static void before(void *context)
{
    struct trial *trial = context;
    unified_array_place(&trial->array);
}

static double sample(void *context)
{
    struct trial *trial = context;
    double start_s = clock_now_s();
    unified_pattern_run(&trial->array, trial->pattern, trial->repeats, trial->seed);
    return clock_now_s() - start_s;
}

static uint32_t count(struct trial *trial, enum unified_counted counted,
                      struct unified_traffic *traffic)
{
    struct unified_array *array = &trial->array;

    unified_array_fill(array, trial->seed);
    unified_array_place(array);
    array->copied_in = array->copied_out = 0;
    unified_counters_begin(counted);
    uint32_t sum = unified_pattern_run(array, trial->pattern, trial->repeats, trial->seed);
    unified_counters_end(traffic);
    return sum;
}

/* More runs, counted; the last is verified. */
static long count_and_check(const struct run *run, struct trial *trial,
                            struct unified_traffic *traffic)
{
    struct unified_array *array = &trial->array;
    bool copied = array->way == WAY_EXPLICIT || array->way == WAY_RECOPY;
    struct unified_traffic faults;

    count(trial, UNIFIED_COUNT_FAULTS, &faults);
    uint32_t sum = count(trial, UNIFIED_COUNT_BYTES, traffic);
    traffic->faults_known = faults.faults_known;
    traffic->device_faults = faults.device_faults;
    traffic->host_faults = faults.host_faults;
    if (copied)
        *traffic = (struct unified_traffic){.known = true,
                                            .faults_known = true,
                                            .bytes_to_device = array->copied_in,
                                            .bytes_from_device = array->copied_out};
    if (array->way == WAY_ZERO_COPY)
        *traffic = (struct unified_traffic){0}; /* nobody counts what kernels read over the bus */
    if (!run->settings.check)
        return 0;
    return unified_pattern_wrong(array, trial->pattern, trial->repeats, trial->seed, sum);
}

static struct value counted(bool known, unsigned long long number)
{
    return known ? integer((int64_t)number) : none();
}

static void record(struct run *run, struct trial *trial, const struct subject *subject)
{
    struct unified_traffic traffic;
    long wrong = count_and_check(run, trial, &traffic);
    size_t count = trial->array.count;
    double bytes = unified_pattern_bytes(trial->pattern, count, trial->repeats);

    for (size_t i = 0; i < subject->count; i++) {
        struct value values[] = {text(pattern_names[trial->pattern]),
                                 integer((int64_t)(count * sizeof(uint32_t))),
                                 real(1e-9 * bytes / subject->times_s[i]),
                                 counted(traffic.known, traffic.bytes_to_device),
                                 counted(traffic.known, traffic.bytes_from_device),
                                 counted(traffic.faults_known, traffic.device_faults),
                                 counted(traffic.faults_known, traffic.host_faults),
                                 counted(traffic.known, traffic.evictions),
                                 none(),
                                 none()};
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], wrong);
    }
}

static bool applies(const struct run *run, enum unified_way way, enum unified_pattern pattern)
{
    return program_wants(run, variants[way].name) &&
           (way != WAY_RECOPY || pattern == PATTERN_READ_MANY);
}

static void require_managed(size_t bytes)
{
    const char *complaint = unified_capacity_complaint(bytes, false);
    if (complaint)
        fail("%s", complaint);
}

static void measure_pattern(struct run *run, enum unified_pattern pattern, size_t bytes)
{
    struct trial trials[WAYS];
    struct subject subjects[WAYS];
    size_t count = 0;

    require_managed(WAY_ZERO_COPY * bytes); /* the ways before it use managed memory */
    for (int way = 0; way < WAYS; way++) {
        if (!applies(run, way, pattern))
            continue;
        trials[count] =
            (struct trial){.pattern = pattern,
                           .repeats = (int)(pattern == PATTERN_READ_MANY ? passes : turns),
                           .seed = (uint32_t)run->settings.seed};
        unified_array_open(&trials[count].array, way, bytes / sizeof(uint32_t), trials[count].seed);
        subjects[count] = (struct subject){.variant = variants[way].name,
                                           .sample = sample,
                                           .before = before,
                                           .context = &trials[count]};
        count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &trials[i], &subjects[i]);
        unified_array_close(&trials[i].array);
    }
    measure_free(subjects, count);
}

/* ---- pattern functions: what must work, not how fast ---- */

static void record_function(struct run *run, enum unified_way way, struct value allocated,
                            struct value touched, long wrong)
{
    struct value values[] = {text("functions"),
                             integer((int64_t)function_bytes),
                             none(),
                             none(),
                             none(),
                             none(),
                             none(),
                             none(),
                             allocated,
                             touched};
    record_values(run, variants[way].name, 0, values, NAN, wrong);
}

static void check_managed(struct run *run, enum unified_way way)
{
    struct unified_use use;

    if (!program_wants(run, variants[way].name))
        return;
    require_managed(function_bytes);
    long wrong = unified_single_pointer_wrong(function_bytes, (uint32_t)run->settings.seed,
                                              way == WAY_PREFETCH, &use);
    record_function(run, way, integer(use.allocated_bytes), integer(use.touched_bytes), wrong);
}

static void check_functions(struct run *run)
{
    if (program_wants(run, variants[WAY_ZERO_COPY].name))
        record_function(run, WAY_ZERO_COPY, none(), none(),
                        unified_host_pointer_wrong(function_bytes, (uint32_t)run->settings.seed));
    check_managed(run, WAY_FIRST_TOUCH);
    check_managed(run, WAY_PREFETCH);
}

/* ---- all ---- */

static int pattern_of(const char *name)
{
    for (int i = 0; i < NAMES; i++)
        if (strcmp(pattern_names[i], name) == 0)
            return i;
    fail("--patterns %s: the patterns are read-once, read-many, write-only, random, ping-pong and "
         "functions",
         name);
}

static void measure_sizes(struct run *run, enum unified_pattern pattern)
{
    for (size_t i = 0; i < run->settings.size_count; i++)
        measure_pattern(run, pattern, run->settings.sizes[i]);
}

static void check_sizes(const struct run *run)
{
    const size_t *sizes = run->settings.sizes;

    for (size_t i = 0; i < run->settings.size_count; i++)
        if (sizes[i] < UNIFIED_PAGE_ELEMENTS * sizeof(uint32_t) || sizes[i] > (size_t)16 << 30)
            fail("an array of %zu bytes: from 4K to 16G are possible", sizes[i]);
}

static void run_all(struct run *run)
{
    struct option_words words = option_read_words("patterns", patterns);

    check_sizes(run);
    for (size_t i = 0; i < words.count; i++)
        pattern_of(words.values[i]);
    if (!gpu_attribute(cudaDevAttrConcurrentManagedAccess, run->settings.device))
        waive("this device does not migrate managed memory on demand");
    for (size_t i = 0; i < words.count; i++) {
        int pattern = pattern_of(words.values[i]);
        if (pattern == FUNCTIONS)
            check_functions(run);
        else
            measure_sizes(run, pattern);
    }
    if (unified_counters_complaint())
        program_note(run, "traffic of managed memory is not known: %s",
                     unified_counters_complaint());
    option_free_words(&words);
}

static const size_t default_sizes[] = {(size_t)4 << 20, (size_t)64 << 20, 0};

const struct program program = {
    .name = "unified_memory_access",
    .summary = "brings an array to the device in several ways, by pattern of access",
    .details =
        "time_s runs from data on the host to results on the host, on the host's clock. Patterns:\n"
        "read-once: a kernel adds all elements; read-many: --passes kernels do; write-only: a\n"
        "kernel writes all elements, then the host reads one of each page of 4 KiB; random: a\n"
        "kernel reads one element per 4 KiB in the mean, at random places; ping-pong: --turns\n"
        "times a kernel changes all elements and the host one per page; functions: what must work\n"
        "(pointers of page-locked memory in kernels, one pointer for host and device, pages that\n"
        "come into being when they are touched), with device memory in use. Traffic and faults\n"
        "are those of one more run, which is not timed.",
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
