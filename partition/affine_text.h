/* affine_text.h: maps in isl's notation whose constraints are affine, which is what nearly all
 * lines of a data base are.
 *
 * isl's own parser takes any formula, and adds constraints one by one: half a millisecond for a map
 * of eight, 10 to 30 ms for the data base of a small module, for which the first launch waits. Read
 * into matrices, which isl takes as they are, it is a twentieth. */
#ifndef AFFINE_TEXT_H
#define AFFINE_TEXT_H

#include <isl/map.h>

#include "affine_form.h"

/* The map that isl would read from the text. NULL: the text has quantifiers, or conditions within
 * conditions, or is no map, or there is no memory; ask isl. *form (or NULL, where nobody wants it):
 * the same as rows, to be freed; NULL without memory. */
isl_map *affine_text_map(isl_ctx *ctx, const char *text, struct affine_form **form);

/* The same for a set of parameters, { : ... }, as a map between spaces without dimensions. */
isl_map *affine_text_parameters(isl_ctx *ctx, const char *text);

#endif
