/* access_direct.c: the elements that a part accesses, without isl, where bounds alone decide.
 *
 * A program whose launches are never the same twice, as a factorisation, pays for each: isl takes
 * 0.2 to 3 ms for each map and part. Most maps need nothing of it:
 *
 *     [gy, gx] -> A[gy, gx + 1] : 0 <= gx < n - 1 and ...      numbers of the launch put in:
 *     gy in 0 .. 511, gx in 0 .. 1023                          a range of each coordinate,
 *     A[0 .. 511, 1 .. 1024]                                   and of each index: a box
 *
 * That is right where each constraint is of one coordinate, or of one index, or always holds; where
 * no coordinate is in two indices; and where the coordinates of an index, as in 512 b + 4 t,
 * together leave no gaps but those of a stride. All else is isl's. */
#include <stdlib.h>

#include "common/error.h"

#include "access_internal.h"
#include "access_sums.h"

/* Further than the index of any element; its product with a factor fits. */
static const int64_t endless = (int64_t)1 << 40;

struct direct {
    const struct partition_launch *launch;
    const struct affine_form *form;
    int64_t *values;                      /* of the parameters */
    int variable[ACCESS_MAX_COORDINATES]; /* that a coordinate is, times its scale */
    int64_t scale[ACCESS_MAX_COORDINATES];
    struct range variables[SUM_VARIABLES];
    struct sum indices[ACCESS_MAX_DIMS];  /* what each index is, */
    struct range limits[ACCESS_MAX_DIMS]; /* and between which numbers it counts */
    bool is_empty;
};

/* ---- a launch's numbers ---- */

static bool uses_parameter(const struct affine_form *form, int parameter)
{
    for (size_t p = 0; p < form->count; p++)
        for (size_t r = 0; r < form->pieces[p].row_count; r++)
            if (form->pieces[p].rows[r].factors[parameter])
                return true;
    return false;
}

static enum dm_status find_values(struct direct *direct)
{
    for (int i = 0; i < direct->form->parameters; i++)
        if (uses_parameter(direct->form, i))
            TRY(access_parameter(direct->launch, direct->form->names[i], &direct->values[i]));
    return DM_OK;
}

/* The first thread of a block is the block's number times its size. */
static void find_variables(struct direct *direct, const struct partition_part *part)
{
    const struct kernel_space *space = direct->launch->kernel->space;

    for (size_t i = 0; i < space->coordinate_count; i++) {
        const struct coordinate at = space->coordinates[i];
        const int64_t size = direct->launch->shape->block[at.dimension];
        const int64_t begin = part->offset[at.dimension], end = begin + part->blocks[at.dimension];
        const int kind = at.kind == 'g' ? SUM_THREADS : at.kind == 't' ? SUM_INSIDE : SUM_BLOCKS;
        direct->variable[i] = kind + at.dimension;
        direct->scale[i] = at.kind == 'o' ? size : 1;
        direct->variables[kind + at.dimension] =
            kind == SUM_THREADS  ? (struct range){begin * size, end * size - 1}
            : kind == SUM_INSIDE ? (struct range){0, size - 1}
                                 : (struct range){begin, end - 1};
    }
}

static bool put_numbers_in(const struct direct *direct, const struct affine_form_row *row,
                           int quotients, struct sum *sum)
{
    const struct affine_form *form = direct->form;
    const int64_t *inputs = row->factors + form->parameters, *outputs = inputs + form->inputs;

    *sum = (struct sum){.is_equality = row->is_equality, .constant = row->constant};
    for (int i = 0; i < form->parameters; i++)
        if (!sum_add_number(&sum->constant, row->factors[i], direct->values[i]))
            return false;
    for (int i = 0; i < form->inputs; i++)
        if (!sum_add_number(&sum->factors[direct->variable[i]], inputs[i], direct->scale[i]))
            return false;
    for (int i = 0; i < form->outputs; i++)
        sum->indices[i] = outputs[i];
    for (int i = 0; i < quotients; i++)
        sum->factors[SUM_QUOTIENTS + i] = outputs[form->outputs + i];
    return sum_is_small(sum);
}

