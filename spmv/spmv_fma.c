/* spmv_fma: how far results with and without fused multiply-add lie apart (Fanfarillo 2016, 2.6.1).
 */
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/program.h"

#include "spmv/bench/fma.h"
#include "spmv/bench/reference.h"
#include "spmv/bench/generate.h"
#include "spmv/bench/matrix_list.h"
#include "spmv/bench/problem.h"

enum variant_index { CPU, CPU_FMA, GPU, VARIANTS };
static const struct variant variants[] = {
    {"cpu", "CSR on the CPU; products and sums are rounded separately"},
    {"cpu-fma", "the same with fused multiply-add: a product and its sum are rounded once"},
    {"gpu", "HLG on the GPU, one thread per row: the same order of sums; fused on a real GPU"},
    {0},
};

static const struct column columns[] = {
    {"matrix", COLUMN_PARAMETER, "kind and size, see --matrices"},
    {"different", COLUMN_METRIC, "elements of y that differ from those of variant cpu in any bit"},
    {"error_ratio", COLUMN_METRIC, "largest error / its bound, see -h; at most 1 is right"},
    {0},
};

static const char *matrices = "pde:32,random:20000";
static const struct program_option options[] = {
    {"matrices", OPTION_TEXT, &matrices, "LIST",
     "matrices, separated by commas: kind:size[:parameter] or a Matrix Market file", 0, 0},
    {0},
};

/* One matrix with its vectors. */
struct task {
    const char *name;
    struct spmv_problem problem;
    struct spmv_matrix csr, hlg;
    double *plain; /* y of variant cpu */
};

/* One variant of a task: a subject of measure(). */
struct job {
    enum variant_index variant;
    struct task *task;
};

static void task_open(const struct run *run, struct task *task, const char *name)
{
    struct spmv_coo coo;
    struct spmv_problem *problem = &task->problem;
    task->name = name;
    check_status(sparse_matrix_of(&coo, name, run->settings.seed));
    check_status(spmv_matrix_create(&task->csr, SPMV_CSR, &coo, NULL));
    check_status(spmv_matrix_create(&task->hlg, SPMV_HLL, &coo, NULL));
    check_status(spmv_matrix_to_device(&task->hlg));
    spmv_problem_open(problem, &coo, SPMV_DOUBLE, 1, 0, run->settings.seed);
    spmv_problem_open_device(problem);
    task->plain = allocate_or_fail((size_t)problem->coo.rows, sizeof *task->plain);
    sparse_fma_multiply(&task->csr, false, problem->x, task->plain);
}

static void task_close(struct task *task)
{
    free(task->plain);
    spmv_matrix_release(&task->csr);
    spmv_matrix_release(&task->hlg);
    spmv_problem_close(&task->problem);
}

static double sample(void *context)
{
    const struct job *job = context;
    struct spmv_problem *problem = &job->task->problem;
    if (job->variant == GPU)
        return spmv_problem_time(problem, &job->task->hlg, true, 1);
    double start_s = clock_now_s();
    sparse_fma_multiply(&job->task->csr, job->variant == CPU_FMA, problem->x, problem->y);
    return clock_now_s() - start_s;
}

/* Of one more product, whose result is left in y. */
static double error_ratio(struct job *job)
{
    struct spmv_problem *problem = &job->task->problem;
    if (job->variant == GPU)
        return spmv_problem_error_ratio(problem, &job->task->hlg, true);
    spmv_problem_reset(problem, false);
    sample(job);
    return sparse_error_ratio(&problem->coo, problem->y, true, problem->exact, problem->magnitude);
}

static int64_t count_different(const double *a, const double *b, int64_t count)
{
    int64_t different = 0;
    for (int64_t i = 0; i < count; i++)
        different += memcmp(&a[i], &b[i], sizeof a[i]) != 0;
    return different;
}

static void record(struct run *run, struct job *job, const struct subject *subject)
{
    const struct task *task = job->task;
    double ratio = error_ratio(job);
    int64_t different = count_different(task->problem.y, task->plain, task->problem.coo.rows);
    for (size_t i = 0; i < subject->count; i++) {
        struct value values[] = {text(task->name), integer(different), real(ratio)};
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], !(ratio <= 1));
    }
}

static void measure_matrix(struct run *run, const char *name)
{
    struct task task;
    struct job jobs[VARIANTS];
    struct subject subjects[VARIANTS];
    size_t count = 0;
    task_open(run, &task, name);
    for (int variant = 0; variant < VARIANTS; variant++) {
        if (!program_wants(run, variants[variant].name) ||
            (variant == CPU_FMA && !sparse_fma_available()))
            continue;
        jobs[count] = (struct job){variant, &task};
        subjects[count] = (struct subject){
            .variant = variants[variant].name, .sample = sample, .context = &jobs[count]};
        count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++)
        record(run, &jobs[i], &subjects[i]);
    measure_free(subjects, count);
    task_close(&task);
}

static void run_all(struct run *run)
{
    struct option_words names = spmv_read_matrix_list("matrices", matrices);
    for (size_t i = 0; i < names.count; i++)
        measure_matrix(run, names.values[i]);
    if (program_wants(run, "cpu-fma") && !sparse_fma_available())
        record_waived(run, "cpu-fma", "this CPU has no fused multiply-add");
    option_free_words(&names);
}

const struct program program = {
    .name = "spmv_fma",
    .summary = "counts the results that fused multiply-add changes",
    .details =
        "All variants add up a row from its first entry to its last (variant gpu: a row of up to\n"
        "256 entries), so that only rounding differs. The software GPU does not fuse. time_s is\n"
        "that of one product, by the host's clock or by device events. error_ratio is\n"
        "compared with the bound of any dot product, (entries of the row + 2) eps sum |a x|; the\n"
        "exact result is computed in extended precision.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};
