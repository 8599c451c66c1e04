/* spmv_formats: sparse products in every format on the CPU and the GPU, and what bounds them. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/openblas_core.h"
#include "common/harness/program.h"

#include "spmv/bench/cusparse.h"
#include "spmv/bench/formats_rows.h"
#include "spmv/bench/generate.h"
#include "spmv/bench/matrix_list.h"
#include "spmv/bench/names.h"

static const struct variant variants[] = {
    {"csr-cpu", "rows compressed, on the CPU"},
    {"coo-cpu", "value, row and column of each entry"},
    {"csc-cpu", "columns compressed"},
    {"ell-cpu", "a rectangle as wide as the longest row"},
    {"elg-cpu", "the same with row lengths, so that padding is skipped"},
    {"hll-cpu", "a rectangle for every 32 rows, with row lengths"},
    {"hyb-cpu", "ELL for the usual length of rows, COO for the rest"},
    {"csr-gpu", "rows compressed, on the GPU"},
    {"coo-gpu", "value, row and column of each entry"},
    {"csc-gpu", "columns compressed"},
    {"ell-gpu", "a rectangle as wide as the longest row"},
    {"elg-gpu", "the same with row lengths, so that padding is skipped"},
    {"hlg-gpu", "a rectangle for every 32 rows, with row lengths"},
    {"hyb-gpu", "ELL for the usual length of rows, COO for the rest"},
    {"cusparse-csr1", "cuSPARSE: CSR by its first algorithm"},
    {"cusparse-csr2", "cuSPARSE: CSR by its second, deterministic algorithm"},
    {"cusparse-coo", "cuSPARSE: COO"},
    {"cusparse-sell", "cuSPARSE: sliced ELL with slices of 32 rows"},
    {"copy-cpu", "the limit: a streaming copy of as many bytes, on the CPU"},
    {"triad-cpu", "STREAM's triad on the CPU, in doubles, arrays far larger than the caches"},
    {"copy-gpu", "the copy on the GPU"},
    {"gemm-cpu", "a dense product on the CPU by OpenBLAS"},
    {"gemm-gpu", "a dense product on the GPU: by cuBLAS, by an own kernel on the software GPU"},
    {0},
};

static struct option_words matrices = {.list = "pde:32"};
static struct option_choices precisions = {
    .noun = "precision", .names = spmv_precision_names, .list = "double"};
static int64_t turns, threads, inner;
static double size_limit = 16;

static const struct program_option options[] = {
    {"matrices", OPTION_WORDS, &matrices, "LIST",
     "matrices: KIND:SIZE, KIND:SIZE:PARAMETER or file", 0, 0},
    {"precisions", OPTION_CHOICES, &precisions, "LIST", "double, float or both", 0, 0},
    {"copies", OPTION_INTEGER, &turns, "N",
     "copies of matrix and vectors, used round-robin; 0: as many as twice the last-level cache "
     "holds, at most 8",
     0, SPMV_TURNS_MAX},
    {"inner", OPTION_INTEGER, &inner, "N",
     "products per sample; 0: as many as take 1 ms, at most 100", 0, 1e6},
    {"threads", OPTION_INTEGER, &threads, "N", "OpenMP threads; 0: as many as cores", 0, 1024},
    {"size-limit", OPTION_REAL, &size_limit, "RATIO",
     "a format is waived if it is larger than this many times the bytes of the formula", 0.1, 1e6},
    {0},
};

/* CPU and GPU are measured one after the other: threads that wait for their next product would
 * disturb the other side. */
static void run_side(struct run *run, const struct spmv_formats_matrix *matrix, bool on_device)
{
    struct spmv_side *side = allocate_or_fail(1, sizeof *side);
    *side =
        (struct spmv_side){.on_device = on_device, .turns = (size_t)turns, .inner = (size_t)inner};
    spmv_side_open(side, run, matrix->name, &matrix->task);
    measure(run, side->subjects, side->count);
    for (size_t i = 0; i < side->count; i++)
        spmv_formats_record_part(run, matrix, &side->parts[i], &side->subjects[i]);
    spmv_side_close(side);
    measure_free(side->subjects, side->count);
    free(side);
}

