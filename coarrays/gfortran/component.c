#include "component.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "coarrays/caf/error.h"
#include "coarrays/caf/runtime.h"

#include "allocate.h"
#include "component_heap.h"
#include "status.h"

/* Without CAF_COMPONENTS. */
static const size_t DEFAULT_BYTES = (size_t)256 << 20;

/* Every image's part begins with its own address, for the others. */
enum { ADDRESS_BYTES = 64 };

static struct caf_coarray *coarray;
static struct component_heap heap;
/* base_of[image]: where that image sees its part; NULL: not asked yet. */
static char **base_of;

/* Adds to the reason what the program's user can do. */
static int no_room(int code, size_t bytes)
{
    char reason[512];
    snprintf(reason, sizeof reason, "%s", caf_error_text());
    free(base_of);
    return caf_error(code,
                     "%s (the allocatable components of coarrays, %zu bytes of each image: set "
                     "CAF_COMPONENTS to what is enough)",
                     reason, bytes);
}

static int start(void)
{
    void *memory;
    size_t wanted = runtime.component_memory ? runtime.component_memory : DEFAULT_BYTES;
    size_t bytes = wanted < PTRDIFF_MAX ? wanted + ADDRESS_BYTES : wanted;
    base_of = calloc((size_t)runtime.images + 1, sizeof *base_of);
    if (!base_of)
        status_fatal("ALLOCATE: no memory for a table of %d images", runtime.images);
    int code = caf_allocate(&coarray, bytes, CAF_DATA, &memory);
    if (code)
        return no_room(code, bytes);
    *(void **)memory = memory;
    component_heap_start(&heap, (char *)memory + ADDRESS_BYTES, wanted);
    return caf_sync_all();
}

static bool is_in_heap(const void *address)
{
    const char *byte = address;
    return coarray && byte >= heap.start && byte < heap.start + heap.bytes;
}

bool component_is(const void *address)
{
    return coarray_holds(address) || is_in_heap(address);
}

int component_register(size_t bytes, bool allocate, void **token, struct descriptor *component)
{
    int code = coarray ? CAF_OK : start();
    if (code)
        return code;
    *token = NULL;
    if (!allocate)
        return CAF_OK;
    *token = component_heap_allocate(&heap, bytes);
    if (!*token)
        return caf_error(CAF_NO_MEMORY,
                         "ALLOCATE: the allocatable components of image %d have no room for %zu "
                         "bytes more within their %zu; set CAF_COMPONENTS to more",
                         runtime.image, bytes, heap.bytes);
    component->base = *token;
    return CAF_OK;
}

void component_deregister(void **token)
{
    if (coarray)
        component_heap_free(&heap, *token);
    *token = NULL;
}

int component_find(int image, const void *address, struct caf_coarray **found, size_t *offset)
{
    *found = NULL;
    if (!coarray)
        return CAF_OK;
    if (!base_of[image]) {
        int code = caf_get(&base_of[image], coarray, image, 0, sizeof *base_of);
        if (code)
            return code;
    }
    *offset = (size_t)((uintptr_t)address - (uintptr_t)base_of[image]);
    if (*offset >= ADDRESS_BYTES && *offset < caf_size(coarray))
        *found = coarray;
    return CAF_OK;
}
