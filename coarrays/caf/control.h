/* control.h: what the images of a node tell one another, in one shared part per image. Each word
 * has one writer at a time, named here, and is read by all. */
#ifndef COARRAYS_CAF_CONTROL_H
#define COARRAYS_CAF_CONTROL_H

#include <stdatomic.h>
#include <stdint.h>

#include "runtime.h"

enum image_state { IMAGE_RUNNING, IMAGE_STOPPED, IMAGE_FAILED };

struct control {
    /* Written by the part's image. */
    _Alignas(64) _Atomic uint64_t arrived; /* number of the last sync all it came to */
    _Atomic int state;                     /* enum image_state */
    /* Written by the first image of the node: number of the last sync all that all nodes came to.
     */
    _Alignas(64) _Atomic uint64_t released;
    /* By the same: the first sync all that some image was absent from because it had stopped; 0:
     * none yet. It is absent from all that follow. */
    _Atomic uint64_t incomplete_from;
    /* sync_count[image]: how often that image has named the part's image in sync images. Written
     * by that image if it is of this node, else by the part's image on its behalf; one cache line
     * each: sync_count[8 * (image - 1)]. */
    _Alignas(64) _Atomic uint64_t sync_count[];
};

/* The control part of a near image. */
struct control *control_of(int image);
static inline _Atomic uint64_t *sync_count(struct control *control, int image)
{
    return &control->sync_count[8 * (size_t)(image - 1)];
}

/* The state of any image: near ones from their part, far ones as their last message told. */
enum image_state image_state(int image);

#endif
