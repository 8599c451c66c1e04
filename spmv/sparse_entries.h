/* sparse_entries.h: the format COO: entries in ascending order of rows. The same struct describes
 * the host's side and the device's. */
#ifndef SPMV_SPARSE_ENTRIES_H
#define SPMV_SPARSE_ENTRIES_H

#include "sparse_format_internal.h"

struct sparse_entries {
    int64_t entries;
    int32_t *row, *column;
    void *value;
};

/* Makes matrix->device for a matrix in COO whose sizes are set, not filled. False: no memory there.
 */
bool sparse_entries_open_device(struct sparse_matrix *matrix);

#endif
