/* coo_format.h: the format COO: entries in ascending order of rows. The same struct describes
 * the host's side and the device's. */
#ifndef SPMV_FORMATS_COO_FORMAT_H
#define SPMV_FORMATS_COO_FORMAT_H

#include "format.h"

struct sparse_entries {
    int64_t entries;
    int32_t *row, *column;
    void *value;
};

/* Makes matrix->device for a matrix in COO whose sizes are set, not filled. */
enum dm_status sparse_entries_open_device(struct spmv_matrix *matrix);

#endif
