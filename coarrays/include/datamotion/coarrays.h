/* coarrays.h: coarrays from C, over MPI-3 RMA with passive target (Fanfarillo, Parallel programming
 * techniques for heterogeneous exascale computing platforms, 2016, chapters 5 and 6).
 *
 * A program runs as images 1 to caf_num_images(). A coarray is memory that every image allocates
 * with the same size and that all others can read and write without its help. Images of one node
 * reach one another by loads and stores, others by MPI_Put and MPI_Get, or by UCX.
 *
 *     caf_start(&argc, &argv);
 *     struct caf_coarray *x;
 *     double *mine;
 *     caf_allocate(&x, 1000 * sizeof *mine, CAF_DATA, (void **)&mine);
 *     caf_put(x, 2, 0, values, 10 * sizeof *values);    x(1:10)[2] = values
 *     caf_sync_all();                                    now image 2 sees them
 *     caf_free(x);
 *     caf_end();
 *
 * Fortran's rules hold: a get has arrived when it returns; a put is visible to another image after
 * both have synchronised; accesses that conflict need a synchronisation between them. A put's
 * source may be changed as soon as the put returns. Offsets and sizes are bytes, images count
 * from 1. One thread per image calls these functions.
 *
 * An image whose process ends before caf_end has failed, and so has one that calls caf_fail. With
 * all images on one node, or with CAF_CONDUIT=ucx, the others go on: what synchronises with it is
 * done among them and returns DM_LOST, also allocations, which all others then have; collectives
 * are not done.
 *
 * Errors (datamotion/status.h); nothing is written when a call fails, and the sentence names image
 * and statement:
 *
 *     DM_INVALID      what caf_reason() tells: no such image, beyond the coarray, ...
 *     DM_NO_MEMORY    no memory; of collective calls: on some image, and then no image has any
 *     DM_TIMEOUT      CAF_WAIT_LIMIT_S seconds passed while waiting
 *     DM_LOST         an image that takes part has stopped or failed; caf_reason() tells which
 *     DM_FAILED       MPI or a system call failed
 *     DM_UNAVAILABLE  this MPI lacks what is needed
 *
 * All functions may return DM_FAILED, those that wait DM_TIMEOUT; the rest is told below. Where an
 * error leaves other images waiting, as DM_FAILED of one of them does, the program has to end all:
 * MPI_Abort.
 *
 * Environment: CAF_PATH, CAF_TRANSFER, CAF_CONDUIT, CAF_DEBUG, CAF_WAIT_LIMIT_S, CAF_MEMORY,
 * CAF_COMPONENTS (coarrays/README.md). */
#ifndef DATAMOTION_COARRAYS_H
#define DATAMOTION_COARRAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What DM_INVALID means: Fortran's STAT= tells these apart. */
enum caf_reason {
    CAF_BAD_ARGUMENT,
    CAF_BAD_IMAGE, /* there is no such image, or one is named twice */
    CAF_BAD_RANGE, /* beyond the end of the coarray: found always by calls with sections and
                      words, by all with CAF_DEBUG=1 */
    CAF_LOCKED,    /* this image holds the lock already */
    CAF_LOCKED_OTHER_IMAGE, /* unlock of a lock that another image holds */
    CAF_UNLOCKED,           /* unlock of a lock that nobody holds */
    CAF_STOPPED_IMAGE,      /* of DM_LOST: an image has stopped */
    CAF_FAILED_IMAGE        /* of DM_LOST: an image has failed, none has stopped */
};

/* The reason for this thread's last DM_INVALID or DM_LOST. */
DM_API enum caf_reason caf_reason(void);

/* ---- images (thesis, 5.1) ---- */

/* Starts the library, and MPI if nobody has (then caf_end ends it). Collective. A second call does
 * nothing. argc and argv may be NULL. DM_INVALID if an environment variable is wrong on some image,
 * or CAF_PATH, CAF_TRANSFER or CAF_CONDUIT differ: on all images, with the sentence of one.
 * DM_INVALID after MPI_Finalize. After a failure MPI runs if it ran before or this call started it.
 */
DM_API enum dm_status caf_start(int *argc, char ***argv);

/* Normal termination: waits until all images have come here, then frees everything. An image that
 * has come counts as stopped: what synchronises with it returns DM_LOST. Without caf_start, or if
 * the program has ended MPI, it does nothing. */
DM_API enum dm_status caf_end(void);

