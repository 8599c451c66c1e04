#include "affine_pieces.h"

#include <isl/mat.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

#include "affine_form.h"

bool affine_row_add(struct affine_row *sum, const struct affine_row *other, int64_t factor)
{
    int64_t product;

    for (int i = 0; i < AFFINE_VARIABLES; i++)
        if (__builtin_mul_overflow(other->factors[i], factor, &product) ||
            __builtin_add_overflow(sum->factors[i], product, &sum->factors[i]))
            return false;
    return !__builtin_mul_overflow(other->constant, factor, &product) &&
           !__builtin_add_overflow(sum->constant, product, &sum->constant);
}

/* ---- variables ---- */

void affine_pieces_start(struct affine_pieces *pieces, isl_ctx *ctx, bool is_map)
{
    pieces->ctx = ctx;
    pieces->is_map = is_map;
    pieces->parameters = 0;
    pieces->map = NULL;
    pieces->form = NULL;
}

static int find_parameter(const struct affine_pieces *pieces, const char *name)
{
    for (int i = 0; i < pieces->parameters; i++)
        if (strcmp(pieces->names[i], name) == 0)
            return i;
    return -1;
}

bool affine_pieces_parameter(struct affine_pieces *pieces, const char *name)
{
    if (pieces->parameters == AFFINE_VARIABLES || find_parameter(pieces, name) >= 0)
        return false;
    strcpy(pieces->names[pieces->parameters++], name);
    return true;
}

void affine_piece_clear(struct affine_piece *piece)
{
    piece->inputs = piece->outputs = piece->quotients = 0;
    piece->row_count = 0;
    *piece->tuples[0] = *piece->tuples[1] = 0;
}

int affine_piece_find(const struct affine_pieces *pieces, const struct affine_piece *piece,
                      const char *name)
{
    for (int i = 0; i < piece->inputs + piece->outputs; i++)
        if (strcmp(piece->names[i], name) == 0)
            return pieces->parameters + i;
    return find_parameter(pieces, name);
}

static bool is_full(const struct affine_pieces *pieces, const struct affine_piece *piece)
{
    return pieces->parameters + piece->inputs + piece->outputs + piece->quotients ==
           AFFINE_VARIABLES;
}

int affine_piece_dimension(const struct affine_pieces *pieces, struct affine_piece *piece,
                           bool output, const char *name)
{
    const int place = piece->inputs + piece->outputs;

    if (is_full(pieces, piece))
        return -1;
    strcpy(piece->names[place], name);
    ++*(output ? &piece->outputs : &piece->inputs);
    return pieces->parameters + place;
}

bool affine_piece_constrain(struct affine_piece *piece, const struct affine_row *row)
{
    if (piece->row_count == AFFINE_ROWS)
        return false;
    piece->rows[piece->row_count++] = *row;
    return true;
}

/* 0 <= sum - divisor * quotient < divisor. */
int affine_piece_quotient(const struct affine_pieces *pieces, struct affine_piece *piece,
                          const struct affine_row *sum, int64_t divisor)
{
    struct affine_row remainder = *sum, rest = {.constant = divisor - 1};

    if (is_full(pieces, piece))
        return -1;
    const int variable = AFFINE_VARIABLES - 1 - piece->quotients++;
    remainder.is_equality = false;
    remainder.factors[variable] = -divisor;
    if (!affine_row_add(&rest, &remainder, -1) || !affine_piece_constrain(piece, &remainder) ||
        !affine_piece_constrain(piece, &rest))
        return -1;
    return variable;
}

/* ---- isl's objects ---- */

static isl_space *name_dimensions(isl_space *space, enum isl_dim_type type, int count,
                                  const char names[][AFFINE_NAME_BYTES])
{
    for (int i = 0; i < count; i++)
        if (*names[i])
            space = isl_space_set_dim_name(space, type, (unsigned)i, names[i]);
    return space;
}

static isl_space *space_of(const struct affine_pieces *pieces, const struct affine_piece *piece)
{
    isl_space *space = isl_space_alloc(pieces->ctx, (unsigned)pieces->parameters,
                                       (unsigned)piece->inputs, (unsigned)piece->outputs);

    space = name_dimensions(space, isl_dim_param, pieces->parameters, pieces->names);
    space = name_dimensions(space, isl_dim_in, piece->inputs, piece->names);
    space = name_dimensions(space, isl_dim_out, piece->outputs, piece->names + piece->inputs);
    if (*piece->tuples[0])
        space = isl_space_set_tuple_name(space, isl_dim_in, piece->tuples[0]);
    if (*piece->tuples[1])
        space = isl_space_set_tuple_name(space, isl_dim_out, piece->tuples[1]);
    return space;
}

static int64_t element_of(const struct affine_piece *piece, const struct affine_row *row, int named,
                          int column)
{
    if (column < named)
        return row->factors[column];
    return column < named + piece->quotients ? row->factors[AFFINE_VARIABLES - 1 - column + named]
                                             : row->constant;
}

/* A column for each variable, those of the quotients behind the `named` others, and the constants.
 */
static isl_mat *matrix_of(isl_ctx *ctx, const struct affine_piece *piece, int named,
                          bool equalities)
{
    unsigned rows = 0;
    const int columns = named + piece->quotients + 1;

    for (size_t i = 0; i < piece->row_count; i++)
        rows += piece->rows[i].is_equality == equalities;
    isl_mat *matrix = isl_mat_alloc(ctx, rows, (unsigned)columns);
    for (size_t i = 0, row = 0; i < piece->row_count; i++) {
        const struct affine_row *from = &piece->rows[i];
        if (from->is_equality != equalities)
            continue;
        for (int k = 0; k < columns; k++) {
            const int64_t element = element_of(piece, from, named, k);
            matrix = isl_mat_set_element_val(matrix, (int)row, k,
                                             isl_val_int_from_si(ctx, (long)element));
        }
        row++;
    }
    return matrix;
}

static bool has_tuples(isl_map *map, const struct affine_piece *piece)
{
    static const enum isl_dim_type types[] = {isl_dim_in, isl_dim_out};
    const int counts[] = {piece->inputs, piece->outputs};

    for (int i = 0; i < 2; i++) {
        const char *name = isl_map_get_tuple_name(map, types[i]);
        if (isl_map_dim(map, types[i]) != counts[i] || strcmp(name ? name : "", piece->tuples[i]))
            return false;
    }
    return true;
}

bool affine_pieces_add(struct affine_pieces *pieces, const struct affine_piece *piece)
{
    const int named = pieces->parameters + piece->inputs + piece->outputs;

    if (pieces->map && !has_tuples(pieces->map, piece))
        return false;
    isl_basic_map *added = isl_basic_map_from_constraint_matrices(
        space_of(pieces, piece), matrix_of(pieces->ctx, piece, named, true),
        matrix_of(pieces->ctx, piece, named, false), isl_dim_param, isl_dim_in, isl_dim_out,
        isl_dim_div, isl_dim_cst);
    isl_map *map = isl_map_from_basic_map(added);
    affine_form_add(&pieces->form, pieces, piece);
    pieces->map = pieces->map ? isl_map_union(pieces->map, map) : map;
    return pieces->map;
}
