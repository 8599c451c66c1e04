#include "placement.h"

#include <ctype.h>
#include <dirent.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/gpu.h"

#include "exit.h"
#include "ranks.h"

enum { CPUS_MAX = CPU_SETSIZE, NODES_MAX = 1 << 10, JOB_NODES_MAX = 4096 };

/* ---- this rank ---- */

/* The CPUs of a list such as 0-3,8-11. */
static cpu_set_t listed(const char *list)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const char *at = list; isdigit((unsigned char)*at);) {
        char *end;
        long first = strtol(at, &end, 10), last = first;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        for (long cpu = first; cpu <= last && cpu < CPUS_MAX; cpu++)
            CPU_SET((size_t)cpu, &set);
        at = *end == ',' ? end + 1 : end;
    }
    return set;
}

/* Whether the list has all usable CPUs. */
static bool list_has_all(const char *list, const unsigned char *is_usable, int cpus)
{
    const cpu_set_t set = listed(list);
    for (int cpu = 0; cpu < cpus; cpu++)
        if (is_usable[cpu] && !CPU_ISSET((size_t)cpu, &set))
            return false;
    return true;
}

/* The first line of a file; empty if it cannot be read. */
static void read_first_line(const char *path, char *line, int bytes)
{
    FILE *file = fopen(path, "r");
    line[0] = '\0';
    if (!file)
        return;
    if (!fgets(line, bytes, file))
        line[0] = '\0';
    fclose(file);
}

int placement_node(const char *folder, const unsigned char *is_usable, int cpus)
{
    const char *nodes = folder ? folder : "/sys/devices/system/node";
    int found = -1;
    DIR *directory = opendir(nodes);
    for (struct dirent *entry; directory && found < 0 && (entry = readdir(directory));) {
        char path[1024], list[4096];
        if (strncmp(entry->d_name, "node", 4) != 0 || !isdigit((unsigned char)entry->d_name[4]))
            continue;
        snprintf(path, sizeof path, "%s/%.64s/cpulist", nodes, entry->d_name);
        read_first_line(path, list, sizeof list);
        if (*list && list_has_all(list, is_usable, cpus))
            found = atoi(entry->d_name + 4);
    }
    if (directory)
        closedir(directory);
    return found < NODES_MAX ? found : -1;
}

/* What a file of a GPU in the folder of PCI devices (NULL: this machine's) says; empty if nothing.
 * A PCI address of the software GPU is made up: on this machine something else may have it. */
static void read_of_gpu(const char *devices, int device, const char *file, char *line, int bytes)
{
    char pci[32], path[1024];
    line[0] = '\0';
    if (!devices && strcmp(GPU_KIND, "cuda") != 0)
        return;
    if (device < 0 || cudaDeviceGetPCIBusId(pci, sizeof pci, device) != cudaSuccess)
        return;
    for (char *c = pci; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    snprintf(path, sizeof path, "%s/%s/%s", devices ? devices : "/sys/bus/pci/devices", pci, file);
    read_first_line(path, line, bytes);
}

static int gpu_node(int device)
{
    char text[32];
    read_of_gpu(NULL, device, "numa_node", text, sizeof text);
    const int node = *text ? atoi(text) : -1;
    return node < NODES_MAX ? node : -1;
}

void placement_bind(const char *devices, int device)
{
    char list[4096];
    cpu_set_t allowed, near;
    read_of_gpu(devices, device, "local_cpulist", list, sizeof list);
    if (!*list || sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    near = listed(list);
    CPU_AND(&near, &near, &allowed);
    if (CPU_COUNT(&near) == 0 || CPU_EQUAL(&near, &allowed))
        return;
    /* Threads that MPI, the driver and OpenBLAS have started already. */
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *entry; threads && (entry = readdir(threads));)
        if (isdigit((unsigned char)entry->d_name[0]))
            sched_setaffinity(atoi(entry->d_name), sizeof near, &near);
    if (threads)
        closedir(threads);
}

static struct placement own_placement(int device)
{
    cpu_set_t set;
    unsigned char is_usable[CPUS_MAX] = {0};
    struct placement placement = {0, -1, gpu_node(device)};
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return placement;
    placement.cpus = CPU_COUNT(&set);
    for (int cpu = 0; cpu < CPUS_MAX; cpu++)
        is_usable[cpu] = CPU_ISSET(cpu, &set) != 0;
    placement.numa_node = placement_node(NULL, is_usable, CPUS_MAX);
    return placement;
}

/* ---- all ranks ---- */

/* A placement as one number, which ranks.max carries to all: 10 bits for each node from -1 on. */
static double pack(struct placement placement)
{
    return ((double)placement.cpus * 2 * NODES_MAX + placement.numa_node + 1) * 2 * NODES_MAX +
           placement.gpu_numa_node + 1;
}

static struct placement unpack(double number)
{
    const int64_t packed = (int64_t)number, base = 2 * NODES_MAX;
    return (struct placement){(int)(packed / base / base), (int)(packed / base % base) - 1,
                              (int)(packed % base) - 1};
}

struct placement *placement_gather(int device)
{
    struct placement *all = allocate_or_fail((unsigned long)ranks.count, sizeof *all);
    const double own = pack(own_placement(device));
    for (int rank = 0; rank < ranks.count; rank++)
        all[rank] = unpack(ranks.max(rank == ranks.rank ? own : -1.0));
    return all;
}

void placement_write(struct json *json, const struct placement *placements, int count)
{
    json_open(json, "placement", '[');
    for (int rank = 0; rank < count; rank++) {
        json_open(json, NULL, '{');
        json_integer(json, "rank", rank);
        json_integer(json, "cpus", placements[rank].cpus);
        if (placements[rank].numa_node >= 0)
            json_integer(json, "numa_node", placements[rank].numa_node);
        if (placements[rank].gpu_numa_node >= 0)
            json_integer(json, "gpu_numa_node", placements[rank].gpu_numa_node);
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* ---- the job ---- */

/* PBS names a node once for each of its slots, in a row. */
static void write_node_file(struct json *json, FILE *file)
{
    char line[256], last[256] = "";
    for (int i = 0; i < JOB_NODES_MAX && fgets(line, sizeof line, file); i++) {
        line[strcspn(line, "\r\n")] = '\0';
        if (*line && strcmp(line, last) != 0)
            json_text(json, NULL, line);
        memcpy(last, line, sizeof last);
    }
}

void placement_write_job(struct json *json)
{
    const char *slurm = getenv("SLURM_JOB_NODELIST"), *pbs = getenv("PBS_NODEFILE");
    FILE *file = slurm || !pbs ? NULL : fopen(pbs, "r");
    if (!slurm && !file)
        return;
    json_open(json, "job", '{');
    json_open(json, "nodes", '[');
    if (slurm)
        json_text(json, NULL, slurm);
    else
        write_node_file(json, file);
    json_close(json, ']');
    json_close(json, '}');
    if (file)
        fclose(file);
}
