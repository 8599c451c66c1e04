/* affine_pieces.h: affine constraints in arrays, and the map that isl makes of them. */
#ifndef AFFINE_PIECES_H
#define AFFINE_PIECES_H

#include <isl/map.h>
#include <stdbool.h>
#include <stdint.h>

enum { AFFINE_NAME_BYTES = 128, AFFINE_VARIABLES = 64, AFFINE_ROWS = 256 };

/* The sum of factors * variables + constant is 0, or at least 0. */
struct affine_row {
    bool is_equality;
    int64_t factors[AFFINE_VARIABLES], constant;
};

/* Variables are the parameters, then the inputs, then the outputs, whose names may be empty; and
 * from the last place down the quotients, of which there is some value that fits. */
struct affine_piece {
    int inputs, outputs, quotients;
    char tuples[2][AFFINE_NAME_BYTES]; /* of the inputs, of the outputs; empty: none */
    char names[AFFINE_VARIABLES][AFFINE_NAME_BYTES]; /* of inputs and outputs, from 0 */
    size_t row_count;
    struct affine_row rows[AFFINE_ROWS];
};

struct affine_form;

struct affine_pieces {
    isl_ctx *ctx;
    bool is_map; /* else the pieces are of parameters alone */
    int parameters;
    char names[AFFINE_VARIABLES][AFFINE_NAME_BYTES];
    isl_map *map;             /* the union so far; NULL: none yet */
    struct affine_form *form; /* the same; NULL: none yet, or there is no memory */
};

/* All that return a bool: false where it is too much, or a number is too large. */

/* sum += factor * other; factor is 1 or -1. */
bool affine_row_add(struct affine_row *sum, const struct affine_row *other, int64_t factor);

/* None so far. What is beyond the counts is not written, as it is much. */
void affine_pieces_start(struct affine_pieces *pieces, isl_ctx *ctx, bool is_map);

/* A parameter more, before the first piece; none may be there twice. */
bool affine_pieces_parameter(struct affine_pieces *pieces, const char *name);

void affine_piece_clear(struct affine_piece *piece);

/* The variable of that name; -1 if there is none. */
int affine_piece_find(const struct affine_pieces *pieces, const struct affine_piece *piece,
                      const char *name);

/* One more input, or output, and its variable; -1 if that is too many. Inputs come first. */
int affine_piece_dimension(const struct affine_pieces *pieces, struct affine_piece *piece,
                           bool output, const char *name);

/* A variable that is floor(sum / divisor), divisor > 0; -1 if that is too many. */
int affine_piece_quotient(const struct affine_pieces *pieces, struct affine_piece *piece,
                          const struct affine_row *sum, int64_t divisor);

bool affine_piece_constrain(struct affine_piece *piece, const struct affine_row *row);

/* The union with one more piece. False also if its tuples are others than those before. */
bool affine_pieces_add(struct affine_pieces *pieces, const struct affine_piece *piece);

#endif
