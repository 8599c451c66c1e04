#include "word.h"

#include "conduit.h"
#include "error.h"
#include "messages.h"
#include "parcel.h"

enum dm_status word_check(const struct caf_coarray *coarray, int image, size_t offset, size_t bytes)
{
    if (!is_image(image))
        return error_no_image(caf_statement, image);
    if (offset % sizeof(int32_t) != 0)
        return invalid(CAF_BAD_ARGUMENT, "%s: the offset %zu is not a multiple of 4", caf_statement,
                       offset);
    if (bytes > coarray->bytes || offset > coarray->bytes - bytes)
        return invalid(CAF_BAD_RANGE, "%s: offset %zu is beyond the %zu bytes of the coarray",
                       caf_statement, offset, coarray->bytes);
    return DM_OK;
}

/* ---- within one node ---- */

static int32_t *near_word(const struct caf_coarray *coarray, int image, size_t offset)
{
    return (int32_t *)near_address(coarray, image, offset);
}

static int32_t near_change(int32_t *word, enum word_step step, int32_t value)
{
    switch (step) {
    case WORD_ADD:
        return __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL);
    case WORD_AND:
        return __atomic_fetch_and(word, value, __ATOMIC_ACQ_REL);
    case WORD_OR:
        return __atomic_fetch_or(word, value, __ATOMIC_ACQ_REL);
    case WORD_XOR:
        return __atomic_fetch_xor(word, value, __ATOMIC_ACQ_REL);
    case WORD_SWAP:
        break;
    }
    return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
}

static int32_t near_compare_swap(int32_t *word, int32_t compare, int32_t value)
{
    __atomic_compare_exchange_n(word, &compare, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return compare;
}

/* ---- with several ---- */

static enum dm_status far_fetch(struct caf_coarray *coarray, int image, size_t offset, int32_t add,
                                int32_t *old)
{
    return conduit->fetch_add(coarray->segment, image, far_displacement(coarray, offset), add, old);
}

static enum dm_status far_compare_swap(struct caf_coarray *coarray, int image, size_t offset,
                                       int32_t compare, int32_t value, int32_t *old)
{
    return conduit->compare_swap(coarray->segment, image, far_displacement(coarray, offset),
                                 compare, value, old);
}

/* Whether the word is reached by the conduit's operations. */
static bool is_far(int image)
{
    return runtime.nodes > 1 &&
           (!conduit->atomic_with_cpu || runtime.node_of[image] != runtime.node);
}

/* Wraps around, as the processor's addition does. */
static int32_t changed(int32_t old, enum word_step step, int32_t value)
{
    switch (step) {
    case WORD_ADD:
        return (int32_t)((uint32_t)old + (uint32_t)value);
    case WORD_AND:
        return old & value;
    case WORD_OR:
        return old | value;
    case WORD_XOR:
        return old ^ value;
    case WORD_SWAP:
        break;
    }
    return value;
}

/* Starts with a guess instead of a read: what this image last left there. If it is wrong, the swap
 * that failed has told the value, which costs no more than a read would have. */
static enum dm_status far_change(struct caf_coarray *coarray, int image, size_t offset,
                                 enum word_step step, int32_t value, int32_t *old)
{
    static struct {
        const struct segment *segment;
        int image;
        size_t displacement;
        int32_t value;
    } last;
    size_t displacement = far_displacement(coarray, offset);
    int32_t guess = 0, found;
    if (last.segment == coarray->segment && last.image == image &&
        last.displacement == displacement)
        guess = last.value;
    for (;; guess = found) {
        int32_t next = changed(guess, step, value);
        TRY(far_compare_swap(coarray, image, offset, guess, next, &found));
        if (found != guess)
            continue;
        last.segment = coarray->segment;
        last.image = image;
        last.displacement = displacement;
        last.value = next;
        *old = found;
        return DM_OK;
    }
}

/* ---- both ---- */

/* A program may call these in a loop until a word changes, and the image that is to change it may
 * wait for this one to take part in a transfer. */
static enum dm_status serve_others(const struct caf_coarray *coarray, int image, size_t offset)
{
    if (parcels_lie_at(image))
        TRY(parcels_settle(coarray, image, offset, offset + sizeof(int32_t)));
    return runtime.windows ? messages_progress(NULL) : DM_OK;
}

enum dm_status word_read(struct caf_coarray *coarray, int image, size_t offset, int32_t *value)
{
    TRY(serve_others(coarray, image, offset));
    if (runtime.node_of[image] != runtime.node)
        return far_fetch(coarray, image, offset, 0, value);
    *value = __atomic_load_n(near_word(coarray, image, offset), __ATOMIC_ACQUIRE);
    return DM_OK;
}

enum dm_status word_change(struct caf_coarray *coarray, int image, size_t offset,
                           enum word_step step, int32_t value, int32_t *old)
{
    int32_t ignored;
    TRY(serve_others(coarray, image, offset));
    if (!old)
        old = &ignored;
    if (is_far(image))
        return far_change(coarray, image, offset, step, value, old);
    *old = near_change(near_word(coarray, image, offset), step, value);
    return DM_OK;
}

enum dm_status word_compare_swap(struct caf_coarray *coarray, int image, size_t offset,
                                 int32_t compare, int32_t value, int32_t *old)
{
    int32_t ignored;
    TRY(serve_others(coarray, image, offset));
    if (!old)
        old = &ignored;
    if (is_far(image))
        return far_compare_swap(coarray, image, offset, compare, value, old);
    *old = near_compare_swap(near_word(coarray, image, offset), compare, value);
    return DM_OK;
}

enum dm_status word_add(struct caf_coarray *coarray, int image, size_t offset, int32_t value)
{
    int32_t old;
    if (is_far(image))
        return far_fetch(coarray, image, offset, value, &old);
    near_change(near_word(coarray, image, offset), WORD_ADD, value);
    return DM_OK;
}
