#include "parcel.h"

#include <stdlib.h>
#include <string.h>

#include "control.h"
#include "error.h"
#include "shared.h"
#include "team.h"
#include "wait.h"

/* Lines: elements nearer than that share cache lines, and fewer gain nothing. */
enum { SLOTS_OF_IMAGE = 8, PARCEL_BYTES = 64 * 1024, FAR_APART = 64, ELEMENTS_MIN = 32 };
enum { ELEMENT_MAX = 32 };

/* Longest series of puts that are not sent as parcels, because nobody came for the last ones. */
enum { SKIP_MAX = 1024 };

struct parcel {
    /* 0: free, to be filled by its sender alone; else its number and the image it lies at. Only who
     * holds that image's `delivering` makes it free again. */
    _Alignas(64) _Atomic uint64_t label;
    uint32_t coarray;
    size_t offset, end; /* first byte and one past the last, in the coarray */
    struct section section;
    _Alignas(64) char elements[PARCEL_BYTES];
};

struct box {
    /* Of the part's image as the target. */
    _Alignas(64) _Atomic int lying;
    _Atomic int delivering; /* the image that delivers them; 0: none */
    /* Of the part's image as the sender: the number of the last parcel. */
    _Alignas(64) _Atomic uint64_t sent;
    struct parcel slot[SLOTS_OF_IMAGE];
};

static struct shared boxes = {.descriptor = -1};
_Atomic int **parcels_at;
static bool by_pointer;

/* What this image remembers of its parcels to each image. */
static struct {
    uint64_t last;  /* number of the last one */
    bool own;       /* the last one delivered was delivered by itself */
    uint16_t skip;  /* puts that will not be parcels */
    uint16_t times; /* how many were skipped the last time */
} * route;

static struct box *box_of(int image)
{
    return boxes.part[runtime.place_of[image]];
}

enum { IMAGE_BITS = 24 };

static uint64_t label_of(uint64_t number, int image)
{
    return number << IMAGE_BITS | (uint64_t)image;
}

static int image_of(uint64_t label)
{
    return (int)(label & ((1 << IMAGE_BITS) - 1));
}

/* ---- delivering ---- */

/* From its last element to its first: the image has just packed its own elements there, from the
 * first to the last, and where they are too many for the processor's table of pages the last are in
 * it still. The coarray is gone, or another one has its number, if the image failed before it took
 * the parcel and the others have freed it. */
static void put_in_place(const struct parcel *parcel, int image)
{
    struct caf_coarray *coarray = coarray_of_number(parcel->coarray);
    struct section section = parcel->section;
    const char *from = parcel->elements;
    if (!coarray || parcel->end > caf_size(coarray))
        return;
    char *to = near_address(coarray, image, parcel->offset);
    for (int d = 0; d < section.rank; d++) {
        to += (ptrdiff_t)(section.count[d] - 1) * section.to[d];
        from += (ptrdiff_t)(section.count[d] - 1) * section.from[d];
        section.to[d] = -section.to[d];
        section.from[d] = -section.from[d];
    }
    section_copy(&section, to, from);
}

/* Parcels of one sender in the order in which it sent them. */
static void deliver_of(int sender, int image)
{
    struct box *box = box_of(sender);
    uint64_t last = atomic_load_explicit(&box->sent, memory_order_acquire);
    uint64_t number = last > SLOTS_OF_IMAGE ? last - SLOTS_OF_IMAGE + 1 : 1;
    for (; number <= last; number++) {
        struct parcel *parcel = &box->slot[number % SLOTS_OF_IMAGE];
        if (atomic_load_explicit(&parcel->label, memory_order_acquire) != label_of(number, image))
            continue;
        put_in_place(parcel, image);
        atomic_store_explicit(&parcel->label, 0, memory_order_release);
        atomic_fetch_sub_explicit(parcels_at[image], 1, memory_order_release);
        if (sender == runtime.image)
            route[image].own = true;
    }
}

