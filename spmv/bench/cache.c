#include "cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/gpu.h"
#include "common/harness/device.h"
#include "common/harness/exit.h"

/* What one of the files that describe cache `index` of the first core says. */
static bool read_file(int index, const char *name, char *text, int size)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
    FILE *file = fopen(path, "r");
    bool done = file && fgets(text, size, file);
    if (file)
        fclose(file);
    return done;
}

/* Cores in a list such as 0-7,64-71. */
static long count_cores(const char *list)
{
    long cores = 0;
    for (char *end; *list; list = *end == ',' ? end + 1 : "") {
        long first = strtol(list, &end, 10), last = first;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        cores += last - first + 1;
    }
    return cores > 0 ? cores : 1;
}

/* The largest index is the last level. The C library's sysconf is not asked first: on AMD it has
 * been seen to count one cache once per core. */
static size_t read_caches(void)
{
    char size[32], cores[256];
    int index = 0;
    while (read_file(index + 1, "size", size, sizeof size))
        index++;
    if (!read_file(index, "size", size, sizeof size) ||
        !read_file(index, "shared_cpu_list", cores, sizeof cores))
        return 0;
    long sharing = count_cores(cores), online = sysconf(_SC_NPROCESSORS_ONLN);
    return (size_t)strtoul(size, NULL, 10) * 1024 * (size_t)((online + sharing - 1) / sharing);
}

static size_t host_cache_bytes(void)
{
    size_t bytes = read_caches();
    if (bytes > 0)
        return bytes;
    long said = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return said > 0 ? (size_t)said : (size_t)32 << 20;
}

size_t spmv_cache_bytes(bool on_device)
{
#if defined(SOFTGPU)
    on_device = false; /* the software GPU has the CPU's caches */
#endif
    if (!on_device)
        return host_cache_bytes();
    int device;
    check_cuda(cudaGetDevice(&device));
    return (size_t)gpu_attribute(cudaDevAttrL2CacheSize, device);
}

size_t spmv_cache_turns(size_t bytes, bool on_device, size_t maximum)
{
    size_t turns = (2 * spmv_cache_bytes(on_device) + bytes - 1) / bytes;
    return turns < 1 ? 1 : turns > maximum ? maximum : turns;
}
