/* spmv_exchange_run: products on the GPUs of several ranks, again and again, with the halo brought
 * by each of the strategies (Fanfarillo 2016, 4.3). */
#include <stdio.h>
#include <stdlib.h>
#include <mpi.h>

#include "common/clock.h"
#include "common/harness/option_lists.h"
#include "common/harness/program.h"

#include "spmv/bench/distributed.h"
#include "spmv/bench/matrix_list.h"

/* In the order of enum spmv_strategy. */
static struct variant variants[SPMV_STRATEGIES + 1];

static const struct column columns[] = {
    {"matrix", COLUMN_PARAMETER, "name of the matrix, or the file"},
    {"rows", COLUMN_PARAMETER, "rows of the whole matrix"},
    {"edge", COLUMN_PARAMETER, "points along an edge of the cube of a pde matrix; 0: another one"},
    {"nodes", COLUMN_PARAMETER, "hosts that the ranks are on"},
    {"gflops", COLUMN_METRIC, "2 entries of the whole matrix / time_s in 10^9/s"},
    {"product_s", COLUMN_METRIC, "time_s without exchange_s; slowest rank, as all that follow"},
    {"exchange_s", COLUMN_METRIC, "from the end of a product until the halo is there"},
    {"malloc_s", COLUMN_METRIC, "of exchange_s: allocating device memory, registering lists"},
    {"memcpy_s", COLUMN_METRIC, "of exchange_s: copies between host and device"},
    {"free_s", COLUMN_METRIC, "of exchange_s: freeing device memory, unregistering lists"},
    {"mpi_s", COLUMN_METRIC, "of exchange_s: in MPI, waits for the neighbours included"},
    {"bus_bytes", COLUMN_METRIC, "bytes between host and device for a product, index lists too"},
    {"halo_bytes", COLUMN_METRIC, "bytes that the rank with the largest halo receives"},
    {"vector_bytes", COLUMN_METRIC, "own elements and halo of the rank that has most"},
    {"halo_elements", COLUMN_METRIC, "elements of the largest halo"},
    {"local_rows", COLUMN_METRIC, "rows of the rank that has most"},
    {0},
};

static const char *edge_list = "", *matrix_list = "", *format_name = "hlg";
static int64_t iterations = 20;
static double wait_limit_s = 60;
static const struct program_option options[] = {
    {"edges", OPTION_TEXT, &edge_list, "LIST",
     "pde matrices with so many points along an edge; none: 16,24,32", 0, 0},
    {"matrices", OPTION_TEXT, &matrix_list, "LIST",
     "these matrices instead: KIND:SIZE, KIND:SIZE:PARAMETER or a Matrix Market file", 0, 0},
    {"iterations", OPTION_INTEGER, &iterations, "N", "products that one sample takes", 1, 1e6},
    {"format", OPTION_TEXT, &format_name, "FORMAT", "format of the matrix on the device", 0, 0},
    {"wait-limit", OPTION_REAL, &wait_limit_s, "SECONDS",
     "longest wait for a neighbour before the program ends", 0.01, 1e6},
    {0},
};

/* What a rank sees in a sample, per product. */
enum { PRODUCT, EXCHANGE, MALLOC, MEMCPY, FREE, IN_MPI, BUS_BYTES, DETAILS };
struct details {
    double of[DETAILS]; /* the largest over the ranks */
};

/* One strategy with one matrix: a subject of measure(). */
struct trial {
    struct spmv_distributed *distributed;
    enum spmv_strategy strategy;
    struct spmv_exchange *exchange;
    struct details *details; /* of each sample, warm-up included */
    size_t count, capacity;
    long wrong;
};

static int node_count;

/* ---- measuring ---- */

static void largest_over_ranks(double *values, int count)
{
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
}

