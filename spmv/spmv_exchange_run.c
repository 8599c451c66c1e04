/* spmv_exchange_run: products on the GPUs of several ranks, again and again, with the halo brought
 * by each of the strategies (Fanfarillo 2016, 4.3). */
#include <stdio.h>
#include <mpi.h>

#include "common/clock.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "spmv/bench/distributed.h"
#include "spmv/bench/matrix_list.h"
#include "spmv/bench/names.h"

/* In the order of enum spmv_strategy. */
static struct variant variants[SPMV_STRATEGIES + 1];

struct row {
    const char *matrix;
    int64_t rows, edge;
    int nodes;
    double gflops, product_s, exchange_s, malloc_s, memcpy_s, free_s, mpi_s;
    int64_t bus_bytes, halo_bytes, vector_bytes, halo_elements, local_rows;
};
static const struct column columns[] = {
    PARAMETER(struct row, matrix, "name of the matrix, or the file"),
    PARAMETER(struct row, rows, "rows of the whole matrix"),
    PARAMETER(struct row, edge, "points along an edge of the cube of a pde matrix; 0: another one"),
    PARAMETER(struct row, nodes, "hosts that the ranks are on"),
    METRIC(struct row, gflops, "2 entries of the whole matrix / time_s in 10^9/s"),
    METRIC(struct row, product_s, "time_s without exchange_s; slowest rank, as all that follow"),
    METRIC(struct row, exchange_s, "from the end of a product until the halo is there"),
    METRIC(struct row, malloc_s, "of exchange_s: allocating device memory, registering lists"),
    METRIC(struct row, memcpy_s, "of exchange_s: copies between host and device"),
    METRIC(struct row, free_s, "of exchange_s: freeing device memory, unregistering lists"),
    METRIC(struct row, mpi_s, "of exchange_s: in MPI, waits for the neighbours included"),
    METRIC(struct row, bus_bytes, "bytes between host and device for a product, index lists too"),
    METRIC(struct row, halo_bytes, "bytes that the rank with the largest halo receives"),
    METRIC(struct row, vector_bytes, "own elements and halo of the rank with the largest vector"),
    METRIC(struct row, halo_elements, "elements of the largest halo"),
    METRIC(struct row, local_rows, "rows of the largest block"),
    {0},
};

static struct option_choice format = {.noun = "format", .names = spmv_format_names, .name = "hlg"};
static struct option_numbers edges;
static struct option_words matrices;
static int64_t iterations = 20;
static double wait_limit_s = 60;
static const struct program_option options[] = {
    {"edges", OPTION_NUMBERS, &edges, "LIST",
     "pde matrices with so many points along an edge; none: 16,24,32", 1, 1290},
    {"matrices", OPTION_WORDS, &matrices, "LIST",
     "these matrices instead: KIND:SIZE, KIND:SIZE:PARAMETER or a Matrix Market file", 0, 0},
    {"iterations", OPTION_INTEGER, &iterations, "N", "products that one sample takes", 1, 1e6},
    {"format", OPTION_CHOICE, &format, "FORMAT", "format of the matrix on the device", 0, 0},
    {"wait-limit", OPTION_REAL, &wait_limit_s, "SECONDS",
     "longest wait for a neighbour before the program ends", 0.01, 1e6},
    {0},
};

/* Per product, and the largest over the ranks: doubles, as they are reduced together. */
struct sample {
    double product_s, exchange_s, malloc_s, memcpy_s, free_s, mpi_s, bus_bytes;
    double halo_elements, vector_elements, local_rows;
};

/* One strategy with one matrix. */
struct trial {
    int variant;
    const char *matrix;
    struct spmv_distributed *distributed;
    struct spmv_exchange *exchange;
    struct sample sample; /* the last one */
};

static int node_count;

static bool open_trial(struct run *run, void *task)
{
    struct trial *trial = task;
    const enum spmv_strategy strategy = (enum spmv_strategy)trial->variant;
    (void)run;
    check_status(spmv_exchange_open(&trial->exchange, strategy, &trial->distributed->halo,
                                    SPMV_DOUBLE, wait_limit_s));
    return true;
}

static void set_vector(void *task)
{
    spmv_distributed_set(((struct trial *)task)->distributed, 0);
}