/* This image, and how many there are; 0 before caf_start. */
DM_API int caf_this_image(void);
DM_API int caf_num_images(void);

/* Whether loads and stores reach that image's coarrays: it is on this image's node. */
DM_API bool caf_is_near(int image);

/* Whether the image has come to caf_end, as far as this image knows. DM_INVALID: no such image. */
DM_API enum dm_status caf_has_stopped(int image, bool *stopped);

/* Whether it has failed. */
DM_API enum dm_status caf_has_failed(int image, bool *failed);

/* This image takes part in nothing any more. What others wait for is served until all have ended;
 * then this returns, after what caf_end does. */
DM_API enum dm_status caf_fail(void);

/* ---- memory ---- */

struct caf_coarray;

/* What the memory is for; later kinds of memory become values here. */
enum caf_kind { CAF_DATA };

/* Allocates a coarray of `bytes` (may be 0) on every image. Collective, with an implicit sync all;
 * every image must request the same size. *memory is this image's own part, 64-byte aligned and
 * zero. DM_NO_MEMORY on all images if one cannot have it; DM_INVALID if sizes differ or the kind is
 * unknown; DM_LOST. */
DM_API enum dm_status caf_allocate(struct caf_coarray **coarray, size_t bytes, enum caf_kind kind,
                                   void **memory);

/* Frees it on every image. Collective, with an implicit sync all. DM_INVALID for NULL, or if images
 * name different coarrays; DM_LOST. */
DM_API enum dm_status caf_free(struct caf_coarray *coarray);

DM_API size_t caf_size(const struct caf_coarray *coarray);
DM_API void *caf_memory(const struct caf_coarray *coarray);

/* The part of a near image as a pointer, or NULL if that image is not near. */
DM_API void *caf_pointer(const struct caf_coarray *coarray, int image);

/* A pointer that the caller keeps with the coarray on this image; NULL at first. */
DM_API void caf_set_owner(struct caf_coarray *coarray, void *owner);
DM_API void *caf_owner(const struct caf_coarray *coarray);

/* ---- transfers (thesis, 5.1 and 6.2): DM_INVALID for a wrong image or range; DM_NO_MEMORY where
 * they go through a buffer ---- */

DM_API enum dm_status caf_put(struct caf_coarray *to, int image, size_t offset, const void *from,
                              size_t bytes);
DM_API enum dm_status caf_get(void *to, struct caf_coarray *from, int image, size_t offset,
                              size_t bytes);

/* From one image's coarray to another's; neither needs to be this one. */
DM_API enum dm_status caf_send_get(struct caf_coarray *to, int to_image, size_t to_offset,
                                   struct caf_coarray *from, int from_image, size_t from_offset,
                                   size_t bytes);

/* `count` elements of `element_bytes` each that lie to_stride and from_stride bytes apart, of any
 * sign; from_stride 0 puts the same element everywhere. Local memory may not overlap what is
 * written. */
DM_API enum dm_status caf_put_line(struct caf_coarray *to, int image, size_t offset,
                                   ptrdiff_t to_stride, const void *from, ptrdiff_t from_stride,
                                   size_t count, size_t element_bytes);
DM_API enum dm_status caf_get_line(void *to, ptrdiff_t to_stride, struct caf_coarray *from,
                                   int image, size_t offset, ptrdiff_t from_stride, size_t count,
                                   size_t element_bytes);

enum { CAF_MAX_RANK = 15 };

/* The shape of a section of an array: count[d] elements along dimension d, dimension 0 varying
 * fastest. Rank 0 is one element. */
struct caf_shape {
    int rank;
    size_t element_bytes;
    size_t count[CAF_MAX_RANK];
};

/* Where a section's elements lie: stride[d] is the distance in bytes, which may be negative,
 * between neighbours along dimension d. */
struct caf_strides {
    ptrdiff_t stride[CAF_MAX_RANK];
};

/* The same for sections of arrays: both sides have the shape and their own strides; `offset` and
 * `from` / `to` are those of the first element. Local memory may not overlap what is written. */
DM_API enum dm_status caf_put_section(struct caf_coarray *to, int image, size_t offset,
                                      const struct caf_strides *to_strides, const void *from,
                                      const struct caf_strides *from_strides,
                                      const struct caf_shape *shape);
