#include "names.h"

#include <stddef.h>

const char *const spmv_format_names[] = {"coo", "csr", "csc", "ell", "elg",
                                         "hll", "hyb", "hlg", NULL};

const char *const spmv_precision_names[] = {"float", "double", NULL};
