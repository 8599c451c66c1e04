/* choose_split.h: along which dimension of its grid a launch is cut. */
#ifndef CHOOSE_SPLIT_H
#define CHOOSE_SPLIT_H

#include "accesses.h"

/* What the parts of a launch access if its grid is cut along `split`. The set is the caller's, also
 * if it holds only the reason why not (refusal). DM_NO_MEMORY. */
typedef enum dm_status try_split(struct virtual_gpu *gpu, const struct access_query *query,
                                 const char *split, struct access_set **set);

/* Cuts along the dimension that the data base names, where that has enough blocks and no two parts
 * would write the same element; otherwise along the one whose parts read the fewest bytes in
 * common, and then in the fewest pieces. Whether a dimension can be cut, and what that costs, is
 * seen from this launch's blocks, grid and arguments. The refusal, if none can be cut, is that of
 * the first. */
enum dm_status choose_split(struct virtual_gpu *gpu, const struct access_query *query,
                            try_split *attempt, struct access_set **set);

#endif
