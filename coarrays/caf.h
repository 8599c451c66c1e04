/* caf.h: coarrays from C, over MPI-3 RMA with passive target (Fanfarillo 2016, chapters 5 and 6).
 *
 * A program runs as images 1 to caf_num_images(). A coarray is memory that every image allocates
 * with the same size and that all others can read and write without its help. Images of one node
 * reach one another by loads and stores, others by MPI_Put and MPI_Get.
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
 * source may be changed as soon as the put returns.
 *
 * Every function that returns int returns CAF_OK or one of the codes below; caf_error_text() then
 * tells what happened. Nothing is written when a code other than CAF_OK is returned. Offsets and
 * sizes are bytes, images count from 1. One thread per image calls these functions.
 *
 * Environment: CAF_PATH, CAF_TRANSFER, CAF_DEBUG, CAF_WAIT_LIMIT_S, CAF_MEMORY,
 * CAF_COMPONENTS (README). */
#ifndef COARRAYS_CAF_H
#define COARRAYS_CAF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum caf_code {
    CAF_OK = 0,
    CAF_LOCKED,             /* this image holds the lock already */
    CAF_LOCKED_OTHER_IMAGE, /* unlock of a lock that another image holds */
    CAF_UNLOCKED,           /* unlock of a lock that nobody holds */
    CAF_NO_MEMORY,          /* some image could not allocate; no image has */
    CAF_BAD_IMAGE,          /* there is no such image, or one is named twice */
    CAF_BAD_RANGE,          /* beyond the end of the coarray (told always by section calls and with
                               CAF_DEBUG=1 by all) */
    CAF_BAD_ARGUMENT,
    CAF_WAIT_LIMIT, /* CAF_WAIT_LIMIT_S passed while waiting */
    CAF_MPI,        /* MPI failed */
    CAF_STOPPED_IMAGE =
        6000 /* an image that takes part has stopped (Fortran's STAT_STOPPED_IMAGE) */
};

/* What the last call of this image that returned a code had to say: one sentence without a full
 * stop, naming image and statement; "" if none failed. Valid until the next call. */
const char *caf_error_text(void);

/* ---- images (S50) ---- */

/* Starts the library, and MPI if nobody has (then caf_end ends it). Collective. Ends the program
 * with a sentence on stderr if that is impossible or an environment variable is wrong. A second
 * call does nothing. argc and argv may be NULL. */
void caf_start(int *argc, char ***argv);

/* Normal termination: waits until all images have come here or stopped, frees everything. */
void caf_end(void);

/* Normal termination of this image with an exit code, from anywhere (Fortran's STOP): the others
 * go on; what synchronises with this image returns CAF_STOPPED_IMAGE. Waits for the others. */
void caf_stop(int code) __attribute__((noreturn));

/* Ends all images at once with a nonzero exit code (Fortran's ERROR STOP). `text`, if not NULL, is
 * printed on stderr with the image's number. */
void caf_error_stop(int code, const char *text) __attribute__((noreturn));

int caf_this_image(void);
int caf_num_images(void);

/* Whether loads and stores reach that image's coarrays: it is on this image's node. */
bool caf_is_near(int image);

/* CAF_OK or CAF_STOPPED_IMAGE, as far as this image knows. CAF_BAD_IMAGE if there is none. */
int caf_image_status(int image);

/* ---- memory ---- */

struct caf_coarray;

/* What the memory is for; later kinds of memory (managed, pinned, device) become values here. */
enum caf_kind { CAF_DATA };

/* Allocates a coarray of `bytes` (may be 0) on every image. Collective, with an implicit sync all;
 * every image must ask for the same size. *memory is this image's own part, 64-byte aligned and
 * zero. If one image cannot, all get CAF_NO_MEMORY. */
int caf_allocate(struct caf_coarray **coarray, size_t bytes, enum caf_kind kind, void **memory);

/* Frees it on every image. Collective, with an implicit sync all. */
int caf_free(struct caf_coarray *coarray);

size_t caf_size(const struct caf_coarray *coarray);
void *caf_memory(const struct caf_coarray *coarray);