static struct details *new_details(struct trial *trial)
{
    if (trial->count == trial->capacity) {
        trial->capacity = 2 * trial->capacity + 64;
        trial->details = realloc(trial->details, trial->capacity * sizeof *trial->details);
        if (!trial->details)
            fail("no host memory for %zu samples: choose fewer with -n", trial->capacity);
    }
    return &trial->details[trial->count++];
}

static void set_vector(void *context)
{
    spmv_distributed_set(((struct trial *)context)->distributed, 0);
}

static double time_of(void *context)
{
    struct trial *trial = context;
    double per_product = 1 / (double)iterations;
    spmv_exchange_report(trial->exchange, true);
    double start_s = clock_now_s();
    spmv_distributed_run(trial->distributed, trial->exchange, (int)iterations);
    double time_s = clock_now_s() - start_s;

    struct spmv_exchange_report report = spmv_exchange_report(trial->exchange, false);
    struct details details = {{
        [PRODUCT] = time_s - report.total_s,
        [EXCHANGE] = report.total_s,
        [MALLOC] = report.malloc_s,
        [MEMCPY] = report.memcpy_s,
        [FREE] = report.free_s,
        [IN_MPI] = report.mpi_s,
        [BUS_BYTES] = (double)(report.to_device_bytes + report.from_device_bytes),
    }};
    for (int i = 0; i < DETAILS; i++)
        details.of[i] *= per_product;
    largest_over_ranks(details.of, DETAILS);
    *new_details(trial) = details;
    return time_s * per_product;
}

static void record_trial(struct run *run, const char *name, const struct trial *trial,
                         const struct subject *subject)
{
    const struct spmv_distributed *distributed = trial->distributed;
    size_t value_bytes = sizeof(double);
    double sizes[] = {(double)distributed->halo.halo, (double)distributed->local.columns,
                      (double)distributed->local.rows};
    largest_over_ranks(sizes, 3);
    for (size_t i = 0; i < subject->count; i++) {
        const double *of = trial->details[trial->count - subject->count + i].of;
        double time_s = subject->times_s[i];
        struct value values[] = {
            text(name),
            integer(distributed->halo.global_rows),
            integer(distributed->edge),
            integer(node_count),
            real(2e-9 * (double)distributed->global_entries / time_s),
            real(of[PRODUCT]),
            real(of[EXCHANGE]),
            real(of[MALLOC]),
            real(of[MEMCPY]),
            real(of[FREE]),
            real(of[IN_MPI]),
            integer((int64_t)(of[BUS_BYTES] + 0.5)),
            integer((int64_t)sizes[0] * (int64_t)value_bytes),
            integer((int64_t)sizes[1] * (int64_t)value_bytes),
            integer((int64_t)sizes[0]),
            integer((int64_t)sizes[2]),
        };
        record_values(run, subject->variant, (int)i, values, time_s, trial->wrong);
    }
}

