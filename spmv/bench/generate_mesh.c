#include "generate_internal.h"

/* Neighbours of a mesh point, in ascending order of columns, with their weights. */
struct stencil {
    int points;
    struct {
        int x, y, z;
        double weight;
    } point[27];
};

/* Points count along x, then y, then z; each has `unknowns` rows. */
struct mesh {
    int64_t nx, ny, nz;
    int64_t unknowns;
};

static int64_t mesh_rows(const struct mesh *mesh)
{
    return mesh->nx * mesh->ny * mesh->nz * mesh->unknowns;
}

static enum dm_status mesh_of(struct mesh *mesh, int64_t edge, int dimensions, int64_t unknowns)
{
    *mesh = (struct mesh){edge, edge, dimensions == 3 ? edge : 1, unknowns};
    int64_t maximum = INT32_MAX / unknowns;
    if (edge <= maximum / edge && mesh->nz <= maximum / (edge * edge))
        return DM_OK;
    return dm_fail(DM_INVALID,
                   "a mesh of %lld points along each of %d edges has more than 2^31 rows",
                   (long long)edge, dimensions);
}

/* The row's entries: every unknown of every neighbour inside the mesh. Beyond the boundary the
 * solution is zero (Dirichlet), so that nothing stands there. */
static enum dm_status add_row(struct spmv_coo *coo, const struct mesh *mesh,
                              const struct stencil *stencil, int64_t row, int64_t stored_row)
{
    int64_t node = row / mesh->unknowns;
    int64_t x = node % mesh->nx, y = node / mesh->nx % mesh->ny, z = node / mesh->nx / mesh->ny;
    for (int p = 0; p < stencil->points; p++) {
        int64_t px = x + stencil->point[p].x, py = y + stencil->point[p].y,
                pz = z + stencil->point[p].z;
        if (px < 0 || px >= mesh->nx || py < 0 || py >= mesh->ny || pz < 0 || pz >= mesh->nz)
            continue;
        int64_t column = ((pz * mesh->ny + py) * mesh->nx + px) * mesh->unknowns;
        for (int64_t u = 0; u < mesh->unknowns; u++)
            TRY(spmv_coo_add(coo, stored_row, column + u, stencil->point[p].weight));
    }
    return DM_OK;
}

static enum dm_status add_rows(struct spmv_coo *coo, const struct mesh *mesh,
                               const struct stencil *stencil, int64_t first, int64_t count)
{
    enum dm_status status =
        spmv_coo_open(coo, count, mesh_rows(mesh), count * stencil->points * mesh->unknowns);
    for (int64_t i = 0; status == DM_OK && i < count; i++)
        status = add_row(coo, mesh, stencil, first + i, i);
    if (status == DM_OK)
        status = spmv_coo_finish(coo);
    if (status != DM_OK)
        spmv_coo_close(coo);
    return status;
}

static void add_point(struct stencil *stencil, int x, int y, int z, double weight)
{
    int p = stencil->points++;
    stencil->point[p].x = x;
    stencil->point[p].y = y;
    stencil->point[p].z = z;
    stencil->point[p].weight = weight;
}

/* -laplace(u) + velocity . grad(u) by centred differences of width h, times h^2 / 12: then the
 * absolute values of an inner row add up to 1 and iterated products do not run away. */
static struct stencil pde_stencil(int64_t edge)
{
    const double velocity_x = 1, velocity_y = 0.5, velocity_z = 0.25;
    double h = 1 / (double)(edge + 1), neighbour = 1. / 12;
    double x = velocity_x * h / 2, y = velocity_y * h / 2, z = velocity_z * h / 2;
    struct stencil stencil = {0};
    add_point(&stencil, 0, 0, -1, -neighbour * (1 + z));
    add_point(&stencil, 0, -1, 0, -neighbour * (1 + y));
    add_point(&stencil, -1, 0, 0, -neighbour * (1 + x));
    add_point(&stencil, 0, 0, 0, 6 * neighbour);
    add_point(&stencil, 1, 0, 0, -neighbour * (1 - x));
    add_point(&stencil, 0, 1, 0, -neighbour * (1 - y));
    add_point(&stencil, 0, 0, 1, -neighbour * (1 - z));
    return stencil;
}

/* Minus the mean of the neighbours at most `reach` steps along edges away, and the point itself,
 * each with half of the weight. */
static struct stencil laplace_stencil(int dimensions, int reach)
{
    struct stencil stencil = {0};
    int depth = dimensions == 3 ? 1 : 0;
    for (int z = -depth; z <= depth; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++)
                if (x * x + y * y + z * z <= reach)
                    add_point(&stencil, x, y, z, -0.5);
    for (int p = 0; p < stencil.points; p++)
        stencil.point[p].weight /= stencil.points - 1;
    stencil.point[stencil.points / 2].weight = 0.5;
    return stencil;
}

enum dm_status sparse_generate_pde_rows(struct spmv_coo *coo, int64_t edge, int64_t first,
                                        int64_t count)
{
    struct mesh mesh;
    *coo = (struct spmv_coo){0};
    TRY(mesh_of(&mesh, edge, 3, 1));
    if (first < 0 || count < 1 || first > mesh_rows(&mesh) - count)
        return dm_fail(DM_INVALID, "rows %lld to %lld are not in a pde matrix of %lld",
                       (long long)first, (long long)(first + count - 1),
                       (long long)mesh_rows(&mesh));
    struct stencil stencil = pde_stencil(edge);
    return add_rows(coo, &mesh, &stencil, first, count);
}

static enum dm_status generate_laplace(struct spmv_coo *coo, int64_t edge, int dimensions,
                                       int reach)
{
    struct mesh mesh;
    struct stencil stencil = laplace_stencil(dimensions, reach);
    TRY(mesh_of(&mesh, edge, dimensions, 1));
    return add_rows(coo, &mesh, &stencil, 0, mesh_rows(&mesh));
}

enum dm_status sparse_generate_pde(struct spmv_coo *coo, int64_t size, double parameter,
                                   uint64_t seed)
{
    (void)parameter, (void)seed;
    struct mesh mesh;
    TRY(mesh_of(&mesh, size, 3, 1));
    return sparse_generate_pde_rows(coo, size, 0, mesh_rows(&mesh));
}

enum dm_status sparse_generate_point5(struct spmv_coo *coo, int64_t size, double parameter,
                                      uint64_t seed)
{
    (void)parameter, (void)seed;
    return generate_laplace(coo, size, 2, 1);
}

enum dm_status sparse_generate_point7(struct spmv_coo *coo, int64_t size, double parameter,
                                      uint64_t seed)
{
    (void)parameter, (void)seed;
    return generate_laplace(coo, size, 3, 1);
}

enum dm_status sparse_generate_point27(struct spmv_coo *coo, int64_t size, double parameter,
                                       uint64_t seed)
{
    (void)parameter, (void)seed;
    return generate_laplace(coo, size, 3, 3);
}

enum dm_status sparse_generate_fem(struct spmv_coo *coo, int64_t size, double parameter,
                                   uint64_t seed)
{
    (void)parameter;
    struct mesh mesh;
    struct stencil stencil = laplace_stencil(3, 3);
    TRY(mesh_of(&mesh, size, 3, 3));
    TRY(add_rows(coo, &mesh, &stencil, 0, mesh_rows(&mesh)));
    sparse_generate_values(coo, seed);
    return DM_OK;
}
