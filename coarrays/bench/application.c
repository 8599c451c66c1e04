#include "application.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coarrays/caf.h"
#include "common/harness/exit.h"

#include "images.h"
#include "lists.h"

const struct variant application_variants[] = {
    [DATAMOTION] = {"datamotion", "Fortran coarrays on this library"},
    [DATAMOTION_C] = {"datamotion-c", "C on this library (caf.h)"},
    [OPENCOARRAYS] = {"opencoarrays", "the same Fortran on OpenCoarrays"},
    [LIBCAF_MPI] = {"libcaf-mpi", "the same Fortran on this library, everything by MPI RMA with "
                                  "derived datatypes: the thesis's LIBCAF_MPI"},
    [ELEMENT] = {"element", "the same Fortran on this library, one RMA message per element: "
                            "emulates the thesis's Intel compiler"},
    [MPI_FORTRAN] = {"mpi", "MPI, Fortran"},
    [MPI_C] = {"mpi-c", "MPI, C"},
    {0},
};

struct application_options application_options = {.scaling = "strong", .slow_limit_s = 60};
const char *const application_scalings[] = {[STRONG] = "strong", [WEAK] = "weak", NULL};

/* ---- options ---- */

/* Reads a grid at `text`; what follows it is returned, NULL if there is none. */
static const char *read_grid(const char *text, struct application_grid *grid)
{
    int length = 0;
    if (*text < '0' || *text > '9' ||
        sscanf(text, "%5dx%5dx%5d%n", &grid->size[0], &grid->size[1], &grid->size[2], &length) != 3)
        return NULL;
    bool positive = grid->size[0] > 0 && grid->size[1] > 0 && grid->size[2] > 0;
    bool plain = strspn(text, "0123456789x") == (size_t)length;
    return positive && plain ? text + length : NULL;
}

struct application_grids application_read_grids(const char *option, const char *list)
{
    struct application_grids grids = {
        .grids = allocate_or_fail(strlen(list) + 1, sizeof(struct application_grid))};
    const char *at = list;
    do {
        at = read_grid(at, &grids.grids[grids.count++]);
        if (!at || (*at && *at != ','))
            images_refuse("--%s %s is not a list of grids such as 64x64x128,32x32x32, each "
                          "dimension from 1 to 99999",
                          option, list);
    } while (*at++);
    return grids;
}

void application_grid_text(struct application_grid grid, char *text, size_t bytes)
{
    snprintf(text, bytes, "%dx%dx%d", grid.size[0], grid.size[1], grid.size[2]);
}

/* ---- kernels ---- */

void application_start(const struct run *run)
{
    if (program_wants(run, application_variants[DATAMOTION_C].name))
        caf_start(NULL, NULL);
}

void application_stop(const struct run *run)
{
    if (program_wants(run, application_variants[DATAMOTION_C].name))
        caf_end();
}

void application_load(struct run *run, const char *group, struct kernels *kernels)
{
    static bool waived[APPLICATION_VARIANTS];
    bool has_mpi = strcmp(group, "kernels") == 0;
    for (int v = 0; v < APPLICATION_VARIANTS; v++) {
        const char *name = application_variants[v].name;
        kernels[v] = (struct kernels){.variant = name};
        if (v == DATAMOTION_C || v == MPI_C || (v == MPI_FORTRAN && !has_mpi) ||
            !program_wants(run, name))
            continue;
        kernels[v] = kernels_load(group, name);
        if (!kernels[v].handle && !waived[v]) {
            waived[v] = true;
            record_waived(run, name, kernels[v].reason);
        }
    }
}

void application_unload(struct kernels *kernels)
{
    for (int v = 0; v < APPLICATION_VARIANTS; v++)
        kernels_unload(&kernels[v]);
}

static void find_procedures(const struct kernels *library, const char *topic, const char *language,
                            const char *const *actions, char *functions)
{
    for (size_t i = 0; actions[i]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%s_%s", topic, language, actions[i]);
        void *procedure = kernels_find(library, name);
        memcpy(functions + i * sizeof procedure, &procedure, sizeof procedure);
    }
}

