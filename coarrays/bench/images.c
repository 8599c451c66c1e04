#include "images.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
#include <mpi.h>

#include "common/harness/exit.h"

int images_nodes(void)
{
    return (int)images_sum(ranks.local_rank == 0);
}

long images_sum(long value)
{
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    return value;
}

void images_refuse(const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    /* The first image ends the job while the others wait here. */
    if (ranks.rank != 0)
        ranks.barrier();
    fail("%s", sentence);
}

void images_need_memory(double bytes, const char *what)
{
    double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double needed = bytes * ranks.local_count;
    if (ranks.max(needed / machine) > 0.5)
        images_refuse("%s: all variants together need %.3g GB, and the machine has "
                      "%.3g GB: choose "
                      "smaller sizes or fewer variants",
                      what, 1e-9 * needed, 1e-9 * machine);
}

void images_each_size(struct run *run, void (*measure_size)(struct run *run, size_t bytes))
{
    const struct settings *settings = &run->settings;
    for (size_t i = 0; i < settings->size_count; i++)
        if (settings->sizes[i] == 0 || settings->sizes[i] > 1 << 30)
            images_refuse("a size of %zu bytes: it must be 1 to 1G", settings->sizes[i]);
    caf_start(NULL, NULL);
    for (size_t i = 0; i < settings->size_count; i++)
        measure_size(run, settings->sizes[i]);
    caf_end();
}

bool images_load(struct run *run, const char *variant, struct kernels *kernels)
{
    if (!program_wants(run, variant))
        return false;
    *kernels = kernels_load("kernels", variant);
    if (!kernels->handle)
        record_waived(run, variant, kernels->reason);
    return kernels->handle != NULL;
}
