/* partition_copies: which elements are copied between devices, for the thesis's examples. */
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/option_lists.h"
#include "common/harness/program.h"

#include "copies_rows.h"
#include "module_path.h"

enum { CALLS = 50 }; /* timed together: one takes less than a microsecond */

static const struct variant variants[] = {
    {"copies", "access sets of a data base, and the copies that follow from them"},
    {0},
};

static const char *cases_list = "fig8,fig9,islpy,fig10,fig20", *modules;
static const struct program_option options[] = {
    {"cases", OPTION_TEXT, &cases_list, "LIST", "fig8, fig9, islpy, fig10, fig20", 0, 0},
    {"modules", OPTION_TEXT, &modules, "DIR",
     "directory of the data bases; none: ../partition beside the program", 0, 0},
    {0},
};

static double sample_sets(void *context)
{
    struct copies_task *task = context;
    double start_s = clock_now_s();
    copies_sets_compute(task->example, task->database, task->sets);
    return clock_now_s() - start_s;
}

static double sample_copies(void *context)
{
    struct copies_task *task = context;
    double start_s = clock_now_s();
    for (int i = 0; i < CALLS; i++) {
        struct partition_copy *copies;
        copies_compute(task->example, task->sets, task->mode, &copies);
        free(copies);
    }
    return (clock_now_s() - start_s) / CALLS;
}

/* ---- examples ---- */

static void measure_case(struct run *run, const struct copies_case *example)
{
    char path[MODULE_PATH];
    struct partition_database *database;
    module_path(path, modules, example->database);
    check_status(partition_database_load(&database, path));
    struct copies_sets sets = {0};
    copies_sets_compute(example, database, &sets);
    struct copies_task tasks[COPIES_MODES + 1];
    struct subject subjects[COPIES_MODES + 1];
    for (int mode = 0; mode <= COPIES_MODES; mode++) {
        tasks[mode] = (struct copies_task){example, database, &sets, (enum copies_mode)mode};
        subjects[mode] =
            (struct subject){.variant = variants[0].name,
                             .sample = mode == COPIES_MODES ? sample_sets : sample_copies,
                             .context = &tasks[mode]};
    }
    measure(run, subjects, COPIES_MODES + 1);
    for (int mode = 0; mode <= COPIES_MODES; mode++)
        copies_rows_record(run, &tasks[mode], &subjects[mode]);
    measure_free(subjects, COPIES_MODES + 1);
    copies_sets_free(&sets);
    partition_database_free(database);
}

static const struct copies_case *find_case(const char *name)
{
    const struct copies_case *example = copies_cases;
    while (example->name && strcmp(example->name, name) != 0)
        example++;
    if (!example->name)
        fail("--cases %s: there is no such example (-h lists them)", name);
    return example;
}

static void run_all(struct run *run)
{
    struct option_words words = option_read_words("cases", cases_list);
    for (size_t i = 0; i < words.count; i++)
        find_case(words.values[i]); /* a wrong one ends the program before anything is measured */
    for (size_t i = 0; i < words.count; i++)
        measure_case(run, find_case(words.values[i]));
    option_free_words(&words);
}

const struct program program = {
    .name = "partition_copies",
    .summary = "lists the elements that are copied between devices, for the thesis's examples",
    .details =
        "In each example the last launch reads a buffer that the launches before wrote:\n"
        "fig8, fig9: six elements, one and two devices; islpy: the worked example (32 x 32);\n"
        "fig10: windows of a mesh on three devices; fig20: five-point stencil on 6 x 6 elements.\n"
        "One row for each interval and repetition; time_s is that of the access sets of the\n"
        "example, or of its copies (mode none: of finding that there are none). Errors are reads\n"
        "that an execution of the copies, element by element, finds to be other than the sets\n"
        "say, and stale reads in mode omega. Source: Klein 2016, 3.4.2, 3.4.3, 4.2, 5.4.",
    .variants = variants,
    .options = options,
    .columns = copies_columns,
    .run = run_all,
};
