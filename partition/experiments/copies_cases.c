#include "common/harness/exit.h"

#include "copies_cases.h"

static const struct copies_launch cross_write = {
    .kernel = "cross_write",
    .read_argument = COPIES_NO_ARGUMENT,
    .write_argument = 0,
    .scalars = {0, 6},
    .shape = {.grid = {2, 1, 1}, .block = {3, 1, 1}},
};
static const struct copies_launch cross_read = {
    .kernel = "cross_read",
    .read_argument = 0,
    .write_argument = 1,
    .scalars = {0, 0, 6},
    .shape = {.grid = {2, 1, 1}, .block = {3, 1, 1}},
};
static const struct copies_launch stencil_ex = {
    .kernel = "stencil_ex",
    .read_argument = 0,
    .write_argument = 1,
    .scalars = {0, 0, 32},
    .shape = {.grid = {2, 2, 1}, .block = {16, 16, 1}},
};
static const struct copies_launch stencil5p = {
    .kernel = "stencil5p",
    .read_argument = 0,
    .write_argument = 1,
    .scalars = {0, 0, 6},
    .shape = {.grid = {2, 2, 1}, .block = {3, 3, 1}},
};
/* Of 36 elements the windows [2, 34), [8, 20), [10, 28). */
static const struct copies_launch refine[] = {
    {"refine", 0, 1, {0, 0, 2, 34}, {.grid = {9, 1, 1}, .block = {4, 1, 1}}},
    {"refine", 0, 1, {0, 0, 8, 20}, {.grid = {9, 1, 1}, .block = {4, 1, 1}}},
    {"refine", 0, 1, {0, 0, 10, 28}, {.grid = {9, 1, 1}, .block = {4, 1, 1}}},
};

/* Numbers are those of the thesis's figures where it prints them. */
const struct copies_case copies_cases[] = {
    {
        .name = "fig8",
        .meaning = "six elements are written, then read with their neighbours; one device",
        .database = "cross.db",
        .devices = 1,
        .split = "x",
        .elements = 6,
        .launch_count = 2,
        .launches = {&cross_write, &cross_read},
    },
    {
        .name = "fig9",
        .meaning = "the same on two devices",
        .database = "cross.db",
        .devices = 2,
        .split = "x",
        .elements = 6,
        .launch_count = 2,
        .launches = {&cross_write, &cross_read},
    },
    {
        .name = "islpy",
        .meaning = "the worked example: two stencil launches with swapped buffers",
        .database = "example.db",
        .devices = 2,
        .split = "y",
        .elements = 1024,
        .row = 32,
        .launch_count = 2,
        .launches = {&stencil_ex, &stencil_ex},
    },
    {
        .name = "fig10",
        .meaning = "two launches write windows of a mesh, a third reads what both wrote",
        .database = "refine.db",
        .devices = 3,
        .split = "x",
        .elements = 36,
        .launch_count = 3,
        .launches = {&refine[0], &refine[1], &refine[2]},
    },
    {
        .name = "fig20",
        .meaning = "five-point stencil on 6 x 6 elements",
        .database = "stencil.db",
        .devices = 2,
        .split = "y",
        .elements = 36,
        .row = 6,
        .launch_count = 2,
        .launches = {&stencil5p, &stencil5p},
    },
    {0},
};

/* The elements of one argument for one part; an empty set if it is not accessed. */
static void compute_set(const struct copies_case *example, struct partition_database *database,
                        const struct copies_launch *launch, int argument, bool write,
                        const struct partition_part *part, struct partition_intervals *out)
{
    out->count = 0;
    if (argument == COPIES_NO_ARGUMENT || part->blocks[0] == 0)
        return;
    struct partition_kernel *kernel = partition_database_find(database, launch->kernel);
    if (!kernel || kernel->refusal)
        fail("case %s: kernel %s of %s cannot be split: %s", example->name, launch->kernel,
             example->database, kernel ? kernel->refusal : "it is not in the data base");
    enum partition_extent extent;
    if (partition_accesses(&(struct partition_launch){kernel, launch->scalars, &launch->shape},
                           (size_t)argument, write, part, PARTITION_BOXES, out, &extent,
                           NULL) != DM_OK)
        fail("case %s: kernel %s: %s", example->name, launch->kernel, dm_message());
    if (extent != PARTITION_ELEMENTS)
        fail("case %s: argument %d of kernel %s has no set of elements that are %s", example->name,
             argument, launch->kernel, write ? "written" : "read");
}

static void compute_launch(const struct copies_case *example, struct partition_database *database,
                           const struct copies_launch *launch, struct partition_intervals *reads,
                           struct partition_intervals *writes)
{
    struct partition_part parts[COPIES_DEVICES];
    if (partition_grid(launch->shape.grid, example->devices, example->split, false, parts) != DM_OK)
        fail("case %s: %s", example->name, dm_message());
    for (int d = 0; d < example->devices; d++) {
        compute_set(example, database, launch, launch->read_argument, false, &parts[d], &reads[d]);
        compute_set(example, database, launch, launch->write_argument, true, &parts[d], &writes[d]);
    }
}

void copies_sets_compute(const struct copies_case *example, struct partition_database *database,
                         struct copies_sets *sets)
{
    for (int l = 0; l < example->launch_count; l++)
        compute_launch(example, database, example->launches[l], sets->reads[l], sets->writes[l]);
}

void copies_sets_free(struct copies_sets *sets)
{
    for (int l = 0; l < COPIES_LAUNCHES; l++)
        for (int d = 0; d < COPIES_DEVICES; d++) {
            partition_intervals_free(&sets->reads[l][d]);
            partition_intervals_free(&sets->writes[l][d]);
        }
}
