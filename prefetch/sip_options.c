#include "sip_options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/harness/exit.h"

/* ---- names, in the order of the library's enumerations ---- */

static const char *const transports[] = {"messages", "window", NULL};
static const char *const pardos[] = {"auto",     "sequential", "static",
                                     "balanced", "fragmented", NULL};
static const char *const devices[] = {"host", "gpu", "auto", NULL};
static const char *const policies[] = {"unoptimized", "optimized", NULL};
/* A simple index counts, its segments are 1. */
static const char *const kinds[] = {"ao", "mo", "moa", "mob", "la", NULL};

struct sip_options sip_options = {
    .transport = {"transport", transports, "messages"},
    .pardo = {"pardo", pardos, "auto"},
    .device = {"device", devices, "auto"},
    .policy = {"policy", policies, "optimized"},
    .wait_limit_s = 60.0,
    .prefetch = 4,
};

const char *sip_transport_name(enum prefetch_transport transport)
{
    return transports[transport];
}

const char *sip_pardo_name(enum prefetch_pardo pardo)
{
    return pardos[pardo];
}

const char *sip_device_name(enum prefetch_device device)
{
    return devices[device];
}

/* ---- lists: NAME=VALUE,NAME=VALUE ---- */

/* One entry of a list: `name` up to the separator, then a number. */
struct part {
    const char *name;
    int length;
    double value;
};

/* Takes the next entry off *rest. False: the list is at its end. */
static bool next_part(const char *option, const char **rest, char separator, struct part *part)
{
    struct option_entry entry;
    if (!option_next_entry(option, rest, &entry))
        return false;
    const char *middle = memchr(entry.text, separator, (size_t)entry.length);
    char *end = NULL;
    errno = 0;
    if (middle)
        part->value = strtod(middle + 1, &end);
    if (!middle || middle == entry.text || end == middle + 1 || end != entry.text + entry.length ||
        errno || !isfinite(part->value))
        fail("--%s: `%.*s` is not a name, `%c`, and a number", option, entry.length, entry.text,
             separator);
    part->name = entry.text;
    part->length = (int)(middle - entry.text);
    return true;
}

static int whole_part(const char *option, double value, int smallest, int largest)
{
    if (value != floor(value) || value < smallest || value > largest)
        fail("--%s: %g is not a whole number from %d to %d", option, value, smallest, largest);
    return (int)value;
}

/* ---- configuration ---- */

enum { LONGEST_SEGMENT = 1 << 16 };

static void read_segments(const char *text, int *segment)
{
    char *end;
    double all = strtod(text, &end);
    if (end != text && !*end) {
        for (int kind = PREFETCH_INDEX_AO; kind < PREFETCH_INDEX_KINDS; kind++)
            segment[kind] = whole_part("segment", all, 1, LONGEST_SEGMENT);
        return;
    }
    struct part part;
    for (const char *rest = text; next_part("segment", &rest, '=', &part);) {
        int kind = option_find_name("kind of index", kinds, part.name, part.length);
        segment[PREFETCH_INDEX_AO + kind] = whole_part("segment", part.value, 1, LONGEST_SEGMENT);
    }
}

static void split_ranks(struct prefetch_config *config)
{
    int workers = (int)sip_options.workers, servers = (int)sip_options.servers;
    if (ranks.count < 2)
        fail("a SIAL program runs on 2 or more ranks, workers and servers: mpirun -np 4 and the "
             "command");
    if (!workers && !servers)
        check_status(prefetch_split(ranks.count, &workers, &servers));
    if (!workers)
        workers = ranks.count - servers;
    if (!servers)
        servers = ranks.count - workers;
    if (workers < 1 || servers < 1 || workers + servers > ranks.count)
        fail("%d workers and %d servers do not fit into %d ranks: at least 1 of each, and no "
             "more than there are",
             workers > 0 ? workers : 0, servers > 0 ? servers : 0, ranks.count);
    config->workers = workers;
    config->servers = servers;
}

/* Ranks of a host use its GPUs round-robin. Without a GPU the run time computes on the host. */
static void choose_gpu(const struct run *run)
{
    int gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0)
        return;
    int gpu = run->settings.device >= 0 ? run->settings.device : ranks.local_rank % gpus;
    if (gpu >= gpus)
        fail("-d %d: there are %d GPUs, numbered from 0", gpu, gpus);
    check_cuda(cudaSetDevice(gpu));
    program_bind(gpu, gpus);
}

