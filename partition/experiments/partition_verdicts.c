/* partition_verdicts: what the analysis says about the kernels of data bases. */
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/partition.h>

#include "common/clock.h"
#include "common/harness/option_lists.h"
#include "common/harness/program.h"

#include "module_path.h"

static const struct variant variants[] = {
    {"analysed", "the kernel can be split"},
    {"refused", "the kernel runs on one device; reason says why"},
    {0},
};

enum {
    KERNEL,
    SOURCE,
    ARGUMENT,
    KEY,
    ACCEPTED,
    ARGUMENTS,
    WHOLE_READS,
    DIMS_MAX,
    INJECTIVE,
    REASON,
    SPLIT,
    VALUE,
    COLUMNS
};

static const struct column columns[] = {
    {"kernel", COLUMN_PARAMETER, "name of the kernel"},
    {"source", COLUMN_PARAMETER, "data base, without its ending"},
    {"argument", COLUMN_PARAMETER, "--dump: name of the argument; -: the kernel itself"},
    {"key", COLUMN_PARAMETER, "--dump: key of the data base"},
    {"accepted", COLUMN_METRIC, "1: the kernel can be split"},
    {"arguments", COLUMN_METRIC, "number of arguments"},
    {"whole_reads", COLUMN_METRIC, "arguments of which every element must be assumed read"},
    {"dims_max", COLUMN_METRIC, "largest number of dimensions of an argument"},
    {"injective", COLUMN_METRIC, "1: of no written argument two threads write the same element"},
    {"reason", COLUMN_METRIC, "why the kernel cannot be split"},
    {"split", COLUMN_METRIC, "dimension along which least is communicated"},
    {"value", COLUMN_METRIC, "--dump: value of the key"},
    {0},
};

static const char *databases = "";
static bool dump;

static const struct program_option options[] = {
    {"databases", OPTION_TEXT, &databases, "LIST",
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

static void begin_row(struct value *values, const struct partition_kernel *kernel,
                      const char *source)
{
    for (int i = 0; i < COLUMNS; i++)
        values[i] = none();
    values[KERNEL] = text(kernel->name);
    values[SOURCE] = text(source);
    values[ARGUMENT] = values[KEY] = text("-");
}

static void fill_arguments(struct value *values, const struct partition_kernel *kernel)
{
    int64_t whole = 0, dims = 0;
    bool injective = true;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        const struct partition_argument *argument = &kernel->arguments[i];
        whole += argument->reads_whole;
        dims = argument->dims > dims ? argument->dims : dims;
        injective &= !argument->writes || argument->injective;
    }
    values[ARGUMENTS] = integer((int64_t)kernel->argument_count);
    values[WHOLE_READS] = integer(whole);
    values[DIMS_MAX] = integer(dims);
    values[INJECTIVE] = integer(injective);
}

static void record_kernel(struct run *run, const struct partition_kernel *kernel,
                          const char *source, const struct subject *subject)
{
    struct value values[COLUMNS];
    char split[] = {kernel->split, 0};
    const char *variant = kernel->refusal ? "refused" : "analysed";
    begin_row(values, kernel, source);
    values[ACCEPTED] = integer(!kernel->refusal);
    if (kernel->refusal) {
        values[REASON] = text(kernel->refusal);
    } else {
        fill_arguments(values, kernel);
        values[SPLIT] = text(split);
    }
    if (!program_wants(run, variant))
        return;
    for (size_t i = 0; i < subject->count; i++)
        record_values(run, variant, (int)i, values, subject->times_s[i], 0);
}

static void record_key(struct run *run, struct value *values, const char *key, struct value value)
{
    values[KEY] = text(key);
    values[VALUE] = value;
    record_values(run, "analysed", 0, values, NAN, 0);
}

static struct value text_or_none(const char *string)
{
    return string && *string ? text(string) : none();
}

static void dump_argument(struct run *run, struct value *values,
                          const struct partition_argument *argument)
{
    char fundamental[] = {argument->fundamental, 0};
    values[ARGUMENT] = text(argument->name);
    record_key(run, values, "name", text(argument->name));
    record_key(run, values, "type name", text(argument->type));
    record_key(run, values, "size", integer(argument->bits));
    record_key(run, values, "element size", integer(argument->element_bits));
    record_key(run, values, "fundamental type", text(fundamental));
    record_key(run, values, "dim size", integer(argument->dims));
    record_key(run, values, "pointer level", integer(argument->level));
    record_key(run, values, "read map",
               argument->reads_whole ? text("whole") : text_or_none(argument->read));
    record_key(run, values, "write map", text_or_none(argument->write));
    record_key(run, values, "read domain dims", text_or_none(argument->read_domain_dims));
    record_key(run, values, "write domain dims", text_or_none(argument->write_domain_dims));
    record_key(run, values, "read parameter", text_or_none(argument->read_pattern));
    record_key(run, values, "write parameter", text_or_none(argument->write_pattern));
}

static void dump_kernel(struct run *run, const struct partition_kernel *kernel, const char *source)
{
    struct value values[COLUMNS];
    char split[] = {kernel->split, 0};
    if (kernel->refusal || !program_wants(run, "analysed"))
        return;
    begin_row(values, kernel, source);
    record_key(run, values, "kernel name", text(kernel->name));
    record_key(run, values, "kernel partitioning", text(split));
    for (size_t i = 0; i < kernel->argument_count; i++)
        dump_argument(run, values, &kernel->arguments[i]);
}

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
              "clang-14 and opt-14)",
              pattern);
    for (size_t i = 0; i < found.gl_pathc; i++)
        run_database(run, found.gl_pathv[i]);
    globfree(&found);
}

static void run_all(struct run *run)
{
    if (!*databases) {
        run_built(run);
        return;
    }
    struct option_words paths = option_read_words("databases", databases);
    for (size_t i = 0; i < paths.count; i++)
        run_database(run, paths.values[i]);
    option_free_words(&paths);
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
