/* affine_form.h: an affine map as rows of integers, for those who evaluate it themselves. */
#ifndef AFFINE_FORM_H
#define AFFINE_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "affine_pieces.h"

/* factors[] * (parameters, inputs, outputs, quotients) + constant is 0, or at least 0. */
struct affine_form_row {
    bool is_equality;
    int64_t constant, *factors;
};

/* All rows hold, with some integers for the quotients. */
struct affine_form_piece {
    int quotients;
    size_t row_count;
    struct affine_form_row *rows;
};

/* One of the pieces holds. */
struct affine_form {
    int parameters, inputs, outputs;
    char **names; /* of the parameters */
    size_t count;
    struct affine_form_piece *pieces;
};

/* Adds a piece to *form, which it makes of the first one; where there is no memory *form is freed
 * and NULL. */
void affine_form_add(struct affine_form **form, const struct affine_pieces *pieces,
                     const struct affine_piece *piece);
void affine_form_free(struct affine_form *form);

#endif
