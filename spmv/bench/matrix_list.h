/* matrix_list.h: an option whose value is a list of matrices. */
#ifndef SPMV_BENCH_MATRIX_LIST_H
#define SPMV_BENCH_MATRIX_LIST_H

#include "common/harness/option_lists.h"

/* The names of a list. Ends the program with a sentence if one of them names no matrix
 * (generate.h), so that nothing is measured in vain. Release with option_free_words. */
struct option_words spmv_read_matrix_list(const char *option, const char *list);

#endif
