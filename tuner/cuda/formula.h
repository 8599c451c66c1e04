/* formula.h: whole numbers that follow from a configuration's parameters: grids, blocks, sizes,
 * operations. The syntax is that of constraints (tuner_space.h). */
#ifndef TUNER_CUDA_FORMULA_H
#define TUNER_CUDA_FORMULA_H

#include "tuner/expression.h"

struct formula {
    struct expression expression;
};

/* Reads as much of the line as is a formula. DM_INVALID: it is none, or has reals. */
enum dm_status formula_read(struct formula *formula, struct source_line *line,
                            const struct tuner_space *space);

/* DM_INVALID: there is no number for this configuration: a division by zero or an overflow. */
enum dm_status formula_value(const struct formula *formula, const struct tuner_space *space,
                             size_t configuration, int64_t *value);

/* Formulas between commas, from 1 to `count_max`, in all of a text; `name` is for sentences. */
enum dm_status formula_read_list(struct formula *formulas, size_t *count, size_t count_max,
                                 const char *text, const char *name,
                                 const struct tuner_space *space);

#endif
