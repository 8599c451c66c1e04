/* oracle_lifted.c: part of each module of the oracle that is made of PTX: what lifted kernels see
 * of CUDA, and the list of them. ORACLE_LIST names a file with a line ORACLE_KERNEL(NAME) for each.
 *
 * Threads run one after another, and barriers do nothing, as in oracle_cuda.h. */
#include "oracle_module.h"

static struct oracle_triple thread, block, block_size, grid_size;
extern oracle_access *oracle_accessed;

static int member(const struct oracle_triple *of, int dimension)
{
    return (int)(dimension == 0 ? of->x : dimension == 1 ? of->y : of->z);
}

int partition_thread(int dimension);
int partition_block(int dimension);
int partition_block_size(int dimension);
int partition_grid_size(int dimension);
void partition_barrier(void);
int lift_shuffle(int own, int by);
long long lift_clock(int where);

int partition_thread(int dimension)
{
    return member(&thread, dimension);
}

int partition_block(int dimension)
{
    return member(&block, dimension);
}

int partition_block_size(int dimension)
{
    return member(&block_size, dimension);
}

int partition_grid_size(int dimension)
{
    return member(&grid_size, dimension);
}

void partition_barrier(void)
{
}

/* A thread that is alone in its warp has its own value. */
int lift_shuffle(int own, int by)
{
    (void)by;
    return own;
}

/* Time goes on, so that loops that wait end. */
long long lift_clock(int where)
{
    enum { STEP = 1000 };
    static long long now;
    (void)where;
    return now += STEP;
}

#define ORACLE_KERNEL(name) void lift_call_##name(void **arguments);
#include ORACLE_LIST
#undef ORACLE_KERNEL

#define ORACLE_KERNEL(name) {#name, lift_call_##name},
static const struct oracle_kernel kernels[] = {
#include ORACLE_LIST
    {0, 0}};

const struct oracle_module oracle_module = {kernels,     &thread,    &block,
                                            &block_size, &grid_size, &oracle_accessed};
