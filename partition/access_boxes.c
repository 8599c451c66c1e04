/* access_boxes.c: a set in pieces, each by the way that fits it.
 *
 * Most pieces are boxes, also with strides: nothing is listed until all boxes are known. Others go
 * row by row, which takes each row to be contiguous. A piece whose description needs divisions may
 * have gaps in its rows; of a write then every element is listed, whatever the method. */
#include <stdlib.h>

#include "common/error.h"

#include "access_internal.h"

struct pieces {
    struct access_target *target;
    enum partition_access method;
    struct access_box_list *boxes;
    enum dm_status status;
};

enum dm_status access_keep_box(struct access_box_list *boxes, const struct access_box *box)
{
    if (boxes->count == boxes->capacity) {
        size_t capacity = boxes->capacity ? 2 * boxes->capacity : 16;
        struct access_box *items = realloc(boxes->items, capacity * sizeof *items);
        if (!items)
            return error_no_memory(capacity * sizeof *items);
        boxes->items = items;
        boxes->capacity = capacity;
    }
    boxes->items[boxes->count++] = *box;
    return DM_OK;
}

static enum dm_status take_set(const struct pieces *pieces, isl_set *set, bool may_have_gaps)
{
    struct access_target *target = pieces->target;
    bool list_elements = target->write && may_have_gaps;
    struct access_box box;
    if ((pieces->method == PARTITION_BOXES || list_elements) &&
        access_is_box(set, target->dims, target->write, &box)) {
        isl_set_free(set);
        return access_keep_box(pieces->boxes, &box);
    }
    if (list_elements)
        return access_by_elements(target, set);
    if (pieces->method == PARTITION_POINTS)
        return access_by_points(target, set);
    return access_by_rows(target, set);
}

static isl_stat take_piece(isl_basic_set *piece, void *context)
{
    bool may_have_gaps = isl_basic_set_dim(piece, isl_dim_div) != 0;
    struct pieces *pieces = context;
    pieces->status = take_set(pieces, isl_set_from_basic_set(piece), may_have_gaps);
    return pieces->status == DM_OK ? isl_stat_ok : isl_stat_error;
}

enum dm_status access_by_pieces(struct access_target *target, isl_set *set,
                                enum partition_access method, struct access_box_list *boxes)
{
    struct pieces pieces = {target, method, boxes, DM_OK};
    set = isl_set_coalesce(set);
    bool good = isl_set_foreach_basic_set(set, take_piece, &pieces) == isl_stat_ok;
    isl_set_free(set);
    return good || pieces.status != DM_OK ? pieces.status : access_too_complicated();
}
