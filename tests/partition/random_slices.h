/* random_slices.h: what the arguments of a random launch reach, and its grid. */
#ifndef RANDOM_SLICES_H
#define RANDOM_SLICES_H

#include "random_program.h"

enum { SLICES_MAX = 7 };

/* Elements of 4 bytes that no other argument reaches. */
struct slice {
    CUdeviceptr address;
    unsigned elements;
};

struct random_launch {
    struct random_program *program;
    const char *file, *kernel;
    struct slice slice[SLICES_MAX];
    int n;
};

/* Slices of different buffers, or of halves of buffers. */
void slices_choose(struct random_launch *launch, int count);
/* The largest n for which n elements times `per` fit into each slice, or less; for which n * n
 * elements do. */
void slices_choose_n(struct random_launch *launch, int count, unsigned per);
void slices_choose_width(struct random_launch *launch, int count);

/* Launches it; with threads, or rows of threads, for so many elements or a few less or more. */
void slices_run(struct random_launch *launch, const unsigned grid[2], const unsigned block[2],
                void **arguments);
void slices_run_line(struct random_launch *launch, int threads, void **arguments);
void slices_run_plane(struct random_launch *launch, int width, int height, void **arguments);

#endif
