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
    /* The process, of this part's image, for who looks whether it still runs. */
    _Atomic int pid;
    _Atomic int left;   /* it has called caf_fail */
    _Atomic int ending; /* it is ending all processes of the node */
    _Atomic int slots;  /* used by this image's teams */
    /* sync_count[image]: how often that image has named the part's image in sync images. Written
     * by that image if it is of this node, else by the part's image on its behalf; one cache line
     * each: sync_count[8 * (image - 1)]. */
    _Alignas(64) _Atomic uint64_t sync_count[];
};

/* What an image has for each of its teams: how often it has met the others there, how many short
 * collectives it has done, and what it tells the others (team.h), in turn in two places, as the
 * slowest may still read what was told before. */
struct slot {
    _Alignas(64) _Atomic uint64_t arrived;
    _Atomic uint64_t shorts;
    _Alignas(64) char told[2][448];
};
enum { SLOTS = 8192 };

/* The control part of a near image. */
struct control *control_of(int image);
static inline _Atomic uint64_t *sync_count(struct control *control, int image)
{
    return &control->sync_count[8 * (size_t)(image - 1)];
}

/* Slot number `slot` of a near image. */
struct slot *slot_of(int image, int slot);

/* Notes that a near image runs no more, if nothing else is known of it. */
void control_failed(int image);

/* The state of any image: near ones from their part, far ones as their last message told. */
enum image_state image_state(int image);

#endif
