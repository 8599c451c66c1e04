/* contents.h: what an array of a kernel holds before a launch, and what it should hold after. */
#ifndef TUNER_CUDA_CONTENTS_H
#define TUNER_CUDA_CONTENTS_H

#include <datamotion/status.h>

#include "element.h"

/* Where the elements come from. */
enum contents {
    CONTENTS_RANDOM, /* reals from 0 to 1, whole numbers from 0 to 99 */
    CONTENTS_ZERO,
    CONTENTS_INDEX, /* 0, 1, 2, ... */
    CONTENTS_UNSET, /* bytes of ones: reals are NaN */
    CONTENTS_FILE,  /* the raw elements */
    CONTENTS_KINDS
};
extern const char *const contents_names[CONTENTS_KINDS];

/* Fills `array`; `path` of CONTENTS_FILE. DM_INVALID: the file has another size; DM_FAILED: it
 * cannot be read. */
enum dm_status contents_fill(void *array, const struct element *element, size_t count,
                             enum contents contents, const char *path, uint64_t seed);

enum dm_status contents_read(void *array, size_t bytes, const char *path);
enum dm_status contents_write(const void *array, size_t bytes, const char *path);

/* The root of the mean of the squares of what is finite. */
double contents_scale(const void *array, const struct element *element, size_t count);

/* When two reals count as equal: they differ by at most `tolerance` times the larger of the
 * reference's element and `scale`. NaN equals NaN; whole numbers must be equal. */
struct contents_margin {
    double tolerance, scale;
};

/* How many elements differ, and the first of them. */
size_t contents_differ(const void *array, const void *reference, const struct element *element,
                       size_t count, struct contents_margin margin, size_t *first);

#endif
