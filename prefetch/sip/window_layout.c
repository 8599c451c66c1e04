#include "prefetch/sip/window_layout.h"

#include <stdlib.h>

#include "common/error.h"
#include "prefetch/sip/transport.h"

enum { LINE = 64 };
_Static_assert(sizeof(struct window_header) == LINE, "data start at a cache line");

/* False: the array does not belong into a window, or does not fit into what is left. */
static bool fits(const struct transport_array *array, int servers, size_t left,
                 struct window_place *place)
{
    size_t total;
    if (!array->remote || array->served || array->blocks <= 0 || array->elements > left / LINE * 8)
        return false;
    size_t data = array->elements * sizeof(double);
    place->slots = (array->blocks - 1) / servers + 1;
    place->slot_bytes = LINE + (data + LINE - 1) / LINE * LINE;
    return !__builtin_mul_overflow((size_t)place->slots, place->slot_bytes, &total) &&
           total <= left;
}

enum dm_status window_layout_create(struct window_layout *layout,
                                    const struct transport_array *arrays, int array_count,
                                    int servers, size_t max_bytes)
{
    *layout = (struct window_layout){.servers = servers, .array_count = array_count};
    layout->places = calloc((size_t)array_count + 1, sizeof *layout->places);
    if (!layout->places)
        return error_no_memory(((size_t)array_count + 1) * sizeof *layout->places);
    for (int i = 0; i < array_count; i++) {
        struct window_place place = {.first = layout->bytes};
        if (!fits(&arrays[i], servers, max_bytes - layout->bytes, &place))
            continue;
        layout->places[i] = place;
        layout->bytes += (size_t)place.slots * place.slot_bytes;
    }
    return DM_OK;
}

void window_layout_destroy(struct window_layout *layout)
{
    free(layout->places);
    *layout = (struct window_layout){0};
}

bool window_layout_find(const struct window_layout *layout, struct block_id id, size_t *offset)
{
    if (id.array < 0 || id.array >= layout->array_count)
        return false;
    const struct window_place *place = &layout->places[id.array];
    if (id.number / layout->servers >= place->slots)
        return false;
    *offset = place->first + (size_t)(id.number / layout->servers) * place->slot_bytes;
    return true;
}
