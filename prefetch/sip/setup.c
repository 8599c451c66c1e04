#include "prefetch/sip/setup.h"

#include <limits.h>
#include <string.h>

#include "common/error.h"
#include "prefetch/sip/super_internal.h"

static const double default_wait_limit_s = 60.0;
static const int64_t blocks_max = (int64_t)1 << 32; /* of an array */

_Static_assert((int)PREFETCH_INDEX_KINDS == (int)SIAL_INDEX_KINDS, "the kinds are the same");

const char *setup_file(const struct prefetch_program *program)
{
    return program->files[0].name;
}

/* ---- who does what ---- */

enum dm_status prefetch_split(int ranks, int *workers, int *servers)
{
    if (ranks < 2)
        return dm_fail(DM_INVALID,
                       "%d rank%s not enough: a program needs at least 1 worker and 1 server",
                       ranks, ranks == 1 ? " is" : "s are");
    *servers = ranks / 4 > 0 ? ranks / 4 : 1;
    *workers = ranks - *servers;
    return DM_OK;
}

enum dm_status setup_complete(struct prefetch_config *config, int ranks)
{
    int workers = config->workers, servers = config->servers;
    if (workers == 0 && servers == 0)
        TRY(prefetch_split(ranks, &workers, &servers));
    else if (workers == 0)
        workers = ranks - servers;
    else if (servers == 0)
        servers = (workers + 2) / 3;
    if (workers < 1 || servers < 1)
        return dm_fail(DM_INVALID,
                       "%d rank%s not enough: a program needs at least 1 worker and 1 server",
                       ranks, ranks == 1 ? " is" : "s are");
    if (workers > ranks - servers)
        return dm_fail(DM_INVALID,
                       "%d worker%s and %d server%s need %d ranks, but there %s %d: start more, or "
                       "choose fewer",
                       workers, workers == 1 ? "" : "s", servers, servers == 1 ? "" : "s",
                       workers + servers, ranks == 1 ? "is" : "are", ranks);
    config->workers = workers;
    config->servers = servers;
    if (config->wait_limit_s <= 0.0)
        config->wait_limit_s = default_wait_limit_s;
    return DM_OK;
}

/* ---- numbers ---- */

void setup_segments(const struct prefetch_program *program, const struct prefetch_config *config,
                    int segments[SIAL_INDEX_KINDS])
{
    for (int kind = 0; kind < SIAL_INDEX_KINDS; kind++) {
        int declared = program->segment[kind] ? program->segment[kind] : PREFETCH_DEFAULT_SEGMENT;
        segments[kind] = config->segment[kind] ? config->segment[kind] : declared;
    }
    segments[SIAL_SIMPLE] = 1;
}

static bool is_in_line(const struct prefetch_program *program, const struct sial_site *site,
                       int line)
{
    const struct sial_instruction *get = &program->instructions[site->instruction];
    return get->file == 0 && get->line == line;
}

int setup_distance(const struct prefetch_program *program, const struct prefetch_config *config,
                   const struct sial_site *site)
{
    int blocks = config->prefetch;
    for (size_t i = 0; i < config->distance_count; i++)
        if (is_in_line(program, site, config->distances[i].line))
            blocks = config->distances[i].blocks;
    return blocks;
}

/* ---- checks ---- */

static enum dm_status check_specials(const struct prefetch_program *program)
{
    for (int i = 0; i < program->special_count; i++) {
        const struct sial_special *special = &program->specials[i];
        const struct prefetch_instruction *known = super_find(special->name);
        if (!known)
            return dm_fail(DM_INVALID, "%s: there is no super instruction %s: see the list of them",
                           setup_file(program), special->name);
        if (strcmp(known->signature, special->signature) != 0)
            return dm_fail(DM_INVALID, "%s: super instruction %s has the signature %s, not %s",
                           setup_file(program), special->name, known->signature,
                           special->signature);
    }
    return DM_OK;
}

/* Blocks travel as one MPI message each. */
static enum dm_status check_blocks(const struct prefetch_program *program, const int *segments)
{
    for (int i = 0; i < program->array_count; i++) {
        const struct sial_array *array = &program->arrays[i];
        double elements = 1.0;
        for (int d = 0; d < array->rank; d++)
            elements *= segments[program->indices[array->indices[d]].kind];
        if (elements > INT_MAX)
            return dm_fail(DM_INVALID,
                           "%s: a block of array %s would have %.10g elements, %d are possible: "
                           "choose shorter segments",
                           setup_file(program), array->name, elements, INT_MAX);
    }
    return DM_OK;
}

/* What servers and workers keep of each block, and the steps over all of them, need a bound. */
static enum dm_status check_block_count(const struct prefetch_program *program)
{
    for (int i = 0; i < program->array_count; i++) {
        const struct sial_array *array = &program->arrays[i];
        bool kept = array->kind == SIAL_STATIC || array->kind == SIAL_DISTRIBUTED ||
                    array->kind == SIAL_SERVED;
        if (kept && sial_block_count(program, i) > blocks_max)
            return dm_fail(
                DM_INVALID,
                "%s: array %s would have %.10g blocks, %lld are possible: choose shorter "
                "ranges of its indices",
                setup_file(program), array->name, (double)sial_block_count(program, i),
                (long long)blocks_max);
    }
    return DM_OK;
}

static enum dm_status check_distance(const struct prefetch_program *program,
                                     const struct prefetch_distance *distance)
{
    bool found = false;
    for (int site = 0; site < program->site_count; site++)
        found = found || is_in_line(program, &program->sites[site], distance->line);
    if (!found)
        return dm_fail(DM_INVALID, "line %d of %s has no get or request", distance->line,
                       setup_file(program));
    if (distance->blocks < 0)
        return dm_fail(DM_INVALID, "%d blocks cannot be prefetched in line %d: choose 0 or more",
                       distance->blocks, distance->line);
    return DM_OK;
}

enum dm_status setup_check(const struct prefetch_program *program,
                           const struct prefetch_config *config)
{
    int segments[SIAL_INDEX_KINDS];
    setup_segments(program, config, segments);
    for (int kind = 0; kind < SIAL_INDEX_KINDS; kind++)
        if (segments[kind] < 1)
            return dm_fail(DM_INVALID, "a segment of length %d is no segment: choose 1 or more",
                           segments[kind]);
    if (config->prefetch < 0)
        return dm_fail(DM_INVALID, "%d blocks cannot be prefetched: choose 0 or more",
                       config->prefetch);
    for (size_t i = 0; i < config->distance_count; i++)
        TRY(check_distance(program, &config->distances[i]));
    TRY(check_specials(program));
    TRY(check_block_count(program));
    return check_blocks(program, segments);
}

enum dm_status prefetch_check(const struct prefetch_program *program,
                              const struct prefetch_config *config)
{
    struct prefetch_config complete = *config;
    int ranks;
    TRY_MPI(MPI_Comm_size(config->world, &ranks));
    TRY(setup_complete(&complete, ranks));
    return setup_check(program, &complete);
}
