#include "model_data.h"

#include <math.h>
#include <stdlib.h>

#include "common/harness/exit.h"
#include "common/random.h"

/* Independent streams of random numbers. */
enum { SHUFFLE = 1, NUMBERS, NOISE, CHOICE };

static uint64_t stream(uint64_t seed, int which)
{
    return random_bits(seed, (uint64_t)which);
}

/* Brings the first `chosen` of `count` elements of `width` numbers into random order. */
static void shuffle(int64_t *elements, size_t width, size_t count, size_t chosen, uint64_t seed)
{
    for (size_t i = 0; i < chosen; i++) {
        size_t other = i + random_below(seed, i, count - i);
        for (size_t k = 0; k < width; k++) {
            int64_t kept = elements[i * width + k];
            elements[i * width + k] = elements[other * width + k];
            elements[other * width + k] = kept;
        }
    }
}

/* ---- spaces ---- */

enum { UNIFORM_PARAMETERS = 4, UNIFORM_VALUES = 10000, BLOCK_LIMIT = 1024 };

/* A space of these rows; every parameter has the values first .. first + count - 1. */
static struct tuner_space *space_of(const char *const *names, size_t parameter_count, int64_t first,
                                    size_t count, const int64_t *rows, size_t row_count)
{
    struct tuner_parameter parameters[UNIFORM_PARAMETERS];
    int64_t *values = allocate_or_fail(count, sizeof *values);
    struct tuner_space *space;

    for (size_t i = 0; i < count; i++)
        values[i] = first + (int64_t)i;
    for (size_t p = 0; p < parameter_count; p++) {
        parameters[p] =
            (struct tuner_parameter){.kind = TUNER_INTEGER, .count = count, .values = values};
        snprintf(parameters[p].name, sizeof parameters[p].name, "%s", names[p]);
    }
    check_status(tuner_space_of_rows(&space, parameters, parameter_count, rows, row_count));
    free(values);
    return space;
}

/* All blocks of at most `limit` threads. Returns their number; rows may be NULL. */
static size_t list_blocks(size_t limit, int64_t *rows)
{
    size_t count = 0;

    for (size_t x = 1; x <= limit; x++)
        for (size_t y = 1; x * y <= limit; y++, count++)
            if (rows) {
                rows[2 * count] = (int64_t)x;
                rows[2 * count + 1] = (int64_t)y;
            }
    return count;
}

/* More points than a GPU has thread blocks come from larger ones. */
static struct tuner_space *thread_blocks(size_t points, uint64_t seed)
{
    static const char *const names[] = {"bx", "by"};
    size_t limit = BLOCK_LIMIT;

    while (list_blocks(limit, NULL) < points)
        limit *= 2;
    size_t count = list_blocks(limit, NULL);
    int64_t *rows = allocate_or_fail(2 * count, sizeof *rows);
    list_blocks(limit, rows);
    shuffle(rows, 2, count, points, stream(seed, CHOICE));
    struct tuner_space *space = space_of(names, 2, 1, limit, rows, points);
    free(rows);
    return space;
}

static struct tuner_space *uniform(size_t points, uint64_t seed)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    size_t count = points * UNIFORM_PARAMETERS;
    int64_t *rows = allocate_or_fail(count, sizeof *rows);

    for (size_t i = 0; i < count; i++)
        rows[i] = (int64_t)random_below(stream(seed, CHOICE), i, UNIFORM_VALUES);
    struct tuner_space *space =
        space_of(names, UNIFORM_PARAMETERS, 0, UNIFORM_VALUES, rows, points);
    free(rows);
    return space;
}

/* ---- targets ---- */

static double between(double low, double high, uint64_t seed, uint64_t index)
{
    return low + (high - low) * random_uniform(stream(seed, NUMBERS), index);
}

