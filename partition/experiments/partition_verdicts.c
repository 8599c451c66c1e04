/* partition_verdicts: what the analysis says about the kernels of data bases. */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/partition.h>

#include "common/clock.h"
#include "common/harness/program.h"

#include "module_path.h"

static const struct variant variants[] = {
    {"analysed", "the kernel can be split"},
    {"refused", "the kernel runs on one device; reason says why"},
    {0},
};

struct row {
    const char *kernel, *source, *argument, *key;
    int64_t accepted, arguments, whole_reads, dims_max, injective;
    const char *reason, *split, *value;
};
static const struct column columns[] = {
    PARAMETER(struct row, kernel, "name of the kernel"),
    PARAMETER(struct row, source, "data base, without its ending"),
    PARAMETER(struct row, argument, "--dump: name of the argument; -: the kernel itself"),
    PARAMETER(struct row, key, "--dump: key of the data base"),
    METRIC(struct row, accepted, "1: the kernel can be split"),
    METRIC(struct row, arguments, "number of arguments"),
    METRIC(struct row, whole_reads, "arguments of which every element must be assumed read"),
    METRIC(struct row, dims_max, "largest number of dimensions of an argument"),
    METRIC(struct row, injective, "1: of no written argument two threads write the same element"),
    METRIC(struct row, reason, "why the kernel cannot be split"),
    METRIC(struct row, split, "dimension along which least is communicated"),
    METRIC(struct row, value, "--dump: value of the key"),
    {0},
};

static struct option_words databases;
static bool dump;
static const struct program_option options[] = {
    {"databases", OPTION_WORDS, &databases, "LIST",
     "data base files; none: those that were built with this program", 0, 0},
    {"dump", OPTION_FLAG, &dump, NULL, "one row for each key of each argument", 0, 0},
    {0},
};

static struct partition_database *load(const char *path)
{
    struct partition_database *database;
    check_status(partition_database_load(&database, path));
    return database;
}

static double time_load(void *context)
{
    double start_s = clock_now_s();
    struct partition_database *database = load(context);
    double time_s = clock_now_s() - start_s;
    partition_database_free(database);
    return time_s;
}

/* The file's name without folder and ending. */
static char *source_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *source = strdup(slash ? slash + 1 : path);
    check_errno(source != NULL);
    char *dot = strrchr(source, '.');
    if (dot)
        *dot = 0;
    return source;
}

static struct row begin_row(const struct partition_kernel *kernel, const char *source)
{
    return (struct row){kernel->name, source,   "-",      "-",  NO_VALUE, NO_VALUE,
                        NO_VALUE,     NO_VALUE, NO_VALUE, NULL, NULL,     NULL};
}

static void add_arguments(struct row *row, const struct partition_kernel *kernel)
{
    row->arguments = (int64_t)kernel->argument_count;
    row->whole_reads = row->dims_max = 0;
    row->injective = true;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        const struct partition_argument *argument = &kernel->arguments[i];
        row->whole_reads += argument->reads_whole;
        row->dims_max = argument->dims > row->dims_max ? argument->dims : row->dims_max;
        row->injective &= !argument->writes || argument->injective;
    }
}

static void record_kernel(struct run *run, const struct partition_kernel *kernel,
                          const char *source, const struct subject *subject)
{
    const char split[] = {kernel->split, 0};
    const char *variant = kernel->refusal ? "refused" : "analysed";
    struct row row = begin_row(kernel, source);
    row.accepted = !kernel->refusal;
    row.reason = kernel->refusal;
    if (!kernel->refusal) {
        add_arguments(&row, kernel);
        row.split = split;
    }
    if (!program_wants(run, variant))
        return;
    for (size_t i = 0; i < subject->count; i++)
        record_row(run, variant, (int)i, &row, subject->times_s[i], 0);
}

/* ---- all keys ---- */

static void dump_text(struct run *run, struct row *row, const char *key, const char *value)
{
    row->key = key;
    row->value = value && *value ? value : NULL;
    record_row(run, "analysed", 0, row, NAN, 0);
}

static void dump_number(struct run *run, struct row *row, const char *key, unsigned value)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%u", value);
    dump_text(run, row, key, digits);
}

static void dump_argument(struct run *run, struct row *row,
                          const struct partition_argument *argument)
{
    const char fundamental[] = {argument->fundamental, 0};
    row->argument = argument->name;
    dump_text(run, row, "name", argument->name);
    dump_text(run, row, "type name", argument->type);
    dump_number(run, row, "size", argument->bits);
    dump_number(run, row, "element size", argument->element_bits);
    dump_text(run, row, "fundamental type", fundamental);
    dump_number(run, row, "dim size", argument->dims);
    dump_number(run, row, "pointer level", argument->level);
    dump_text(run, row, "read map", argument->reads_whole ? "whole" : argument->read);
    dump_text(run, row, "write map", argument->write);
    dump_text(run, row, "read domain dims", argument->read_domain_dims);
    dump_text(run, row, "write domain dims", argument->write_domain_dims);
    dump_text(run, row, "read parameter", argument->read_pattern);
    dump_text(run, row, "write parameter", argument->write_pattern);
}

static void dump_kernel(struct run *run, const struct partition_kernel *kernel, const char *source)
{
    const char split[] = {kernel->split, 0};
    struct row row = begin_row(kernel, source);
    if (kernel->refusal || !program_wants(run, "analysed"))
        return;
    dump_text(run, &row, "kernel name", kernel->name);
    dump_text(run, &row, "kernel partitioning", split);
    for (size_t i = 0; i < kernel->argument_count; i++)
        dump_argument(run, &row, &kernel->arguments[i]);
}

/* ---- data bases ---- */

static void run_database(struct run *run, const char *path)
{
    struct partition_database *database = load(path);
    struct subject subject = {
        .variant = "analysed", .sample = time_load, .context = (void *)(uintptr_t)path};
    char *source = source_of(path);
    if (!dump)
        measure(run, &subject, 1);
    for (size_t i = 0; i < database->kernel_count; i++)
        if (dump)
            dump_kernel(run, &database->kernels[i], source);
        else
            record_kernel(run, &database->kernels[i], source, &subject);
    measure_free(&subject, 1);
    free(source);
    partition_database_free(database);
}

/* The data bases that were built with this program. */
static void run_built(struct run *run)
{
    char pattern[MODULE_PATH];
    module_path(pattern, NULL, "*.db");
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0)
        waive("there are no data bases at %s: name them with --databases, or build them (they need "
              "LLVM)",
              pattern);
    for (size_t i = 0; i < found.gl_pathc; i++)
        run_database(run, found.gl_pathv[i]);
    globfree(&found);
}

static void run_all(struct run *run)
{
    if (!databases.count)
        run_built(run);
    for (size_t i = 0; i < databases.count; i++)
        run_database(run, databases.values[i]);
}

const struct program program = {
    .name = "partition_verdicts",
    .summary = "lists which kernels can be split over several GPUs, and why others cannot",
    .details = "time_s is that of reading the kernel's data base.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};
