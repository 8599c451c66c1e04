/* launch.h: how a program launches a kernel on the software GPU.
 *
 *   dm_launch(kernel, grid, block, shared_bytes, stream, arguments...);
 *   dm_launch_cooperative(kernel, grid, block, shared_bytes, stream, arguments...);
 *
 * is kernel<<<grid, block, shared_bytes, stream>>>(arguments...); the second one keeps all blocks
 * alive at the same time, so that this_grid().sync() works. grid and block are integers or dim3.
 * The arguments are converted to the kernel's parameter types and copied. The kernel is named, not
 * a pointer variable: a template argument is what lets the compiler inline the body into the loop
 * over the CUDA threads. A template with several arguments goes into parentheses:
 * dm_launch((scale<float, 4>), ...). */
#ifndef SOFT_LAUNCH_H
#define SOFT_LAUNCH_H

#include "device.h"
#include "execution.h"

#include <tuple>
#include <utility>

template <auto kernel> struct soft_launcher;

template <class... Parameters, void (*kernel)(Parameters...)> struct soft_launcher<kernel> {
    using arguments = std::tuple<Parameters...>;

    template <size_t... i>
    static void run_all([[maybe_unused]] const arguments &values, std::index_sequence<i...>)
    {
        do
            kernel(std::get<i>(values)...);
        while (soft_next_thread());
    }

    static void run_thread(void *bound)
    {
        run_all(*static_cast<const arguments *>(bound), std::index_sequence_for<Parameters...>());
    }

    static void release(void *bound)
    {
        delete static_cast<arguments *>(bound);
    }

    /* Errors are left for cudaGetLastError(), as after <<<>>>. */
    static void start(const char *name, bool cooperative, dim3 grid, dim3 block,
                      size_t shared_bytes, void *stream, Parameters... values)
    {
        soft_kernel bound = {name,
                             run_thread,
                             release,
                             new arguments(values...),
                             {grid.x, grid.y, grid.z},
                             {block.x, block.y, block.z},
                             shared_bytes,
                             cooperative,
                             {},
                             nullptr};
        soft_launch(&bound, stream);
    }
};

#define dm_launch(kernel, grid, block, ...)                                                        \
    soft_launcher<kernel>::start(#kernel, false, grid, block, __VA_ARGS__)
#define dm_launch_cooperative(kernel, grid, block, ...)                                            \
    soft_launcher<kernel>::start(#kernel, true, grid, block, __VA_ARGS__)

#endif