DM_API enum dm_status caf_get_section(void *to, const struct caf_strides *to_strides,
                                      struct caf_coarray *from, int image, size_t offset,
                                      const struct caf_strides *from_strides,
                                      const struct caf_shape *shape);

/* ---- synchronisation ---- */

/* DM_LOST if an image has stopped. */
DM_API enum dm_status caf_sync_all(void);

/* Waits for each of `images` to name this image in a sync images of its own, as often as this one
 * named it. count -1: all images. DM_INVALID if an image does not exist or is named twice; DM_LOST
 * if one has stopped, after the others have come. */
DM_API enum dm_status caf_sync_images(int count, const int *images);

/* Completes this image's puts at their targets. */
DM_API enum dm_status caf_sync_memory(void);

/* ---- locks, critical sections, events, atomics: on 32-bit words of a coarray. DM_INVALID for a
 * wrong image, an offset that is no multiple of 4 or lies beyond the coarray ---- */

/* A lock is one struct caf_lock in a coarray, zero when free. */
struct caf_lock {
    int32_t owner; /* image, 0: free */
    int32_t unused[3];
};

/* acquired NULL: waits for the lock; else it is tried once, and *acquired tells the result.
 * DM_INVALID if this image holds it already; DM_LOST if who holds it has stopped. */
DM_API enum dm_status caf_lock(struct caf_coarray *coarray, int image, size_t offset,
                               bool *acquired);

/* DM_INVALID if this image does not hold it. */
DM_API enum dm_status caf_unlock(struct caf_coarray *coarray, int image, size_t offset);

/* An event is one struct caf_event in a coarray, zero at first. Its posts since the last wait are
 * near + far - taken; only its own image waits and queries. */
struct caf_event {
    int32_t near, far; /* posts by images of the same node and of others */
    int32_t taken;
    int32_t unused;
};
DM_API enum dm_status caf_event_post(struct caf_coarray *coarray, int image, size_t offset);

/* Waits for until_count posts (at least 1) and takes them. DM_LOST if all other images have stopped
 * before. */
DM_API enum dm_status caf_event_wait(struct caf_coarray *coarray, size_t offset, int until_count);
DM_API enum dm_status caf_event_query(struct caf_coarray *coarray, size_t offset, int *count);

enum caf_operation { CAF_ADD, CAF_AND, CAF_OR, CAF_XOR };

/* One atomic step on the word at `offset` of that image. `old` may be NULL. */
DM_API enum dm_status caf_atomic_define(struct caf_coarray *coarray, int image, size_t offset,
                                        int32_t value);
DM_API enum dm_status caf_atomic_ref(struct caf_coarray *coarray, int image, size_t offset,
                                     int32_t *value);
DM_API enum dm_status caf_atomic_operation(struct caf_coarray *coarray, int image, size_t offset,
                                           enum caf_operation operation, int32_t value,
                                           int32_t *old);
DM_API enum dm_status caf_atomic_cas(struct caf_coarray *coarray, int image, size_t offset,
                                     int32_t compare, int32_t value, int32_t *old);

/* ---- collectives (thesis, 5.1): all images call them with equal counts, on any memory. DM_LOST if
 * an image has stopped; an image whose collective has failed cannot take part in another ---- */

enum caf_type {
    CAF_INT8,
    CAF_INT16,
    CAF_INT32,
    CAF_INT64,
    CAF_FLOAT,
    CAF_DOUBLE,
    CAF_COMPLEX_FLOAT,
    CAF_COMPLEX_DOUBLE
};

DM_API enum dm_status caf_broadcast(void *data, size_t bytes, int source_image);

/* result_image 0: every image gets the result; else that one alone, and data of the others become
 * undefined. Complex numbers have a sum only (else DM_INVALID). Integers wrap around. Whether a NaN
 * is a minimum or maximum is not specified. */
DM_API enum dm_status caf_sum(void *data, size_t count, enum caf_type type, int result_image);
DM_API enum dm_status caf_min(void *data, size_t count, enum caf_type type, int result_image);
DM_API enum dm_status caf_max(void *data, size_t count, enum caf_type type, int result_image);

/* inout[i] = combine(in[i], inout[i]) for `count` elements; associative. It is applied in the order
 * of the images. */
typedef void caf_combine(const void *in, void *inout, size_t count, void *context);
DM_API enum dm_status caf_reduce(void *data, size_t count, size_t element_bytes,
                                 caf_combine *combine, void *context, int result_image);

#ifdef __cplusplus
}
#endif
#endif
