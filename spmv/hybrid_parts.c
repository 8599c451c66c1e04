#include "hybrid_parts.h"

#include <stdlib.h>

/* The columns of the other part: all others, since the matrix is cut in two. */
struct span {
    int64_t first, last;
};

static struct span other_columns(const struct sparse_coo *whole, int64_t first, int64_t count)
{
    return first > 0 ? (struct span){0, first} : (struct span){count, whole->columns};
}

/* Marks the columns that have an entry, and counts those within `span`. */
static int64_t mark_columns(int32_t *mark, const struct sparse_coo *coo, struct span span)
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

static bool renumber(struct hybrid_part *part, struct sparse_coo *coo,
                     const struct sparse_coo *whole, int64_t first, struct sparse_error *error)
{
    struct span span = other_columns(whole, first, part->rows);
    int32_t *place = calloc((size_t)whole->columns, sizeof *place);
    if (!place)
        return sparse_refuse(error, "there is no memory for %lld columns",
                             (long long)whole->columns);
    part->halo = mark_columns(place, coo, span);
    lay_out(part, first > 0);
    part->halo_index = malloc(((size_t)part->halo + 1) * sizeof *part->halo_index);
    bool fits = part->halo_index && part->columns <= INT32_MAX;
    if (fits) {
        place_columns(part, place, first, span);
        for (int64_t k = 0; k < coo->entries; k++)
            coo->column[k] = place[coo->column[k]];
        coo->columns = part->columns;
    }
    free(place);
    return fits || sparse_refuse(error, "there is no room for a halo of %lld elements",
                                 (long long)part->halo);
}

bool hybrid_part_open(struct hybrid_part *part, struct sparse_coo *coo,
                      const struct sparse_coo *whole, int64_t first, int64_t count,
                      struct sparse_error *error)
{
    *part = (struct hybrid_part){.rows = count};
    *coo = (struct sparse_coo){0};
    if (count == 0)
        return true;
    if (sparse_coo_rows(coo, whole, first, count, error) &&
        renumber(part, coo, whole, first, error))
        return true;
    sparse_coo_close(coo);
    hybrid_part_close(part);
    return false;
}

void hybrid_part_close(struct hybrid_part *part)
{
    free(part->halo_index);
    *part = (struct hybrid_part){0};
}