static void run_matrix(struct run *run, const char *name)
{
    struct spmv_coo coo;
    check_status(sparse_matrix_of(&coo, name, run->settings.seed));
    struct spmv_formats_matrix matrix = {
        .name = name, .coo = &coo, .profile = sparse_coo_profile(&coo)};
    for (size_t i = 0; i < precisions.count; i++) {
        enum spmv_precision precision = (enum spmv_precision)precisions.values[i];
        if (precision == SPMV_FLOAT && spmv_coo_fits_float(&coo) != DM_OK)
            fail("%s: %s", name, dm_message());
        matrix.task.options = (struct spmv_options){.precision = precision};
        spmv_task_open(&matrix.task, &coo, run->settings.seed);
        matrix.task.options.memory_limit =
            (size_t)(size_limit * (double)spmv_task_bytes(&matrix.task));
        run_side(run, &matrix, false);
        run_side(run, &matrix, true);
        spmv_task_close(&matrix.task);
    }
    spmv_coo_close(&coo);
}

static void run_dense(struct run *run, bool on_device, enum spmv_precision precision)
{
    const char *variant = on_device ? "gemm-gpu" : "gemm-cpu";
    struct spmv_dense dense;
    if (!program_wants(run, variant))
        return;
    spmv_dense_open(&dense, on_device, precision, run->settings.seed);
    struct spmv_repeat repeat = {
        .operate = spmv_dense_operate, .context = &dense, .turns = 1, .on_device = on_device};
    spmv_repeat_open(&repeat, (size_t)inner);
    struct subject subject = {.variant = variant, .sample = spmv_repeat_sample, .context = &repeat};
    measure(run, &subject, 1);
    spmv_formats_record_dense(run, &dense, &subject);
    spmv_repeat_close(&repeat);
    spmv_dense_close(&dense);
    measure_free(&subject, 1);
}

static void waive_cusparse(struct run *run)
{
    for (const struct variant *variant = variants; variant->name; variant++)
        if (strncmp(variant->name, "cusparse-", 9) == 0 && program_wants(run, variant->name))
            record_waived(run, variant->name, "cuSPARSE needs an NVIDIA GPU: build with GPU=cuda");
}

static void run_all(struct run *run)
{
    spmv_check_matrices("matrices", &matrices);
    if (threads)
        omp_set_num_threads((int)threads);
    for (size_t i = 0; i < matrices.count; i++)
        run_matrix(run, matrices.values[i]);
    if (program_wants(run, "gemm-cpu"))
        openblas_note_core(run);
    for (size_t i = 0; i < precisions.count; i++) {
        run_dense(run, false, (enum spmv_precision)precisions.values[i]);
        run_dense(run, true, (enum spmv_precision)precisions.values[i]);
    }
    if (!spmv_cusparse_ways[0].variant)
        waive_cusparse(run);
}

const struct program program = {
    .name = "spmv_formats",
    .summary = "computes y = A x in every format on the CPU and the GPU",
    .details =
        "time_s is that of one product, the mean over the products of a sample: on the CPU by the\n"
        "clock, on the GPU between two events. Copies of matrix and vectors are used round-robin,\n"
        "so that no cache keeps them. The formula counts what a product must move, whatever the\n"
        "format: each entry's value and 4 bytes of column, 4 bytes per row, and both vectors once.\n"
        "The copy moves as many bytes, half of them read; the triad moves its own, 24 counted for\n"
        "each of its elements, and its time_s is that of one pass. Products are compared with sums\n"
        "in extended precision. convert_s is the shorter of two conversions; on the GPU it includes the\n"
        "upload, for cuSPARSE also its preprocessing. reformat_s is the median of three conversions\n"
        "on the GPU, memory included; CSR, the CPU's formats and cuSPARSE have none. Source:\n"
        "Fanfarillo, 3.2 and 3.4.",
    .variants = variants,
    .options = options,
    .columns = spmv_formats_columns,
    .uses_gpu = true,
    .run = run_all,
};