static bool put_numbers_into(const struct direct *direct, const struct affine_form_piece *piece,
                             struct sum *rows)
{
    if (piece->quotients > SUM_QUOTIENTS_MAX)
        return false;
    for (size_t i = 0; i < piece->row_count; i++)
        if (!put_numbers_in(direct, &piece->rows[i], piece->quotients, &rows[i]))
            return false;
    return true;
}

/* ---- indices ---- */

static void clear(struct sum *row)
{
    *row = (struct sum){.is_equality = false};
}

/* What the row says that the index is, or is at least, or at most. */
static bool solve(const struct sum *row, int index, struct sum *solution)
{
    const int64_t factor = row->indices[index];

    clear(solution);
    return (factor == 1 || factor == -1) && sum_only_one(row->indices, ACCESS_MAX_DIMS) == index &&
           sum_add(solution, -factor, row);
}

/* By an equality, which is then done with. */
static bool find_value(struct sum *rows, size_t count, int index, struct sum *value)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].is_equality && solve(&rows[i], index, value)) {
            clear(&rows[i]);
            return true;
        }
    return false;
}

/* A row of the index alone limits it; in others it is replaced by what it is. */
static bool use_value(struct direct *direct, struct sum *row, int index)
{
    const int64_t factor = row->indices[index];

    if (!factor)
        return true;
    if (!row->is_equality && sum_is_constant(row) &&
        sum_only_one(row->indices, ACCESS_MAX_DIMS) == index) {
        range_bound(&direct->limits[index], factor, row->constant);
        clear(row);
        return true;
    }
    row->indices[index] = 0;
    return sum_add(row, factor, &direct->indices[index]) && sum_is_small(row);
}

/* Of two bounds the tighter one, if both are constants. */
static bool keep_bound(struct sum *kept, bool *has, const struct sum *bound, bool is_low)
{
    if (*has && !(sum_is_constant(kept) && sum_is_constant(bound)))
        return false;
    if (!*has || (is_low ? bound->constant > kept->constant : bound->constant < kept->constant))
        *kept = *bound;
    *has = true;
    return true;
}

/* Between two bounds that are always as far apart lies a variable of its own. */
static bool choose_between(struct direct *direct, struct sum *rows, size_t count, int index)
{
    struct sum low = {false}, high = {false}, bound;
    bool has_low = false, has_high = false;

    for (size_t i = 0; i < count; i++) {
        const bool is_low = rows[i].indices[index] > 0;
        if (!rows[i].indices[index])
            continue;
        if (rows[i].is_equality || !solve(&rows[i], index, &bound) ||
            !keep_bound(is_low ? &low : &high, is_low ? &has_low : &has_high, &bound, is_low))
            return false;
        clear(&rows[i]);
    }
    if (!has_low || !has_high || !sum_add(&high, -1, &low) || !sum_is_constant(&high))
        return false;
    direct->variables[SUM_FREE + index] = (struct range){0, high.constant};
    direct->indices[index] = low;
    direct->indices[index].factors[SUM_FREE + index] = 1;
    return true;
}

static bool find_index(struct direct *direct, struct sum *rows, size_t count, int index)
{
    if (!find_value(rows, count, index, &direct->indices[index]))
        return choose_between(direct, rows, count, index);
    for (size_t i = 0; i < count; i++)
        if (!use_value(direct, &rows[i], index))
            return false;
    return true;
}

/* ---- ranges ---- */

static void note_empty_ranges(struct direct *direct)
{
    for (int v = 0; v < SUM_VARIABLES; v++)
        if (direct->variables[v].low > direct->variables[v].high)
            direct->is_empty = true;
}

static void narrow(struct range *range, const struct sum *row, int variable)
{
    range_bound(range, row->factors[variable], row->constant);
    if (row->is_equality)
        range_bound(range, -row->factors[variable], -row->constant);
}

/* A constraint of several variables holds for all that is in the ranges, or for nothing; else
 * nobody knows. */
