/* unified_memory_matmul: a matrix product by explicit copies and by managed memory. */
#include "common/harness/option_lists.h"
#include "common/harness/program.h"

#include "unified_sweep.h"

static const struct variant variants[] = {
    {"naive", "a thread per element of C, explicit copies before and after"},
    {"naive-um", "the same in managed memory, without hints"},
    {"naive-um-prefetch", "the same in managed memory, in chunks, prefetched"},
    {"block", "tiles in shared memory, explicit copies before and after"},
    {"block-um", "the same in managed memory, without hints"},
    {"block-um-prefetch", "the same in managed memory, in chunks, prefetched"},
    {"framework", "tiles in shared memory, panels of A and B copied to ring buffers"},
    {0},
};

static const struct unified_version versions[] = {
    {.variant = "naive", .kind = "matmul_naive", .version = COPIES_NAIVE},
    {.variant = "naive-um", .kind = "matmul_naive", .managed = true, .hints = UNIFIED_ON_DEMAND},
    {.variant = "naive-um-prefetch",
     .kind = "matmul_naive",
     .managed = true,
     .chunked = true,
     .hints = UNIFIED_BOTH},
    {.variant = "block", .version = COPIES_NAIVE},
    {.variant = "block-um", .managed = true, .hints = UNIFIED_ON_DEMAND},
    {.variant = "block-um-prefetch", .managed = true, .chunked = true, .hints = UNIFIED_BOTH},
    {.variant = "framework", .chunked = true, .version = COPIES_RINGS},
    {0},
};

static const char *matrices;

static const struct program_option options[] = {
    {"matrices", OPTION_TEXT, &matrices, "LIST",
     "data sets, by name or number of rows, a multiple of 32; none: small", 0, 0},
    UNIFIED_SWEEP_OPTIONS,
    {0},
};

static void run_all(struct run *run)
{
    if (matrices && unified_sweep_options.capacity_bytes)
        fail("--matrices and --capacity exclude one another: shares of the capacity say how large "
             "the data are");
    struct option_words words = option_read_words("matrices", matrices ? matrices : "small");
    for (size_t i = 0; i < words.count; i++)
        unified_sweep(run, versions, benchmark_kind_of("matmul"), words.values[i], 0,
                      (struct unified_sizes){32, 32});
    unified_sweep_note(run);
    option_free_words(&words);
}

const struct program program = {
    .name = "unified_memory_matmul",
    .summary = "multiplies matrices by explicit copies and by managed memory",
    .details =
        "C = A B. A is cut into panels of 32 columns, which a copy takes and a prefetch does not:\n"
        "A is prefetched as a whole. time_s runs from data on the host to results on the host, all\n"
        "rounds included; of managed memory one element of each page of C is read within it. With\n"
        "--updates the host changes one element per page of A and B between rounds. Traffic and\n"
        "faults of managed memory are those of one more run, which is not timed. Source: Cui,\n"
        "3.4.3.",
    .variants = variants,
    .options = options,
    .columns = unified_columns,
    .uses_gpu = true,
    .run = run_all,
};
