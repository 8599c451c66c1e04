/* spmv_product: y <- alpha A x + beta y of one matrix, in the requested formats, on the CPU and
 * on the GPU. */
#include <math.h>
#include <omp.h>

#include "common/clock.h"
#include "common/error.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "spmv/bench/generate.h"
#include "spmv/bench/names.h"
#include "spmv/bench/problem.h"
#include "spmv/bench/profile.h"
#include "spmv/bench/reference.h"

/* A sample is as many products as take at least this long. */
static const double sample_min_s = 2e-3;
enum { PRODUCTS_MAX = 1000 };

/* In the order of enum spmv_format, first those of the CPU. */
static const struct variant variants[] = {
    {"coo-cpu", "row, column and value of each entry, on the CPU"},
    {"csr-cpu", "compressed rows, on the CPU"},
    {"csc-cpu", "compressed columns, on the CPU"},
    {"ell-cpu", "a rectangle as wide as the longest row, on the CPU"},
    {"elg-cpu", "the same and the length of each row, on the CPU"},
    {"hll-cpu", "hacks of rows, each a rectangle, on the CPU"},
    {"hyb-cpu", "a rectangle for the usual length, a list for the rest, on the CPU"},
    {"coo-gpu", "row, column and value of each entry, on the GPU"},
    {"csr-gpu", "compressed rows, on the GPU"},
    {"csc-gpu", "compressed columns, on the GPU"},
    {"ell-gpu", "a rectangle as wide as the longest row, on the GPU"},
    {"elg-gpu", "the same and the length of each row, on the GPU"},
    {"hlg-gpu", "hacks of rows, each a rectangle, on the GPU"},
    {"hyb-gpu", "a rectangle for the usual length, a list for the rest, on the GPU"},
    {0},
};
enum { CPU, GPU, SIDES };

struct row {
    const char *matrix;
    int64_t rows, columns, entries;
    const char *precision;
    int threads;
    double gflops, bandwidth_gbs, stored_ratio;
    size_t value_bytes, index_bytes;
    double convert_s, error_ratio;
};
static const struct column columns[] = {
    PARAMETER(struct row, matrix, "file, or kind and size"),
    PARAMETER(struct row, rows, "rows of the matrix"),
    PARAMETER(struct row, columns, "columns of the matrix"),
    PARAMETER(struct row, entries, "entries of the matrix"),
    PARAMETER(struct row, precision, "double or float"),
    PARAMETER(struct row, threads, "threads of the CPU; 0 on the GPU"),
    METRIC(struct row, gflops, "2 entries / time_s in 10^9/s"),
    METRIC(struct row, bandwidth_gbs,
           "bytes that CSR with 4-byte indices moves at least, whatever the format, / time_s"),
    METRIC(struct row, stored_ratio, "values that the format keeps, padding included, / entries"),
    METRIC(struct row, value_bytes, "bytes of the values"),
    METRIC(struct row, index_bytes, "bytes of everything else"),
    METRIC(struct row, convert_s, "time of building the format from the list of entries"),
    METRIC(struct row, error_ratio,
           "largest error / bound of a dot product in this precision; right up to 1"),
    {0},
};

static struct option_choices formats = {
    .noun = "format", .names = spmv_format_names, .list = "coo,csr,csc,ell,elg,hll,hyb"};
static struct option_choice precision = {
    .noun = "precision", .names = spmv_precision_names, .name = "double"};
static const char *matrix_name = "pde:32", *write_path = "";
static double alpha = 1, beta;
static int64_t threads, hack_rows;
static size_t memory_limit;
static const struct program_option options[] = {
    {"matrix", OPTION_TEXT, &matrix_name, "NAME",
     "a Matrix Market file, plain or compressed with gzip, or KIND:SIZE[:PARAMETER]; an unknown "
     "kind lists those there are",
     0, 0},
    {"formats", OPTION_CHOICES, &formats, "LIST", "formats, each on both sides; hlg is hll", 0, 0},
    {"precision", OPTION_CHOICE, &precision, "NAME", "double or float", 0, 0},
    {"alpha", OPTION_REAL, &alpha, "NUMBER", "alpha of alpha A x + beta y", -1e30, 1e30},
    {"beta", OPTION_REAL, &beta, "NUMBER", "beta of alpha A x + beta y", -1e30, 1e30},
    {"threads", OPTION_INTEGER, &threads, "N", "threads of the CPU; 0: as many as OpenMP takes", 0,
     4096},
    {"hack-rows", OPTION_INTEGER, &hack_rows, "N", "rows of a hack of hll, a multiple of 32; 0: 32",
     0, 1 << 20},
    {"memory-limit", OPTION_SIZE, &memory_limit, "BYTES",
     "a format that needs more is waived; 0: the machine's memory", 0, 0},
    {"write", OPTION_TEXT, &write_path, "FILE",
     "also writes the matrix as a Matrix Market file, compressed if FILE ends in .gz", 0, 0},
    {0},
};

/* One matrix in one format on one side. */
struct product {
    int variant;
    struct spmv_problem *problem;
    struct spmv_matrix *matrix;
    bool on_gpu;
    int count; /* products of a sample */
    double convert_s, error_ratio;
};

static void reset(void *task)
{
    struct product *product = task;
    spmv_problem_reset(product->problem, product->on_gpu);
}

