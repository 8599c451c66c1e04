/* partition_grids: which blocks of a grid go to which device. */
#include <stdio.h>
#include <string.h>

#include <datamotion/partition.h>

#include "common/clock.h"
#include "common/harness/program.h"

enum { CALLS = 200 }; /* timed together: one takes less than a microsecond */

static const struct variant variants[] = {
    {"1d", "cut along one dimension"},
    {"2d", "cut along two dimensions (more are refused)"},
    {0},
};

/* Examples in the thesis: one and two dimensions; three devices and several numbers of blocks; 16
 * devices along two; refused ones; the matrix product; 6 x 6 threads in several blocks; 4 blocks of
 * 3 threads. Then grids that are one block wide, and a prime number of devices. */
static struct option_words grids = {
    .list = "4x4x4@8x8x4/4/x,4x4x4@8x8x4/4/y,4x4x4@8x8x4/4/z,4x4x4@8x8x4/4/xy,4x4x4@8x8x4/4/xz,"
            "4x4x4@8x8x4/4/yz,4x4x4@8x8x4/8/xyz,"
            "2x1x1@32x1x1/3/x,6x1x1@32x1x1/3/x,7x1x1@32x1x1/3/x,8x1x1@32x1x1/3/x,10x1x1@32x1x1/3/x,"
            "16x16x1@32x32x1/16/xy,20x10x1@32x32x1/16/xy,8x32x1@32x32x1/16/xy,1x16x1@32x32x1/16/xy,"
            "16x1x1@32x32x1/4/xy,16x16x1@32x32x1/1/xy,16x16x1@32x32x1/2/xy,16x16x1@32x32x1/3/xy,"
            "16x16x1@32x32x1/7/xy,16x16x1@32x32x1/9/xy,16x16x1@32x32x1/12/xy,"
            "32x32x1@32x32x1/3/y,"
            "6x6x1@1x1x1/2/y,3x6x1@2x1x1/2/y,2x6x1@3x1x1/2/y,3x3x1@2x2x1/2/y,2x2x1@3x3x1/2/y,"
            "2x2x1@4x4x1/2/y,2x2x1@5x5x1/2/y,1x1x1@6x6x1/2/y,"
            "4x1x1@3x1x1/2/x"};
static const struct program_option options[] = {
    {"grids", OPTION_WORDS, &grids, "LIST",
     "grids in blocks, @ threads of a block / devices / dimensions to cut, as 16x16x1@32x32x1/4/y",
     0, 0},
    {0},
};

struct row {
    const char *dims, *rule;
    int devices;
    int64_t grid_x, grid_y, grid_z, block_x, block_y, block_z;
    int part, device;
    int64_t size_x, size_y, size_z, offset_x, offset_y, offset_z;
    bool refused;
};
static const struct column columns[] = {
    PARAMETER(struct row, dims, "dimensions along which the grid is cut"),
    PARAMETER(struct row, rule, "even: parts with short borders; thesis: its rule for two"),
    PARAMETER(struct row, devices, "devices"),
    PARAMETER(struct row, grid_x, "blocks of the grid"),
    PARAMETER(struct row, grid_y, "the same along y"),
    PARAMETER(struct row, grid_z, "the same along z"),
    PARAMETER(struct row, block_x, "threads of a block"),
    PARAMETER(struct row, block_y, "the same along y"),
    PARAMETER(struct row, block_z, "the same along z"),
    PARAMETER(struct row, part, "number of the part; -1: the grid is refused"),
    PARAMETER(struct row, device, "device of the part; -1: none"),
    METRIC(struct row, size_x, "blocks of the part"),
    METRIC(struct row, size_y, "the same along y"),
    METRIC(struct row, size_z, "the same along z"),
    METRIC(struct row, offset_x, "threads in front of the part"),
    METRIC(struct row, offset_y, "the same along y"),
    METRIC(struct row, offset_z, "the same along z"),
    METRIC(struct row, refused, "1: the grid cannot be cut that way"),
    {0},
};

/* One grid by one rule: a subject of measure(). */
struct task {
    unsigned grid[3], block[3];
    int devices;
    char split[8];
    bool thesis;
    bool is_cut; /* not refused */
    struct partition_part parts[PARTITION_MAX_DEVICES];
    char refusal[128];
};

static double sample(void *context)
{
    struct task *task = context;
    double start_s = clock_now_s();
    for (int i = 0; i < CALLS; i++)
        task->is_cut = partition_grid(task->grid, task->devices, task->split, task->thesis,
                                      task->parts) == DM_OK;
    double time_s = (clock_now_s() - start_s) / CALLS;
    if (!task->is_cut)
        snprintf(task->refusal, sizeof task->refusal, "%s", dm_message());
    return time_s;
}

/* ---- verification ---- */

static uint64_t volume(const unsigned size[3])
{
    return (uint64_t)size[0] * size[1] * size[2];
}

static bool share_a_block(const struct partition_part *a, const struct partition_part *b)
{
    for (int i = 0; i < 3; i++)
        if (a->offset[i] + a->blocks[i] <= b->offset[i] ||
            b->offset[i] + b->blocks[i] <= a->offset[i])
            return false;
    return true;
}

