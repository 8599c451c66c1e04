#include "sip_options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/harness/exit.h"

struct sip_options sip_options = {
    .transport = "messages",
    .pardo = "auto",
    .device = "auto",
    .policy = "optimized",
    .wait_limit_s = 60.0,
    .prefetch = 4,
};

/* Every rank sees the same wrong option: rank 0 says so, the others wait to be ended with it. */
#define refuse(...)                                                                                \
    do {                                                                                           \
        if (ranks.rank != 0)                                                                       \
            ranks.barrier();                                                                       \
        fail(__VA_ARGS__);                                                                         \
    } while (0)

/* ---- names ---- */

static const char *const transports[] = {"messages", "window", NULL};
static const char *const loops[] = {"sequential", "static", "balanced", "fragmented", NULL};
static const char *const devices[] = {"host", "gpu", "auto", NULL};
static const char *const policies[] = {"unoptimized", "optimized", NULL};
static const char *const kinds[] = {"simple", "ao", "mo", "moa", "mob", "la", NULL};

const char *sip_transport_name(enum transport_kind kind)
{
    return transports[kind];
}

const char *sip_loop_name(bool given, enum loop_kind kind)
{
    return given ? loops[kind] : "auto";
}

const char *sip_device_name(enum sip_device device)
{
    return devices[device];
}

static int position_of(const char *const *names, const char *name, size_t length)
{
    for (int i = 0; names[i]; i++)
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0)
            return i;
    return -1;
}

static int choose(const char *option, const char *const *names, const char *name)
{
    int position = position_of(names, name, strlen(name));
    if (position >= 0)
        return position;
    char list[128] = "";
    for (int i = 0; names[i]; i++) {
        strcat(list, i ? ", " : "");
        strcat(list, names[i]);
    }
    refuse("--%s %s is unknown: choose one of %s", option, name, list);
}

/* ---- lists: NAME=VALUE,NAME=VALUE ---- */

/* One part of a list: `name` up to the separator, then a number. */
struct part {
    const char *name;
    size_t length;
    double value;
};

/* Takes the next part off *at. False: the list is at its end. */
static bool next_part(const char *option, const char **at, char separator, struct part *part)
{
    if (!**at)
        return false;
    size_t length = strcspn(*at, ",");
    const char *middle = memchr(*at, separator, length);
    char *end = NULL;
    errno = 0;
    if (middle)
        part->value = strtod(middle + 1, &end);
    if (!middle || middle == *at || end == middle + 1 || end != *at + length || errno ||
        !isfinite(part->value))
        refuse("--%s: `%.*s` is not a name, `%c`, and a number; parts are separated by commas",
               option, (int)length, *at, separator);
    part->name = *at;
    part->length = (size_t)(middle - *at);
    *at += length + ((*at)[length] == ',');
    return true;
}

static int whole_part(const char *option, double value, int smallest, int largest)
{
    if (value != floor(value) || value < smallest || value > largest)
        refuse("--%s: %g is not a whole number from %d to %d", option, value, smallest, largest);
    return (int)value;
}

/* ---- configuration ---- */

enum { LONGEST_SEGMENT = 1 << 16 };

static void read_segments(const char *text, int *segment)
{
    char *end;
    double all = strtod(text, &end);
    if (end != text && !*end) {
        /* A simple index counts, its segments are 1. */
        for (int kind = SIAL_SIMPLE + 1; kind < SIAL_INDEX_KINDS; kind++)
            segment[kind] = whole_part("segment", all, 1, LONGEST_SEGMENT);
        return;
    }
    struct part part;
    if (!*text)
        refuse("--segment needs a number, or KIND=NUMBER");
    for (const char *at = text; next_part("segment", &at, '=', &part);) {
        int kind = position_of(kinds, part.name, part.length);
        if (kind <= SIAL_SIMPLE)
            refuse("--segment: %.*s is not a kind of index that has segments: ao, mo, moa, mob, la",
                   (int)part.length, part.name);
        segment[kind] = whole_part("segment", part.value, 1, LONGEST_SEGMENT);
    }
}

static void split_ranks(struct sip_config *config)
{
    int workers = (int)sip_options.workers, servers = (int)sip_options.servers;
    if (ranks.count < 2)
        fail("a SIAL program runs on 2 or more ranks, workers and servers: mpirun -np 4 and the "
             "command");
    if (!workers && !servers && !sip_default_split(ranks.count, &workers, &servers))
        refuse("%d ranks cannot be split into workers and servers", ranks.count);
    if (!workers)
        workers = ranks.count - servers;
    if (!servers)
        servers = ranks.count - workers;
    if (workers < 1 || servers < 1 || workers + servers > ranks.count)
        refuse("%d workers and %d servers do not fit into %d ranks: at least 1 of each, and no "
               "more than there are",
               workers > 0 ? workers : 0, servers > 0 ? servers : 0, ranks.count);
    config->workers = workers;
    config->servers = servers;
}