static bool check_several(struct direct *direct, const struct sum *row)
{
    struct range bounds;

    if (!sum_bounds(row, direct->variables, &bounds))
        return false;
    if (bounds.high < 0 || (row->is_equality && bounds.low > 0))
        direct->is_empty = true;
    return direct->is_empty ||
           (row->is_equality ? bounds.low == 0 && bounds.high == 0 : bounds.low >= 0);
}

/* By rows without indices; those of one variable first. */
static bool constrain(struct direct *direct, const struct sum *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int variable = sum_only_one(rows[i].factors, SUM_VARIABLES);
        if (variable >= 0)
            narrow(&direct->variables[variable], &rows[i], variable);
    }
    note_empty_ranges(direct);
    for (size_t i = 0; i < count && !direct->is_empty; i++)
        if (sum_only_one(rows[i].factors, SUM_VARIABLES) < 0 && !check_several(direct, &rows[i]))
            return false;
    return true;
}

/* A quotient without a bound has the one that the limits of its index leave it. */
static bool bound_quotient(struct direct *direct, int index, int quotient)
{
    struct sum rest = direct->indices[index];
    struct range others, *range = &direct->variables[quotient];
    const struct range *limits = &direct->limits[index];
    const int64_t factor = rest.factors[quotient];

    rest.factors[quotient] = 0;
    if (!sum_bounds(&rest, direct->variables, &others))
        return false;
    if (limits->high < endless)
        range_bound(range, -factor, limits->high - others.low);
    if (limits->low > -endless)
        range_bound(range, factor, others.high - limits->low);
    return range->low > -endless && range->high < endless;
}

static bool bound_quotients(struct direct *direct)
{
    for (int q = SUM_QUOTIENTS; q < SUM_VARIABLES; q++)
        for (int i = 0; i < direct->form->outputs; i++)
            if (direct->indices[i].factors[q] && !bound_quotient(direct, i, q))
                return false;
    note_empty_ranges(direct);
    return true;
}

/* ---- the box ---- */

static bool changes(const struct direct *direct, int index, int variable)
{
    return direct->indices[index].factors[variable] &&
           direct->variables[variable].low < direct->variables[variable].high;
}

/* Each variable that changes is in one index. */
static bool are_independent(const struct direct *direct)
{
    for (int v = 0; v < SUM_VARIABLES; v++) {
        int found = 0;
        for (int i = 0; i < direct->form->outputs; i++)
            found += changes(direct, i, v);
        if (found > 1)
            return false;
    }
    return true;
}

/* The variable of the index with the smallest factor that was not taken; -1: none is left. */
static int next_variable(const struct direct *direct, int index, const bool *taken)
{
    const int64_t *factors = direct->indices[index].factors;
    int found = -1;

    for (int v = 0; v < SUM_VARIABLES; v++)
        if (!taken[v] && changes(direct, index, v) &&
            (found < 0 || llabs(factors[v]) < llabs(factors[found])))
            found = v;
    return found;
}

/* Whether the index takes every value of the stride between its bounds: each variable steps on by
 * multiples of the stride, and by no more than what those with smaller factors fill. */
static bool is_filled(const struct direct *direct, int index, int64_t *stride)
{
    bool taken[SUM_VARIABLES] = {false};
    int64_t filled = 0;

    *stride = 1;
    for (int v; (v = next_variable(direct, index, taken)) >= 0; taken[v] = true) {
        const int64_t factor = llabs(direct->indices[index].factors[v]);
        const struct range *range = &direct->variables[v];
        if (filled == 0)
            *stride = factor;
        if (factor % *stride || factor - *stride > filled ||
            !sum_add_number(&filled, factor, range->high - range->low))
            return false;
    }
    return true;
}