static bool is_inside(const struct partition_part *part, const unsigned grid[3])
{
    for (int i = 0; i < 3; i++)
        if (part->offset[i] + part->blocks[i] > grid[i])
            return false;
    return true;
}

/* Parts outside of the grid or with common blocks, and blocks that no part has. */
static long count_errors(const struct task *task)
{
    long errors = 0;
    uint64_t blocks = 0;
    for (int i = 0; i < task->devices; i++) {
        errors += !is_inside(&task->parts[i], task->grid);
        blocks += volume(task->parts[i].blocks);
        for (int k = 0; k < i; k++)
            errors += share_a_block(&task->parts[i], &task->parts[k]);
    }
    return errors + (blocks != volume(task->grid));
}

/* ---- recording ---- */

/* `part` -1: the grid is refused. */
static struct row row_of(const struct task *task, int part)
{
    const unsigned *grid = task->grid, *block = task->block;
    struct row row = {.dims = task->split,
                      .rule = task->thesis ? "thesis" : "even",
                      .devices = task->devices,
                      .grid_x = grid[0],
                      .grid_y = grid[1],
                      .grid_z = grid[2],
                      .block_x = block[0],
                      .block_y = block[1],
                      .block_z = block[2],
                      .part = part,
                      .device = -1,
                      .size_x = NO_VALUE,
                      .size_y = NO_VALUE,
                      .size_z = NO_VALUE,
                      .offset_x = NO_VALUE,
                      .offset_y = NO_VALUE,
                      .offset_z = NO_VALUE,
                      .refused = !task->is_cut};
    if (part < 0)
        return row;
    const struct partition_part *cut = &task->parts[part];
    row.device = cut->device;
    row.size_x = cut->blocks[0];
    row.size_y = cut->blocks[1];
    row.size_z = cut->blocks[2];
    row.offset_x = (int64_t)cut->offset[0] * block[0];
    row.offset_y = (int64_t)cut->offset[1] * block[1];
    row.offset_z = (int64_t)cut->offset[2] * block[2];
    return row;
}

static void record_task(struct run *run, const struct task *task, const struct subject *subject)
{
    const unsigned *grid = task->grid;
    if (!task->is_cut)
        program_note(run, "%ux%ux%u blocks on %d devices along %s: refused: %s", grid[0], grid[1],
                     grid[2], task->devices, task->split, task->refusal);
    long errors = task->is_cut && run->settings.check ? count_errors(task) : 0;
    int first = task->is_cut ? 0 : -1, end = task->is_cut ? task->devices : 0;
    for (size_t r = 0; r < subject->count; r++)
        for (int part = first; part < end; part++) {
            struct row row = row_of(task, part);
            record_row(run, subject->variant, (int)r, &row, subject->times_s[r], errors);
        }
}

/* ---- the list of grids ---- */

static struct task read_task(const char *word)
{
    struct task task = {0};
    unsigned *grid = task.grid, *block = task.block;
    int length = 0;
    int fields = sscanf(word, "%9ux%5ux%5u@%9ux%5ux%5u/%9d/%7[xyz]%n", &grid[0], &grid[1], &grid[2],
                        &block[0], &block[1], &block[2], &task.devices, task.split, &length);
    bool is_plain = word[strspn(word, "0123456789xyz@/")] == '\0'; /* no signs, no spaces */
    if (fields != 8 || word[length] || !is_plain)
        fail("--grids %s: expected blocks @ threads / devices / dimensions, as "
             "16x16x1@32x32x1/4/y",
             word);
    if (task.devices < 1 || task.devices > PARTITION_MAX_DEVICES)
        fail("--grids %s: 1 to %d devices are expected", word, PARTITION_MAX_DEVICES);
    if (volume(grid) == 0 || volume(block) == 0)
        fail("--grids %s: a grid and a block have at least one element along each dimension", word);
    return task;
}

static void measure_grid(struct run *run, const char *word)
{
    struct task tasks[2] = {read_task(word)};
    bool is_2d = strlen(tasks[0].split) > 1;
    const char *variant = variants[is_2d].name;
    if (!program_wants(run, variant))
        return;
    struct subject subjects[2];
    size_t count = is_2d ? 2 : 1; /* along one dimension both rules are the same */
    for (size_t i = 0; i < count; i++) {
        tasks[i] = tasks[0];
        tasks[i].thesis = i > 0;
        subjects[i] = (struct subject){.variant = variant, .sample = sample, .context = &tasks[i]};
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++)
        record_task(run, &tasks[i], &subjects[i]);
    measure_free(subjects, count);
}

static void run_all(struct run *run)
{
    for (size_t i = 0; i < grids.count; i++)
        read_task(grids.values[i]); /* a wrong one ends the program before anything is measured */
    for (size_t i = 0; i < grids.count; i++)
        measure_grid(run, grids.values[i]);
}

const struct program program = {
    .name = "partition_grids",
    .summary = "cuts grids of blocks into one part per device",
    .details = "One row for each part and repetition; time_s is that of cutting the whole grid.\n"
               "Errors are parts that overlap, leave the grid, or do not cover it.\n"
               "The thesis's rule for two dimensions has its offsets corrected. Source: Klein\n"
               "2016, 3.4.1.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};
