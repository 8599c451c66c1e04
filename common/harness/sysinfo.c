#include "sysinfo.h"

#include <ctype.h>
#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/gpu.h"

#include "ranks.h"

/* First line of a small file without its newline; false if it cannot be read. */
static bool read_line(const char *path, char *line, size_t bytes)
{
    FILE *file = fopen(path, "r");
    line[0] = '\0';
    if (!file)
        return false;
    bool got = fgets(line, (int)bytes, file) != NULL;
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
    return got;
}

static void read_system(struct sysinfo *info)
{
    char line[256];
    FILE *file = fopen("/etc/os-release", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "PRETTY_NAME=\"%255[^\"]", info->system) == 1)
            break;
    if (file)
        fclose(file);
    struct utsname name;
    if (uname(&name) == 0)
        snprintf(info->kernel, sizeof info->kernel, "%s %s %s", name.sysname, name.release,
                 name.machine);
    gethostname(info->host, sizeof info->host - 1);
    read_line("/sys/class/dmi/id/sys_vendor", info->vendor, sizeof info->vendor);
}

/* The value after "key : " in a line of /proc/cpuinfo, or NULL. */
static const char *cpuinfo_value(const char *line, const char *key)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0)
        return NULL;
    const char *colon = strchr(line, ':');
    return colon && colon[1] == ' ' ? colon + 2 : NULL;
}

static void read_cpu(struct sysinfo *info)
{
    char line[512], max_khz[64];
    int logical = 0, siblings = 0, cores = 0, largest_socket = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        const char *value;
        logical += cpuinfo_value(line, "processor") != NULL;
        if ((value = cpuinfo_value(line, "model name")))
            snprintf(info->cpu, sizeof info->cpu, "%s", value);
        if ((value = cpuinfo_value(line, "siblings")))
            siblings = atoi(value);
        if ((value = cpuinfo_value(line, "cpu cores")))
            cores = atoi(value);
        if ((value = cpuinfo_value(line, "physical id")) && atoi(value) > largest_socket)
            largest_socket = atoi(value);
        if ((value = cpuinfo_value(line, "cpu MHz")) && info->cpu_ghz == 0.0)
            info->cpu_ghz = atof(value) / 1e3;
    }
    if (file)
        fclose(file);
    if (read_line("/sys/devices/system/cpu/cpu0/cpufreq/base_frequency", max_khz, sizeof max_khz))
        info->cpu_ghz = atof(max_khz) / 1e6;
    info->sockets = largest_socket + 1;
    info->cores_per_socket = cores ? cores : logical;
    info->threads_per_core = cores && siblings > cores ? siblings / cores : 1;
    cpu_set_t usable;
    info->cores_online =
        sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable) : logical;
}

static int count_numa_nodes(void)
{
    int nodes = 0;
    DIR *directory = opendir("/sys/devices/system/node");
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        nodes += strncmp(entry->d_name, "node", 4) == 0 && isdigit((unsigned char)entry->d_name[4]);
    if (directory)
        closedir(directory);
    return nodes ? nodes : 1;
}

static size_t read_memory(void)
{
    char line[256];
    size_t kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemTotal: %zu kB", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib * 1024;
}

/* InfiniBand first (its rate is in words, "100 Gb/sec (4X EDR)"), else the fastest Ethernet link.
 */
static void read_infiniband(struct sysinfo *info)
{
    DIR *directory = opendir("/sys/class/infiniband");
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        char path[512], rate[128];
        snprintf(path, sizeof path, "/sys/class/infiniband/%.200s/ports/1/rate", entry->d_name);
        if (entry->d_name[0] != '.' && read_line(path, rate, sizeof rate))
            snprintf(info->network, sizeof info->network, "InfiniBand %.100s %.100s", entry->d_name,
                     rate);
    }
    if (directory)
        closedir(directory);
}

static void read_ethernet(struct sysinfo *info)
{
    int fastest = 0;
    DIR *directory = opendir("/sys/class/net");
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        char path[512], speed[64];
        snprintf(path, sizeof path, "/sys/class/net/%.200s/speed", entry->d_name);
        if (entry->d_name[0] == '.' || !read_line(path, speed, sizeof speed))
            continue;
        if (atoi(speed) > fastest) {
            fastest = atoi(speed);
            snprintf(info->network, sizeof info->network, "Ethernet %.100s %g Gbit/s",
                     entry->d_name, fastest / 1e3);
        }
    }
    if (directory)
        closedir(directory);
}

void sysinfo_read(struct sysinfo *info)
{
    memset(info, 0, sizeof *info);
    read_system(info);
    read_cpu(info);
    info->numa_nodes = count_numa_nodes();
    info->memory_bytes = read_memory();
    read_infiniband(info);
    if (!info->network[0])
        read_ethernet(info);
}

static void write_device(struct json *json, int device)
{
    struct cudaDeviceProp properties;
    char pci[32] = "";
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess)
        return;
    cudaDeviceGetPCIBusId(pci, sizeof pci, device);
    json_open(json, NULL, '{');
    json_integer(json, "device", device);
    json_text(json, "kind", GPU_KIND);
    json_text(json, "name", properties.name);
    json_text(json, "pci", pci);
    json_integer(json, "memory_bytes", (int64_t)properties.totalGlobalMem);
    json_integer(json, "multiprocessors", properties.multiProcessorCount);
    json_integer(json, "compute_capability", properties.major * 10 + properties.minor);
    json_close(json, '}');
}

void sysinfo_write(struct json *json, const struct sysinfo *info)
{
    int devices = 0, runtime = 0, driver = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess)
        devices = 0;
    cudaRuntimeGetVersion(&runtime);
    cudaDriverGetVersion(&driver);
    json_open(json, "system", '{');
    json_text(json, "host", info->host);
    json_text(json, "os", info->system);
    json_text(json, "kernel", info->kernel);
    json_text(json, "vendor", info->vendor);
    json_text(json, "cpu", info->cpu);
    json_real(json, "cpu_ghz", info->cpu_ghz);
    json_integer(json, "sockets", info->sockets);
    json_integer(json, "cores_per_socket", info->cores_per_socket);
    json_integer(json, "threads_per_core", info->threads_per_core);
    json_integer(json, "cores_online", info->cores_online);
    json_integer(json, "numa_nodes", info->numa_nodes);
    json_integer(json, "memory_bytes", (int64_t)info->memory_bytes);
    json_text(json, "network", info->network);
    json_text(json, "compiler", __VERSION__);
    json_text(json, "mpi", ranks.library);
    json_integer(json, "cuda_runtime", runtime);
    json_integer(json, "cuda_driver", driver);
    json_close(json, '}');
    json_open(json, "devices", '[');
    for (int device = 0; device < devices; device++)
        write_device(json, device);
    json_close(json, ']');
}
