/* far.h: transfers that MPI carries, between this image's memory and another image's coarray. */
#ifndef COARRAYS_CAF_FAR_H
#define COARRAYS_CAF_FAR_H

#include "memory.h"

/* A section of which one side is far. Strides of the far side are never negative, so `offset` is
 * also the lowest byte; rank 0 is one piece of element_bytes. */
struct far_section {
    bool is_put;
    struct caf_coarray *coarray;
    int image;
    size_t offset;
    char *local; /* the same element; puts only read it */
    int rank;
    size_t element_bytes;
    size_t count[CAF_MAX_RANK];
    ptrdiff_t far[CAF_MAX_RANK], near[CAF_MAX_RANK];
};

/* Carries the section out, as runtime.transfer says: a put's source may be changed afterwards, a
 * get has arrived. Changes the description. */
enum dm_status far_transfer(struct far_section *section);

/* Turns dimensions whose far stride is negative round: the same elements in another order. */
void far_turn(struct far_section *section);

/* As section_simplify; inner dimensions are near one another in the far memory. */
void far_simplify(struct far_section *section);

size_t far_bytes(const struct far_section *section);

/* One past the highest byte of the coarray that it touches. */
size_t far_end(const struct far_section *section);

/* How many bytes in a row the far memory holds at least: element_bytes or more. */
size_t far_run(const struct far_section *section);

/* Replaces the local memory by `buffer`, without gaps. */
void far_use_buffer(struct far_section *section, char *buffer);

/* Between local memory and a buffer without gaps; nothing is sent. */
void far_pack(const struct far_section *section, char *buffer);
void far_unpack(const struct far_section *section, const char *buffer);

/* Goes through a section in chunks of up to `limit` bytes, but at least one element:
 *     for (struct far_cut cut = far_cut(&section, limit); far_next(&cut, &chunk);) */
struct far_cut {
    const struct far_section *whole;
    int dimension; /* the one that is cut; inner ones are whole, outer ones single */
    size_t step;   /* elements of it that a chunk has */
    size_t at[CAF_MAX_RANK];
    bool is_done;
};
struct far_cut far_cut(const struct far_section *section, size_t limit);
bool far_next(struct far_cut *cut, struct far_section *chunk);

/* ---- ways of transfer ---- */

/* One RMA call per element. Puts are completed together; gets too if `together`, else each is
 * complete before the next is requested. */
enum dm_status rma_elements(const struct far_section *section, bool together);

/* Frees the memory of puts on their way, when there are none. */
void rma_end(void);

/* One RMA call with derived datatypes (thesis, 6.2). */
enum dm_status datatype_transfer(const struct far_section *section);

/* Packed into messages; the target packs them or puts them in place. */
enum dm_status packed_transfer(const struct far_section *section);

/* Whichever of RMA and messages suits, in order with earlier transfers. */
enum dm_status block_transfer(const struct far_section *section);

/* Waits until the targets have put everything in place that this image sent. */
enum dm_status packed_complete(void);
void packed_start(void);

/* ---- order of this image's own transfers ---- */

enum far_way { WAY_RMA, WAY_MESSAGE };

/* A program's put must not overtake an earlier put to the same bytes, nor a get the put before it.
 * Messages to an image stay in order, but MPI does not order RMA calls, nor these and messages. So
 * this waits if the section overlaps a put on its way that it could overtake; a put is then noted
 * as being on its way too. */
enum dm_status pending_wait(const struct far_section *section, enum far_way way);

/* Whether it overlaps any put on its way. */
bool pending_overlaps(const struct far_section *section);

/* Everything has arrived. */
void pending_clear(void);

#endif
