/* Gravity between N particles, explicit Euler steps: all velocities, then all positions. */

/* As the thesis prints it: epsilon is added after the division, and N is a multiple of the block.
 */
extern "C" __global__ void update_velocities(const float *masses, const float *pos_x,
                                             const float *pos_y, const float *pos_z, float *vel_x,
                                             float *vel_y, float *vel_z, float dt, float epsilon,
                                             int N)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float sum_x = 0, sum_y = 0, sum_z = 0;
    for (int j = 0; j < N; j++) {
        float dx = pos_x[j] - pos_x[id];
        float dy = pos_y[j] - pos_y[id];
        float dz = pos_z[j] - pos_z[id];
        float norm = dx * dx;
        norm += dy * dy;
        norm += dz * dz;
        norm = sqrtf(norm);
        norm = norm * norm * norm;
        norm = norm == 0 ? 0 : 1.0f / norm + epsilon;
        norm *= masses[j];
        sum_x += norm * dx;
        sum_y += norm * dy;
        sum_z += norm * dz;
    }
    vel_x[id] += sum_x * dt;
    vel_y[id] += sum_y * dt;
    vel_z[id] += sum_z * dt;
}

/* Epsilon where it softens: the force at close encounters is bounded. */
extern "C" __global__ void update_velocities_soft(const float *masses, const float *pos_x,
                                                  const float *pos_y, const float *pos_z,
                                                  float *vel_x, float *vel_y, float *vel_z,
                                                  float dt, float epsilon, int N)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= N)
        return;
    float sum_x = 0, sum_y = 0, sum_z = 0;
    for (int j = 0; j < N; j++) {
        float dx = pos_x[j] - pos_x[id];
        float dy = pos_y[j] - pos_y[id];
        float dz = pos_z[j] - pos_z[id];
        float square = dx * dx + dy * dy + dz * dz + epsilon * epsilon;
        float weight = masses[j] / (square * sqrtf(square));
        sum_x += weight * dx;
        sum_y += weight * dy;
        sum_z += weight * dz;
    }
    vel_x[id] += sum_x * dt;
    vel_y[id] += sum_y * dt;
    vel_z[id] += sum_z * dt;
}

extern "C" __global__ void update_positions(float *pos_x, float *pos_y, float *pos_z,
                                            const float *vel_x, const float *vel_y,
                                            const float *vel_z, float dt, int N)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < N) {
        pos_x[id] += vel_x[id] * dt;
        pos_y[id] += vel_y[id] * dt;
        pos_z[id] += vel_z[id] * dt;
    }
}
