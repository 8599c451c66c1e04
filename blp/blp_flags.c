/* blp_flags: the operations by which blocks raise and read flags, and whether hand-offs by them are
 * safe. */
#include <math.h>
#include <stdio.h>

#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"

#include "bench_flag_test.h"

enum { TASKS_MAX = 256, WRITERS_MAX = 65536 };

static const struct variant variants[] = {
    [FLAG_THROUGHPUT] =
        {"throughput", "one thread in each of `writers` blocks repeats the operation on one flag"},
    [FLAG_LATENCY] = {"latency", "one thread repeats it, each time waiting for the result"},
    [FLAG_HANDOFF] =
        {"handoff",
         "blocks hand random data back and forth: store, fence, raise; wait, fence, load"},
    [FLAG_LOST_UPDATES] =
        {"lost-updates", "`writers` blocks count on one flag, by atomics and by volatile accesses"},
    [FLAG_KINDS] = {0},
};

struct row {
    const char *role, *operation;
    int writers;
    double operations_per_s, latency_s;
    int64_t handoffs, stale_reads, lost_updates;
};
static const struct column columns[] = {
    PARAMETER(struct row, role, "row of Cui's table 4.1; of hand-offs: writer/reader"),
    PARAMETER(struct row, operation, "of hand-offs: write/read"),
    PARAMETER(struct row, writers, "blocks that use the flag, or that hand on"),
    METRIC(struct row, operations_per_s, "of all blocks together"),
    METRIC(struct row, latency_s, "from one operation, or hand-off, to the next"),
    METRIC(struct row, handoffs, "hand-offs in a sample"),
    METRIC(struct row, stale_reads, "words that a reader found not to be the last ones"),
    METRIC(struct row, lost_updates, "counts that are missing in the end"),
    {0},
};

static struct option_numbers writers = {.list = "1,4,72"};
static int64_t operations = 10000, increments = 10000, handoffs = 100000, pairs = 16, threads = 64;
static bool early;
static const struct program_option options[] = {
    {"writers", OPTION_NUMBERS, &writers, "LIST", "blocks that use one flag", 1, WRITERS_MAX},
    {"operations", OPTION_INTEGER, &operations, "N", "operations of a block in a sample", 1, 1e7},
    {"increments", OPTION_INTEGER, &increments, "N",
     "counts of a block in a sample of lost-updates", 1, 1e7},
    {"handoffs", OPTION_INTEGER, &handoffs, "N", "hand-offs in a sample, of all pairs", 2, 1e8},
    {"pairs", OPTION_INTEGER, &pairs, "N", "pairs of blocks that hand data back and forth", 1,
     4096},
    {"threads", OPTION_INTEGER, &threads, "N", "threads of these blocks, a word each", 1, 1024},
    {"early", OPTION_FLAG, &early, NULL,
     "control: raise each flag before its data is stored, which must be found to be wrong", 0, 0},
    {0},
};

static const char *const write_names[] = {[BLP_WRITE_ADD] = "add",
                                          [BLP_WRITE_OR] = "or",
                                          [BLP_WRITE_EXCHANGE] = "exchange",
                                          [BLP_WRITE_INC] = "inc"};
static const char *const read_names[] = {
    [BLP_READ_AND] = "and", [BLP_READ_CAS] = "cas", [BLP_READ_VOLATILE] = "volatile"};
static const char *const operation_names[] = {
    [FLAG_ADD] = "add", [FLAG_OR] = "or",   [FLAG_EXCHANGE] = "exchange", [FLAG_INC] = "inc",
    [FLAG_AND] = "and", [FLAG_CAS] = "cas", [FLAG_VOLATILE] = "volatile", [FLAG_PLAIN] = "volatile",
};

/* Table 4.1, as bits 1 << operation. */
enum { READING = 1 << FLAG_AND | 1 << FLAG_CAS | 1 << FLAG_VOLATILE, ROLES = 4 };
static const struct {
    const char *name;
    unsigned operations;
} roles[ROLES] = {
    {"in-write", 1 << FLAG_ADD | 1 << FLAG_OR | 1 << FLAG_EXCHANGE},
    {"compute-read", READING},
    {"compute-write", 1 << FLAG_ADD | 1 << FLAG_INC},
    {"out-read", READING},
};

/* ---- what is measured ---- */

struct task {
    int variant; /* enum flag_kind */
    const char *role;
    char operation[32];
    struct flag_test test;
};
static struct task tasks[TASKS_MAX];
static size_t task_count;

static struct task *add(enum flag_kind kind, const char *role, long writing_blocks)
{
    if (task_count == TASKS_MAX)
        fail("--writers makes more than %d tests", TASKS_MAX);
    struct task *task = &tasks[task_count++];
    *task = (struct task){.variant = (int)kind, .role = role};
    task->test.kind = kind;
    task->test.writers = (int)writing_blocks;
    return task;
}

static void add_flag(enum flag_kind kind, const char *role, enum flag_operation operation,
                     long writing_blocks)
{
    struct task *task = add(kind, role, writing_blocks);
    snprintf(task->operation, sizeof task->operation, "%s", operation_names[operation]);
    task->test.operation = operation;
    task->test.repetitions = (long)(kind == FLAG_LOST_UPDATES ? increments : operations);
}

