/* blp_flags: the operations by which blocks raise and read flags, and whether hand-offs by them are
 * safe. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/allocate.h"
#include "common/harness/option_lists.h"
#include "common/harness/program.h"

#include "bench_flag_test.h"

enum { TESTS_MOST = 256, WRITERS_MOST = 65536 };

static const struct variant variants[] = {
    [BLP_BENCH_THROUGHPUT] =
        {"throughput", "one thread in each of `writers` blocks repeats the operation on one flag"},
    [BLP_BENCH_LATENCY] = {"latency", "one thread repeats it, each time waiting for the result"},
    [BLP_BENCH_HANDOFF] =
        {"handoff", "blocks hand random data to and fro: store, fence, raise; wait, fence, load"},
    [BLP_BENCH_LOST_UPDATES] =
        {"lost-updates", "`writers` blocks count on one flag, by atomics and by volatile accesses"},
    [BLP_BENCH_FLAG_KINDS] = {0},
};

enum { ROLE, OPERATION, WRITERS, OPERATIONS_PER_S, LATENCY_S, HANDOFFS, STALE, LOST, COLUMNS };
static const struct column columns[] = {
    [ROLE] = {"role", COLUMN_PARAMETER, "row of Cui's table 4.1; of hand-offs: writer/reader"},
    [OPERATION] = {"operation", COLUMN_PARAMETER, "of hand-offs: write/read"},
    [WRITERS] = {"writers", COLUMN_PARAMETER, "blocks that use the flag, or that hand on"},
    [OPERATIONS_PER_S] = {"operations_per_s", COLUMN_METRIC, "of all blocks together"},
    [LATENCY_S] = {"latency_s", COLUMN_METRIC, "from one operation, or hand-off, to the next"},
    [HANDOFFS] = {"handoffs", COLUMN_METRIC, "hand-offs in a sample"},
    [STALE] = {"stale_reads", COLUMN_METRIC, "words that a reader found not to be the last ones"},
    [LOST] = {"lost_updates", COLUMN_METRIC, "counts that are missing in the end"},
    [COLUMNS] = {0},
};

static const char *writer_list = "1,4,72";
static int64_t operations = 10000, increments = 10000, handoffs = 100000, pairs = 16, threads = 64;
static bool early;
static const struct program_option options[] = {
    {"writers", OPTION_TEXT, &writer_list, "LIST", "blocks that use one flag", 0, 0},
    {"operations", OPTION_INTEGER, &operations, "N", "operations of a block in a sample", 1, 1e7},
    {"increments", OPTION_INTEGER, &increments, "N",
     "counts of a block in a sample of lost-updates", 1, 1e7},
    {"handoffs", OPTION_INTEGER, &handoffs, "N", "hand-offs in a sample, of all pairs", 2, 1e8},
    {"pairs", OPTION_INTEGER, &pairs, "N", "pairs of blocks that hand data to and fro", 1, 4096},
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
static const char *const names[] = {
    [BLP_BENCH_ADD] = "add",           [BLP_BENCH_OR] = "or",
    [BLP_BENCH_EXCHANGE] = "exchange", [BLP_BENCH_INC] = "inc",
    [BLP_BENCH_AND] = "and",           [BLP_BENCH_CAS] = "cas",
    [BLP_BENCH_VOLATILE] = "volatile", [BLP_BENCH_PLAIN] = "volatile",
};

/* Table 4.1, as bits 1 << operation. */
enum { READING = 1 << BLP_BENCH_AND | 1 << BLP_BENCH_CAS | 1 << BLP_BENCH_VOLATILE };
static const struct {
    const char *name;
    unsigned operations;
} roles[] = {
    {"in-write", 1 << BLP_BENCH_ADD | 1 << BLP_BENCH_OR | 1 << BLP_BENCH_EXCHANGE},
    {"compute-read", READING},
    {"compute-write", 1 << BLP_BENCH_ADD | 1 << BLP_BENCH_INC},
    {"out-read", READING},
};
enum { ROLES = 4 };

