/* spmv_contention: copies from host to device by one rank, and by all at once: do GPUs of one host
 * share the way? (Fanfarillo 2016, 4.3.1.2) */
#include <stdlib.h>
#include <mpi.h>

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/program.h"
#include "common/random.h"

enum { PAGEABLE, PINNED, KINDS };
static const struct variant variants[] = {
    [PAGEABLE] = {"pageable", "from memory of malloc"},
    [PINNED] = {"pinned", "from page-locked memory"},
    {0},
};
static const enum memory_kind kinds[KINDS] = {
    [PAGEABLE] = MEMORY_PAGEABLE, [PINNED] = MEMORY_PINNED};

static const struct column columns[] = {
    {"active", COLUMN_PARAMETER, "ranks that copy at the same time; 1: rank 0"},
    {"bytes", COLUMN_PARAMETER, "bytes of a copy"},
    {"bandwidth_gbs", COLUMN_METRIC, "bytes / time_s in 10^9 byte/s, of each rank; the slowest"},
    {0},
};

static size_t sample_bytes = (size_t)64 << 20;
static const struct program_option options[] = {
    {"sample-bytes", OPTION_SIZE, &sample_bytes, "BYTES",
     "bytes that a rank copies per sample, in at least 1 and at most 1000 copies", 1, 1e12},
    {0},
};

/* One kind of memory and number of ranks: a subject of measure(). */
struct trial {
    enum memory_kind kind;
    int active, copies;
    size_t bytes;
    void *host, *device;
};

static double time_of(void *context)
{
    const struct trial *trial = context;
    if (ranks.rank >= trial->active)
        return 0;
    double start_s = clock_now_s();
    for (int i = 0; i < trial->copies; i++)
        check_cuda(cudaMemcpy(trial->device, trial->host, trial->bytes, cudaMemcpyHostToDevice));
    check_cuda(cudaDeviceSynchronize());
    return (clock_now_s() - start_s) / trial->copies;
}

/* What is on the device after other bytes were copied there. */
static long count_wrong(const struct trial *trial, uint64_t seed)
{
    uint64_t others = seed + 1 + (uint64_t)ranks.rank;
    char *arrived = allocate_or_fail(trial->bytes, 1);
    random_fill_bytes(trial->host, trial->bytes, others);
    check_cuda(cudaMemcpy(trial->device, trial->host, trial->bytes, cudaMemcpyHostToDevice));
    check_cuda(cudaMemcpy(arrived, trial->device, trial->bytes, cudaMemcpyDeviceToHost));
    long wrong = (long)random_count_wrong_bytes(arrived, trial->bytes, others);
    free(arrived);
    return wrong;
}

static long wrong_of_all(const struct run *run, const struct trial *trial)
{
    long mine = run->settings.check ? count_wrong(trial, run->settings.seed) : 0, all;
    check_mpi(MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    return all;
}

static void record(struct run *run, const struct trial *trial, const struct subject *subject)
{
    long wrong = wrong_of_all(run, trial);
    for (size_t i = 0; i < subject->count; i++) {
        struct value values[] = {integer(trial->active), integer((int64_t)trial->bytes),
                                 real(1e-9 * (double)trial->bytes / subject->times_s[i])};
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], wrong);
    }
}

static struct trial open_trial(const struct run *run, int kind, int active, size_t bytes)
{
    size_t copies = sample_bytes / bytes;
    struct trial trial = {
        .kind = kinds[kind],
        .active = active,
        .bytes = bytes,
        .copies = copies < 1      ? 1
                  : copies > 1000 ? 1000
                                  : (int)copies,
        .host = memory_allocate(kinds[kind], bytes),
        .device = memory_allocate(MEMORY_DEVICE, bytes),
    };
    random_fill_bytes(trial.host, bytes, run->settings.seed);
    return trial;
}

static void measure_size(struct run *run, size_t bytes)
{
    struct trial trials[2 * KINDS];
    struct subject subjects[2 * KINDS];
    size_t count = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (int together = 0; together <= (ranks.count > 1); together++) {
            if (!program_wants(run, variants[kind].name))
                continue;
            trials[count] = open_trial(run, kind, together ? ranks.count : 1, bytes);
            subjects[count] = (struct subject){
                .variant = variants[kind].name, .sample = time_of, .context = &trials[count]};
            count++;
        }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &trials[i], &subjects[i]);
        memory_release(trials[i].kind, trials[i].host);
        memory_release(MEMORY_DEVICE, trials[i].device);
    }
    measure_free(subjects, count);
}

static void run_all(struct run *run)
{
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] == 0)
            fail("--sizes: a copy has at least 1 byte");
    for (size_t i = 0; i < run->settings.size_count; i++)
        measure_size(run, run->settings.sizes[i]);
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
