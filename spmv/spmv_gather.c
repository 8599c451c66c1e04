/* spmv_gather: gather, scatter and copy on the GPU, by the order of the index list (Fanfarillo
 * 2016, 2.6.1). */
#include <stdlib.h>

#include "common/harness/allocate.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"
#include "common/random.h"

#include "spmv/bench/gather_kernels.h"
#include "spmv/bench/index_list.h"
#include "spmv/bench/repeat.h"
#include "spmv/formats/pack.h"

enum variant_index { GATHER, SCATTER, COPY };
static const struct variant variants[] = {
    {"gather", "y[i] = x[index[i]]: a halo is packed"},
    {"scatter", "x[index[i]] = y[i]: a halo is unpacked"},
    {"copy", "y[i] = x[i]: neighbouring threads use neighbouring elements"},
    {0},
};

struct row {
    const char *order;
    int64_t elements, range;
    double bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, order, "of the index list: random, sorted or halo, see -h; none: copy"),
    PARAMETER(struct row, elements, "doubles that are moved"),
    PARAMETER(struct row, range, "doubles of the vector that the list points into"),
    METRIC(struct row, bandwidth_gbs, "8 bytes per element / time_s in 10^9 byte/s"),
    {0},
};
/* In the order of enum spmv_order; the last: there is no list. */
static const char *const order_names[] = {"random", "sorted", "halo", "none"};

static int64_t spread = 2, inner = 10;
static const struct program_option options[] = {
    {"spread", OPTION_INTEGER, &spread, "N",
     "elements of the vector per element of a random or sorted list", 1, 1000000},
    {"inner", OPTION_INTEGER, &inner, "N", "launches per sample", 1, 10000},
    {0},
};

/* A variant on the vector x with a list of places in it, and the dense y; all but list.index is on
 * the device. */
struct move {
    int variant;
    const char *order;
    struct spmv_index_list list; /* index NULL: a copy */
    int32_t *index;
    double *x, *y;
    struct spmv_repeat repeat;
};

static void launch(void *task, size_t turn, cudaStream_t stream)
{
    const struct move *move = task;
    int64_t count = move->list.count;
    (void)turn;
    if (move->variant == GATHER)
        check_status(spmv_pack_launch(SPMV_DOUBLE, count, move->index, move->x, move->y, stream));
    else if (move->variant == SCATTER)
        check_status(spmv_unpack_launch(SPMV_DOUBLE, count, move->index, move->y, move->x, stream));
    else
        spmv_copy_launch(count, move->x, move->y, stream);
}

static bool open_move(struct run *run, void *task)
{
    struct move *move = task;
    (void)run;
    move->repeat =
        (struct spmv_repeat){.operate = launch, .context = move, .turns = 1, .on_device = true};
    spmv_repeat_open(&move->repeat, (size_t)inner);
    return true;
}

static double time_launch(void *task)
{
    return spmv_repeat_sample(&((struct move *)task)->repeat);
}

static void close_move(void *task)
{
    spmv_repeat_close(&((struct move *)task)->repeat);
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct move *move = task;
    *(struct row *)row = (struct row){move->order, move->list.count, move->list.range,
                                      8e-9 * (double)move->list.count / time_s};
}

static long count_different(const double *device, const double *expected, int64_t count)
{
    double *values = scope_allocate(MEMORY_PAGEABLE, (size_t)count * sizeof *values);
    long different = 0;
    check_cuda(cudaMemcpy(values, device, (size_t)count * sizeof *values, cudaMemcpyDeviceToHost));
    for (int64_t i = 0; i < count; i++)
        different += values[i] != expected[i];
    return different;
}

