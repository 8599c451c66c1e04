#include "sparse_generate_internal.h"

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

static bool mesh_of(struct mesh *mesh, int64_t edge, int dimensions, int64_t unknowns,
                    struct sparse_error *error)
{
    *mesh = (struct mesh){edge, edge, dimensions == 3 ? edge : 1, unknowns};
    int64_t most = INT32_MAX / unknowns;
    if (edge <= most / edge && mesh->nz <= most / (edge * edge))
        return true;
    return sparse_refuse(error,
                         "a mesh of %lld points along each of %d edges has more than "
                         "2^31 rows",
                         (long long)edge, dimensions);
}

/* The row's entries: every unknown of every neighbour inside the mesh. Beyond the boundary the
 * solution is zero (Dirichlet), so that nothing stands there. */
static bool add_row(struct sparse_coo *coo, const struct mesh *mesh, const struct stencil *stencil,
                    int64_t row, int64_t stored_row, struct sparse_error *error)
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
            if (!sparse_coo_add(coo, stored_row, column + u, stencil->point[p].weight, error))
                return false;
    }
    return true;
}

static bool add_rows(struct sparse_coo *coo, const struct mesh *mesh, const struct stencil *stencil,
                     int64_t first, int64_t count, struct sparse_error *error)
{
    if (!sparse_coo_open(coo, count, mesh_rows(mesh), count * stencil->points * mesh->unknowns,
                         error))
        return false;
    bool done = true;
    for (int64_t i = 0; done && i < count; i++)
        done = add_row(coo, mesh, stencil, first + i, i, error);
    if (done && sparse_coo_finish(coo, error))
        return true;
    sparse_coo_close(coo);
    return false;
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

bool sparse_generate_pde_rows(struct sparse_coo *coo, int64_t edge, int64_t first, int64_t count,
                              struct sparse_error *error)
{
    struct mesh mesh;
    *coo = (struct sparse_coo){0};
    if (!mesh_of(&mesh, edge, 3, 1, error))
        return false;
    if (first < 0 || count < 1 || first > mesh_rows(&mesh) - count)
        return sparse_refuse(error, "rows %lld to %lld are not in a pde matrix of %lld",
                             (long long)first, (long long)(first + count - 1),
                             (long long)mesh_rows(&mesh));
    struct stencil stencil = pde_stencil(edge);
    return add_rows(coo, &mesh, &stencil, first, count, error);
}

static bool generate_laplace(struct sparse_coo *coo, int64_t edge, int dimensions, int reach,
                             struct sparse_error *error)
{
    struct mesh mesh;
    struct stencil stencil = laplace_stencil(dimensions, reach);
    return mesh_of(&mesh, edge, dimensions, 1, error) &&
           add_rows(coo, &mesh, &stencil, 0, mesh_rows(&mesh), error);
}

bool sparse_generate_pde(struct sparse_coo *coo, int64_t size, double parameter, uint64_t seed,
                         struct sparse_error *error)
{
    (void)parameter, (void)seed;
    struct mesh mesh;
    return mesh_of(&mesh, size, 3, 1, error) &&
           sparse_generate_pde_rows(coo, size, 0, mesh_rows(&mesh), error);
}

bool sparse_generate_point5(struct sparse_coo *coo, int64_t size, double parameter, uint64_t seed,
                            struct sparse_error *error)
{
    (void)parameter, (void)seed;
    return generate_laplace(coo, size, 2, 1, error);
}

bool sparse_generate_point7(struct sparse_coo *coo, int64_t size, double parameter, uint64_t seed,
                            struct sparse_error *error)
{
    (void)parameter, (void)seed;
    return generate_laplace(coo, size, 3, 1, error);
}

bool sparse_generate_point27(struct sparse_coo *coo, int64_t size, double parameter, uint64_t seed,
                             struct sparse_error *error)
{
    (void)parameter, (void)seed;
    return generate_laplace(coo, size, 3, 3, error);
}

bool sparse_generate_fem(struct sparse_coo *coo, int64_t size, double parameter, uint64_t seed,
                         struct sparse_error *error)
{
    (void)parameter;
    struct mesh mesh;
    struct stencil stencil = laplace_stencil(3, 3);
    if (!mesh_of(&mesh, size, 3, 3, error) ||
        !add_rows(coo, &mesh, &stencil, 0, mesh_rows(&mesh), error))
        return false;
    sparse_generate_values(coo, seed);
    return true;
}
