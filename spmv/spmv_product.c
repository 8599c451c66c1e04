/* spmv_product: y <- alpha A x + beta y of one matrix, in the formats that are asked for, on the
 * CPU and on the GPU. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/option_lists.h"
#include "common/harness/program.h"

#include "spmv/bench/reference.h"
#include "spmv/bench/generate.h"
#include <datamotion/spmv.h>
#include "spmv/bench/problem.h"

/* A sample is as many products as take at least this long. */
static const double least_sample_s = 2e-3;
enum { MOST_PRODUCTS = 1000 };

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

static const char *variant_of(int format, int side)
{
    return variants[side * SPMV_FORMATS + format].name;
}

static const char *matrix_name = "pde:32", *formats = "coo,csr,csc,ell,elg,hll,hyb",
                  *precision_name = "double", *write_path = "";
static double alpha = 1, beta;
static int64_t threads, hack_rows;
static size_t memory_limit;
static const struct program_option options[] = {
    {"matrix", OPTION_TEXT, &matrix_name, "NAME",
     "a Matrix Market file, plain or compressed with gzip, or KIND:SIZE[:PARAMETER]; a wrong kind "
     "lists those there are",
     0, 0},
    {"formats", OPTION_TEXT, &formats, "LIST", "formats, each on both sides; hlg is hll", 0, 0},
    {"precision", OPTION_TEXT, &precision_name, "NAME", "double or float", 0, 0},
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

static const struct column columns[] = {
    {"matrix", COLUMN_PARAMETER, "file, or kind and size"},
    {"rows", COLUMN_PARAMETER, "rows of the matrix"},
    {"columns", COLUMN_PARAMETER, "columns of the matrix"},
    {"entries", COLUMN_PARAMETER, "entries of the matrix"},
    {"precision", COLUMN_PARAMETER, "double or float"},
    {"threads", COLUMN_PARAMETER, "threads of the CPU; 0 on the GPU"},
    {"gflops", COLUMN_METRIC, "2 entries / time_s in 10^9/s"},
    {"bandwidth_gbs", COLUMN_METRIC,
     "bytes that CSR with 4-byte indices moves at least, whatever the format, / time_s"},
    {"stored_ratio", COLUMN_METRIC, "values that the format keeps, padding included, / entries"},
    {"value_bytes", COLUMN_METRIC, "bytes of the values"},
    {"index_bytes", COLUMN_METRIC, "bytes of everything else"},
    {"convert_s", COLUMN_METRIC, "time of building the format from the list of entries"},
    {"error_ratio", COLUMN_METRIC,
     "largest error / bound of a dot product in this precision; right up to 1"},
    {0},
};

/* One matrix in one format on one side: a subject of measure(). */
struct product {
    struct spmv_problem *problem;
    const struct spmv_matrix *matrix;
    int side;
    int count; /* products of a sample */
    double error_ratio;
};

static void before(void *context)
{
    struct product *product = context;
    spmv_problem_reset(product->problem, product->side == GPU);
}

static double sample(void *context)
{
    struct product *product = context;
    return spmv_problem_time(product->problem, product->matrix, product->side == GPU,
                             product->count);
}

static struct product prepare(const struct run *run, struct spmv_problem *problem,
                              const struct spmv_matrix *matrix, int side)
{
    struct product product = {problem, matrix, side, 1, NAN};
    if (run->settings.check)
        product.error_ratio = spmv_problem_error_ratio(problem, matrix, side == GPU);
    double time_s = INFINITY; /* threads that slept are slow to begin */
    for (int i = 0; i < 3; i++)
        time_s = fmin(time_s, sample(&product));
    double products = ceil(least_sample_s / time_s);
    product.count = products < MOST_PRODUCTS ? (int)products : MOST_PRODUCTS;
    return product;
}

static void record(struct run *run, const struct product *product, const struct subject *subject,
                   double convert_s)
{
    const struct spmv_problem *problem = product->problem;
    const struct spmv_coo *coo = &problem->coo;
    const struct spmv_matrix *matrix = product->matrix;
    double bytes = sparse_product_bytes(coo, spmv_value_bytes(problem->precision));
    for (size_t i = 0; i < subject->count; i++) {
        double time_s = subject->times_s[i];
        struct value values[] = {
            text(matrix_name),
            integer(coo->rows),
            integer(coo->columns),
            integer(coo->entries),
            text(precision_name),
            integer(product->side == CPU ? omp_get_max_threads() : 0),
            real(2e-9 * (double)coo->entries / time_s),
            real(1e-9 * bytes / time_s),
            coo->entries > 0 ? real((double)matrix->stored / (double)coo->entries) : none(),
            integer((int64_t)matrix->value_bytes),
            integer((int64_t)matrix->index_bytes),
            real(convert_s),
            real(product->error_ratio),
        };
        record_values(run, subject->variant, (int)i, values, time_s, product->error_ratio > 1);
    }
}

/* Both sides of a format, as far as they are wanted and possible, sampled in turns. */
static void measure_sides(struct run *run, struct spmv_problem *problem, struct spmv_matrix *matrix,
                          int format, const bool *is_wanted, double convert_s)
{
    struct product products[SIDES];
    struct subject subjects[SIDES];
    size_t count = 0;
    for (int side = 0; side < SIDES; side++) {
        if (!is_wanted[side])
            continue;
        if (side == GPU && spmv_matrix_to_device(matrix) != DM_OK) {
            record_waived(run, variant_of(format, side), dm_message());
            continue;
        }
        products[count] = prepare(run, problem, matrix, side);
        subjects[count] = (struct subject){.variant = variant_of(format, side),
                                           .sample = sample,
                                           .before = before,
                                           .context = &products[count]};
        count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++)
        record(run, &products[i], &subjects[i], convert_s);
    measure_free(subjects, count);
}

static void measure_format(struct run *run, struct spmv_problem *problem, int format)
{
    struct spmv_options choice = {
        .precision = problem->precision, .hack_rows = (int)hack_rows, .memory_limit = memory_limit};
    struct spmv_matrix matrix;
    bool is_wanted[SIDES];
    for (int side = 0; side < SIDES; side++)
        is_wanted[side] =
            program_wants(run, variant_of(format, side)) && (side == CPU || problem->x_device);
    if (!is_wanted[CPU] && !is_wanted[GPU])
        return;
    double start_s = clock_now_s();
    bool is_built = spmv_matrix_create(&matrix, format, &problem->coo, &choice) == DM_OK;
    double convert_s = clock_now_s() - start_s;
    for (int side = 0; side < SIDES && !is_built; side++)
        if (is_wanted[side])
            record_waived(run, variant_of(format, side), dm_message());
    if (!is_built)
        return;
    measure_sides(run, problem, &matrix, format, is_wanted, convert_s);
    spmv_matrix_release(&matrix);
}

/* ---- the program ---- */

static void note_profile(const struct run *run, const struct spmv_coo *coo)
{
    struct sparse_profile profile = sparse_coo_profile(coo);
    program_note(run,
                 "%s: %lld x %lld, %lld entries, %lld duplicates added up; rows of %lld to %lld "
                 "entries, mean %.4g, standard deviation %.4g, %lld empty",
                 matrix_name, (long long)coo->rows, (long long)coo->columns,
                 (long long)coo->entries, (long long)coo->duplicates, (long long)profile.shortest,
                 (long long)profile.longest, profile.mean, profile.deviation,
                 (long long)profile.empty_rows);
}

static void open_problem(struct run *run, struct spmv_problem *problem)
{
    struct spmv_coo coo;
    bool is_float = strcmp(precision_name, "float") == 0;
    if (!is_float && strcmp(precision_name, "double") != 0)
        fail("--precision %s: expected double or float", precision_name);
    if (hack_rows % 32 != 0)
        fail("--hack-rows %lld: expected a multiple of 32", (long long)hack_rows);
    check_status(sparse_matrix_of(&coo, matrix_name, run->settings.seed));
    note_profile(run, &coo);
    if (*write_path && spmv_market_write(&coo, write_path, matrix_name) != DM_OK)
        fail("--write %s", dm_message());
    spmv_problem_open(problem, &coo, is_float ? SPMV_FLOAT : SPMV_DOUBLE, alpha, beta,
                      run->settings.seed + 1);
}

/* The GPU is used if a variant wants it and there is one. */
static void open_device(struct run *run, struct spmv_problem *problem, const bool *is_listed)
{
    int devices = 0;
    bool has_gpu = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0, is_wanted = false;
    for (int format = 0; format < SPMV_FORMATS; format++) {
        if (!is_listed[format] || !program_wants(run, variant_of(format, GPU)))
            continue;
        is_wanted = true;
        if (!has_gpu)
            record_waived(run, variant_of(format, GPU), "no GPU was found");
    }
    if (!is_wanted || !has_gpu)
        return;
    program_choose_device(run);
    spmv_problem_open_device(problem);
}

static void read_formats(bool *is_listed)
{
    struct option_words words = option_read_words("formats", formats);
    for (size_t i = 0; i < words.count; i++) {
        enum spmv_format format = spmv_format_of(words.values[i]);
        if (format == SPMV_FORMATS)
            fail("--formats %s: expected coo, csr, csc, ell, elg, hll, hlg or hyb",
                 words.values[i]);
        is_listed[format] = true;
    }
    option_free_words(&words);
}

static void run_all(struct run *run)
{
    struct spmv_problem problem;
    bool is_listed[SPMV_FORMATS] = {false};
    read_formats(is_listed);
    if (threads > 0)
        omp_set_num_threads((int)threads);
    open_problem(run, &problem);
    open_device(run, &problem, is_listed);
    for (int format = 0; format < SPMV_FORMATS; format++)
        if (is_listed[format])
            measure_format(run, &problem, format);
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
