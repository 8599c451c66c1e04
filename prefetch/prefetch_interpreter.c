/* prefetch_interpreter: what the interpreter costs per instruction. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/program.h"

#include "benchmark.h"
#include "sip_options.h"

static const struct variant variants[] = {
    {"interpreter", "the bytecode interpreter of one worker"},
    {0},
};

static const struct column columns[] = {
    {"kind", COLUMN_PARAMETER, "statements of the loop: scalars, branches, calls, blocks, get"},
    {"instructions", COLUMN_METRIC, "instructions executed, those around the loop included"},
    {"instruction_ns", COLUMN_METRIC, "run time of the program / instructions, in ns"},
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

/* A subject of measure(). */
struct cost {
    struct sial_program *code;
    struct sip_config config;
    double right;
    long wrong;
    struct benchmark_samples samples; /* uint64_t: instructions of worker 0 */
};

static struct sial_program *compile(const char *text)
{
    struct sial_definition n = {"n", (double)iterations};
    struct sial_error error;
    struct sial_program *code = sial_compile_text("cost.sialx", text, strlen(text), &n, 1, &error);
    if (!code)
        fail("%s", error.text);
    return code;
}

static double run_once(void *context)
{
    struct cost *cost = context;
    struct sip_result result = sip_run_or_fail(cost->code, &cost->config);
    uint64_t *instructions = benchmark_add_sample(&cost->samples);
    double run_s = ranks.rank == 0 ? result.counters.run_s : 0.0;
    *instructions = result.counters.instructions;
    cost->wrong += result.is_worker && result.scalars[0] != cost->right;
    sip_result_free(&result);
    return run_s;
}

static void run_all(struct run *run)
{
    struct cost costs[CASES];
    struct subject subjects[CASES];
    struct sip_config config = sip_options_config(run);
    config.workers = config.servers = 1;
    config.segment[SIAL_AO] = 1;
    for (int i = 0; i < CASES; i++) {
        costs[i] = (struct cost){.code = compile(cases[i].text),
                                 .config = config,
                                 .right = cases[i].right((double)iterations),
                                 .samples.item_bytes = sizeof(uint64_t)};
        subjects[i] =
            (struct subject){.variant = variants[0].name, .sample = run_once, .context = &costs[i]};
    }
    measure(run, subjects, CASES);
    for (int i = 0; i < CASES; i++) {
        for (size_t r = 0; r < subjects[i].count; r++) {
            uint64_t instructions =
                *(const uint64_t *)benchmark_sample(&costs[i].samples, &subjects[i], r);
            double instruction_s = subjects[i].times_s[r] / (double)instructions;
            struct value values[] = {text(cases[i].kind), integer((int64_t)instructions),
                                     real(1e9 * instruction_s)};
            record_values(run, variants[0].name, (int)r, values, instruction_s,
                          run->settings.check ? costs[i].wrong : 0);
        }
        free(costs[i].samples.items);
        sial_free(costs[i].code);
    }
    measure_free(subjects, CASES);
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