/* One more launch, on random data: elements of the target that are wrong, all of it compared. */
static long count_wrong(struct run *run, void *task)
{
    const struct move *move = task;
    const size_t count = (size_t)move->list.count, range = (size_t)move->list.range;
    scope_open();
    double *x = scope_allocate(MEMORY_PAGEABLE, range * sizeof *x);
    double *y = scope_allocate(MEMORY_PAGEABLE, count * sizeof *y);
    random_fill_double(x, range, run->settings.seed);
    random_fill_double(y, count, run->settings.seed + 1);
    memory_copy(move->x, x, range * sizeof *x);
    memory_copy(move->y, y, count * sizeof *y);
    launch(task, 0, NULL);
    for (size_t i = 0; i < count; i++) {
        size_t at = move->list.index ? (size_t)move->list.index[i] : i;
        if (move->variant == SCATTER)
            x[at] = y[i];
        else
            y[i] = x[at];
    }
    long wrong = move->variant == SCATTER ? count_different(move->x, x, (int64_t)range)
                                          : count_different(move->y, y, (int64_t)count);
    scope_close();
    return wrong;
}

static const struct comparison comparison = {.task_bytes = TASK(struct move),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_move,
                                             .sample = time_launch,
                                             .row = fill_row,
                                             .verify = count_wrong,
                                             .close = close_move};

/* What gather and scatter, or the copy, share. */
static struct move open_place(const struct run *run, enum spmv_order order, int64_t count)
{
    struct move move = {.order = order_names[order], .list = {.count = count, .range = count}};
    if (order < SPMV_ORDERS) {
        move.list = spmv_index_list_open(order, count, spread, run->settings.seed);
        size_t bytes = (size_t)count * sizeof *move.index;
        move.index = scope_allocate(MEMORY_DEVICE, bytes);
        memory_copy(move.index, move.list.index, bytes);
    }
    move.x = scope_zeros(MEMORY_DEVICE, (size_t)move.list.range * sizeof *move.x);
    move.y = scope_zeros(MEMORY_DEVICE, (size_t)count * sizeof *move.y);
    return move;
}

/* Appends the variants of a place that are wanted. */
static size_t add_place(struct run *run, int order, int64_t elements, struct move *moves)
{
    const int first = order == SPMV_ORDERS ? COPY : GATHER, last = first == COPY ? COPY : SCATTER;
    size_t count = 0;
    if (!program_wants_variant(run, first) && !program_wants_variant(run, last))
        return 0;
    if (order < SPMV_ORDERS &&
        spmv_index_range((enum spmv_order)order, elements, spread) > INT32_MAX) {
        program_note(run, "%lld elements, %s: left out, the vector would have more than 2^31",
                     (long long)elements, order_names[order]);
        return 0;
    }
    struct move place = open_place(run, (enum spmv_order)order, elements);
    for (place.variant = first; place.variant <= last; place.variant++)
        if (program_wants_variant(run, place.variant))
            moves[count++] = place;
    return count;
}

static void compare_size(struct run *run, int64_t elements)
{
    struct move moves[2 * SPMV_ORDERS + 1];
    size_t count = 0;
    scope_open();
    for (int order = 0; order <= SPMV_ORDERS; order++)
        count += add_place(run, order, elements, moves + count);
    compare_tasks(run, &comparison, moves, count);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || moves[i].list.index != moves[i - 1].list.index)
            free(moves[i].list.index);
    scope_close();
}

static void run_all(struct run *run)
{
    const size_t *sizes = run->settings.sizes;
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (sizes[i] > INT32_MAX)
            fail("%zu elements: from 1 to 2^31 - 1 are possible", sizes[i]);
    for (size_t i = 0; i < run->settings.size_count; i++)
        compare_size(run, (int64_t)sizes[i]);
}

static const size_t default_sizes[] = {4096, 65536, 1048576, 0};

const struct program program = {
    .name = "spmv_gather",
    .summary = "gathers and scatters elements of a vector on the GPU, by the order of their places",
    .details =
        "time_s is that of one launch, by device events around --inner of them; the data stay on\n"
        "the device, and in its caches as far as they fit. Orders: sorted: one place at random in\n"
        "every --spread elements, ascending; random: the same places, shuffled; halo: the places\n"
        "of the surface of a cube that is numbered line by line, as in an exchange between\n"
        "neighbours in three dimensions. No place stands twice in a list.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "elements",
    .default_sizes = default_sizes,
    .uses_gpu = true,
    .run = run_all,
};
