/* burgers.c: the Burgers solver with coarrays in C. */
#include "burgers.h"

#include <string.h>

#include <datamotion/coarrays.h>

#include "images.h"

static struct caf_coarray *coarray;
/* The arrays of the stages, one after the other. */
static double *memory;
static size_t length; /* of each */
static int current;   /* the one that holds the result */

static double *array_of(int number)
{
    return memory + (size_t)number * length;
}

static void create(int cells)
{
    length = (size_t)cells + 2;
    check_status(caf_allocate(&coarray, BURGERS_ARRAYS * length * sizeof(double), CAF_DATA,
                              (void **)&memory));
}

static void set(const double *u)
{
    memcpy(array_of(0) + 1, u, (length - 2) * sizeof *u);
    check_status(caf_sync_all());
}

static double fetch(int image, int array, size_t cell)
{
    double value;
    size_t offset = ((size_t)array * length + cell) * sizeof value;
    check_status(caf_get(&value, coarray, image, offset, sizeof value));
    return value;
}

/* The next stage reads what the neighbours have written in this one. No stage writes the array that
 * a neighbour may still be reading. */
static void sync_neighbours(int left, int right)
{
    int neighbours[] = {left, right};
    int count = left != right ? 2 : left != caf_this_image() ? 1 : 0;
    check_status(caf_sync_images(count, neighbours));
}

static void run(int steps, double convection, double diffusion, int left, int right)
{
    size_t cells = length - 2;
    for (int step = 0; step < steps; step++)
        for (int stage = 0; stage < BURGERS_STAGES; stage++) {
            int now = burgers_array(step, stage);
            double *u = array_of(now);
            u[0] = fetch(left, now, cells);
            u[cells + 1] = fetch(right, now, 1);
            burgers_stage(stage, (int)cells, convection, diffusion,
                          array_of(burgers_array(step, 0)), u,
                          array_of(burgers_array(step, stage + 1)));
            sync_neighbours(left, right);
        }
    current = burgers_array(steps, 0);
}

static void get(double *u)
{
    memcpy(u, array_of(current) + 1, (length - 2) * sizeof *u);
}

static void destroy(void)
{
    check_status(caf_free(coarray));
}

const struct burgers_kernels burgers_caf = {create, set, run, get, destroy};
