/* matrix_list.h: an option whose value is a list of matrices. */
#ifndef SPMV_BENCH_MATRIX_LIST_H
#define SPMV_BENCH_MATRIX_LIST_H

#include "common/harness/option_lists.h"

/* Ends the program with a sentence if one of the names is none of a matrix (generate.h), so that
 * nothing is measured in vain. */
void spmv_check_matrices(const char *option, const struct option_words *names);

#endif
