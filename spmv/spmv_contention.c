/* spmv_contention: copies from host to device by one rank, and by all at once: do GPUs of one host
 * share the way? (Fanfarillo 2016, 4.3.1.2) */
#include <mpi.h>

#include "common/clock.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"
#include "common/random.h"

enum { PAGEABLE, PINNED, KINDS };
enum { COPIES_MAX = 1000 };
static const struct variant variants[] = {
    [PAGEABLE] = {"pageable", "from memory of malloc"},
    [PINNED] = {"pinned", "from page-locked memory"},
    {0},
};
static const enum memory_kind kinds[KINDS] = {
    [PAGEABLE] = MEMORY_PAGEABLE, [PINNED] = MEMORY_PINNED};

struct row {
    int active;
    size_t bytes;
    double bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, active, "ranks that copy at the same time; 1: rank 0"),
    PARAMETER(struct row, bytes, "bytes of a copy"),
    METRIC(struct row, bandwidth_gbs, "bytes / time_s in 10^9 byte/s, of each rank; the slowest"),
    {0},
};

static size_t sample_bytes = (size_t)64 << 20;
static const struct program_option options[] = {
    {"sample-bytes", OPTION_SIZE, &sample_bytes, "BYTES",
     "bytes that a rank copies per sample, in at least 1 and at most 1000 copies", 1, 1e12},
    {0},
};

/* One kind of memory and number of ranks. */
struct copy {
    int variant, active, copies;
    size_t bytes;
    void *host, *device;
};

static bool open_copy(struct run *run, void *task)
{
    struct copy *copy = task;
    const size_t copies = sample_bytes / copy->bytes;
    copy->copies = copies < 1 ? 1 : copies > COPIES_MAX ? COPIES_MAX : (int)copies;
    copy->host = scope_random(kinds[copy->variant], copy->bytes, run->settings.seed);
    copy->device = scope_allocate(MEMORY_DEVICE, copy->bytes);
    return true;
}

static double time_copies(void *task)
{
    const struct copy *copy = task;
    if (ranks.rank >= copy->active)
        return 0;
    double start_s = clock_now_s();
    for (int i = 0; i < copy->copies; i++)
        check_cuda(cudaMemcpy(copy->device, copy->host, copy->bytes, cudaMemcpyHostToDevice));
    check_cuda(cudaDeviceSynchronize());
    return (clock_now_s() - start_s) / copy->copies;
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct copy *copy = task;
    *(struct row *)row =
        (struct row){copy->active, copy->bytes, 1e-9 * (double)copy->bytes / time_s};
}

/* Bytes on all devices that are wrong after other ones were copied there. */
static long count_wrong(struct run *run, void *task)
{
    const struct copy *copy = task;
    uint64_t others = run->settings.seed + 1 + (uint64_t)ranks.rank;
    long all;
    random_fill_bytes(copy->host, copy->bytes, others);
    check_cuda(cudaMemcpy(copy->device, copy->host, copy->bytes, cudaMemcpyHostToDevice));
    long mine = count_wrong_bytes(copy->device, copy->bytes, others);
    check_mpi(MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    return all;
}

static const struct comparison comparison = {.task_bytes = TASK(struct copy),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_copy,
                                             .sample = time_copies,
                                             .row = fill_row,
                                             .verify = count_wrong};

static void run_all(struct run *run)
{
    for (size_t i = 0; i < run->settings.size_count; i++) {
        struct copy copies[2 * KINDS];
        size_t count = 0;
        for (int kind = 0; kind < KINDS; kind++)
            for (int together = 0; together <= (ranks.count > 1); together++)
                if (program_wants_variant(run, kind))
                    copies[count++] = (struct copy){.variant = kind,
                                                    .active = together ? ranks.count : 1,
                                                    .bytes = run->settings.sizes[i]};
        compare_tasks(run, &comparison, copies, count);
    }
}

static const size_t default_sizes[] = {320000, 387200, (size_t)4 << 20, (size_t)64 << 20, 0};

const struct program program = {
    .name = "spmv_contention",
    .summary = "copies from host to device by one rank and by all ranks at once",
    .details = "Each rank copies to its own GPU. All begin together and copy as much; time_s is\n"
               "of a copy at the slowest rank.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .uses_gpu = true,
    .start_ranks = ranks_start,
    .run = run_all,
};