static double block_performance(const struct tuner_space *space, size_t configuration,
                                uint64_t seed)
{
    enum { WARP = 32, RESIDENT_WARPS = 64, RESIDENT_BLOCKS = 32 };
    double x = (double)tuner_space_value(space, configuration, 0);
    double y = (double)tuner_space_value(space, configuration, 1);
    double warps = ceil(x * y / WARP);
    double blocks = fmin(RESIDENT_BLOCKS, floor(RESIDENT_WARPS / warps));
    double full = x * y / (WARP * warps);
    double occupied = fmin(1, fmax(1, blocks) * warps / RESIDENT_WARPS);
    double coalesced = fmin(x, WARP) / WARP;
    double band = random_bits(seed, 0) & 1 ? 16 : 32;
    double off_band = fmod(x, band) == 0 ? 0 : between(0.1, 0.4, seed, 0);
    double share = between(0.2, 0.7, seed, 1);

    return (1 - off_band) * full * pow(occupied, between(0.3, 0.8, seed, 2)) *
           (1 - share + share * coalesced);
}

static double smooth_performance(const struct tuner_space *space, size_t configuration,
                                 uint64_t seed)
{
    double x[UNIFORM_PARAMETERS];

    for (size_t p = 0; p < UNIFORM_PARAMETERS; p++)
        x[p] = (double)tuner_space_value(space, configuration, p) / UNIFORM_VALUES;
    return 0.4 + 0.3 * sin(between(4, 8, seed, 0) * x[0] * x[1]) +
           (x[2] - between(0.3, 0.7, seed, 1)) * (x[2] - 0.5);
}

/* ---- data ---- */

const char *const model_data_names[] = {"thread-blocks", "uniform", NULL};

static const struct {
    struct tuner_space *(*choose)(size_t points, uint64_t seed);
    double (*performance)(const struct tuner_space *space, size_t configuration, uint64_t seed);
} kinds[] = {[MODEL_DATA_THREAD_BLOCKS] = {thread_blocks, block_performance},
             [MODEL_DATA_UNIFORM] = {uniform, smooth_performance}};

void model_data_open(struct model_data *data, enum model_data_kind kind, size_t points,
                     uint64_t seed)
{
    int64_t *shuffled = allocate_or_fail(points, sizeof *shuffled);

    *data = (struct model_data){.space = kinds[kind].choose(points, seed),
                                .points = points,
                                .targets = allocate_or_fail(points, sizeof *data->targets),
                                .order = allocate_or_fail(points, sizeof *data->order)};
    for (size_t i = 0; i < points; i++) {
        double noise = 1 + 0.02 * (2 * random_uniform(stream(seed, NOISE), i) - 1);
        double performance = kinds[kind].performance(data->space, i, seed);
        data->targets[i] = (float)fmin(1, fmax(0, performance * noise));
        shuffled[i] = (int64_t)i;
    }
    shuffle(shuffled, 1, points, points, stream(seed, SHUFFLE));
    for (size_t i = 0; i < points; i++)
        data->order[i] = (uint32_t)shuffled[i];
    free(shuffled);
}

void model_data_close(struct model_data *data)
{
    tuner_space_free(data->space);
    free(data->targets);
    free(data->order);
}

static void write_row(FILE *file, const float *plain, const float *scaled, size_t features,
                      float target)
{
    for (size_t f = 0; f < features; f++)
        fprintf(file, "%.9g,", plain[f]);
    for (size_t f = 0; f < features; f++)
        fprintf(file, "%.9g,", scaled[f]);
    fprintf(file, "%.9g\n", target);
}

bool model_data_write(const struct model_data *data, FILE *file)
{
    size_t features = tuner_space_features(data->space, TUNER_PLAIN);
    float *plain, *scaled;

    check_status(tuner_space_matrix(data->space, TUNER_PLAIN, &plain));
    check_status(tuner_space_matrix(data->space, TUNER_SCALED, &scaled));
    for (size_t column = 0; column < 2 * features; column++)
        fprintf(file, "%c%zu,", column < features ? 'x' : 's', column % features);
    fprintf(file, "target\n");
    for (size_t i = 0; i < data->points; i++) {
        size_t at = data->order[i];
        write_row(file, plain + at * features, scaled + at * features, features, data->targets[at]);
    }
    free(plain);
    free(scaled);
    return !ferror(file);
}