static size_t count_actions(const struct application_topic *topic)
{
    size_t count = 0;
    while (topic->actions[count])
        count++;
    return count;
}

bool application_find(const struct run *run, const struct kernels *libraries,
                      const struct application_topic *topic, enum application_variant variant,
                      void *functions)
{
    if (variant == DATAMOTION_C || variant == MPI_C) {
        memcpy(functions, variant == MPI_C ? topic->mpi_c : topic->caf,
               count_actions(topic) * sizeof(void *));
        return program_wants(run, application_variants[variant].name);
    }
    if (libraries[variant].handle)
        find_procedures(&libraries[variant], topic->name,
                        variant == MPI_FORTRAN ? "mpi" : "coarray", topic->actions, functions);
    return libraries[variant].handle != NULL;
}

/* ---- programs on grids ---- */

static struct application_set find_set(const struct run *run, const struct kernels *libraries,
                                       const struct application_topic *topic)
{
    size_t bytes = count_actions(topic) * sizeof(void *);
    struct application_set set = {.functions = allocate_or_fail(APPLICATION_VARIANTS, bytes)};
    for (int v = 0; v < APPLICATION_VARIANTS; v++)
        if (application_find(run, libraries, topic, v, (char *)set.functions + set.count * bytes))
            set.variant[set.count++] = v;
    return set;
}

void application_run_grids(
    struct run *run, const char *grid_list, const struct application_topic *topic,
    void (*check)(enum application_scaling scaling, struct application_grid grid),
    void (*measure)(struct run *run, const struct application_set *set,
                    enum application_scaling scaling, struct application_grid grid))
{
    unsigned chosen = lists_choose("scaling", application_options.scaling, application_scalings);
    struct application_grids grids = application_read_grids("grid", grid_list);
    for (int s = 0; s < SCALINGS; s++)
        for (size_t g = 0; g < grids.count && chosen >> s & 1; g++)
            check(s, grids.grids[g]);

    struct kernels libraries[APPLICATION_VARIANTS];
    application_start(run);
    application_load(run, "kernels", libraries);
    struct application_set set = find_set(run, libraries, topic);
    for (int s = 0; s < SCALINGS; s++)
        for (size_t g = 0; g < grids.count && chosen >> s & 1; g++)
            measure(run, &set, s, grids.grids[g]);
    application_unload(libraries);
    application_stop(run);
    free(set.functions);
    free(grids.grids);
}

/* ---- samples ---- */

/* One sample as measure() takes them. */
static double time_once(struct subject *subject)
{
    status_activity = subject->variant;
    if (subject->before)
        subject->before(subject->context);
    ranks.barrier();
    double time_s = ranks.max(subject->sample(subject->context));
    status_activity = NULL;
    return time_s;
}

/* Whether the first warm-up run was so long that it is the only one. */
static bool keep_first(const struct run *run, struct subject *subject)
{
    double time_s = time_once(subject);
    if (time_s <= application_options.slow_limit_s)
        return false;
    program_note(run, "%s took %.1f s, longer than --slow-limit %g: this run is its only sample",
                 subject->variant, time_s, application_options.slow_limit_s);
    subject->times_s = allocate_or_fail(1, sizeof(double));
    subject->times_s[0] = time_s;
    subject->count = 1;
    return true;
}

void application_measure(struct run *run, struct subject *subjects, size_t count)
{
    struct subject *quick = allocate_or_fail(count, sizeof *quick);
    size_t *place = allocate_or_fail(count, sizeof *place);
    size_t quick_count = 0;
    int warmup = run->settings.warmup;
    for (size_t i = 0; i < count; i++) {
        if (warmup > 0 && keep_first(run, &subjects[i]))
            continue;
        place[quick_count] = i;
        quick[quick_count++] = subjects[i];
    }
    run->settings.warmup = warmup > 0 ? warmup - 1 : 0;
    measure(run, quick, quick_count);
    run->settings.warmup = warmup;
    for (size_t i = 0; i < quick_count; i++)
        subjects[place[i]] = quick[i];
    free(quick);
    free(place);
}