/* To the values of the stride within the index's limits. */
static void limit(struct direct *direct, struct access_box *box, int index)
{
    const struct range *limits = &direct->limits[index];
    const int64_t stride = box->stride[index], first = box->lower[index];

    if (limits->low > first)
        box->lower[index] = first - stride * floor_divide(first - limits->low, stride);
    if (limits->high < box->upper[index])
        box->upper[index] = first + stride * floor_divide(limits->high - first, stride);
    if (box->lower[index] > box->upper[index])
        direct->is_empty = true;
    if (box->lower[index] == box->upper[index])
        box->stride[index] = 1;
}

static bool make_box(struct direct *direct, bool write, struct access_box *box)
{
    bool has_strides = false;
    const int dims = direct->form->outputs;

    if (!are_independent(direct))
        return false;
    for (int i = 0; i < dims; i++) {
        struct range bounds;
        if (!sum_bounds(&direct->indices[i], direct->variables, &bounds) ||
            bounds.low <= -endless || bounds.high >= endless ||
            !is_filled(direct, i, &box->stride[i]))
            return false;
        box->lower[i] = bounds.low;
        box->upper[i] = bounds.high;
        limit(direct, box, i);
        has_strides = has_strides || box->stride[i] > 1;
    }
    if (has_strides && !write)
        box->stride[dims - 1] = 1;
    return true;
}

/* ---- all of it ---- */

static void begin_piece(struct direct *direct, const struct partition_part *part)
{
    for (int v = 0; v < SUM_VARIABLES; v++)
        direct->variables[v] =
            v < SUM_QUOTIENTS ? (struct range){0, 0} : (struct range){-endless, endless};
    for (int i = 0; i < ACCESS_MAX_DIMS; i++)
        direct->limits[i] = (struct range){-endless, endless};
    direct->is_empty = false;
    find_variables(direct, part);
}

/* false: it is isl's. */
static bool find_box(struct direct *direct, const struct affine_form_piece *piece, struct sum *rows,
                     bool write, struct access_box *box)
{
    const size_t count = piece->row_count;

    if (!put_numbers_into(direct, piece, rows))
        return false;
    for (int i = 0; i < direct->form->outputs; i++)
        if (!find_index(direct, rows, count, i))
            return false;
    return constrain(direct, rows, count) &&
           (direct->is_empty ||
            (bound_quotients(direct) && (direct->is_empty || make_box(direct, write, box))));
}

static enum dm_status add_piece(struct direct *direct, const struct partition_part *part,
                                const struct affine_form_piece *piece, bool write,
                                struct access_box_list *boxes, bool *found)
{
    struct access_box box;
    const size_t bytes = (piece->row_count + 1) * sizeof(struct sum);
    struct sum *rows = malloc(bytes);

    if (!rows)
        return error_no_memory(bytes);
    begin_piece(direct, part);
    *found = find_box(direct, piece, rows, write, &box);
    free(rows);
    return *found && !direct->is_empty ? access_keep_box(boxes, &box) : DM_OK;
}

static enum dm_status add_pieces(struct direct *direct, const struct partition_part *part,
                                 bool write, struct access_box_list *boxes, bool *found)
{
    const struct affine_form *form = direct->form;

    TRY(find_values(direct));
    *found = true;
    for (size_t i = 0; i < form->count && *found; i++)
        TRY(add_piece(direct, part, &form->pieces[i], write, boxes, found));
    return DM_OK;
}

enum dm_status access_direct(const struct partition_launch *launch,
                             const struct partition_part *part, const struct affine_form *form,
                             bool write, struct access_box_list *boxes, bool *found)
{
    const size_t before = boxes->count;
    struct direct direct = {.launch = launch, .form = form};

    *found = false;
    if (!form || form->outputs > ACCESS_MAX_DIMS || form->outputs == 0 ||
        form->inputs > ACCESS_MAX_COORDINATES)
        return DM_OK;
    direct.values = calloc((size_t)form->parameters + 1, sizeof *direct.values);
    if (!direct.values)
        return error_no_memory(((size_t)form->parameters + 1) * sizeof *direct.values);
    const enum dm_status status = add_pieces(&direct, part, write, boxes, found);
    free(direct.values);
    if (!*found)
        boxes->count = before;
    return status;
}
