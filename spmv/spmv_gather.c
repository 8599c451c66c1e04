/* spmv_gather: gather, scatter and copy on the GPU, by the order of the index list (Fanfarillo
 * 2016, 2.6.1). */
#include <stdlib.h>

#include "common/harness/allocate.h"
#include "common/harness/program.h"
#include "common/random.h"

#include "spmv/bench/gather_kernels.h"
#include "spmv/bench/index_list.h"
#include "spmv/formats/pack.h"

enum variant_index { GATHER, SCATTER, COPY, VARIANTS };
static const struct variant variants[] = {
    {"gather", "y[i] = x[index[i]]: a halo is packed"},
    {"scatter", "x[index[i]] = y[i]: a halo is unpacked"},
    {"copy", "y[i] = x[i]: neighbouring threads use neighbouring elements"},
    {0},
};

static const char *const order_names[] = {"random", "sorted", "halo", "none"};

static const struct column columns[] = {
    {"order", COLUMN_PARAMETER, "of the index list: random, sorted or halo, see -h; none: copy"},
    {"elements", COLUMN_PARAMETER, "doubles that are moved"},
    {"range", COLUMN_PARAMETER, "doubles of the vector that the list points into"},
    {"bandwidth_gbs", COLUMN_METRIC, "8 bytes per element / time_s in 10^9 byte/s"},
    {0},
};

static int64_t spread = 2, inner = 10;
static const struct program_option options[] = {
    {"spread", OPTION_INTEGER, &spread, "N",
     "elements of the vector per element of a random or sorted list", 1, 1000000},
    {"inner", OPTION_INTEGER, &inner, "N", "launches per sample", 1, 10000},
    {0},
};

/* The vector x with a list of places in it, and the dense y, on the device. */
struct place {
    const char *order;
    struct spmv_index_list list; /* index NULL: a copy */
    int32_t *index;
    double *x, *y;
};

/* One variant at one place: a subject of measure(). */
struct job {
    enum variant_index variant;
    struct place *place;
    cudaEvent_t start, end;
};

static void *device_memory(int64_t count, size_t each)
{
    return memory_allocate(MEMORY_DEVICE, (size_t)count * each);
}

static struct place place_open(const struct run *run, enum spmv_order order, int64_t count)
{
    struct place place = {.order = order_names[order], .list = {.count = count, .range = count}};
    if (order < SPMV_ORDERS) {
        place.list = spmv_index_list_open(order, count, spread, run->settings.seed);
        size_t bytes = (size_t)count * sizeof *place.index;
        place.index = device_memory(count, sizeof *place.index);
        memory_copy(place.index, place.list.index, bytes);
    }
    place.x = device_memory(place.list.range, sizeof *place.x);
    place.y = device_memory(count, sizeof *place.y);
    check_cuda(cudaMemset(place.x, 0, (size_t)place.list.range * sizeof *place.x));
    check_cuda(cudaMemset(place.y, 0, (size_t)count * sizeof *place.y));
    return place;
}

static void place_close(struct place *place)
{
    memory_release(MEMORY_DEVICE, place->x);
    memory_release(MEMORY_DEVICE, place->y);
    memory_release(MEMORY_DEVICE, place->index);
    free(place->list.index);
}

static void launch_once(const struct job *job)
{
    const struct place *place = job->place;
    int64_t count = place->list.count;
    if (job->variant == GATHER)
        check_status(spmv_pack_launch(SPMV_DOUBLE, count, place->index, place->x, place->y, NULL));
    else if (job->variant == SCATTER)
        check_status(
            spmv_unpack_launch(SPMV_DOUBLE, count, place->index, place->y, place->x, NULL));
    else
        spmv_copy_launch(count, place->x, place->y, NULL);
}

static double sample(void *context)
{
    struct job *job = context;
    float elapsed_ms;
    check_cuda(cudaEventRecord(job->start, NULL));
    for (int64_t i = 0; i < inner; i++)
        launch_once(job);
    check_cuda(cudaEventRecord(job->end, NULL));
    check_cuda(cudaEventSynchronize(job->end));
    check_cuda(cudaEventElapsedTime(&elapsed_ms, job->start, job->end));
    return 1e-3 * elapsed_ms / (double)inner;
}

static long count_different(const double *device, const double *expected, int64_t count)
{
    double *values = allocate_or_fail((unsigned long)count, sizeof *values);
    long different = 0;
    check_cuda(cudaMemcpy(values, device, (size_t)count * sizeof *values, cudaMemcpyDeviceToHost));
    for (int64_t i = 0; i < count; i++)
        different += values[i] != expected[i];
    free(values);
    return different;
}

