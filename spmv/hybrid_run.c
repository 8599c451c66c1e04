#include <omp.h>

#include "common/clock.h"
#include "common/harness/exit.h"

#include "hybrid_internal.h"

/* Events that only time a product take time themselves, so few products are timed. */
enum { TIMED_EVERY = 8 };

static void multiply_cpu(struct hybrid *hybrid)
{
    double start_s = clock_now_s();
    sparse_multiply(&hybrid->cpu, 1, hybrid->host[hybrid->turn], 0, hybrid->host[!hybrid->turn]);
    hybrid->cpu_s += clock_now_s() - start_s;
}

static void launch_gpu(struct hybrid *hybrid)
{
    sparse_multiply_device(&hybrid->gpu, 1, hybrid->device[hybrid->turn], 0,
                           hybrid_own(hybrid, hybrid->device[!hybrid->turn], &hybrid->gpu_part),
                           hybrid->stream);
}

static double elapsed_s(const struct hybrid *hybrid)
{
    float elapsed_ms;
    check_cuda(cudaEventElapsedTime(&elapsed_ms, hybrid->begin, hybrid->end));
    return 1e-3 * elapsed_ms;
}

static void run_gpu_alone(struct hybrid *hybrid, int times)
{
    check_cuda(cudaEventRecord(hybrid->begin, hybrid->stream));
    for (int i = 0; i < times; i++, hybrid->turn = !hybrid->turn)
        launch_gpu(hybrid);
    check_cuda(cudaEventRecord(hybrid->end, hybrid->stream));
    check_cuda(cudaStreamSynchronize(hybrid->stream));
    hybrid->gpu_s += elapsed_s(hybrid);
}

static void run_cpu_alone(struct hybrid *hybrid, int times)
{
    for (int i = 0; i < times; i++, hybrid->turn = !hybrid->turn)
        multiply_cpu(hybrid);
}

/* Product k on both. `done[!turn]` is that of product k - 1, `done[turn]` that of k - 2, which read
 * the vector whose halo is written now. */
static void step(struct hybrid *hybrid, bool timed)
{
    int turn = hybrid->turn;
    struct hybrid_link *from_device = &hybrid->from_device, *to_device = &hybrid->to_device;

    hybrid_link_send(from_device, hybrid->device[turn], hybrid->host[turn], hybrid->done[!turn],
                     timed);
    hybrid_link_wait(to_device); /* of product k - 1, which this one overwrites */
    hybrid_link_send(to_device, hybrid->host[turn], hybrid->device[turn], hybrid->done[turn],
                     timed);
    if (to_device->count > 0)
        check_cuda(cudaStreamWaitEvent(hybrid->stream, to_device->sent, 0));
    if (timed)
        check_cuda(cudaEventRecord(hybrid->begin, hybrid->stream));
    launch_gpu(hybrid);
    if (timed)
        check_cuda(cudaEventRecord(hybrid->end, hybrid->stream));
    check_cuda(cudaEventRecord(hybrid->done[turn], hybrid->stream));
    hybrid_link_wait(from_device);
    multiply_cpu(hybrid);
    hybrid->turn = !turn;
}

static void add_times(struct hybrid *hybrid)
{
    check_cuda(cudaEventSynchronize(hybrid->end));
    double to_s = hybrid_link_time(&hybrid->to_device);
    double from_s = hybrid_link_time(&hybrid->from_device);
    hybrid->gpu_s += elapsed_s(hybrid);
    hybrid->exchange_s += to_s > from_s ? to_s : from_s;
}

static void run_both(struct hybrid *hybrid, int times)
{
    int timed = 0;
    for (int i = 0; i < times; i++) {
        step(hybrid, i % TIMED_EVERY == 0);
        if (i % TIMED_EVERY == TIMED_EVERY - 1 || i == times - 1) {
            add_times(hybrid);
            timed++;
        }
    }
    check_cuda(cudaStreamSynchronize(hybrid->stream));
    hybrid_link_wait(&hybrid->to_device);
    hybrid->gpu_s *= (double)times / timed;
    hybrid->exchange_s *= (double)times / timed;
}

void hybrid_run(struct hybrid *hybrid, int times, int threads)
{
    int usual_threads = omp_get_max_threads();
    omp_set_num_threads(threads);
    hybrid->cpu_s = hybrid->gpu_s = hybrid->exchange_s = 0;
    if (hybrid->gpu_part.rows == 0)
        run_cpu_alone(hybrid, times);
    else if (hybrid->cpu_part.rows == 0)
        run_gpu_alone(hybrid, times);
    else
        run_both(hybrid, times);
    hybrid->cpu_s /= times;
    hybrid->gpu_s /= times;
    hybrid->exchange_s /= times;
    omp_set_num_threads(usual_threads);
}
