#include "layout.h"

#include <limits.h>
#include <stdint.h>

#include "common/error.h"

enum { BATCHES_MIN = 32, BATCHES_IN_RING = 4 };

static const size_t task_bytes = 256u << 10, engine_bytes = 4u << 20;

static long smaller(long a, long b)
{
    return a < b ? a : b;
}

static long larger(long a, long b)
{
    return a > b ? a : b;
}

/* ---- memory ---- */

static void *take(uintptr_t *next, size_t bytes)
{
    void *taken = (void *)*next;
    *next += (bytes + 255) / 256 * 256;
    return taken;
}

static size_t device_bytes(const struct blp_work *work, const struct blp_array *array)
{
    return (size_t)array->view.capacity * (size_t)(array->units * array->width) *
           (size_t)work->vector_bytes;
}

static uintptr_t place(struct blp_work *work, uintptr_t next)
{
    size_t tasks = (size_t)work->tasks, groups = (size_t)(work->array_count * work->groups);
    for (int a = 0; a < work->array_count; a++)
        work->arrays[a].view.base = take(&next, device_bytes(work, &work->arrays[a]));
    size_t arrived = groups * (size_t)work->arrived.width;
    size_t finished = tasks * (size_t)work->finished.width;
    size_t staged = (size_t)(work->stages - 1) * tasks * (size_t)work->staged.width;
    size_t ended = work->engines.in || work->engines.out ? tasks : 0;
    work->flag_words = (long)(arrived + finished + staged + groups + BLP_COUNTERS + ended);
    work->arrived.words = take(&next, (size_t)work->flag_words * sizeof(unsigned));
    work->finished.words = work->arrived.words + arrived;
    work->staged.words = work->finished.words + finished;
    work->uses = work->staged.words + staged;
    work->counters = work->uses + groups;
    work->engines.ended = work->counters + BLP_COUNTERS;
    work->engines.arrived = take(&next, 2 * BLP_LANES * sizeof(unsigned));
    work->engines.left = work->engines.arrived + BLP_LANES;
    work->partial = NULL;
    if (work->summed >= 0)
        work->partial = take(&next, (size_t)blp_summing_blocks(work) * (size_t)work->partial_words *
                                        sizeof(unsigned));
    return next;
}

void place_work(struct blp_work *work, void *memory)
{
    place(work, (uintptr_t)memory);
}

/* ---- tasks and rings ---- */

static int pieces_of(const struct blp_work *work, const struct dm_region_array *array, bool whole)
{
    const size_t slices = whole ? 1 : (size_t)work->task_size,
                 limit = whole ? BLP_PARTS_MAX : BLP_PIECES;
    size_t piece = BLP_BATCHES * BLP_LOADS * (size_t)work->threads * (size_t)work->vector_bytes;
    size_t bytes = slices * dm_region_slice_size(array);
    size_t pieces = (bytes + piece - 1) / piece;
    return (int)(pieces < limit ? pieces : limit);
}

/* Interleaved, split arrays have the same number of pieces, and so have whole ones. */
static void set_pieces(struct blp_work *work, const struct dm_region *region)
{
    int largest[2] = {1, 1};
    for (int a = 0; a < work->array_count; a++) {
        struct blp_array *array = &work->arrays[a];
        bool whole = array->split == DM_REGION_WHOLE;
        array->halo = whole ? 0 : (array->length - 1 + work->task_size - 1) / work->task_size;
        array->pieces = pieces_of(work, &region->arrays[a], whole);
        largest[whole] = (int)larger(largest[whole], array->pieces);
        work->groups = larger(work->groups, work->tasks + array->halo);
    }
    for (int a = 0; a < work->array_count && work->interleaved; a++)
        work->arrays[a].pieces = largest[work->arrays[a].split == DM_REGION_WHOLE];
}

/* Adds the items of `groups` groups of an array; interleaved they are those of all arrays, so that
 * the array with the most groups counts. */
static void add_items(const struct blp_work *work, long *items, const struct blp_array *array,
                      long groups)
{
    if (work->interleaved)
        *items = larger(*items, groups * array->pieces);
    else
        *items += groups * array->pieces;
}

static void set_items(struct blp_work *work)
{
    work->in_whole = work->in_first = work->in_each = work->out_each = work->out_whole = 0;
    for (int a = 0; a < work->array_count; a++) {
        const struct blp_array *array = &work->arrays[a];
        bool whole = array->split == DM_REGION_WHOLE;
        if (blp_copies(array, DM_REGION_TO) && !work->engines.in) {
            add_items(work, &work->in_whole, array, whole);
            add_items(work, &work->in_first, array, whole ? 0 : array->halo + 1);
            add_items(work, &work->in_each, array, !whole);
        }
        if (blp_copies(array, DM_REGION_FROM) && !work->engines.out) {
            add_items(work, &work->out_each, array, !whole);
            add_items(work, &work->out_whole, array, whole);
        }
    }
}

static int words_of(enum blp_write write, int pieces)
{
    if (write == BLP_WRITE_EXCHANGE)
        return pieces;
    return write == BLP_WRITE_OR ? (pieces + BLP_WORD_BITS - 1) / BLP_WORD_BITS : 1;
}

