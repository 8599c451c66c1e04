#include "index_list.h"

#include "common/harness/exit.h"
#include "common/random.h"

/* Nodes on the surface of a cube with that many nodes along an edge. */
static int64_t surface(int64_t edge)
{
    int64_t inner = edge > 2 ? edge - 2 : 0;
    return edge * edge * edge - inner * inner * inner;
}

static int64_t edge_of(int64_t count)
{
    int64_t edge = 1;
    while (surface(edge) < count)
        edge++;
    return edge;
}

int64_t spmv_index_range(enum spmv_order order, int64_t count, int64_t spread)
{
    int64_t edge = edge_of(count);
    return order == SPMV_HALO ? edge * edge * edge : count * spread;
}

/* The first `count` nodes of the surface: of inner lines both ends, of others all nodes. */
static void list_surface(int32_t *index, int64_t count)
{
    int64_t edge = edge_of(count), i = 0;
    for (int64_t line = 0; i < count; line++) {
        int64_t y = line % edge, z = line / edge;
        bool is_inner = y > 0 && y < edge - 1 && z > 0 && z < edge - 1;
        for (int64_t x = 0; x < edge && i < count; x += is_inner ? edge - 1 : 1)
            index[i++] = (int32_t)(line * edge + x);
    }
}

static void list_sorted(int32_t *index, int64_t count, int64_t spread, uint64_t seed)
{
    for (int64_t i = 0; i < count; i++)
        index[i] =
            (int32_t)(i * spread + (int64_t)random_below(seed, (uint64_t)i, (uint64_t)spread));
}

/* Fisher and Yates. */
static void shuffle(int32_t *index, int64_t count, uint64_t seed)
{
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = (int64_t)random_below(seed, (uint64_t)i, (uint64_t)i + 1);
        int32_t swapped = index[i];
        index[i] = index[j];
        index[j] = swapped;
    }
}

struct spmv_index_list spmv_index_list_open(enum spmv_order order, int64_t count, int64_t spread,
                                            uint64_t seed)
{
    struct spmv_index_list list = {.count = count, .range = spmv_index_range(order, count, spread)};
    list.index = allocate_or_fail((unsigned long)count, sizeof *list.index);
    if (order == SPMV_HALO)
        list_surface(list.index, count);
    else
        list_sorted(list.index, count, spread, seed);
    if (order == SPMV_RANDOM)
        shuffle(list.index, count, seed + 1);
    return list;
}
