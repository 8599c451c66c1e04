/* partition_kernels: each kernel of the thesis's programs alone: time, threads, outputs, shared
 * memory. */
#include <limits.h>
#include <string.h>

#include "common/harness/option_lists.h"
#include "common/harness/program.h"

#include "kernel_alone.h"

enum { KINDS = 4 };
static const struct variant variants[KINDS + 1] = {
    {"mat_mul", "C = A B, as the thesis prints it"},
    {"stencil5p", "a step of the five-point stencil"},
    {"update_velocities", "n bodies: all velocities from all positions"},
    {"update_positions", "n bodies: all positions from the velocities"},
    {0},
};

static const char *cases_list = "matmul:256,stencil:512,nbody:1024,nbody:4096", *modules;
static const struct program_option options[] = {
    {"cases", OPTION_TEXT, &cases_list, "LIST", "matmul, stencil and nbody, each with :SIZE", 0, 0},
    {"modules", OPTION_TEXT, &modules, "DIR",
     "directory of the kernels' modules; none: ../partition beside the program", 0, 0},
    {0},
};

enum { APPLICATION, SIZE, BLOCK_THREADS, THREADS, OUTPUTS, SHARED_BYTES, COLUMNS };
static const struct column columns[COLUMNS + 1] = {
    {"application", COLUMN_PARAMETER, "matmul, stencil or nbody"},
    {"size", COLUMN_PARAMETER, "width of the matrices or the grid, number of bodies"},
    {"block_threads", COLUMN_PARAMETER, "threads of a block"},
    {"threads", COLUMN_METRIC, "threads of the launch"},
    {"outputs", COLUMN_METRIC, "elements that the launch changed, counted; a vector is one"},
    {"shared_bytes", COLUMN_METRIC, "static shared memory of a block; empty: not known"},
    {0},
};

/* ---- a case ---- */

struct size_of_case {
    char name[32];
    int n;
};

static struct size_of_case read_case(const char *word)
{
    struct size_of_case result;
    size_t n = 0, length = strcspn(word, ":");
    if (length >= sizeof result.name || word[length] != ':' ||
        !options_read_size(word + length + 1, &n) || n < 1 || n > INT_MAX)
        fail("--cases: %s is not name:size", word);
    memcpy(result.name, word, length);
    result.name[length] = '\0';
    result.n = (int)n;
    return result;
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

/* ---- measured and recorded ---- */

static double sample(void *context)
{
    struct kernel_alone *alone = context;
    return kernel_alone_time(alone, (size_t)alone->input.n);
}

static int64_t launched_threads(const struct kernel_alone *alone)
{
    int64_t threads = 1;
    for (int d = 0; d < alone->kind->dimensions; d++)
        threads *= (alone->input.n + alone->block[d] - 1) / alone->block[d] * alone->block[d];
    return threads;
}

/* The software GPU cannot tell which of a module's variables are a kernel's shared memory. */
static struct value shared_bytes(struct kernel_alone *alone)
{
#if defined(SOFTGPU)
    (void)alone;
    return none();
#else
    int bytes = 0;
    attempt(&alone->device,
            cuFuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, alone->function));
    if (alone->device.error)
        fail("%s: its shared memory is not known, see above", alone->kind->kernel);
    return integer(bytes);
#endif
}

static void record(struct run *run, struct kernel_alone *alone, const struct subject *subject)
{
    const struct settings *settings = &run->settings;
    struct kernel_check check = {0};
    if (settings->check)
        check = kernel_alone_check(alone, (size_t)alone->input.n, settings->seed);
    struct value values[COLUMNS] = {
        [APPLICATION] = text(alone->kind->application),
        [SIZE] = integer(alone->input.n),
        [BLOCK_THREADS] = integer((int64_t)alone->block[0] * alone->block[1]),
        [THREADS] = integer(launched_threads(alone)),
        [OUTPUTS] = settings->check ? integer(check.outputs) : none(),
        [SHARED_BYTES] = shared_bytes(alone),
    };
    for (size_t i = 0; i < subject->count; i++)
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], check.errors);
}

static void open_kernel(struct run *run, struct kernel_alone *alone, const struct kernel_kind *kind,
                        int n)
{
    size_t width = (size_t)n;
    require_size(kind, n);
    kernel_alone_open(alone, kind, run->settings.device, modules);
    kernel_alone_fill(alone, n, kind->dimensions > 1 ? width * width : width, run->settings.seed);
}

static void measure_case(struct run *run, const struct size_of_case *wanted)
{
    struct kernel_alone kernels[KINDS];
    struct subject subjects[KINDS];
    size_t count = 0, known = 0;
    for (const struct kernel_kind *kind = kernel_kinds; kind->kernel; kind++) {
        if (strcmp(kind->application, wanted->name) != 0)
            continue;
        known++;
        if (!program_wants(run, kind->kernel))
            continue;
        open_kernel(run, &kernels[count], kind, wanted->n);
        subjects[count] =
            (struct subject){.variant = kind->kernel, .sample = sample, .context = &kernels[count]};
        count++;
    }
    if (known == 0)
        fail("--cases: there is matmul, stencil and nbody, not %s", wanted->name);
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &kernels[i], &subjects[i]);
        kernel_alone_close(&kernels[i]);
    }
    measure_free(subjects, count);
}

static void run_all(struct run *run)
{
    struct option_words words = option_read_words("cases", cases_list);
    for (size_t i = 0; i < words.count; i++) {
        struct size_of_case wanted = read_case(words.values[i]);
        measure_case(run, &wanted);
    }
    option_free_words(&words);
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
