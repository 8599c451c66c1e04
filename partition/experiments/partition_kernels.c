/* partition_kernels: each kernel of the thesis's programs alone: time, threads, outputs, shared
 * memory. */
#include <limits.h>
#include <string.h>

#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "kernel_alone.h"

/* In the order of kernel_kinds. */
static const struct variant variants[] = {
    {"mat_mul", "C = A B, as the thesis prints it"},
    {"stencil5p", "a step of the five-point stencil"},
    {"update_velocities", "n bodies: all velocities from all positions"},
    {"update_positions", "n bodies: all positions from the velocities"},
    {0},
};

static struct option_words cases = {.list = "matmul:256,stencil:512,nbody:1024,nbody:4096"};
static const char *modules;
static const struct program_option options[] = {
    {"cases", OPTION_WORDS, &cases, "LIST", "matmul, stencil and nbody, each with :SIZE", 0, 0},
    {"modules", OPTION_TEXT, &modules, "DIR",
     "folder of the kernels' modules; none: ../partition beside the program", 0, 0},
    {0},
};

struct row {
    const char *application;
    int size;
    int64_t block_threads, threads, outputs, shared_bytes;
};
static const struct column columns[] = {
    PARAMETER(struct row, application, "matmul, stencil or nbody"),
    PARAMETER(struct row, size, "width of the matrices or the grid, number of bodies"),
    PARAMETER(struct row, block_threads, "threads of a block"),
    METRIC(struct row, threads, "threads of the launch"),
    METRIC(struct row, outputs, "elements that the launch changed, counted; a vector is one"),
    METRIC(struct row, shared_bytes, "static shared memory of a block; empty: not known"),
    {0},
};

/* One kernel of an application, alone. */
struct kernel {
    int variant;
    int application, n;
    struct kernel_alone alone;
    int64_t outputs, shared_bytes;
};

static const char *const application_names[] = {"matmul", "stencil", "nbody", NULL};

/* Reads name:size. */
static struct kernel read_case(const char *word)
{
    struct kernel kernel = {.outputs = NO_VALUE};
    size_t n = 0, length = strcspn(word, ":");
    kernel.application = option_find_name("application", application_names, word, (int)length);
    if (word[length] != ':' || !options_read_size(word + length + 1, &n) || n < 1 || n > INT_MAX)
        fail("--cases: %s is not name:size", word);
    kernel.n = (int)n;
    return kernel;
}

/* Ends the program where a launch would write beside the arrays. */
static void require_size(const struct kernel_kind *kind, int n)
{
    if (kind->dimensions > 1 && n > APPLICATION_WIDEST)
        fail("%s: n is at most %d: the kernel indexes by 32 bits", kind->kernel,
             APPLICATION_WIDEST);
    if (kind->whole_blocks && n % (int)kind->block[0] != 0)
        fail("%s: n must be a multiple of %u: the kernel has no guard", kind->kernel,
             kind->block[0]);
}

/* The software GPU cannot tell which of a module's variables are a kernel's shared memory. */
static int64_t shared_bytes(struct kernel_alone *alone)
{
#if defined(SOFTGPU)
    (void)alone;
    return NO_VALUE;
#else
    int bytes = 0;
    attempt(&alone->device,
            cuFuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, alone->function));
    if (alone->device.error)
        fail("%s: its shared memory is not known, see above", alone->kind->kernel);
    return bytes;
#endif
}

static bool open_kernel(struct run *run, void *task)
{
    struct kernel *kernel = task;
    const struct kernel_kind *kind = &kernel_kinds[kernel->variant];
    size_t width = (size_t)kernel->n;
    if (strcmp(kind->application, application_names[kernel->application]) != 0)
        return false;
    require_size(kind, kernel->n);
    kernel_alone_open(&kernel->alone, kind, run->settings.device, modules);
    kernel_alone_fill(&kernel->alone, kernel->n, kind->dimensions > 1 ? width * width : width,
                      run->settings.seed);
    kernel->shared_bytes = shared_bytes(&kernel->alone);
    return true;
}

static double sample(void *task)
{
    struct kernel *kernel = task;
    return kernel_alone_time(&kernel->alone, (size_t)kernel->n);
}

static long verify(struct run *run, void *task)
{
    struct kernel *kernel = task;
    struct kernel_check check =
        kernel_alone_check(&kernel->alone, (size_t)kernel->n, run->settings.seed);
    kernel->outputs = check.outputs;
    return check.errors;
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct kernel *kernel = task;
    const struct kernel_kind *kind = kernel->alone.kind;
    const unsigned *block = kernel->alone.block;
    int64_t threads = 1;
    (void)time_s;
    for (int d = 0; d < kind->dimensions; d++)
        threads *= (kernel->n + block[d] - 1) / block[d] * block[d];
    *(struct row *)row = (struct row){.application = kind->application,
                                      .size = kernel->n,
                                      .block_threads = (int64_t)block[0] * block[1],
                                      .threads = threads,
                                      .shared_bytes = kernel->shared_bytes};
}

/* Counted when all samples had been taken. */
static void add_outputs(const struct compared *compared, size_t task, size_t repetition, void *row)
{
    const struct kernel *kernel = compared->tasks[task];
    (void)repetition;
    ((struct row *)row)->outputs = kernel->outputs;
}

static void close_kernel(void *task)
{
    kernel_alone_close(&((struct kernel *)task)->alone);
}

static const struct comparison comparison = {.task_bytes = TASK(struct kernel),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_kernel,
                                             .sample = sample,
                                             .row = fill_row,
                                             .relate = add_outputs,
                                             .verify = verify,
                                             .close = close_kernel};

static void run_all(struct run *run)
{
    for (size_t i = 0; i < cases.count; i++) {
        struct kernel kernel = read_case(cases.values[i]);
        compare_variants(run, &comparison, &kernel);
    }
}

const struct program program = {
    .name = "partition_kernels",
    .summary = "measures each kernel of the thesis's three programs alone, and what it uses",
    .details =
        "time_s: a launch, waited for, as the n-body program waits after each; so the time of a\n"
        "short kernel is mostly that of launching. errors: outputs that are not the CPU's, or\n"
        "elements changed that should not be. Source: Klein 2016, 4.1 and 4.3.1.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};