/* The part of a near image as a pointer, or NULL if that image is not near. */
void *caf_pointer(const struct caf_coarray *coarray, int image);

/* ---- transfers (S50, S62) ---- */

int caf_put(struct caf_coarray *to, int image, size_t offset, const void *from, size_t bytes);
int caf_get(void *to, struct caf_coarray *from, int image, size_t offset, size_t bytes);

/* From one image's coarray to another's; neither needs to be this one. */
int caf_send_get(struct caf_coarray *to, int to_image, size_t to_offset, struct caf_coarray *from,
                 int from_image, size_t from_offset, size_t bytes);

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
int caf_put_section(struct caf_coarray *to, int image, size_t offset,
                    const struct caf_strides *to_strides, const void *from,
                    const struct caf_strides *from_strides, const struct caf_shape *shape);
int caf_get_section(void *to, const struct caf_strides *to_strides, struct caf_coarray *from,
                    int image, size_t offset, const struct caf_strides *from_strides,
                    const struct caf_shape *shape);

/* ---- synchronisation ---- */

int caf_sync_all(void);

/* Waits for each of `images` to name this image in a sync images of its own, as often as this one
 * named it. count -1: all images. An image named twice is CAF_BAD_IMAGE. */
int caf_sync_images(int count, const int *images);

/* Completes this image's puts at their targets. */
int caf_sync_memory(void);

/* ---- locks, critical sections, events, atomics: on 32-bit words of a coarray ---- */

/* A lock is one struct caf_lock in a coarray, zero when free. acquired: NULL to wait for it; else
 * it is tried once and *acquired told. */
struct caf_lock {
    int32_t owner; /* image, 0: free */
    int32_t unused[3];
};
int caf_lock(struct caf_coarray *coarray, int image, size_t offset, bool *acquired);
int caf_unlock(struct caf_coarray *coarray, int image, size_t offset);

/* An event is one struct caf_event in a coarray, zero at first. Its posts since the last wait are
 * near + far - taken; only its own image waits and queries. */
struct caf_event {
    int32_t near, far; /* posts by images of the same node and of others */
    int32_t taken;
    int32_t unused;
};
int caf_event_post(struct caf_coarray *coarray, int image, size_t offset);
int caf_event_wait(struct caf_coarray *coarray, size_t offset, int until_count);
int caf_event_query(struct caf_coarray *coarray, size_t offset, int *count);

enum caf_operation { CAF_ADD, CAF_AND, CAF_OR, CAF_XOR };

/* One atomic step on the word at `offset` (a multiple of 4) of that image. `old` may be NULL. */
int caf_atomic_define(struct caf_coarray *coarray, int image, size_t offset, int32_t value);
int caf_atomic_ref(struct caf_coarray *coarray, int image, size_t offset, int32_t *value);
int caf_atomic_operation(struct caf_coarray *coarray, int image, size_t offset,
                         enum caf_operation operation, int32_t value, int32_t *old);
int caf_atomic_cas(struct caf_coarray *coarray, int image, size_t offset, int32_t compare,
                   int32_t value, int32_t *old);

/* ---- collectives (S51): all images call them with equal counts, on any memory ---- */

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

int caf_broadcast(void *data, size_t bytes, int source_image);

/* result_image 0: every image gets the result; else that one alone, and data of the others become
 * undefined. Complex numbers have a sum only (else CAF_BAD_ARGUMENT). Integers wrap around. Whether
 * a NaN is a minimum or maximum is not specified. */
int caf_sum(void *data, size_t count, enum caf_type type, int result_image);
int caf_min(void *data, size_t count, enum caf_type type, int result_image);
int caf_max(void *data, size_t count, enum caf_type type, int result_image);

/* inout[i] = combine(in[i], inout[i]) for `count` elements; associative. It is applied in the order
 * of the images. */
typedef void caf_combine(const void *in, void *inout, size_t count, void *context);
int caf_reduce(void *data, size_t count, size_t element_bytes, caf_combine *combine, void *context,
               int result_image);

#ifdef __cplusplus
}
#endif
#endif
