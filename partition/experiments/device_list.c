#include "device_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/partition.h>

#include "common/gpu.h"
#include "common/harness/exit.h"
#include "common/harness/record.h"

/* Powers of two below `there`, and `there`. */
static struct option_numbers all_devices(long there)
{
    struct option_numbers numbers = {.values = allocate_or_fail(64, sizeof(long))};
    for (long devices = 1; devices < there; devices *= 2)
        numbers.values[numbers.count++] = devices;
    numbers.values[numbers.count++] = there;
    return numbers;
}

static struct option_numbers one_number(long number)
{
    struct option_numbers numbers = {.values = allocate_or_fail(1, sizeof(long)), .count = 1};
    numbers.values[0] = number;
    return numbers;
}

struct option_numbers device_list_read(struct run *run, const char *variant, const char *list)
{
    int there = 0;
    check_cuda(cudaGetDeviceCount(&there));
    if (there > PARTITION_MAX_DEVICES)
        there = PARTITION_MAX_DEVICES;
    if (strcmp(list, "all") == 0)
        return all_devices(there);
    if (strcmp(list, "most") == 0)
        return one_number(there);
    struct option_numbers numbers = option_read_numbers("devices", list, 1, PARTITION_MAX_DEVICES);
    size_t kept = 0;
    for (size_t i = 0; i < numbers.count; i++) {
        char missing[64];
        snprintf(missing, sizeof missing, "%ld devices are wanted, %d %s there", numbers.values[i],
                 there, there == 1 ? "is" : "are");
        if (numbers.values[i] <= there)
            numbers.values[kept++] = numbers.values[i];
        else
            record_waived(run, variant, missing);
    }
    numbers.count = kept;
    return numbers;
}

void device_list_start(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifdef SOFTGPU
    setenv("SOFTGPU_DEVICES", "16", 0);
#endif
}
