#include "application.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/coarrays.h>

#include "common/harness/exit.h"
#include "common/harness/scope.h"

#include "images.h"

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

/* ---- options ---- */

const char *const application_scalings[] = {[STRONG] = "strong", [WEAK] = "weak", NULL};
struct option_choices application_scaling = {
    .noun = "scaling", .names = application_scalings, .list = "strong"};
double application_slow_limit_s = 60;

/* All of the text. */
static bool read_grid(const char *text, struct application_grid *grid)
{
    int length = 0;
    int *size = grid->size;
    bool is_plain = *text != 'x' && strspn(text, "0123456789x") == strlen(text);
    return is_plain && sscanf(text, "%5dx%5dx%5d%n", &size[0], &size[1], &size[2], &length) == 3 &&
           text[length] == '\0' && size[0] > 0 && size[1] > 0 && size[2] > 0;
}

struct application_grid *application_read_grids(const char *option, const struct option_words *list)
{
    struct application_grid *grids = allocate_or_fail(list->count, sizeof *grids);
    for (size_t i = 0; i < list->count; i++)
        if (!read_grid(list->values[i], &grids[i]))
            images_refuse("--%s %s is not a list of grids such as 64x64x128,32x32x32, each "
                          "dimension from 1 to 99999",
                          option, list->list);
    return grids;
}

const char *application_grid_text(struct application_grid grid)
{
    enum { TEXT_BYTES = 40 };
    char *text = scope_allocate(MEMORY_PAGEABLE, TEXT_BYTES);
    snprintf(text, TEXT_BYTES, "%dx%dx%d", grid.size[0], grid.size[1], grid.size[2]);
    return text;
}

/* ---- variants ---- */

void application_start(const struct run *run)
{
    if (program_wants_variant(run, DATAMOTION_C))
        check_status(caf_start(NULL, NULL));
}

void application_stop(const struct run *run)
{
    if (program_wants_variant(run, DATAMOTION_C))
        check_status(caf_end());
}

unsigned application_load(struct run *run, const char *group, const struct application_topic *topic,
                          struct kernels *kernels, void *functions)
{
    unsigned available = 0;
    size_t bytes = 0;
    while (topic->actions[bytes / sizeof(void *)])
        bytes += sizeof(void *);
    images_load(run, group, kernels);
    for (int v = 0; v < APPLICATION_VARIANTS; v++) {
        void *own = (char *)functions + (size_t)v * bytes;
        bool is_in_c = (v == DATAMOTION_C || v == MPI_C) && program_wants_variant(run, v);
        char prefix[32];
        snprintf(prefix, sizeof prefix, "%s_%s_", topic->name,
                 v == MPI_FORTRAN ? "mpi" : "coarray");
        if (is_in_c)
            memcpy(own, v == MPI_C ? topic->mpi_c : topic->caf, bytes);
        else if (kernels[v].handle)
            kernels_find(&kernels[v], prefix, topic->actions, own);
        available |= (unsigned)(is_in_c || kernels[v].handle) << v;
    }
    return available;
}

/* ---- configurations and samples ---- */

void application_each(struct run *run, size_t sizes, application_visit *visit)
{
    for (size_t s = 0; s < application_scaling.count; s++)
        for (size_t i = 0; i < sizes; i++)
            visit(run, (enum application_scaling)application_scaling.values[s], i);
}

unsigned application_available;

void application_run(struct run *run, size_t sizes, const struct application_topic *topic,
                     void *functions, application_visit *check, application_visit *measure)
{
    struct kernels kernels[APPLICATION_VARIANTS];
    application_each(run, sizes, check);
    application_start(run);
    application_available = application_load(run, KERNELS, topic, kernels, functions);
    application_each(run, sizes, measure);
    images_unload(run, kernels);
    application_stop(run);
}

/* One sample as measure() takes them. */
static double time_once(struct subject *subject)
{
    status_activity = subject->variant;
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
    if (time_s <= application_slow_limit_s)
        return false;
    program_note(run, "%s took %.1f s, longer than --slow-limit %g: this run is its only sample",
                 subject->variant, time_s, application_slow_limit_s);
    subject->times_s = allocate_or_fail(1, sizeof(double));
    subject->times_s[0] = time_s;
    subject->count = 1;
    subject->after(subject->context, time_s);
    return true;
}

void application_measure(struct run *run, void *const *tasks, struct subject *subjects,
                         size_t count)
{
    (void)tasks;
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