/* Whoever died while delivering has left a parcel that is put in place once more. */
static bool take_over(_Atomic int *delivering)
{
    int holder = 0;
    if (atomic_compare_exchange_strong(delivering, &holder, runtime.image))
        return true;
    return image_state(holder) == IMAGE_FAILED &&
           atomic_compare_exchange_strong(delivering, &holder, runtime.image);
}

enum dm_status parcels_deliver(int image)
{
    struct box *box = box_of(image);
    struct wait wait = wait_start(caf_statement);
    while (!take_over(&box->delivering))
        TRY(wait_turn(&wait));
    for (int place = 0; place < runtime.near_count; place++)
        deliver_of(runtime.near[place], image);
    atomic_store_explicit(&box->delivering, 0, memory_order_release);
    return DM_OK;
}

enum dm_status parcels_receive(void)
{
    if (parcels_lie_at(runtime.image))
        TRY(parcels_deliver(runtime.image));
    for (int place = 0; by_pointer && place < runtime.near_count; place++)
        if (parcels_lie_at(runtime.near[place]))
            TRY(parcels_deliver(runtime.near[place]));
    return DM_OK;
}

/* ---- this image's own ---- */

/* How many lie at the image, and whether these bytes are among them. */
static int own_parcels(const struct caf_coarray *coarray, int image, size_t low, size_t high,
                       bool *overlap)
{
    int count = 0;
    *overlap = false;
    for (int i = 0; i < SLOTS_OF_IMAGE; i++) {
        const struct parcel *parcel = &box_of(runtime.image)->slot[i];
        uint64_t label = atomic_load_explicit(&parcel->label, memory_order_acquire);
        if (label == 0 || image_of(label) != image)
            continue;
        count++;
        *overlap = *overlap || (coarray && parcel->coarray == coarray_number(coarray) &&
                                parcel->offset < high && low < parcel->end);
    }
    return count;
}

enum dm_status parcels_settle(const struct caf_coarray *coarray, int image, size_t low, size_t high)
{
    bool overlap;
    int lying = atomic_load_explicit(parcels_at[image], memory_order_acquire);
    if (own_parcels(coarray, image, low, high, &overlap) == lying && !overlap)
        return DM_OK;
    return parcels_deliver(image);
}

enum dm_status parcels_complete(void)
{
    if (!parcels_at)
        return DM_OK;
    for (int i = 0; i < SLOTS_OF_IMAGE; i++) {
        uint64_t label =
            atomic_load_explicit(&box_of(runtime.image)->slot[i].label, memory_order_acquire);
        if (label != 0)
            TRY(parcels_deliver(image_of(label)));
    }
    return DM_OK;
}

/* ---- sending ---- */

/* Where the image did not come for parcels, which is found when this image delivers its own, they
 * are two copies in the place of one: the next puts are none, twice as many each time. */
static bool is_worth_it(int image)
{
    if (route[image].own) {
        unsigned times = 2u * route[image].times + 1;
        route[image].times = (uint16_t)(times < SKIP_MAX ? times : SKIP_MAX);
        route[image].skip = route[image].times;
        route[image].own = false;
    }
    if (route[image].skip == 0)
        return true;
    route[image].skip--;
    return false;
}

/* Whether the last one does not lie there any more. */
static bool was_taken(int image)
{
    uint64_t last = route[image].last;
    const struct parcel *parcel = &box_of(runtime.image)->slot[last % SLOTS_OF_IMAGE];
    return last > 0 &&
           atomic_load_explicit(&parcel->label, memory_order_relaxed) != label_of(last, image);
}

static size_t bytes_of(const struct section *section)
{
    size_t bytes = section->element_bytes;
    for (int d = 0; d < section->rank; d++)
        bytes *= section->count[d];
    return bytes;
}

