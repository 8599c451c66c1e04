/* partition_grids: which blocks of a grid go to which device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/partition.h>

#include "common/clock.h"
#include "common/harness/option_lists.h"
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
static const char *grids_list =
    "4x4x4@8x8x4/4/x,4x4x4@8x8x4/4/y,4x4x4@8x8x4/4/z,4x4x4@8x8x4/4/xy,4x4x4@8x8x4/4/xz,"
    "4x4x4@8x8x4/4/yz,4x4x4@8x8x4/8/xyz,"
    "2x1x1@32x1x1/3/x,6x1x1@32x1x1/3/x,7x1x1@32x1x1/3/x,8x1x1@32x1x1/3/x,10x1x1@32x1x1/3/x,"
    "16x16x1@32x32x1/16/xy,20x10x1@32x32x1/16/xy,8x32x1@32x32x1/16/xy,1x16x1@32x32x1/16/xy,"
    "16x1x1@32x32x1/4/xy,16x16x1@32x32x1/1/xy,16x16x1@32x32x1/2/xy,16x16x1@32x32x1/3/xy,"
    "16x16x1@32x32x1/7/xy,16x16x1@32x32x1/9/xy,16x16x1@32x32x1/12/xy,"
    "32x32x1@32x32x1/3/y,"
    "6x6x1@1x1x1/2/y,3x6x1@2x1x1/2/y,2x6x1@3x1x1/2/y,3x3x1@2x2x1/2/y,2x2x1@3x3x1/2/y,"
    "2x2x1@4x4x1/2/y,2x2x1@5x5x1/2/y,1x1x1@6x6x1/2/y,"
    "4x1x1@3x1x1/2/x";
static const struct program_option options[] = {
    {"grids", OPTION_TEXT, &grids_list, "LIST",
     "grids in blocks, @ threads of a block / devices / dimensions to cut, as 16x16x1@32x32x1/4/y",
     0, 0},
    {0},
};

static const struct column columns[] = {
    {"dims", COLUMN_PARAMETER, "dimensions along which the grid is cut"},
    {"rule", COLUMN_PARAMETER, "even: parts with short borders; thesis: its rule for two"},
    {"devices", COLUMN_PARAMETER, "devices"},
    {"grid_x", COLUMN_PARAMETER, "blocks of the grid"},
    {"grid_y", COLUMN_PARAMETER, "the same along y"},
    {"grid_z", COLUMN_PARAMETER, "the same along z"},
    {"block_x", COLUMN_PARAMETER, "threads of a block"},
    {"block_y", COLUMN_PARAMETER, "the same along y"},
    {"block_z", COLUMN_PARAMETER, "the same along z"},
    {"part", COLUMN_PARAMETER, "number of the part; -1: the grid is refused"},
    {"device", COLUMN_PARAMETER, "device of the part; -1: none"},
    {"size_x", COLUMN_METRIC, "blocks of the part"},
    {"size_y", COLUMN_METRIC, "the same along y"},
    {"size_z", COLUMN_METRIC, "the same along z"},
    {"offset_x", COLUMN_METRIC, "threads in front of the part"},
    {"offset_y", COLUMN_METRIC, "the same along y"},
    {"offset_z", COLUMN_METRIC, "the same along z"},
    {"refused", COLUMN_METRIC, "1: the grid cannot be cut that way"},
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

static void record_part(struct run *run, const struct task *task, int part,
                        const struct subject *subject, size_t repetition, long errors)
{
    const unsigned *grid = task->grid, *block = task->block;
    struct value values[] = {
        text(task->split),
        text(task->thesis ? "thesis" : "even"),
        integer(task->devices),
        integer(grid[0]),
        integer(grid[1]),
        integer(grid[2]),
        integer(block[0]),
        integer(block[1]),
        integer(block[2]),
        integer(part),
        integer(-1),
        none(),
        none(),
        none(),
        none(),
        none(),
        none(),
        integer(!task->is_cut),
    };
    if (task->is_cut) {
        const struct partition_part *cut = &task->parts[part];
        values[10] = integer(cut->device);
        for (int i = 0; i < 3; i++) {
            values[11 + i] = integer(cut->blocks[i]);
            values[14 + i] = integer((int64_t)cut->offset[i] * block[i]);
        }
    }
    record_values(run, subject->variant, (int)repetition, values, subject->times_s[repetition],
                  errors);
}

static void record_task(struct run *run, const struct task *task, const struct subject *subject)
{
    const unsigned *grid = task->grid;
    if (!task->is_cut)
        program_note(run, "%ux%ux%u blocks on %d devices along %s: refused: %s", grid[0], grid[1],
                     grid[2], task->devices, task->split, task->refusal);
    long errors = task->is_cut && run->settings.check ? count_errors(task) : 0;
    for (size_t r = 0; r < subject->count; r++) {
        if (!task->is_cut)
            record_part(run, task, -1, subject, r, 0);
        for (int part = 0; task->is_cut && part < task->devices; part++)
            record_part(run, task, part, subject, r, errors);
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
    struct option_words words = option_read_words("grids", grids_list);
    for (size_t i = 0; i < words.count; i++)
        read_task(words.values[i]); /* a wrong one ends the program before anything is measured */
    for (size_t i = 0; i < words.count; i++)
        measure_grid(run, words.values[i]);
    option_free_words(&words);
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
