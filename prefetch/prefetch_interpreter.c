/* prefetch_interpreter: what the interpreter costs per instruction. */
#include <math.h>
#include <string.h>

#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "sip_options.h"

static const struct variant variants[] = {
    {"interpreter", "the bytecode interpreter of one worker"},
    {0},
};

struct row {
    const char *kind;
    uint64_t instructions;
    double instruction_ns;
};
static const struct column columns[] = {
    PARAMETER(struct row, kind, "statements of the loop: scalars, branches, calls, blocks, get"),
    METRIC(struct row, instructions, "instructions executed, those around the loop included"),
    METRIC(struct row, instruction_ns, "run time of the program / instructions, in ns"),
    {0},
};

static int64_t iterations = 100;
static const struct program_option options[] = {
    {"iterations", OPTION_INTEGER, &iterations, "N", "the loop runs N times N times", 1, 10000},
    {0},
};

/* SIAL programs: all loop N x N times around their statements. */
#define DECLARATIONS                                                                               \
    "sial cost\n"                                                                                  \
    "predefined int n\n"                                                                           \
    "index k = 1:n\n"                                                                              \
    "index l = 1:n\n"                                                                              \
    "aoindex i = 1:1\n"                                                                            \
    "aoindex j = 1:1\n"                                                                            \
    "distributed a[i,j]\n"                                                                         \
    "temp t[i,j]\n"                                                                                \
    "temp u[i,j]\n"                                                                                \
    "scalar x = 1.0\n"                                                                             \
    "int m = 0\n"
#define LOOP(before, statements, after)                                                            \
    before "do i\ndo j\nt[i,j] = 1.0\nput a[i,j] = t[i,j]\nenddo j\nenddo i\nsip_barrier\n"        \
           "do i\ndo j\ndo k\ndo l\n" statements "enddo l\nenddo k\nenddo j\nenddo i\n" after      \
           "endsial cost\n"

/* right: what the only scalar must be at the end. */
static double limit_of_halving(double n)
{
    return 2.0 - exp2(-n * n);
}
static double minus_n(double n)
{
    return -n;
}
static double square(double n)
{
    return n * n;
}
static double one(double n)
{
    (void)n;
    return 1.0;
}
static const struct {
    const char *kind, *text;
    double (*right)(double n);
} cases[] = {
    {"scalars",
     DECLARATIONS LOOP("",
                       "x = 0.5 * x + 1.0\n"
                       "m += 1\n",
                       ""),
     limit_of_halving},
    {"branches",
     DECLARATIONS LOOP("", "if k < l\nm += 1\nelse\nm -= 1\nendif\n", "x = (scalar) m\n"), minus_n},
    {"calls",
     DECLARATIONS LOOP("proc count\nm += 1\nendproc count\n", "call count\n", "x = (scalar) m\n"),
     square},
    {"blocks",
     DECLARATIONS LOOP("",
                       "u[i,j] = 1.0 * t[i,j]\n"
                       "t[i,j] = t[i,j] + u[i,j]\n"
                       "t[i,j] *= 0.5\n"
                       "x = t[i,j] * u[i,j]\n",
                       ""),
     one},
    {"get",
     DECLARATIONS LOOP("",
                       "get a[i,j]\n"
                       "x = a[i,j] * a[i,j]\n",
                       ""),
     one},
};
enum { CASES = sizeof cases / sizeof *cases };

struct task {
    int variant;
    const char *kind;
    struct prefetch_program *code;
    struct prefetch_config config;
    double right;
    long wrong;
    uint64_t instructions; /* of worker 0, in the last sample */
};

static struct prefetch_program *compile(const char *text)
{
    struct prefetch_definition n = {"n", (double)iterations};
    struct prefetch_program *code;
    check_status(prefetch_compile_text(&code, "cost.sialx", text, strlen(text), &n, 1));
    return code;
}

static double run_once(void *context)
{
    struct task *task = context;
    struct prefetch_result result = sip_run(task->code, &task->config);
    task->instructions = result.counters.instructions;
    task->wrong += result.is_worker && result.scalars[0] != task->right;
    double run_s = result.counters.run_s;
    prefetch_result_free(&result);
    return ranks.rank == 0 ? run_s / (double)task->instructions : 0.0;
}

static void fill_row(const void *context, double time_s, void *row)
{
    const struct task *task = context;
    *(struct row *)row = (struct row){task->kind, task->instructions, 1e9 * time_s};
}

static long count_wrong(struct run *run, void *task)
{
    (void)run;
    return ((const struct task *)task)->wrong;
}

static void free_code(void *task)
{
    prefetch_free(((struct task *)task)->code);
}

static const struct comparison comparison = {.task_bytes = TASK(struct task),
                                             .row_bytes = sizeof(struct row),
                                             .sample = run_once,
                                             .row = fill_row,
                                             .verify = count_wrong,
                                             .close = free_code};

static void run_all(struct run *run)
{
    struct task tasks[CASES];
    struct prefetch_config config = sip_options_config(run);
    config.workers = config.servers = 1;
    config.segment[PREFETCH_INDEX_AO] = 1;
    for (int i = 0; i < CASES; i++)
        tasks[i] = (struct task){.kind = cases[i].kind,
                                 .code = compile(cases[i].text),
                                 .config = config,
                                 .right = cases[i].right((double)iterations)};
    compare_tasks(run, &comparison, tasks, CASES);
}

const struct program program = {
    .name = "prefetch_interpreter",
    .summary = "measures what the interpreter of SIAL programs costs per instruction",
    .details =
        "One worker and one server; blocks have one element, so that their operations cost\n"
        "what the run time costs. Kind get gets a block that is there already, and uses it.\n"
        "time_s is the time per instruction.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .run = run_all,
};