static double time_products(void *task)
{
    struct trial *trial = task;
    const struct spmv_distributed *distributed = trial->distributed;
    const double n = (double)iterations;
    spmv_exchange_report(trial->exchange, true);
    double start_s = clock_now_s();
    spmv_distributed_run(trial->distributed, trial->exchange, (int)iterations);
    double time_s = clock_now_s() - start_s;

    const struct spmv_exchange_report report = spmv_exchange_report(trial->exchange, false);
    trial->sample = (struct sample){
        .product_s = (time_s - report.total_s) / n,
        .exchange_s = report.total_s / n,
        .malloc_s = report.malloc_s / n,
        .memcpy_s = report.memcpy_s / n,
        .free_s = report.free_s / n,
        .mpi_s = report.mpi_s / n,
        .bus_bytes = (double)(report.to_device_bytes + report.from_device_bytes) / n,
        .halo_elements = (double)distributed->halo.halo,
        .vector_elements = (double)distributed->local.columns,
        .local_rows = (double)distributed->local.rows,
    };
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &trial->sample, sizeof trial->sample / sizeof(double),
                            MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
    return time_s / n;
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct trial *trial = task;
    const struct sample *sample = &trial->sample;
    const int64_t value_bytes = sizeof(double);
    *(struct row *)row = (struct row){
        .matrix = trial->matrix,
        .rows = trial->distributed->halo.global_rows,
        .edge = trial->distributed->edge,
        .nodes = node_count,
        .gflops = 2e-9 * (double)trial->distributed->global_entries / time_s,
        .product_s = sample->product_s,
        .exchange_s = sample->exchange_s,
        .malloc_s = sample->malloc_s,
        .memcpy_s = sample->memcpy_s,
        .free_s = sample->free_s,
        .mpi_s = sample->mpi_s,
        .bus_bytes = (int64_t)(sample->bus_bytes + 0.5),
        .halo_bytes = (int64_t)sample->halo_elements * value_bytes,
        .vector_bytes = (int64_t)sample->vector_elements * value_bytes,
        .halo_elements = (int64_t)sample->halo_elements,
        .local_rows = (int64_t)sample->local_rows,
    };
}

static long count_wrong(struct run *run, void *task)
{
    struct trial *trial = task;
    long mine = spmv_distributed_wrong(trial->distributed, trial->exchange), all;
    (void)run;
    check_mpi(MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    return all;
}

static void close_trial(void *task)
{
    spmv_exchange_close(((struct trial *)task)->exchange);
}

static const struct comparison comparison = {.task_bytes = TASK(struct trial),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_trial,
                                             .prepare = set_vector,
                                             .sample = time_products,
                                             .row = fill_row,
                                             .verify = count_wrong,
                                             .close = close_trial};

static void compare_matrix(struct run *run, const char *name, const bool *works)
{
    static char activity[96];
    struct spmv_distributed distributed;
    struct trial trials[SPMV_STRATEGIES];
    size_t count = 0;
    snprintf(activity, sizeof activity, "the products with matrix %s", name);
    status_activity = activity;
    if (spmv_distributed_open(&distributed, name, spmv_format_of(format.name), SPMV_DOUBLE,
                              run->settings.seed, MPI_COMM_WORLD) != DM_OK)
        fail("%s: %s", name, dm_message());
    for (int strategy = 0; strategy < SPMV_STRATEGIES; strategy++)
        if (works[strategy])
            trials[count++] =
                (struct trial){.variant = strategy, .matrix = name, .distributed = &distributed};
    compare_tasks(run, &comparison, trials, count);
    spmv_distributed_close(&distributed);
    status_activity = NULL;
}

/* Variants that are wanted and work on all ranks. */
static void find_strategies(struct run *run, bool *works)
{
    for (int strategy = 0; strategy < SPMV_STRATEGIES; strategy++) {
        works[strategy] = program_wants_variant(run, strategy);
        if (!works[strategy])
            continue;
        bool fails = spmv_exchange_check((enum spmv_strategy)strategy) != DM_OK;
        works[strategy] = ranks.max(fails) == 0;
        if (!works[strategy])
            record_waived(run, variants[strategy].name,
                          fails ? dm_message() : "another rank than 0 cannot use it");
    }
}

static void compare_edges(struct run *run, const bool *works)
{
    if (edges.count == 0)
        edges = option_read_numbers("edges", "16,24,32", 1, 1290);
    for (size_t i = 0; i < edges.count; i++) {
        char name[32];
        snprintf(name, sizeof name, "pde:%ld", edges.values[i]);
        compare_matrix(run, name, works);
    }
}

static void run_all(struct run *run)
{
    bool works[SPMV_STRATEGIES];
    int leads = ranks.local_rank == 0;
    if (edges.count > 0 && matrices.count > 0)
        fail("--edges and --matrices exclude one another: write the former as pde:EDGE");
    spmv_check_matrices("matrices", &matrices);
    check_mpi(MPI_Allreduce(&leads, &node_count, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    find_strategies(run, works);
    for (size_t i = 0; i < matrices.count; i++)
        compare_matrix(run, matrices.values[i], works);
    if (matrices.count == 0)
        compare_edges(run, works);
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
