#include "tunable_vectors.h"

enum { SMALLEST = 1, LARGEST = 16384 };

static void describe_gesummv(struct tunable *tunable)
{
    size_t n = tunable->size;
    tunable_add_array(tunable, "A", n * n, TUNABLE_READ);
    tunable_add_array(tunable, "B", n * n, TUNABLE_READ);
    tunable_add_array(tunable, "x", n, TUNABLE_READ);
    tunable_add_array(tunable, "y", n, TUNABLE_WRITTEN);
    tunable->flops = 4.0 * (double)n * (double)n + 3.0 * (double)n;
    tunable->terms = 2.0 * (double)n;
}

static void describe_mvt(struct tunable *tunable)
{
    size_t n = tunable->size;
    tunable_add_array(tunable, "A", n * n, TUNABLE_READ);
    tunable_add_array(tunable, "y1", n, TUNABLE_READ);
    tunable_add_array(tunable, "y2", n, TUNABLE_READ);
    tunable_add_array(tunable, "x1", n, TUNABLE_UPDATED);
    tunable_add_array(tunable, "x2", n, TUNABLE_UPDATED);
    tunable->flops = 4.0 * (double)n * (double)n;
    tunable->terms = (double)n;
}

static const struct tunable_dataset gesummv_sizes[] = {
    {"tiny", 37}, {"small", 384}, {"full", 2048}, {0}};
static const struct tunable_dataset mvt_sizes[] = {
    {"tiny", 39}, {"small", 256}, {"full", 2048}, {0}};

#define DIVIDED                                                                                    \
    "; x of the block divides the elements of the result, y only takes room in a multiprocessor; " \
    "size: rows and columns of the matrices"

const struct tunable_kind gesummv_tunable = {.name = "gesummv",
                                             .meaning = "y = alpha A x + beta B x" DIVIDED,
                                             .datasets = gesummv_sizes,
                                             .smallest = SMALLEST,
                                             .largest = LARGEST,
                                             .describe = describe_gesummv,
                                             .launch = gesummv_tunable_launch,
                                             .reference = gesummv_tunable_reference};
const struct tunable_kind mvt_tunable = {
    .name = "mvt",
    .meaning = "x1 = x1 + A y1, then x2 = x2 + A' y2 in a second launch" DIVIDED,
    .datasets = mvt_sizes,
    .smallest = SMALLEST,
    .largest = LARGEST,
    .describe = describe_mvt,
    .launch = mvt_tunable_launch,
    .reference = mvt_tunable_reference};
