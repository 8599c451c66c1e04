/* coarrays_transpose: a transpose of a distributed array of three dimensions, every image with
 * every other (Fanfarillo 2016, 6.4.7 and 6.4.8). */
#include "coarrays/bench/application.h"
#include "coarrays/bench/images.h"
#include "coarrays/bench/transpose.h"
#include "coarrays/bench/transpose_check.h"
#include "common/harness/scope.h"

struct row {
    const char *scaling, *grid;
    int nodes;
    double bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, scaling, "strong: --grid is of all images together; weak: of each"),
    PARAMETER(struct row, grid, "elements of all images together"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    METRIC(struct row, bandwidth_gbs, "bytes of the whole array / time_s in 10^9 byte/s"),
    {0},
};

static struct option_words grid = {.list = "256x256x256"};
static struct application_grid *grids;
static const struct program_option options[] = {
    APPLICATION_OPTIONS,
    {"grid", OPTION_WORDS, &grid, "XxYxZ,...",
     "doubles of all images together (strong) or of each, along Z (weak); Y and Z are cut", 0, 0},
    {0},
};

static const char *const actions[] = {"create", "clear", "run", "get", "destroy", NULL};
static const struct application_topic topic = {"transpose", actions, &transpose_caf,
                                               &transpose_mpi};
static struct transpose_kernels kernels[APPLICATION_VARIANTS];

struct transpose {
    int variant;
    const struct transpose_kernels *kernels;
    enum application_scaling scaling;
    struct application_grid grid; /* of all images */
    const double *a;              /* this image's slab */
    double *result;               /* room for its part of the transpose */
};

static double bytes_of(const struct application_grid *of)
{
    return 8.0 * of->size[0] * of->size[1] * of->size[2];
}

static bool open_transpose(struct run *run, void *task)
{
    struct transpose *transpose = task;
    (void)run;
    if (!(application_available >> transpose->variant & 1))
        return false;
    transpose->kernels = &kernels[transpose->variant];
    transpose->kernels->create(transpose->grid.size);
    return true;
}

static void clear_result(void *task)
{
    ((struct transpose *)task)->kernels->clear();
}

static void do_transpose(void *task)
{
    struct transpose *transpose = task;
    transpose->kernels->run(transpose->a);
}

static long count_wrong(struct run *run, void *task)
{
    struct transpose *transpose = task;
    (void)run;
    transpose->kernels->get(transpose->result);
    return images_sum(transpose_count_wrong(transpose->grid.size, transpose->result));
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct transpose *transpose = task;
    *(struct row *)row = (struct row){application_scalings[transpose->scaling],
                                      application_grid_text(transpose->grid), images_nodes(),
                                      bytes_of(&transpose->grid) / time_s / 1e9};
}

static void close_transpose(void *task)
{
    ((struct transpose *)task)->kernels->destroy();
}

static const struct comparison comparison = {.task_bytes = TASK(struct transpose),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_transpose,
                                             .prepare = clear_result,
                                             .operation = do_transpose,
                                             .measure = application_measure,
                                             .row = fill_row,
                                             .verify = count_wrong,
                                             .close = close_transpose};

/* ---- all configurations ---- */

static struct application_grid all_elements(enum application_scaling scaling, size_t size)
{
    struct application_grid all = grids[size];
    if (scaling == WEAK)
        all.size[2] *= ranks.count;
    for (int d = 1; d < 3; d++)
        if (all.size[d] % ranks.count != 0)
            images_refuse("--grid %s: %d images need a multiple of %d along Y and Z", grid.list,
                          ranks.count, ranks.count);
    if (bytes_of(&all) / 8 / ranks.count / ranks.count > 2147483647.0)
        images_refuse("--grid %s: a block from image to image may have at most 2^31 - 1 elements",
                      grid.list);
    return all;
}

static void check_grid(struct run *run, enum application_scaling scaling, size_t size)
{
    (void)run;
    all_elements(scaling, size);
}

/* The array and the part of the transpose here, the transpose of each variant, and what MPI packs.
 */
static double arrays_per_image(void)
{
    double arrays = 2.0;
    for (int v = 0; v < APPLICATION_VARIANTS; v++)
        if (application_available >> v & 1)
            arrays += v == MPI_FORTRAN || v == MPI_C ? 3.0 : 1.0;
    return arrays;
}

static void measure_grid(struct run *run, enum application_scaling scaling, size_t size)
{
    struct transpose transpose = {.scaling = scaling, .grid = all_elements(scaling, size)};
    double bytes = bytes_of(&transpose.grid) / ranks.count;
    images_need_memory(arrays_per_image() * bytes, "this grid with these variants");
    scope_open();
    double *a = scope_allocate(MEMORY_PAGEABLE, (size_t)bytes);
    transpose_fill(transpose.grid.size, a);
    transpose.a = a;
    transpose.result = scope_allocate(MEMORY_PAGEABLE, (size_t)bytes);
    program_note(run, "%s scaling, grid %s on %d images", application_scalings[scaling],
                 application_grid_text(transpose.grid), ranks.count);
    compare_variants(run, &comparison, &transpose);
    scope_close();
}

static void run_all(struct run *run)
{
    grids = application_read_grids("grid", &grid);
    application_run(run, grid.count, &topic, kernels, check_grid, measure_grid);
}

const struct program program = {
    .name = "coarrays_transpose",
    .summary = "transposes a distributed array of three dimensions: every image with every other",
    .details =
        "An array of doubles in slabs along Z becomes one in slabs along Y that has all of Z in\n"
        "one image: b(x, z, y) = a(x, y, z). Coarrays put a section to every image, beginning\n"
        "with the own one; MPI packs, MPI_Alltoall, unpacks. time_s is of one transpose with its\n"
        "synchronisation, of the slowest image. Every element is checked.",
    .variants = application_variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .run = run_all,
};