/* One more launch, on random data: elements of the target that are wrong, all of it compared. */
static long count_wrong(const struct job *job, uint64_t seed)
{
    const struct place *place = job->place;
    int64_t count = place->list.count, range = place->list.range;
    double *x = allocate_or_fail((unsigned long)range, sizeof *x);
    double *y = allocate_or_fail((unsigned long)count, sizeof *y);
    random_fill_double(x, (size_t)range, seed);
    random_fill_double(y, (size_t)count, seed + 1);
    memory_copy(place->x, x, (size_t)range * sizeof *x);
    memory_copy(place->y, y, (size_t)count * sizeof *y);
    launch_once(job);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = place->list.index ? place->list.index[i] : i;
        if (job->variant == SCATTER)
            x[at] = y[i];
        else
            y[i] = x[at];
    }
    long wrong = job->variant == SCATTER ? count_different(place->x, x, range)
                                         : count_different(place->y, y, count);
    free(x);
    free(y);
    return wrong;
}

static void record(struct run *run, const struct job *job, const struct subject *subject)
{
    const struct place *place = job->place;
    long wrong = run->settings.check ? count_wrong(job, run->settings.seed) : 0;
    for (size_t i = 0; i < subject->count; i++) {
        double bytes = 8.0 * (double)place->list.count;
        struct value values[] = {text(place->order), integer(place->list.count),
                                 integer(place->list.range),
                                 real(1e-9 * bytes / subject->times_s[i])};
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], wrong);
    }
}

/* The variants of one place that are wanted. */
static size_t add_jobs(const struct run *run, struct place *place, struct job *jobs,
                       struct subject *subjects)
{
    size_t count = 0;
    for (int variant = 0; variant < VARIANTS; variant++) {
        if (!program_wants(run, variants[variant].name) ||
            (variant == COPY) != (place->list.index == NULL))
            continue;
        jobs[count] = (struct job){.variant = variant, .place = place};
        check_cuda(cudaEventCreate(&jobs[count].start));
        check_cuda(cudaEventCreate(&jobs[count].end));
        subjects[count] = (struct subject){
            .variant = variants[variant].name, .sample = sample, .context = &jobs[count]};
        count++;
    }
    return count;
}

static bool wants_place(const struct run *run, int order, int64_t elements)
{
    if (order == SPMV_ORDERS)
        return program_wants(run, variants[COPY].name);
    if (!program_wants(run, variants[GATHER].name) && !program_wants(run, variants[SCATTER].name))
        return false;
    if (spmv_index_range(order, elements, spread) <= INT32_MAX)
        return true;
    program_note(run, "%lld elements, %s: left out, the vector would have more than 2^31",
                 (long long)elements, order_names[order]);
    return false;
}

static void measure_size(struct run *run, int64_t elements)
{
    struct place places[SPMV_ORDERS + 1];
    struct job jobs[2 * SPMV_ORDERS + 1];
    struct subject subjects[2 * SPMV_ORDERS + 1];
    size_t place_count = 0, count = 0;
    for (int order = 0; order <= SPMV_ORDERS; order++) {
        if (!wants_place(run, order, elements))
            continue;
        places[place_count] = place_open(run, order, elements);
        count += add_jobs(run, &places[place_count], jobs + count, subjects + count);
        place_count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &jobs[i], &subjects[i]);
        check_cuda(cudaEventDestroy(jobs[i].start));
        check_cuda(cudaEventDestroy(jobs[i].end));
    }
    measure_free(subjects, count);
    for (size_t i = 0; i < place_count; i++)
        place_close(&places[i]);
}

static void run_all(struct run *run)
{
    const size_t *sizes = run->settings.sizes;
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (sizes[i] < 1 || sizes[i] > INT32_MAX)
            fail("%zu elements: from 1 to 2^31 - 1 are possible", sizes[i]);
    for (size_t i = 0; i < run->settings.size_count; i++)
        measure_size(run, (int64_t)sizes[i]);
}

static const size_t default_sizes[] = {4096, 65536, 1048576, 0};

const struct program program = {
    .name = "spmv_gather",
    .summary = "gathers and scatters elements of a vector on the GPU, by the order of their places",
    .details =
        "time_s is that of one launch, by device events around --inner of them; the data stay on\n"
        "the device, and in its caches as far as they fit. Orders: sorted: one place at random in\n"
        "every --spread elements, ascending; random: the same places, shuffled; halo: the places\n"
        "of the surface of a cube that is numbered line by line, as in an exchange between\n"
        "neighbours in three dimensions. No place stands twice in a list.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "elements",
    .default_sizes = default_sizes,
    .uses_gpu = true,
    .run = run_all,
};