/* Ranks of a host take its GPUs in turns. Without a GPU the run time computes on the host. */
static void choose_gpu(const struct run *run)
{
    int gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0)
        return;
    int gpu = run->settings.device >= 0 ? run->settings.device : ranks.local_rank % gpus;
    if (gpu >= gpus)
        refuse("-d %d: there are %d GPUs, numbered from 0", gpu, gpus);
    check_cuda(cudaSetDevice(gpu));
}

struct sip_config sip_options_config(const struct run *run)
{
    struct sip_config config = {
        .world = MPI_COMM_WORLD,
        .transport = (enum transport_kind)choose("transport", transports, sip_options.transport),
        .prefetch = (int)sip_options.prefetch,
        .loop_given = strcmp(sip_options.pardo, "auto") != 0,
        .device = (enum sip_device)choose("compute", devices, sip_options.device),
        .policy = (enum pinning_policy)choose("policy", policies, sip_options.policy),
        .worker_memory_bytes = sip_options.worker_memory,
        .server_memory_bytes = sip_options.server_memory,
        .spill_directory = sip_options.spill,
        .spill_limit_bytes = sip_options.spill_limit,
        .wait_limit_s = sip_options.wait_limit_s,
        .seed = run->settings.seed,
    };
    if (config.loop_given)
        config.loop = (enum loop_kind)choose("pardo", loops, sip_options.pardo);
    if (sip_options.segment)
        read_segments(sip_options.segment, config.segment);
    split_ranks(&config);
    if (config.device != SIP_HOST)
        choose_gpu(run);
    return config;
}

int *sip_options_sites(const struct sial_program *program)
{
    if (!sip_options.site_prefetch)
        return NULL;
    int *sites = allocate_or_fail((size_t)program->site_count, sizeof *sites);
    for (int site = 0; site < program->site_count; site++)
        sites[site] = -1;
    struct part part;
    for (const char *at = sip_options.site_prefetch; next_part("site-prefetch", &at, ':', &part);) {
        int line = strspn(part.name, "0123456789") == part.length ? atoi(part.name) : 0, found = 0;
        for (int site = 0; site < program->site_count; site++) {
            const struct sial_instruction *get =
                &program->instructions[program->sites[site].instruction];
            if (get->file != 0 || get->line != line)
                continue;
            sites[site] = whole_part("site-prefetch", part.value, 0, 1 << 20);
            found++;
        }
        if (!found)
            refuse("--site-prefetch: line %.*s of %s has no get or request", (int)part.length,
                   part.name, program->files[0].name);
    }
    return sites;
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
    refuse("there is no SIAL program `%s`: give a file, or the name of one in prefetch/sialx",
           name);
}

static struct sial_definition *read_set(const char *set, size_t *count)
{
    struct sial_definition *definitions = allocate_or_fail(strlen(set) + 1, sizeof *definitions);
    struct part part;
    *count = 0;
    for (const char *at = set; next_part("set", &at, '=', &part);) {
        char *name = strndup(part.name, part.length);
        for (size_t i = 0; i < *count; i++)
            if (strcasecmp(definitions[i].name, name) == 0)
                refuse("--set gives %s twice", name);
        definitions[(*count)++] = (struct sial_definition){name, part.value};
    }
    return definitions;
}

static void free_set(struct sial_definition *definitions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free((char *)definitions[i].name);
    free(definitions);
}

/* Files may differ from host to host: of the ranks where it went wrong, the first says so. */
static void agree(const struct sial_program *program, const char *path,
                  const struct sial_error *error)
{
    int first_wrong = -(int)ranks.max(program ? -ranks.count : -ranks.rank);
    if (first_wrong == ranks.count)
        return;
    if (first_wrong != ranks.rank)
        ranks.barrier();
    fprintf(stderr, "%s\n", error->text);
    fail("%s is not a SIAL program that can run", path);
}

struct sial_program *sip_compile(const char *name, const char *set)
{
    size_t count;
    if (!name)
        refuse("no program was given: add --program FILE, for example --program put_test");
    struct sial_definition *definitions = read_set(set ? set : "", &count);
    char *path = find_program(name);
    struct sial_error error = {""};
    struct sial_program *program = sial_compile(path, definitions, count, &error);
    agree(program, path, &error);
    free(path);
    free_set(definitions, count);
    return program;
}

struct sip_result sip_run_or_fail(const struct sial_program *program,
                                  const struct sip_config *config)
{
    struct sip_result result = {0};
    struct sip_error error = {""};
    if (!sip_run(program, config, &result, &error))
        fail("%s", error.text);
    return result;
}