static void verify(const struct run *run, struct trial *trial)
{
    long wrong =
        run->settings.check ? spmv_distributed_wrong(trial->distributed, trial->exchange) : 0;
    check_mpi(MPI_Allreduce(&wrong, &trial->wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
}

/* ---- one matrix ---- */

static size_t open_trials(const bool *wanted, struct spmv_distributed *distributed,
                          struct trial *trials, struct subject *subjects)
{
    size_t count = 0;
    for (int strategy = 0; strategy < SPMV_STRATEGIES; strategy++) {
        if (!wanted[strategy])
            continue;
        struct trial *trial = &trials[count];
        *trial = (struct trial){
            .distributed = distributed,
            .strategy = (enum spmv_strategy)strategy,
        };
        check_status(spmv_exchange_open(&trial->exchange, (enum spmv_strategy)strategy,
                                        &distributed->halo, SPMV_DOUBLE, wait_limit_s));
        subjects[count++] = (struct subject){.variant = variants[strategy].name,
                                             .sample = time_of,
                                             .before = set_vector,
                                             .context = trial};
    }
    return count;
}

static void measure_matrix(struct run *run, const char *name, const bool *wanted)
{
    static char activity[96];
    struct spmv_distributed distributed;
    struct trial trials[SPMV_STRATEGIES];
    struct subject subjects[SPMV_STRATEGIES];
    snprintf(activity, sizeof activity, "the products with matrix %s", name);
    status_activity = activity;
    if (spmv_distributed_open(&distributed, name, spmv_format_of(format_name), SPMV_DOUBLE,
                              run->settings.seed, MPI_COMM_WORLD) != DM_OK)
        fail("%s: %s", name, dm_message());
    size_t count = open_trials(wanted, &distributed, trials, subjects);
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        verify(run, &trials[i]);
        record_trial(run, name, &trials[i], &subjects[i]);
        spmv_exchange_close(trials[i].exchange);
        free(trials[i].details);
    }
    measure_free(subjects, count);
    spmv_distributed_close(&distributed);
    status_activity = NULL;
}

/* ---- all ---- */

/* Variants that were asked for and work on all ranks. */
static void find_strategies(struct run *run, bool *wanted)
{
    for (int strategy = 0; strategy < SPMV_STRATEGIES; strategy++) {
        wanted[strategy] = program_wants(run, variants[strategy].name);
        if (!wanted[strategy])
            continue;
        bool fails = spmv_exchange_check((enum spmv_strategy)strategy) != DM_OK;
        wanted[strategy] = ranks.max(fails) == 0;
        if (!wanted[strategy])
            record_waived(run, variants[strategy].name,
                          fails ? dm_message() : "another rank than 0 cannot use it");
    }
}

static void measure_edges(struct run *run, const bool *wanted)
{
    struct option_numbers edges =
        option_read_numbers("edges", *edge_list ? edge_list : "16,24,32", 1, 1290);
    for (size_t i = 0; i < edges.count; i++) {
        char name[32];
        snprintf(name, sizeof name, "pde:%ld", edges.values[i]);
        measure_matrix(run, name, wanted);
    }
    free(edges.values);
}

static void measure_matrices(struct run *run, const bool *wanted)
{
    struct option_words names = spmv_read_matrix_list("matrices", matrix_list);
    for (size_t i = 0; i < names.count; i++)
        measure_matrix(run, names.values[i], wanted);
    option_free_words(&names);
}

static void run_all(struct run *run)
{
    bool wanted[SPMV_STRATEGIES];
    int leads = ranks.local_rank == 0;
    if (*edge_list && *matrix_list)
        fail("--edges and --matrices exclude one another: write the former as pde:EDGE");
    if (spmv_format_of(format_name) == SPMV_FORMATS)
        fail("--format %s: the formats are coo, csr, csc, ell, elg, hll (or hlg) and hyb",
             format_name);
    check_mpi(MPI_Allreduce(&leads, &node_count, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    find_strategies(run, wanted);
    if (*matrix_list)
        measure_matrices(run, wanted);
    else
        measure_edges(run, wanted);
}

static void start_program(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    for (int strategy = 0; strategy < SPMV_STRATEGIES; strategy++)
        variants[strategy] = (struct variant){spmv_strategy_name((enum spmv_strategy)strategy),
                                              spmv_strategy_meaning((enum spmv_strategy)strategy)};
}

const struct program program = {
    .name = "spmv_exchange_run",
    .summary = "repeated sparse products on the GPUs of several ranks, by the way the halo comes",
    .details =
        "Each rank has a block of rows on its GPU. A sample takes --iterations products y = A x,\n"
        "each followed by x = y, and before each of them the elements of x that other ranks have\n"
        "computed are brought. time_s is per product, with its exchange. A rank waits for its GPU\n"
        "before and after each exchange, in all strategies, so that product_s and exchange_s add\n"
        "up. Verified are two further exchanges and a product of random vectors.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .start_ranks = ranks_start,
    .start = start_program,
    .run = run_all,
};
