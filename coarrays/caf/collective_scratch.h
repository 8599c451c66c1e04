/* collective_scratch.h: the shared memory through which the images of one node do collectives.
 *
 * Data travel in chunks. All images number them alike, from collective to collective, and chunk n
 * uses buffer n % 8 of every image that has something to give. Each image tells for three steps up
 * to which chunk it has done them; so nothing ever waits for all images where it needs one. */
#ifndef COARRAYS_CAF_COLLECTIVE_SCRATCH_H
#define COARRAYS_CAF_COLLECTIVE_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

struct segment;

enum scratch_step {
    SCRATCH_GIVEN,   /* this image's part of the chunk is in its buffer; or it has none */
    SCRATCH_REDUCED, /* this image's slice of the result is in its buffer */
    SCRATCH_TAKEN,   /* this image needs nobody's buffer of the chunk any more */
    SCRATCH_STEPS
};

/* Of a team. */
struct scratch {
    struct segment *segment; /* NULL: none yet */
    size_t offset, buffer_bytes;
    uint64_t first; /* number of the first chunk of the collective that runs, or of the next */
    enum dm_status failed; /* of a collective that this image left unfinished */
};

/* Begins a collective: makes room for chunks of at least `element_bytes` bytes. Then *chunk_bytes
 * is how long chunks are and *first the number of the first. */
enum dm_status scratch_begin(size_t element_bytes, size_t *chunk_bytes, uint64_t *first);

/* Ends it after that many chunks, all done if `status`, which is returned, is DM_OK. */
enum dm_status scratch_end(enum dm_status status, uint64_t chunks);

char *scratch_buffer(int image, uint64_t chunk);

/* This image has done the step for all chunks up to this one. */
void scratch_done(enum scratch_step step, uint64_t chunk);

/* Waits until that image, or all, have done so. DM_LOST if any image has stopped before
 * this collective, or failed. */
enum dm_status scratch_wait(int image, enum scratch_step step, uint64_t chunk);
enum dm_status scratch_wait_all(enum scratch_step step, uint64_t chunk);

/* Waits until this image's buffer for the chunk may be written. */
enum dm_status scratch_wait_buffer(uint64_t chunk);

#endif