struct prefetch_config sip_options_config(const struct run *run)
{
    status_alike = true;
    struct prefetch_config config = {
        .world = MPI_COMM_WORLD,
        .transport = (enum prefetch_transport)sip_options.transport.value,
        .prefetch = (int)sip_options.prefetch,
        .pardo = (enum prefetch_pardo)sip_options.pardo.value,
        .device = (enum prefetch_device)sip_options.device.value,
        .policy = (enum pinning_policy)sip_options.policy.value,
        .worker_memory_bytes = sip_options.worker_memory,
        .server_memory_bytes = sip_options.server_memory,
        .spill_directory = sip_options.spill,
        .spill_limit_bytes = sip_options.spill_limit,
        .wait_limit_s = sip_options.wait_limit_s,
        .seed = run->settings.seed,
        .activity = &status_activity,
    };
    if (sip_options.segment)
        read_segments(sip_options.segment, config.segment);
    split_ranks(&config);
    if (config.device != PREFETCH_HOST)
        choose_gpu(run);
    status_alike = false;
    return config;
}

void sip_options_distances(struct prefetch_config *config)
{
    if (!sip_options.site_prefetch)
        return;
    struct prefetch_distance *distances =
        allocate_or_fail(strlen(sip_options.site_prefetch), sizeof *distances);
    struct part part;
    status_alike = true;
    for (const char *rest = sip_options.site_prefetch;
         next_part("site-prefetch", &rest, ':', &part);) {
        bool number = (int)strspn(part.name, "0123456789") == part.length;
        distances[config->distance_count++] = (struct prefetch_distance){
            number ? atoi(part.name) : 0, whole_part("site-prefetch", part.value, 0, 1 << 20)};
    }
    status_alike = false;
    config->distances = distances;
}

/* ---- the program ---- */

/* The folder of the SIAL programs in the tree that holds this binary as build/<gpu>/bin/<program>.
 */
static void sialx_of_this_tree(char *folder, size_t bytes)
{
    char binary[4096];
    ssize_t length = readlink("/proc/self/exe", binary, sizeof binary - 1);
    folder[0] = '\0';
    if (length <= 0)
        return;
    binary[length] = '\0';
    *strrchr(binary, '/') = '\0';
    snprintf(folder, bytes, "%s/../../../prefetch/sialx/", binary);
}

static char *find_program(const char *name)
{
    char tree[5000];
    sialx_of_this_tree(tree, sizeof tree);
    const char *const folders[] = {"", "prefetch/sialx/", tree};
    const char *const endings[] = {"", ".sialx"};
    size_t bytes = strlen(name) + sizeof tree + 16;
    char *path = allocate_or_fail(bytes, 1);
    for (size_t i = 0; i < 3 && *name; i++)
        for (size_t e = 0; e < 2; e++) {
            snprintf(path, bytes, "%s%s%s", folders[i], name, endings[e]);
            if (access(path, R_OK) == 0)
                return path;
        }
    fail("there is no SIAL program `%s`: give a file, or the name of one in prefetch/sialx", name);
}

static struct prefetch_definition *read_set(const char *set, size_t *count)
{
    struct prefetch_definition *definitions =
        allocate_or_fail(strlen(set) + 1, sizeof *definitions);
    struct part part;
    *count = 0;
    for (const char *rest = *set ? set : NULL; next_part("set", &rest, '=', &part);) {
        char *name = strndup(part.name, (size_t)part.length);
        for (size_t i = 0; i < *count; i++)
            if (strcasecmp(definitions[i].name, name) == 0)
                fail("--set gives %s twice", name);
        definitions[(*count)++] = (struct prefetch_definition){name, part.value};
    }
    return definitions;
}

static void free_set(struct prefetch_definition *definitions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free((char *)definitions[i].name);
    free(definitions);
}

/* Files may differ from host to host: of the ranks where it went wrong, the first says so. */
static void agree(enum dm_status status, const char *path)
{
    int first_wrong = -(int)ranks.max(status == DM_OK ? -ranks.count : -ranks.rank);
    if (first_wrong == ranks.count)
        return;
    if (first_wrong != ranks.rank)
        ranks.barrier();
    fprintf(stderr, "%s\n", dm_message());
    fail("%s is not a SIAL program that can run", path);
}

struct prefetch_program *sip_compile(const char *name, const char *set)
{
    size_t count;
    struct prefetch_program *program;
    status_alike = true;
    if (!name)
        fail("no program was given: add --program FILE, for example --program put_test");
    struct prefetch_definition *definitions = read_set(set ? set : "", &count);
    char *path = find_program(name);
    status_alike = false;
    agree(prefetch_compile(&program, path, definitions, count), path);
    free(path);
    free_set(definitions, count);
    return program;
}

struct prefetch_result sip_run(const struct prefetch_program *program,
                               const struct prefetch_config *config)
{
    struct prefetch_result result;
    status_alike = true;
    check_status(prefetch_check(program, config));
    status_alike = false;
    check_status(prefetch_run(program, config, &result));
    return result;
}
