/* module_kernel.h: what a kernel module for the software GPU's driver tells of its kernels. A
 * module is a shared object with one variable, soft_module_kernels; modules.mk makes it from plain
 * CUDA files. Shared by the driver (C) and the modules (C++). */
#ifndef SOFT_MODULE_KERNEL_H
#define SOFT_MODULE_KERNEL_H

#include <stddef.h>

/* Arguments lie one after the other, each aligned to its type, as in CUDA's parameter buffers. */
struct module_parameter {
    size_t offset, bytes;
};

struct module_kernel {
    const char *name;
    size_t parameter_count;
    const struct module_parameter *parameters;
    size_t argument_bytes;
    void (*run_thread)(void *arguments); /* as in soft.h */
};

enum { MODULE_KERNELS_VERSION = 1 };

struct module_kernels {
    unsigned version;
    void (*prepare)(void); /* as in soft.h */
    size_t count;
    const struct module_kernel *kernels;
};

#ifdef __cplusplus
#include "device.h"

#include <utility>

template <class... Parameters> struct module_layout {
    static constexpr size_t count = sizeof...(Parameters);
    module_parameter parameters[count + 1] = {};
    size_t bytes = 0;

    constexpr module_layout()
    {
        constexpr size_t sizes[] = {sizeof(Parameters)..., 0};
        constexpr size_t alignments[] = {alignof(Parameters)..., 1};
        for (size_t i = 0; i < count; i++) {
            bytes = (bytes + alignments[i] - 1) / alignments[i] * alignments[i];
            parameters[i].offset = bytes;
            parameters[i].bytes = sizes[i];
            bytes += sizes[i];
        }
    }
};

template <auto kernel> struct module_entry;

template <class... Parameters, void (*kernel)(Parameters...)> struct module_entry<kernel> {
    static constexpr module_layout<Parameters...> layout{};

    template <size_t... i>
    static void run_all([[maybe_unused]] char *arguments, std::index_sequence<i...>)
    {
        do
            kernel(*reinterpret_cast<Parameters *>(arguments + layout.parameters[i].offset)...);
        while (soft_next_thread());
    }

    static void run_thread(void *arguments)
    {
        run_all(static_cast<char *>(arguments), std::index_sequence_for<Parameters...>());
    }

    static constexpr module_kernel describe(const char *name)
    {
        return {name, sizeof...(Parameters), layout.parameters, layout.bytes, run_thread};
    }
};

#define MODULE_KERNEL(kernel) module_entry<kernel>::describe(#kernel),

/* The C library gives an OS thread its part of a module (shared memory) at the first use. That must
 * not be in a CUDA thread: it calls malloc, and it is not for that CUDA thread alone.
 *
 * Aligned, because LeakSanitizer takes a part that begins 16 bytes behind the begin of a page for
 * one of an old C library, reads its bounds from the allocator's header, and crashes. */
alignas(64) static thread_local volatile char soft_module_part;
static void soft_module_prepare(void)
{
    soft_module_part = 1;
}

/* The list of kernels, each as MODULE_KERNEL(name), without commas. */
#define MODULE_KERNELS(list)                                                                       \
    static constexpr module_kernel soft_module_list[] = {list};                                    \
    extern "C" const module_kernels soft_module_kernels = {                                        \
        MODULE_KERNELS_VERSION, soft_module_prepare,                                               \
        sizeof soft_module_list / sizeof soft_module_list[0], soft_module_list};
#endif

#endif