static void set_widths(struct blp_work *work)
{
    int pieces = 1;
    for (int a = 0; a < work->array_count; a++)
        pieces = (int)larger(pieces, work->arrays[a].pieces);
    work->arrived.width = words_of(work->arrived.write, pieces);
    work->staged.width = words_of(work->staged.write, work->parts);
    work->finished.width = words_of(work->finished.write, work->parts);
}

/* ---- copy engines ---- */

/* Bytes that an engine copies per task, in the direction in which there are more. */
static size_t engine_bytes_of_task(const struct blp_work *work)
{
    size_t in = 0, out = 0;
    for (int a = 0; a < work->array_count; a++) {
        const struct blp_array *array = &work->arrays[a];
        size_t slice = (size_t)(array->units * array->width) * (size_t)work->vector_bytes;
        if (array->split == DM_REGION_WHOLE)
            continue;
        in += work->engines.in && blp_copies(array, DM_REGION_TO) ? slice : 0;
        out += work->engines.out && blp_copies(array, DM_REGION_FROM) ? slice : 0;
    }
    size_t bytes = (in > out ? in : out) * (size_t)work->task_size;
    return bytes ? bytes : 1;
}

bool host_follows(const struct blp_work *work)
{
    bool follows = work->engines.out;
    for (int a = 0; a < work->array_count; a++)
        follows |=
            work->engines.in && work->arrays[a].ring && blp_copies(&work->arrays[a], DM_REGION_TO);
    return follows;
}

/* Tasks of a batch: of about `wanted` bytes; 0: of engine_bytes, in at least BATCHES_MIN batches.
 * With rings that hold `depth` tasks' windows a few of them fit at a time, so that copies and tasks
 * overlap. */
static long batch_of(const struct blp_work *work, size_t wanted, long depth)
{
    long batch = (long)((wanted ? wanted : engine_bytes) / engine_bytes_of_task(work));
    if (!wanted)
        batch = smaller(batch, work->tasks / BATCHES_MIN);
    if (depth < work->tasks)
        batch = smaller(batch, depth / BATCHES_IN_RING);
    return larger(1, smaller(batch, work->tasks));
}

/* The slots of columns: a batch of them is one copy of long rows. */
static void lay_side_by_side(const struct blp_work *work, struct blp_array *array)
{
    array->view.stride_bytes = (size_t)array->width * (size_t)work->vector_bytes;
    array->view.pitch_bytes = (size_t)array->view.capacity * array->view.stride_bytes;
}

static void set_engines(struct blp_work *work)
{
    struct blp_engines *engines = &work->engines;
    engines->ends = (unsigned)work->parts;
    for (int a = 0; a < work->array_count; a++)
        if (blp_holds_engine_back(work, &work->arrays[a]))
            engines->ends += (unsigned)work->arrays[a].pieces;
}

/* Everything that follows from the task size and from how many tasks' windows rings hold. Returns
 * the device memory that it takes. */
static size_t arrange(struct blp_work *work, const struct dm_region *region, long task_size,
                      long depth)
{
    work->task_size = task_size;
    work->tasks = (work->end - work->begin + task_size - 1) / task_size;
    work->groups = work->tasks;
    set_pieces(work, region);
    set_items(work);
    set_widths(work);
    for (int a = 0; a < work->array_count; a++) {
        struct blp_array *array = &work->arrays[a];
        long slices = region->arrays[a].slices;
        array->view.capacity = slices;
        if (array->split != DM_REGION_WHOLE && depth < work->tasks)
            array->view.capacity = smaller(slices, (array->halo + depth) * task_size);
        array->ring = array->view.capacity < slices;
        if (array->split == DM_REGION_COLUMNS && (work->engines.in || work->engines.out))
            lay_side_by_side(work, array);
    }
    work->engines.batch = batch_of(work, work->engines.bytes, depth);
    set_engines(work);
    return (size_t)place(work, 0);
}

/* How many tasks' windows the rings can hold within the budget; 0: not one. */
static long deepest(struct blp_work *work, const struct dm_region *region, long task_size,
                    size_t budget)
{
    long fits = 0, tasks = (work->end - work->begin + task_size - 1) / task_size;
    for (long low = 1, high = tasks; low <= high;) {
        long middle = low + (high - low) / 2;
        if (arrange(work, region, task_size, middle) <= budget)
            fits = middle, low = middle + 1;
        else
            high = middle - 1;
    }
    return fits;
}

static long default_task_size(const struct blp_work *work, const struct dm_region *region,
                              long usual)
{
    size_t slice = 1;
    for (int a = 0; a < region->array_count; a++) {
        const struct dm_region_array *array = &region->arrays[a];
        if (array->split != DM_REGION_WHOLE && dm_region_slice_size(array) > slice)
            slice = dm_region_slice_size(array);
    }
    long iterations = region->end - region->begin;
    long blocks = work->dynamic ? work->blocks : blp_compute_blocks(work);
    long wanted = larger((long)(task_bytes / slice), usual);
    return larger(1, smaller(wanted, iterations * work->parts / blocks));
}