static bool is_far_apart(const struct section *section)
{
    if (section->rank < 1 || section->element_bytes > ELEMENT_MAX ||
        section->count[0] < ELEMENTS_MIN || bytes_of(section) > PARCEL_BYTES)
        return false;
    for (int d = 0; d < section->rank; d++)
        if (section->to[d] < FAR_APART)
            return false;
    return true;
}

/* The parcel's side of the section: elements without gaps. */
static void pack(struct parcel *parcel, const struct section *section, const void *from)
{
    struct section packing = *section;
    size_t stride = section->element_bytes, reach = section->element_bytes;
    for (int d = 0; d < section->rank; d++) {
        packing.to[d] = (ptrdiff_t)stride;
        stride *= section->count[d];
        reach += (section->count[d] - 1) * (size_t)section->to[d];
    }
    section_copy(&packing, parcel->elements, from);
    parcel->section.rank = section->rank;
    parcel->section.element_bytes = section->element_bytes;
    for (int d = 0; d < section->rank; d++) {
        parcel->section.count[d] = section->count[d];
        parcel->section.to[d] = section->to[d];
        parcel->section.from[d] = packing.to[d];
    }
    parcel->end = parcel->offset + reach;
}

/* Coarrays of a team have numbers that other images may not know. */
static bool may_lie(const struct caf_coarray *coarray, int image)
{
    return image != runtime.image && !coarray->segment->team->parent;
}

/* Those of other images are in place before this image's come; its own keep their order. */
static bool comes_after_others(int image)
{
    bool overlap;
    return !parcels_lie_at(image) ||
           own_parcels(NULL, image, 0, 0, &overlap) ==
               atomic_load_explicit(parcels_at[image], memory_order_acquire) ||
           parcels_deliver(image) == DM_OK;
}

bool parcel_send(struct caf_coarray *to, int image, size_t offset, const struct section *section,
                 const void *from)
{
    if (!parcels_at || !is_far_apart(section) || !may_lie(to, image) || !is_worth_it(image) ||
        !comes_after_others(image))
        return false;
    struct box *own = box_of(runtime.image);
    uint64_t number = atomic_load_explicit(&own->sent, memory_order_relaxed) + 1;
    struct parcel *parcel = &own->slot[number % SLOTS_OF_IMAGE];
    uint64_t label = atomic_load_explicit(&parcel->label, memory_order_acquire);
    if (label != 0 && parcels_deliver(image_of(label)) != DM_OK)
        return false;
    parcel->coarray = coarray_number(to);
    parcel->offset = offset;
    pack(parcel, section, from);
    if (!route[image].own && was_taken(image))
        route[image].times = 0;
    route[image].last = number;
    /* Counted before it can be delivered, so that never fewer are counted than lie there. */
    atomic_fetch_add_explicit(parcels_at[image], 1, memory_order_relaxed);
    atomic_store_explicit(&parcel->label, label_of(number, image), memory_order_release);
    atomic_store_explicit(&own->sent, number, memory_order_release);
    return true;
}

/* ---- start and end ---- */

void parcels_by_pointer(void)
{
    by_pointer = true;
}

static enum dm_status make_tables(void)
{
    size_t count = (size_t)runtime.images + 1;
    parcels_at = calloc(count, sizeof *parcels_at);
    route = calloc(count, sizeof *route);
    if (!parcels_at || !route) {
        parcels_end();
        return error_no_memory(count * (sizeof *parcels_at + sizeof *route));
    }
    for (int image = 1; image <= runtime.images; image++)
        parcels_at[image] = &box_of(image)->lying;
    return DM_OK;
}

/* Images of other nodes would not find them. */
enum dm_status parcels_start(void)
{
    if (!runtime.parcels || runtime.windows || runtime.images == 1 ||
        runtime.images >= 1 << IMAGE_BITS)
        return DM_OK;
    TRY(shared_create(&boxes, sizeof(struct box), SHARED_ANYWHERE));
    return make_tables();
}

void parcels_end(void)
{
    free(parcels_at);
    free(route);
    parcels_at = NULL;
    route = NULL;
    shared_destroy(&boxes);
}