static double time_products(void *task)
{
    struct product *product = task;
    return spmv_problem_time(product->problem, product->matrix, product->on_gpu, product->count);
}

static bool open_product(struct run *run, void *task)
{
    struct product *product = task;
    enum dm_status status = DM_OK;
    if (product->on_gpu && !product->problem->x_device)
        status = dm_fail(DM_UNAVAILABLE, "no GPU was found");
    else if (product->on_gpu)
        status = spmv_matrix_to_device(product->matrix);
    if (status != DM_OK) {
        record_waived(run, variants[product->variant].name, dm_message());
        return false;
    }
    product->error_ratio = NAN;
    if (run->settings.check)
        product->error_ratio =
            spmv_problem_error_ratio(product->problem, product->matrix, product->on_gpu);
    product->count = spmv_problem_count(product->problem, product->matrix, product->on_gpu,
                                        sample_min_s, PRODUCTS_MAX);
    return true;
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct product *product = task;
    const struct spmv_coo *coo = &product->problem->coo;
    const struct spmv_matrix *matrix = product->matrix;
    double bytes = sparse_product_bytes(coo, spmv_value_bytes(product->problem->precision));
    double entries = (double)coo->entries;
    *(struct row *)row = (struct row){
        .matrix = matrix_name,
        .rows = coo->rows,
        .columns = coo->columns,
        .entries = coo->entries,
        .precision = precision.name,
        .threads = product->on_gpu ? 0 : omp_get_max_threads(),
        .gflops = 2e-9 * entries / time_s,
        .bandwidth_gbs = 1e-9 * bytes / time_s,
        .stored_ratio = entries > 0 ? (double)matrix->stored / entries : (double)NAN,
        .value_bytes = matrix->value_bytes,
        .index_bytes = matrix->index_bytes,
        .convert_s = product->convert_s,
        .error_ratio = product->error_ratio,
    };
}

static long is_wrong(struct run *run, void *task)
{
    (void)run;
    return !(((struct product *)task)->error_ratio <= 1);
}

static const struct comparison comparison = {.task_bytes = TASK(struct product),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_product,
                                             .prepare = reset,
                                             .sample = time_products,
                                             .row = fill_row,
                                             .verify = is_wrong};

/* Both sides of a format, sampled in turn. */
static void compare_sides(struct run *run, struct spmv_problem *problem, int format)
{
    struct spmv_options choice = {
        .precision = problem->precision, .hack_rows = (int)hack_rows, .memory_limit = memory_limit};
    struct product products[SIDES];
    struct spmv_matrix matrix;
    size_t count = 0;
    for (int side = CPU; side < SIDES; side++)
        if (program_wants_variant(run, side * SPMV_FORMATS + format))
            products[count++] = (struct product){.variant = side * SPMV_FORMATS + format,
                                                 .problem = problem,
                                                 .matrix = &matrix,
                                                 .on_gpu = side == GPU};
    if (count == 0)
        return;
    double start_s = clock_now_s();
    enum dm_status status =
        spmv_matrix_create(&matrix, (enum spmv_format)format, &problem->coo, &choice);
    double convert_s = clock_now_s() - start_s;
    for (size_t i = 0; i < count; i++) {
        products[i].convert_s = convert_s;
        if (status != DM_OK)
            record_waived(run, variants[products[i].variant].name, dm_message());
    }
    if (status == DM_OK)
        compare_tasks(run, &comparison, products, count);
    spmv_matrix_release(&matrix);
}

static void open_problem(struct run *run, struct spmv_problem *problem)
{
    struct spmv_coo coo;
    if (hack_rows % 32 != 0)
        fail("--hack-rows %lld: expected a multiple of 32", (long long)hack_rows);
    check_status(sparse_matrix_of(&coo, matrix_name, run->settings.seed));
    spmv_note_profile(run, matrix_name, &coo);
    if (*write_path && spmv_market_write(&coo, write_path, matrix_name) != DM_OK)
        fail("--write %s", dm_message());
    spmv_problem_open(problem, &coo, (enum spmv_precision)precision.value, alpha, beta,
                      run->settings.seed + 1);
}

static void run_all(struct run *run)
{
    struct spmv_problem problem;
    bool is_listed[SPMV_FORMATS] = {false}, wants_gpu = false;
    int devices = 0;
    for (size_t i = 0; i < formats.count; i++) {
        enum spmv_format format = spmv_format_of(spmv_format_names[formats.values[i]]);
        is_listed[format] = true;
        wants_gpu |= program_wants_variant(run, GPU * SPMV_FORMATS + (int)format);
    }
    if (threads > 0)
        omp_set_num_threads((int)threads);
    open_problem(run, &problem);
    if (wants_gpu && cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) {
        program_choose_device(run);
        spmv_problem_open_device(&problem);
    }
    for (int format = 0; format < SPMV_FORMATS; format++)
        if (is_listed[format])
            compare_sides(run, &problem, format);
    spmv_problem_close(&problem);
}

const struct program program = {
    .name = "spmv_product",
    .summary = "multiplies a sparse matrix by a vector in each storage format, on CPU and GPU",
    .details =
        "The matrix is a Matrix Market file or generated. Each format is built from the list of\n"
        "entries, verified against a product in extended precision and timed: wall clock on the\n"
        "CPU, events on the GPU, the matrix and the vectors being where they are used. A format\n"
        "that would not fit is waived with its size.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};
