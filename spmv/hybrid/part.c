#include "part.h"

#include <stdlib.h>

#include "common/error.h"

/* The columns of the other part: all others, since the matrix is cut in two. */
struct span {
    int64_t first, last;
};

static struct span other_columns(const struct spmv_coo *whole, int64_t first, int64_t count)
{
    return first > 0 ? (struct span){0, first} : (struct span){count, whole->columns};
}

/* Marks the columns that have an entry, and counts those within `span`. */
static int64_t mark_columns(int32_t *mark, const struct spmv_coo *coo, struct span span)
{
    int64_t marked = 0;
    for (int64_t k = 0; k < coo->entries; k++)
        mark[coo->column[k]] = 1;
    for (int64_t column = span.first; column < span.last; column++)
        marked += mark[column];
    return marked;
}

/* Turns the marks into places in the part's vector, and lists the halo. */
static void place_columns(struct hybrid_part *part, int32_t *place, int64_t first, struct span span)
{
    int64_t halo = 0;
    for (int64_t column = span.first; column < span.last; column++)
        if (place[column]) {
            part->halo_index[halo] = (int32_t)(column - span.first);
            place[column] = (int32_t)(part->halo_first + halo++);
        }
    for (int64_t i = 0; i < part->rows; i++)
        place[first + i] = (int32_t)(part->own_first + i);
}

static void lay_out(struct hybrid_part *part, bool halo_is_first)
{
    int64_t before = (part->halo + HYBRID_ALIGNMENT - 1) / HYBRID_ALIGNMENT * HYBRID_ALIGNMENT;
    part->own_first = halo_is_first ? before : 0;
    part->halo_first = halo_is_first ? 0 : part->rows;
    part->columns = part->rows + (halo_is_first ? before : part->halo);
}

/* place: a number for each column of the whole matrix, all 0. */
static enum dm_status renumber(struct hybrid_part *part, struct spmv_coo *coo,
                               const struct spmv_coo *whole, int64_t first, int32_t *place)
{
    struct span span = other_columns(whole, first, part->rows);
    part->halo = mark_columns(place, coo, span);
    lay_out(part, first > 0);
    if (part->columns > INT32_MAX)
        return dm_fail(DM_INVALID, "there is no room for a halo of %lld elements",
                       (long long)part->halo);
    part->halo_index = malloc(((size_t)part->halo + 1) * sizeof *part->halo_index);
    if (!part->halo_index)
        return dm_fail(DM_NO_MEMORY, "there is no memory for a halo of %lld elements",
                       (long long)part->halo);
    place_columns(part, place, first, span);
    for (int64_t k = 0; k < coo->entries; k++)
        coo->column[k] = place[coo->column[k]];
    coo->columns = part->columns;
    return DM_OK;
}

static enum dm_status open_part(struct hybrid_part *part, struct spmv_coo *coo,
                                const struct spmv_coo *whole, int64_t first)
{
    TRY(spmv_coo_rows(coo, whole, first, part->rows));
    int32_t *place = calloc((size_t)whole->columns, sizeof *place);
    if (!place)
        return dm_fail(DM_NO_MEMORY, "there is no memory for %lld columns",
                       (long long)whole->columns);
    enum dm_status status = renumber(part, coo, whole, first, place);
    free(place);
    return status;
}

enum dm_status hybrid_part_open(struct hybrid_part *part, struct spmv_coo *coo,
                                const struct spmv_coo *whole, int64_t first, int64_t count)
{
    *part = (struct hybrid_part){.rows = count};
    *coo = (struct spmv_coo){0};
    enum dm_status status = count > 0 ? open_part(part, coo, whole, first) : DM_OK;
    if (status != DM_OK) {
        spmv_coo_close(coo);
        hybrid_part_close(part);
    }
    return status;
}

void hybrid_part_close(struct hybrid_part *part)
{
    free(part->halo_index);
    *part = (struct hybrid_part){0};
}