struct tests {
    struct blp_bench_flag_test of[TESTS_MOST];
    struct {
        const char *role;
        char operation[32];
    } labels[TESTS_MOST];
    size_t count;
};

/* ---- what is measured ---- */

static struct blp_bench_flag_test *add(struct tests *tests, enum blp_bench_flag_kind kind,
                                       const char *role, const char *operation)
{
    if (tests->count == TESTS_MOST)
        fail("--writers makes more than %d tests", TESTS_MOST);
    tests->labels[tests->count].role = role;
    snprintf(tests->labels[tests->count].operation, sizeof tests->labels->operation, "%s",
             operation);
    struct blp_bench_flag_test *test = &tests->of[tests->count++];
    *test = (struct blp_bench_flag_test){.kind = kind};
    return test;
}

static void add_flag(struct tests *tests, enum blp_bench_flag_kind kind, const char *role,
                     enum blp_bench_operation operation, long writers)
{
    struct blp_bench_flag_test *test = add(tests, kind, role, names[operation]);
    test->operation = operation;
    test->writers = (int)writers;
    test->repetitions = (long)(kind == BLP_BENCH_LOST_UPDATES ? increments : operations);
}

static bool has(int role, int operation)
{
    return roles[role].operations >> operation & 1;
}

static void add_rates(const struct run *run, struct tests *tests,
                      const struct option_numbers *writers)
{
    for (int role = 0; role < ROLES; role++)
        for (int operation = 0; operation < BLP_BENCH_PLAIN; operation++) {
            if (!has(role, operation))
                continue;
            if (program_wants(run, "latency"))
                add_flag(tests, BLP_BENCH_LATENCY, roles[role].name,
                         (enum blp_bench_operation)operation, 1);
            for (size_t i = 0; program_wants(run, "throughput") && i < writers->count; i++)
                add_flag(tests, BLP_BENCH_THROUGHPUT, roles[role].name,
                         (enum blp_bench_operation)operation, writers->values[i]);
        }
}

static void add_counts(struct tests *tests, const struct option_numbers *writers)
{
    static const enum blp_bench_operation counting[] = {BLP_BENCH_ADD, BLP_BENCH_INC,
                                                        BLP_BENCH_PLAIN};
    for (size_t i = 0; i < writers->count; i++)
        for (size_t k = 0; k < sizeof counting / sizeof *counting; k++)
            add_flag(tests, BLP_BENCH_LOST_UPDATES, "compute-write", counting[k],
                     writers->values[i]);
}

static void add_handoff(struct tests *tests, const struct blp_bench_handoff *handoff,
                        const char *roles_of, int write, int read)
{
    char operation[32];
    snprintf(operation, sizeof operation, "%s/%s", write_names[write], read_names[read]);
    struct blp_bench_flag_test *test = add(tests, BLP_BENCH_HANDOFF, roles_of, operation);
    test->writers = handoff->pairs;
    test->handoff = *handoff;
    test->handoff.write = (enum blp_write)write;
    test->handoff.read = (enum blp_read)read;
}

/* All writes of a role with all reads of the next. */
static void add_handoffs(struct tests *tests, const struct blp_bench_handoff *handoff)
{
    static const enum blp_write in_writes[] = {BLP_WRITE_ADD, BLP_WRITE_OR, BLP_WRITE_EXCHANGE};
    static const enum blp_write compute_writes[] = {BLP_WRITE_ADD, BLP_WRITE_INC};
    for (size_t i = 0; i < sizeof in_writes / sizeof *in_writes; i++)
        for (int read = 0; read < BLP_READS; read++)
            add_handoff(tests, handoff, "in-write/compute-read", in_writes[i], read);
    for (size_t i = 0; i < sizeof compute_writes / sizeof *compute_writes; i++)
        for (int read = 0; read < BLP_READS; read++)
            add_handoff(tests, handoff, "compute-write/out-read", compute_writes[i], read);
}

static struct blp_bench_handoff open_handoff(void)
{
    if (handoffs < 2 * pairs)
        fail("--handoffs %ld: the %ld pairs need at least %ld", (long)handoffs, (long)pairs,
             2 * (long)pairs);
    struct blp_bench_handoff handoff =
        blp_bench_handoff_open((int)pairs, (int)threads, (long)(handoffs / 2 / pairs));
    handoff.early = early;
    return handoff;
}

