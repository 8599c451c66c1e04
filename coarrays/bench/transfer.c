#include "transfer.h"

#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "images.h"

struct transfer_kernels transfer_of(const struct kernels *kernels)
{
    static const char *const names[] = {"open", "close", "put", "get", "wait", NULL};
    struct transfer_kernels found;
    kernels_find(kernels, "transfer_", names, &found);
    return found;
}

/* ---- caf.h ---- */

static struct caf_coarray *coarray;

static double *caf_open(int64_t length, int64_t elements, int64_t stride)
{
    void *memory;
    (void)elements, (void)stride;
    check_status(caf_allocate(&coarray, (size_t)length * sizeof(double), CAF_DATA, &memory));
    return memory;
}

static void caf_close(void)
{
    check_status(caf_free(coarray));
}

static struct caf_shape shape_of(int64_t elements)
{
    return (struct caf_shape){
        .rank = 1, .element_bytes = sizeof(double), .count = {(size_t)elements}};
}

static struct caf_strides strides_of(int64_t stride)
{
    return (struct caf_strides){.stride = {(ptrdiff_t)stride * (ptrdiff_t)sizeof(double)}};
}

static void put(int image, int64_t first, int64_t elements, int64_t stride, int times,
                const double *local)
{
    size_t offset = (size_t)first * sizeof(double), bytes = (size_t)elements * sizeof(double);
    struct caf_shape shape = shape_of(elements);
    struct caf_strides apart = strides_of(stride), packed = strides_of(1);
    for (int i = 0; i < times; i++)
        if (stride == 1)
            check_status(caf_put(coarray, image, offset, local, bytes));
        else
            check_status(caf_put_section(coarray, image, offset, &apart, local, &packed, &shape));
    check_status(caf_sync_memory());
}

static void get(int image, int64_t first, int64_t elements, int64_t stride, int times,
                double *local)
{
    size_t offset = (size_t)first * sizeof(double), bytes = (size_t)elements * sizeof(double);
    struct caf_shape shape = shape_of(elements);
    struct caf_strides apart = strides_of(stride), packed = strides_of(1);
    for (int i = 0; i < times; i++)
        if (stride == 1)
            check_status(caf_get(local, coarray, image, offset, bytes));
        else
            check_status(caf_get_section(local, &packed, coarray, image, offset, &apart, &shape));
}

static void wait(void)
{
    check_status(caf_sync_all());
}

const struct transfer_kernels transfer_caf = {caf_open, caf_close, put, get, wait};

/* ---- the same image's memory, by the shortest code there is: the limit ----
 */

static double *own;

static double *own_open(int64_t length, int64_t elements, int64_t stride)
{
    (void)elements, (void)stride;
    size_t bytes = (size_t)length * sizeof(double);
    own = aligned_alloc(64, (bytes + 63) / 64 * 64);
    check_errno(own != NULL);
    return own;
}

static void own_close(void)
{
    free(own);
}

/* The compiler may neither leave out nor join copies of the same data. */
static inline void forget_memory(void)
{
    __asm__ volatile("" ::: "memory");
}

static void own_put(int image, int64_t first, int64_t elements, int64_t stride, int times,
                    const double *restrict local)
{
    (void)image;
    double *restrict to = own + first;
    for (int i = 0; i < times; i++) {
        if (stride == 1)
            memcpy(to, local, (size_t)elements * sizeof(double));
        else
            for (int64_t j = 0; j < elements; j++)
                to[j * stride] = local[j];
        forget_memory();
    }
}

static void own_get(int image, int64_t first, int64_t elements, int64_t stride, int times,
                    double *restrict local)
{
    (void)image;
    const double *restrict from = own + first;
    for (int i = 0; i < times; i++) {
        if (stride == 1)
            memcpy(local, from, (size_t)elements * sizeof(double));
        else
            for (int64_t j = 0; j < elements; j++)
                local[j] = from[j * stride];
        forget_memory();
    }
}

static void own_wait(void)
{
    ranks.barrier();
}

const struct transfer_kernels transfer_memcpy = {own_open, own_close, own_put, own_get, own_wait};
