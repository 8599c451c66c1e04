#include "component.h"

#include <stdint.h>
#include <stdlib.h>

#include "coarrays/caf/error.h"
#include "coarrays/caf/memory.h"
#include "coarrays/caf/team.h"

#include "allocate.h"
#include "component_heap.h"
#include "status.h"

/* Without CAF_COMPONENTS. */
static const size_t DEFAULT_BYTES = (size_t)256 << 20;

/* Every image's part begins with its own address, for the others. */
enum { ADDRESS_BYTES = 64 };

static struct caf_coarray *coarray;
static struct component_heap heap;
static bool tried;
/* base_of[image]: where that image sees its part; NULL: not fetched yet. */
static char **base_of;

/* Adds to the reason what the program's user can do. */
static enum dm_status no_room(enum dm_status status, size_t bytes)
{
    free(base_of);
    base_of = NULL;
    return error_within(status,
                        "the allocatable components of coarrays, %zu bytes of each image (set "
                        "CAF_COMPONENTS to what is enough)",
                        bytes);
}

static enum dm_status start(void)
{
    void *memory;
    size_t wanted = runtime.component_memory ? runtime.component_memory : DEFAULT_BYTES;
    size_t bytes = wanted < PTRDIFF_MAX ? wanted + ADDRESS_BYTES : wanted;
    base_of = calloc((size_t)caf_num_images() + 1, sizeof *base_of);
    if (!base_of)
        status_fatal("ALLOCATE: no memory for a table of %d images", caf_num_images());
    enum dm_status status = coarray_allocate(&coarray, bytes, CAF_DATA, SHARED_ALIKE, &memory);
    if (status != DM_OK)
        return no_room(status, bytes);
    *(void **)memory = memory;
    component_heap_start(&heap, (char *)memory + ADDRESS_BYTES, wanted);
    return caf_sync_all();
}

static bool is_in_heap(const void *address)
{
    const char *byte = address;
    return coarray && byte >= heap.start && byte < heap.start + heap.bytes;
}

/* With one heap for all teams, all images have to make it together; where it cannot be made now,
 * components in a team have none, which is told when one is allocated. */
void component_prepare(void)
{
    if (coarray || current_team->parent || tried)
        return;
    tried = true;
    if (start() != DM_OK)
        coarray = NULL;
}

bool component_is(const void *address)
{
    return coarray_holds(address) || is_in_heap(address);
}

enum dm_status component_register(size_t bytes, bool allocate, void **token,
                                  struct descriptor *component)
{
    if (!coarray && current_team->parent)
        return dm_fail(DM_NO_MEMORY, "ALLOCATE: allocatable components of coarrays have no memory; "
                                     "set CAF_COMPONENTS to what the node has");
    TRY(coarray ? DM_OK : start());
    *token = NULL;
    if (!allocate)
        return DM_OK;
    *token = component_heap_allocate(&heap, bytes);
    if (!*token)
        return dm_fail(DM_NO_MEMORY,
                       "ALLOCATE: the allocatable components of image %d have no room for %zu "
                       "bytes more within their %zu; set CAF_COMPONENTS to more",
                       caf_this_image(), bytes, heap.bytes);
    component->base = *token;
    return DM_OK;
}

void component_deregister(void **token)
{
    if (coarray)
        component_heap_free(&heap, *token);
    *token = NULL;
}

/* What else a pointer may point to is at least a number, of at most so many bytes. */
enum { NUMBER_BYTES = 32 };

size_t component_bytes_from(int image, const void *address)
{
    const char *at = address, *begin = coarray ? near_address(coarray, image, 0) : NULL;
    if (!coarray || at < begin || at >= begin + caf_size(coarray))
        return NUMBER_BYTES;
    return (size_t)(begin + caf_size(coarray) - at);
}

enum dm_status component_find(int image, const void *address, struct caf_coarray **found,
                              size_t *offset)
{
    *found = NULL;
    if (!coarray)
        return DM_OK;
    if (!base_of[image]) {
        TRY(caf_get(&base_of[image], coarray, image, 0, sizeof *base_of));
    }
    *offset = (size_t)((uintptr_t)address - (uintptr_t)base_of[image]);
    if (*offset >= ADDRESS_BYTES && *offset < caf_size(coarray))
        *found = coarray;
    return DM_OK;
}
