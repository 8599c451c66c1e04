/* unified_memory_matmul: a matrix product by explicit copies and by managed memory. */
#include "common/harness/program.h"

#include "sweep.h"

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

/* By variant. */
static const struct version versions[] = {
    {.kind = "matmul_naive", .copies = COPIES_NAIVE},
    {.kind = "matmul_naive", .is_managed = true, .hints = UNIFIED_ON_DEMAND},
    {.kind = "matmul_naive", .is_managed = true, .is_chunked = true, .hints = UNIFIED_BOTH},
    {.copies = COPIES_NAIVE},
    {.is_managed = true, .hints = UNIFIED_ON_DEMAND},
    {.is_managed = true, .is_chunked = true, .hints = UNIFIED_BOTH},
    {.is_chunked = true, .copies = COPIES_RINGS},
};

static struct option_words matrices;

static const struct program_option options[] = {
    {"matrices", OPTION_WORDS, &matrices, "LIST",
     "data sets, by name or number of rows, a multiple of 32; none: small", 0, 0},
    SWEEP_OPTIONS,
    {0},
};

static void run_all(struct run *run)
{
    if (matrices.count > 0 && sweep_options.capacity_bytes)
        fail("--matrices and --capacity exclude one another: shares of the capacity say how large "
             "the data are");
    if (matrices.count == 0)
        matrices = option_read_words("matrices", "small");
    for (size_t i = 0; i < matrices.count; i++)
        sweep_versions(run, versions, benchmark_kind_of("matmul"), matrices.values[i], 0,
                       (struct sizes){32, 32});
    note_traffic(run);
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
    .columns = versions_columns,
    .uses_gpu = true,
    .run = run_all,
};