/* ---- rows ---- */

static void set_rates(const struct blp_bench_flag_test *test, double time_s, struct value *values)
{
    const long rounds = test->handoff.rounds;
    if (test->kind == BLP_BENCH_HANDOFF) {
        values[OPERATIONS_PER_S] = real(2.0 * (double)rounds * test->handoff.pairs / time_s);
        values[LATENCY_S] = real(time_s / (2.0 * (double)rounds));
    } else if (test->kind == BLP_BENCH_LATENCY) {
        values[LATENCY_S] = real(time_s / (double)test->repetitions);
    } else {
        values[OPERATIONS_PER_S] = real((double)test->repetitions * test->writers / time_s);
    }
}

static void record(struct run *run, const struct tests *tests, size_t number,
                   const struct subject *subject)
{
    const struct blp_bench_flag_test *test = &tests->of[number];
    for (size_t i = 0; i < subject->count; i++) {
        const struct blp_bench_finding *finding = &test->findings[test->count - subject->count + i];
        struct value values[COLUMNS] = {
            [ROLE] = text(tests->labels[number].role),
            [OPERATION] = text(tests->labels[number].operation),
            [WRITERS] = integer(test->writers),
        };
        set_rates(test, subject->times_s[i], values);
        if (test->kind == BLP_BENCH_HANDOFF) {
            values[HANDOFFS] = integer(2 * (int64_t)test->handoff.rounds * test->handoff.pairs);
            values[STALE] = integer(finding->stale);
        }
        if (test->kind == BLP_BENCH_LOST_UPDATES)
            values[LOST] = integer(finding->lost);
        record_values(run, subject->variant, (int)i, values, subject->times_s[i],
                      run->settings.check ? finding->errors : 0);
    }
}

static void measure_all(struct run *run, struct tests *tests)
{
    struct subject subjects[TESTS_MOST];
    unsigned *flag = memory_allocate(MEMORY_DEVICE, BLP_BENCH_FLAG_BYTES);
    unsigned *wrong = memory_allocate(MEMORY_DEVICE, sizeof *wrong);
    for (size_t i = 0; i < tests->count; i++) {
        struct blp_bench_flag_test *test = &tests->of[i];
        test->flag = flag;
        test->wrong = wrong;
        test->seed = run->settings.seed + i;
        subjects[i] = (struct subject){
            .variant = variants[test->kind].name, .sample = blp_bench_flag_sample, .context = test};
    }
    measure(run, subjects, tests->count);
    for (size_t i = 0; i < tests->count; i++) {
        record(run, tests, i, &subjects[i]);
        free(tests->of[i].findings);
    }
    measure_free(subjects, tests->count);
    memory_release(MEMORY_DEVICE, flag);
    memory_release(MEMORY_DEVICE, wrong);
}

static void run_all(struct run *run)
{
    struct option_numbers writers = option_read_numbers("writers", writer_list, 1, WRITERS_MOST);
    struct tests *tests = allocate_or_fail(1, sizeof *tests);
    const bool handing = program_wants(run, "handoff");
    struct blp_bench_handoff handoff;
    tests->count = 0;
    add_rates(run, tests, &writers);
    if (program_wants(run, "lost-updates"))
        add_counts(tests, &writers);
    if (handing) {
        handoff = open_handoff();
        add_handoffs(tests, &handoff);
    }
    measure_all(run, tests);
    if (handing)
        blp_bench_handoff_close(&handoff);
    free(tests);
    free(writers.values);
}

const struct program program = {
    .name = "blp_flags",
    .summary = "flag operations of persistent blocks: rates, and whether hand-offs are safe",
    .details = "Every write and read of Cui's table 4.1. time_s is that of all operations or\n"
               "hand-offs of a sample, with the launch. errors: wrong last values, counts that\n"
               "atomics lost, and words that a reader found stale. Counts that\n"
               "volatile accesses lose are a result, not an error.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};
