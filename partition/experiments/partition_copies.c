/* partition_copies: which elements are copied between devices, for the thesis's examples. */
#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/program.h"

#include "copies_rows.h"
#include "module_path.h"

enum { CALLS = 50 }; /* timed together: one takes less than a microsecond */

static const struct variant variants[] = {
    {"copies", "access sets of a data base, and the copies that follow from them"},
    {0},
};

/* In the order of copies_cases. */
static const char *const case_names[] = {"fig8", "fig9", "islpy", "fig10", "fig20", NULL};
static struct option_choices cases = {
    .noun = "example", .names = case_names, .list = "fig8,fig9,islpy,fig10,fig20"};
static const char *modules;
static const struct program_option options[] = {
    {"cases", OPTION_CHOICES, &cases, "LIST", "fig8, fig9, islpy, fig10, fig20", 0, 0},
    {"modules", OPTION_TEXT, &modules, "DIR",
     "folder of the data bases; none: ../partition beside the program", 0, 0},
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

static void run_all(struct run *run)
{
    for (size_t i = 0; i < cases.count; i++)
        measure_case(run, &copies_cases[cases.values[i]]);
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