/* Rings within the budget, deep enough that no computing block has to wait for slots: tasks become
 * smaller until they are, unless the user has set their size. */
static enum dm_status arrange_in_budget(struct blp_work *work, const struct dm_region *region,
                                        long task_size, bool fixed, size_t budget)
{
    long blocks = work->dynamic ? work->blocks : blp_compute_blocks(work);
    long wanted = blocks / work->parts + 2, depth = deepest(work, region, task_size, budget);
    while (!fixed && task_size > 1 && depth < wanted && depth < work->tasks) {
        task_size /= 2;
        depth = deepest(work, region, task_size, budget);
    }
    if (depth == 0)
        return dm_fail(DM_NO_MEMORY,
                       "a budget of %zu bytes does not hold one window of region %s: %zu "
                       "bytes are needed",
                       budget, region->name, arrange(work, region, task_size, 1));
    arrange(work, region, task_size, depth);
    return DM_OK;
}

static void set_array(struct blp_work *work, const struct dm_region_array *from, int a)
{
    struct blp_array *array = &work->arrays[a];
    bool columns = from->split == DM_REGION_COLUMNS;
    long slice_vectors = (long)from->slice_bytes / work->vector_bytes;
    array->direction = from->direction;
    array->split = from->split;
    array->offset = from->offset;
    array->length = from->length;
    array->units = columns ? (long)from->rows : slice_vectors;
    array->width = columns ? slice_vectors : 1;
    array->host_pitch = columns ? (long)from->pitch_bytes / work->vector_bytes : 0;
    array->view.stride_bytes = dm_region_slice_size(from);
    array->view.pitch_bytes = columns ? from->slice_bytes : 0;
    array->view.first = 0;
}

static void set_flags(struct blp_flags *flags, enum blp_write write, enum blp_read read)
{
    flags->write = write;
    flags->read = read;
}

/* The one whole array that is copied out, of a kernel that sums. */
static enum dm_status find_sums(struct blp_work *work, const struct dm_region *region,
                                const struct blp_kernel *kernel)
{
    int found = 0;
    work->summed = -1;
    for (int a = 0; a < region->array_count && kernel->sum_bytes; a++)
        if (region->arrays[a].split == DM_REGION_WHOLE &&
            region->arrays[a].direction == DM_REGION_FROM)
            work->summed = a, found++;
    if (kernel->sum_bytes && found != 1)
        return dm_fail(DM_INVALID,
                       "the kernel for region %s sums into an array that is copied out as a whole, "
                       "of which there are %d: 1 is needed",
                       region->name, found);
    if (work->summed < 0)
        return DM_OK;
    const struct dm_region_array *sums = &region->arrays[work->summed];
    work->partial_words = (long)(sums->slice_bytes / sizeof(unsigned));
    if (sums->slice_bytes % kernel->sum_bytes)
        return dm_fail(DM_INVALID, "array %s of %zu bytes: its sums are of %zu bytes each",
                       sums->name, sums->slice_bytes, kernel->sum_bytes);
    return DM_OK;
}

static void set_work(struct blp_work *work, const struct dm_region *region,
                     const struct blp_kernel *kernel, const struct blp_options *options)
{
    work->array_count = region->array_count;
    work->begin = region->begin;
    work->end = region->end;
    work->parts = kernel->parts ? kernel->parts(region->context) : 1;
    work->stages = kernel->stages;
    work->interleaved = options->layout == BLP_INTERLEAVED;
    work->engines.bytes = options->engine_bytes;
    set_flags(&work->arrived, options->in_write, options->in_read);
    set_flags(&work->staged, options->out_write, options->in_read);
    set_flags(&work->finished, options->out_write, options->out_read);
    for (int a = 0; a < region->array_count; a++)
        set_array(work, &region->arrays[a], a);
}

enum dm_status lay_out_work(struct blp_work *work, const struct dm_region *region,
                            const struct blp_kernel *kernel, const struct blp_options *options,
                            size_t *bytes)
{
    set_work(work, region, kernel, options);
    TRY(find_sums(work, region, kernel));
    long task_size = options->task_size
                         ? smaller(options->task_size, work->end - work->begin)
                         : default_task_size(work, region, kernel->usual.task_iterations);
    *bytes = arrange(work, region, task_size, LONG_MAX / task_size / 2);
    if (options->budget_bytes && *bytes > options->budget_bytes) {
        TRY(arrange_in_budget(work, region, task_size, options->task_size > 0,
                              options->budget_bytes));
        *bytes = (size_t)place(work, 0);
    }
    if (blp_in_items(work) + blp_units(work) + blp_out_items(work) + 2 * work->blocks > INT_MAX)
        return dm_fail(DM_INVALID, "%ld tasks are too many: set a larger task size", work->tasks);
    return DM_OK;
}

long count_records_max(const struct blp_work *work)
{
    long arrays = work->interleaved ? work->array_count : 1;
    return arrays * (blp_in_items(work) + blp_out_items(work)) + blp_units(work) + work->blocks;
}
