#include <omp.h>

#include "common/clock.h"
#include "common/error_cuda.h"

#include "hybrid.h"

/* Events that only time a product take time themselves, so few products are timed. */
enum { TIMED_EVERY = 8 };

static enum dm_status multiply_cpu(struct spmv_hybrid *hybrid)
{
    double start_s = clock_now_s();
    TRY(spmv_multiply(&hybrid->cpu, 1, hybrid->host[hybrid->turn], 0, hybrid->host[!hybrid->turn]));
    hybrid->cpu_s += clock_now_s() - start_s;
    return DM_OK;
}

static enum dm_status launch_gpu(struct spmv_hybrid *hybrid)
{
    return spmv_multiply_device(
        &hybrid->gpu, 1, hybrid->device[hybrid->turn], 0,
        hybrid_own(hybrid, hybrid->device[!hybrid->turn], &hybrid->gpu_part), hybrid->stream);
}

static enum dm_status add_elapsed(struct spmv_hybrid *hybrid)
{
    float elapsed_ms;
    TRY_CUDA(cudaEventElapsedTime(&elapsed_ms, hybrid->begin, hybrid->end));
    hybrid->gpu_s += 1e-3 * elapsed_ms;
    return DM_OK;
}

static enum dm_status run_gpu_alone(struct spmv_hybrid *hybrid, int times)
{
    TRY_CUDA(cudaEventRecord(hybrid->begin, hybrid->stream));
    for (int i = 0; i < times; i++, hybrid->turn = !hybrid->turn)
        TRY(launch_gpu(hybrid));
    TRY_CUDA(cudaEventRecord(hybrid->end, hybrid->stream));
    TRY_CUDA(cudaStreamSynchronize(hybrid->stream));
    return add_elapsed(hybrid);
}

static enum dm_status run_cpu_alone(struct spmv_hybrid *hybrid, int times)
{
    for (int i = 0; i < times; i++, hybrid->turn = !hybrid->turn)
        TRY(multiply_cpu(hybrid));
    return DM_OK;
}

/* Product k on both. `done[!turn]` is that of product k - 1, `done[turn]` that of k - 2, which read
 * the vector whose halo is written now. */
static enum dm_status step(struct spmv_hybrid *hybrid, bool timed)
{
    int turn = hybrid->turn;
    struct hybrid_link *from_device = &hybrid->from_device, *to_device = &hybrid->to_device;

    TRY(hybrid_link_send(from_device, hybrid->device[turn], hybrid->host[turn], hybrid->done[!turn],
                         timed));
    TRY(hybrid_link_wait(to_device)); /* of product k - 1, which this one overwrites */
    TRY(hybrid_link_send(to_device, hybrid->host[turn], hybrid->device[turn], hybrid->done[turn],
                         timed));
    if (to_device->count > 0)
        TRY_CUDA(cudaStreamWaitEvent(hybrid->stream, to_device->sent, 0));
    if (timed)
        TRY_CUDA(cudaEventRecord(hybrid->begin, hybrid->stream));
    TRY(launch_gpu(hybrid));
    if (timed)
        TRY_CUDA(cudaEventRecord(hybrid->end, hybrid->stream));
    TRY_CUDA(cudaEventRecord(hybrid->done[turn], hybrid->stream));
    TRY(hybrid_link_wait(from_device));
    TRY(multiply_cpu(hybrid));
    hybrid->turn = !turn;
    return DM_OK;
}

static enum dm_status add_times(struct spmv_hybrid *hybrid)
{
    double to_s, from_s;
    TRY_CUDA(cudaEventSynchronize(hybrid->end));
    TRY(hybrid_link_time(&hybrid->to_device, &to_s));
    TRY(hybrid_link_time(&hybrid->from_device, &from_s));
    hybrid->exchange_s += to_s > from_s ? to_s : from_s;
    return add_elapsed(hybrid);
}

static enum dm_status run_both(struct spmv_hybrid *hybrid, int times)
{
    int timed = 0;
    for (int i = 0; i < times; i++) {
        TRY(step(hybrid, i % TIMED_EVERY == 0));
        if (i % TIMED_EVERY == TIMED_EVERY - 1 || i == times - 1) {
            TRY(add_times(hybrid));
            timed++;
        }
    }
    TRY_CUDA(cudaStreamSynchronize(hybrid->stream));
    TRY(hybrid_link_wait(&hybrid->to_device));
    hybrid->gpu_s *= (double)times / timed;
    hybrid->exchange_s *= (double)times / timed;
    return DM_OK;
}

enum dm_status spmv_hybrid_run(struct spmv_hybrid *hybrid, int times, int threads)
{
    int usual_threads = omp_get_max_threads();
    omp_set_num_threads(threads);
    hybrid->cpu_s = hybrid->gpu_s = hybrid->exchange_s = 0;
    enum dm_status status = hybrid->gpu_part.rows == 0   ? run_cpu_alone(hybrid, times)
                            : hybrid->cpu_part.rows == 0 ? run_gpu_alone(hybrid, times)
                                                         : run_both(hybrid, times);
    hybrid->cpu_s /= times;
    hybrid->gpu_s /= times;
    hybrid->exchange_s /= times;
    omp_set_num_threads(usual_threads);
    return status;
}
