#include "images.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
#include <mpi.h>

#include "common/harness/exit.h"

int images_nodes(void)
{
    static int nodes;
    if (nodes == 0)
        nodes = (int)images_sum(ranks.local_rank == 0);
    return nodes;
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

void images_need(const struct run *run, int count)
{
    if (ranks.count < count)
        images_refuse("%s needs %d or more images, and there is %d: start it with mpirun -np %d",
                      run->program->name, count, ranks.count, count);
}

size_t images_largest_size(const struct run *run, const char *what, size_t limit)
{
    size_t largest = 0;
    for (size_t i = 0; i < run->settings.size_count; i++)
        largest = run->settings.sizes[i] > largest ? run->settings.sizes[i] : largest;
    if (largest > limit)
        images_refuse("%s of %zu %s is too large: the largest is %zu", what, largest,
                      run->program->size_unit, limit);
    return largest;
}

void images_need_memory(double bytes, const char *what)
{
    double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double needed = bytes * ranks.local_count;
    if (ranks.max(needed / machine) > 0.5)
        images_refuse("%s: all variants together need %.3g GB, and the machine has "
                      "%.3g GB: choose smaller sizes or fewer variants",
                      what, 1e-9 * needed, 1e-9 * machine);
}

void images_each_size(struct run *run, void (*measure_size)(struct run *run, size_t bytes))
{
    const struct settings *settings = &run->settings;
    images_largest_size(run, "a block", 1 << 30);
    check_status(caf_start(NULL, NULL));
    for (size_t i = 0; i < settings->size_count; i++)
        measure_size(run, settings->sizes[i]);
    check_status(caf_end());
}

void images_load(struct run *run, const char *group, struct kernels *kernels)
{
    static unsigned long waived;
    for (int v = 0; run->program->variants[v].name; v++) {
        const char *variant = run->program->variants[v].name;
        kernels[v] = (struct kernels){.variant = variant};
        if (!program_wants_variant(run, v) || !kernels_exist(group, variant))
            continue;
        kernels[v] = kernels_load(group, variant);
        if (!kernels[v].handle && !(waived >> v & 1))
            record_waived(run, variant, kernels[v].reason);
        waived |= (unsigned long)!kernels[v].handle << v;
    }
}

void images_unload(const struct run *run, struct kernels *kernels)
{
    for (int v = 0; run->program->variants[v].name; v++)
        kernels_unload(&kernels[v]);
}
