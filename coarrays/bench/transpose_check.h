/* transpose_check.h: the array that is transposed, and whether the transpose is right. The value of
 * an element is its place in the whole array. */
#ifndef COARRAYS_BENCH_TRANSPOSE_CHECK_H
#define COARRAYS_BENCH_TRANSPOSE_CHECK_H

/* Fills this image's slab of an array of size[] elements. */
void transpose_fill(const int size[3], double *a);

/* Wrong elements of this image's part of the transpose. */
long transpose_count_wrong(const int size[3], const double *b);

#endif