static void add_rates(const struct run *run, const char *role, enum flag_operation operation)
{
    if (program_wants_variant(run, FLAG_LATENCY))
        add_flag(FLAG_LATENCY, role, operation, 1);
    for (size_t i = 0; program_wants_variant(run, FLAG_THROUGHPUT) && i < writers.count; i++)
        add_flag(FLAG_THROUGHPUT, role, operation, writers.values[i]);
}

static void add_counts(void)
{
    static const enum flag_operation counting[] = {FLAG_ADD, FLAG_INC, FLAG_PLAIN};
    for (size_t i = 0; i < writers.count; i++)
        for (size_t k = 0; k < sizeof counting / sizeof *counting; k++)
            add_flag(FLAG_LOST_UPDATES, "compute-write", counting[k], writers.values[i]);
}

/* A write of a role with all reads of the next. */
static void add_handoffs(const struct handoff *handoff, const char *roles_of, enum blp_write write)
{
    static const enum blp_read reads[] = {BLP_READ_AND, BLP_READ_CAS, BLP_READ_VOLATILE};
    for (int i = 0; i < BLP_READS; i++) {
        struct task *task = add(FLAG_HANDOFF, roles_of, handoff->pairs);
        snprintf(task->operation, sizeof task->operation, "%s/%s", write_names[write],
                 read_names[reads[i]]);
        task->test.handoff = *handoff;
        task->test.handoff.write = write;
        task->test.handoff.read = reads[i];
    }
}

static struct handoff open_handoffs(void)
{
    if (handoffs < 2 * pairs)
        fail("--handoffs %ld: the %ld pairs need at least %ld", (long)handoffs, (long)pairs,
             2 * (long)pairs);
    struct handoff handoff = handoff_open((int)pairs, (int)threads, (long)(handoffs / 2 / pairs));
    handoff.early = early;
    add_handoffs(&handoff, "in-write/compute-read", BLP_WRITE_ADD);
    add_handoffs(&handoff, "in-write/compute-read", BLP_WRITE_OR);
    add_handoffs(&handoff, "in-write/compute-read", BLP_WRITE_EXCHANGE);
    add_handoffs(&handoff, "compute-write/out-read", BLP_WRITE_ADD);
    add_handoffs(&handoff, "compute-write/out-read", BLP_WRITE_INC);
    return handoff;
}

static double sample(void *task)
{
    return flag_sample(&((struct task *)task)->test);
}

static void fill_row(const void *measured, double time_s, void *filled)
{
    const struct task *task = measured;
    const struct flag_test *test = &task->test;
    const double rounds = (double)test->handoff.rounds, repetitions = (double)test->repetitions;
    struct row row = {task->role, task->operation, test->writers, NAN,
                      NAN,        NO_VALUE,        NO_VALUE,      NO_VALUE};
    if (test->kind == FLAG_HANDOFF) {
        row.operations_per_s = 2.0 * rounds * test->handoff.pairs / time_s;
        row.latency_s = time_s / (2.0 * rounds);
        row.handoffs = 2 * (int64_t)test->handoff.rounds * test->handoff.pairs;
        row.stale_reads = test->last.stale;
    } else if (test->kind == FLAG_LATENCY) {
        row.latency_s = time_s / repetitions;
    } else {
        row.operations_per_s = repetitions * test->writers / time_s;
    }
    if (test->kind == FLAG_LOST_UPDATES)
        row.lost_updates = test->last.lost;
    *(struct row *)filled = row;
}

static long count_errors(struct run *run, void *task)
{
    (void)run;
    return ((struct task *)task)->test.errors;
}

static const struct comparison comparison = {.task_bytes = TASK(struct task),
                                             .row_bytes = sizeof(struct row),
                                             .sample = sample,
                                             .row = fill_row,
                                             .verify = count_errors};

static void run_all(struct run *run)
{
    const bool handing = program_wants_variant(run, FLAG_HANDOFF);
    struct handoff handoff;
    for (int role = 0; role < ROLES; role++)
        for (int operation = 0; operation < FLAG_PLAIN; operation++)
            if (roles[role].operations >> operation & 1)
                add_rates(run, roles[role].name, (enum flag_operation)operation);
    if (program_wants_variant(run, FLAG_LOST_UPDATES))
        add_counts();
    if (handing)
        handoff = open_handoffs();
    unsigned *flag = scope_allocate(MEMORY_DEVICE, FLAG_BYTES);
    unsigned *wrong = scope_allocate(MEMORY_DEVICE, sizeof *wrong);
    for (size_t i = 0; i < task_count; i++) {
        tasks[i].test.flag = flag;
        tasks[i].test.wrong = wrong;
        tasks[i].test.seed = run->settings.seed + i;
    }
    compare_tasks(run, &comparison, tasks, task_count);
    if (handing)
        handoff_close(&handoff);
}

const struct program program = {
    .name = "blp_flags",
    .summary = "flag operations of persistent blocks: rates, and whether hand-offs are safe",
    .details =
        "Every write and read of Cui's table 4.1. time_s is that of all operations or\n"
        "hand-offs of a sample, with the launch. errors, of all samples of a test: wrong last\n"
        "values, counts that atomics lost, and words that a reader found stale. Counts that\n"
        "volatile accesses lose are a result, not an error.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};
