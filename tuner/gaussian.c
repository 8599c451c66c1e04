#include "gaussian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/random.h"

#include "allocate.h"

enum {
    GROUPS_MAX = TUNER_PARAMETERS_MAX + ENCODING_PAIRS_MAX,
    PROPOSALS_MIN = 3, /* of other settings at each fit; of few samples more, as each is cheap */
    PROPOSALS_MAX = 24,
    ROOM = GAUSSIAN_SAMPLES_MAX
};

/* How many parameters matter together, usually. */
static const float ORDER = 2.0f;

/* What the kernel is like. All are logarithms to base 2. */
struct settings {
    float weight[GROUPS_MAX], range, noise;
};

struct gaussian {
    const struct encoding *encoding;
    size_t groups, begin[GROUPS_MAX + 1]; /* the columns of a parameter, or of a pair */
    struct settings settings;
    float usual;                            /* weight */
    float weight[GROUPS_MAX], unit, range2; /* of the settings */
    size_t count;
    float *columns; /* of the samples: features x ROOM */
    float *factor;  /* Cholesky's: ROOM x ROOM, the lower half */
    float *scaled;  /* targets, with mean 0 and deviation 1 */
    float *solved;  /* the inverse of the factor x scaled */
    double mean, deviation;
    float *valid, *solved_valid; /* the same of whether samples are valid, less the mean */
    float valid_mean;
};

enum dm_status gaussian_open(struct gaussian **gaussian, const struct encoding *encoding)
{
    struct gaussian *made = allocate(1, sizeof *made);

    *gaussian = NULL;
    if (!made)
        return DM_NO_MEMORY;
    made->encoding = encoding;
    size_t dimensions = tuner_space_dimensions(encoding->space), column = 0;
    for (size_t d = 0; d < dimensions; d++, column += encoding->columns[d - 1])
        made->begin[made->groups++] = column;
    for (size_t p = 0; p < encoding->pairs; p++)
        made->begin[made->groups++] = column++;
    made->begin[made->groups] = column;
    made->usual = log2f(ORDER / (float)made->groups);
    for (size_t g = 0; g < made->groups; g++)
        made->settings.weight[g] = made->usual;
    made->settings.range = -1.0f;
    made->settings.noise = -7.0f;
    made->columns = allocate(encoding->features * ROOM, sizeof *made->columns);
    made->factor = allocate((size_t)ROOM * ROOM, sizeof *made->factor);
    made->scaled = allocate(ROOM, sizeof *made->scaled);
    made->solved = allocate(ROOM, sizeof *made->solved);
    made->valid = allocate(ROOM, sizeof *made->valid);
    made->solved_valid = allocate(ROOM, sizeof *made->solved_valid);
    if (made->columns && made->factor && made->scaled && made->solved && made->valid &&
        made->solved_valid) {
        *gaussian = made;
        return DM_OK;
    }
    gaussian_close(made);
    return DM_NO_MEMORY;
}

void gaussian_close(struct gaussian *gaussian)
{
    if (!gaussian)
        return;
    free(gaussian->columns);
    free(gaussian->factor);
    free(gaussian->scaled);
    free(gaussian->solved);
    free(gaussian->valid);
    free(gaussian->solved_valid);
    free(gaussian);
}

/* ---- covariances ---- */

static void use(struct gaussian *gaussian)
{
    const struct settings *settings = &gaussian->settings;

    gaussian->unit = 1.0f;
    for (size_t g = 0; g < gaussian->groups; g++) {
        gaussian->weight[g] = exp2f(settings->weight[g]);
        gaussian->unit /= 1.0f + gaussian->weight[g];
    }
    gaussian->range2 = exp2f(-2.0f * settings->range);
}

/* Of a row with the first `count` samples. */
static void cover(const struct gaussian *gaussian, const float *row, size_t count,
                  float *covariance)
{
    float distance[ROOM];

    for (size_t i = 0; i < count; i++)
        covariance[i] = gaussian->unit;
    for (size_t g = 0; g < gaussian->groups; g++) {
        const float weight = gaussian->weight[g];
        memset(distance, 0, count * sizeof *distance);
        for (size_t f = gaussian->begin[g]; f < gaussian->begin[g + 1]; f++) {
            const float *column = gaussian->columns + f * ROOM, value = row[f];
            for (size_t i = 0; i < count; i++)
                distance[i] += (column[i] - value) * (column[i] - value);
        }
        for (size_t i = 0; i < count; i++)
            covariance[i] *= 1.0f + weight / (1.0f + gaussian->range2 * distance[i]);
    }
}

/* ---- fitting ---- */

static float dot(const float *a, const float *b, size_t count)
{
    float sums[8] = {0}, sum = 0.0f;
    size_t i = 0;

    for (; i + 8 <= count; i += 8)
        for (size_t k = 0; k < 8; k++)
            sums[k] += a[i + k] * b[i + k];
    for (; i < count; i++)
        sum += a[i] * b[i];
    for (size_t k = 0; k < 8; k++)
        sum += sums[k];
    return sum;
}

/* Solves factor x = b in place. */
static void solve_lower(const struct gaussian *gaussian, float *b)
{
    for (size_t i = 0; i < gaussian->count; i++) {
        const float *row = gaussian->factor + i * ROOM;
        b[i] = (b[i] - dot(row, b, i)) / row[i];
    }
}

/* The logarithm of the likelihood of the samples, but for a constant. */
static double factorise(struct gaussian *gaussian, const float *rows)
{
    const float noise = exp2f(gaussian->settings.noise);
    size_t features = gaussian->encoding->features, count = gaussian->count;
    double logarithms = 0.0;

    use(gaussian);
    for (size_t i = 0; i < count; i++) {
        float *row = gaussian->factor + i * ROOM;
        cover(gaussian, rows + i * features, i + 1, row);
        for (size_t j = 0; j < i; j++) {
            const float *other = gaussian->factor + j * ROOM;
            row[j] = (row[j] - dot(row, other, j)) / other[j];
        }
        row[i] = sqrtf(fmaxf(1.0f + noise - dot(row, row, i), 1e-6f));
        logarithms += log((double)row[i]);
    }
    memcpy(gaussian->solved, gaussian->scaled, count * sizeof *gaussian->solved);
    solve_lower(gaussian, gaussian->solved);
    double fit = 0.0;
    for (size_t i = 0; i < count; i++)
        fit += (double)(gaussian->solved[i] * gaussian->solved[i]);
    return -0.5 * fit - logarithms;
}

/* What is far from usual needs evidence. */
static double prior(const struct gaussian *gaussian)
{
    const struct settings *settings = &gaussian->settings;
    double sum = 0.0;

    for (size_t g = 0; g < gaussian->groups; g++)
        sum += pow((double)(settings->weight[g] - gaussian->usual), 2.0);
    sum += pow((double)settings->range + 1.0, 2.0) + 0.25 * pow((double)settings->noise + 7.0, 2.0);
    return -0.125 * sum;
}

static void change(struct gaussian *gaussian, uint64_t seed, uint64_t proposal)
{
    struct settings *settings = &gaussian->settings;
    float step = (float)(4.0 * random_uniform(seed, 3 * proposal) - 2.0);
    size_t which = random_below(seed, 3 * proposal + 1, gaussian->groups + 4);

    if (which < gaussian->groups)
        settings->weight[which] = fminf(fmaxf(settings->weight[which] + 1.5f * step, -6.0f), 4.0f);
    else if (which < gaussian->groups + 2)
        settings->range = fminf(fmaxf(settings->range + 0.6f * step, -5.0f), 2.0f);
    else
        settings->noise = fminf(fmaxf(settings->noise + 1.5f * step, -13.0f), 0.0f);
}

static float scale(const struct gaussian *gaussian, float target)
{
    return (float)(((double)target - gaussian->mean) / gaussian->deviation);
}

static void take_samples(struct gaussian *gaussian, const struct gaussian_sample *samples)
{
    double sum = 0.0, squares = 0.0, valid = 0.0;
    size_t count = gaussian->count;

    for (size_t i = 0; i < count; i++) {
        sum += (double)samples[i].target;
        valid += (double)samples[i].valid;
    }
    gaussian->mean = sum / (double)count;
    gaussian->valid_mean = (float)(valid / (double)count);
    for (size_t i = 0; i < count; i++)
        squares += pow((double)samples[i].target - gaussian->mean, 2.0);
    gaussian->deviation = fmax(sqrt(squares / (double)count), 1e-9);
    for (size_t i = 0; i < count; i++) {
        gaussian->scaled[i] = scale(gaussian, samples[i].target);
        gaussian->valid[i] = samples[i].valid - gaussian->valid_mean;
    }
}

static size_t proposals(size_t count)
{
    size_t affordable = (size_t)ROOM * ROOM / (count * count);

    return affordable < PROPOSALS_MIN   ? PROPOSALS_MIN
           : affordable > PROPOSALS_MAX ? PROPOSALS_MAX
                                        : affordable;
}

static void keep_row(struct gaussian *gaussian, size_t place, const float *row)
{
    for (size_t f = 0; f < gaussian->encoding->features; f++)
        gaussian->columns[f * ROOM + place] = row[f];
}

void gaussian_fit(struct gaussian *gaussian, const float *rows,
                  const struct gaussian_sample *samples, size_t count, uint64_t seed)
{
    gaussian->count = count;
    take_samples(gaussian, samples);
    for (size_t i = 0; i < count; i++)
        keep_row(gaussian, i, rows + i * gaussian->encoding->features);
    double likelihood = factorise(gaussian, rows) + prior(gaussian);
    bool kept = true;
    for (uint64_t i = 0; i < proposals(count); i++) {
        struct settings before = gaussian->settings;
        change(gaussian, seed, i);
        double other = factorise(gaussian, rows) + prior(gaussian);
        kept = other > likelihood;
        if (kept)
            likelihood = other;
        else
            gaussian->settings = before;
    }
    if (!kept)
        factorise(gaussian, rows);
    memcpy(gaussian->solved_valid, gaussian->valid, count * sizeof *gaussian->solved_valid);
    solve_lower(gaussian, gaussian->solved_valid);
}

bool gaussian_add(struct gaussian *gaussian, const float *row, struct gaussian_sample sample)
{
    const size_t place = gaussian->count;
    const float noise = exp2f(gaussian->settings.noise);
    float *factor = gaussian->factor + place * ROOM;

    if (place == ROOM)
        return false;
    cover(gaussian, row, place, factor);
    solve_lower(gaussian, factor);
    factor[place] = sqrtf(fmaxf(1.0f + noise - dot(factor, factor, place), 1e-6f));
    gaussian->scaled[place] = scale(gaussian, sample.target);
    gaussian->valid[place] = sample.valid - gaussian->valid_mean;
    gaussian->solved[place] =
        (gaussian->scaled[place] - dot(factor, gaussian->solved, place)) / factor[place];
    gaussian->solved_valid[place] =
        (gaussian->valid[place] - dot(factor, gaussian->solved_valid, place)) / factor[place];
    keep_row(gaussian, place, row);
    gaussian->count++;
    return true;
}

/* ---- predictions ---- */

static void conclude(const struct gaussian *gaussian, struct gaussian_prediction *prediction)
{
    const float *explained = prediction->explained;
    float value = dot(explained, gaussian->solved, gaussian->count);
    float share = dot(explained, explained, gaussian->count);
    float valid = dot(explained, gaussian->solved_valid, gaussian->count);

    prediction->mean = (float)(gaussian->mean + gaussian->deviation * (double)value);
    prediction->valid = gaussian->valid_mean + valid;
    prediction->spread = (float)gaussian->deviation * sqrtf(fmaxf(1.0f - share, 0.0f));
}

float gaussian_deviation(const struct gaussian *gaussian)
{
    return (float)gaussian->deviation;
}

void gaussian_predict(const struct gaussian *gaussian, const float *row,
                      struct gaussian_prediction *prediction)
{
    cover(gaussian, row, gaussian->count, prediction->explained);
    solve_lower(gaussian, prediction->explained);
    conclude(gaussian, prediction);
}

/* Of two configurations, one of them a sample. */
static float similarity(const struct gaussian *gaussian, const float *row, size_t sample)
{
    float product = gaussian->unit;

    for (size_t g = 0; g < gaussian->groups; g++) {
        float distance = 0.0f;
        for (size_t f = gaussian->begin[g]; f < gaussian->begin[g + 1]; f++) {
            float apart = gaussian->columns[f * ROOM + sample] - row[f];
            distance += apart * apart;
        }
        product *= 1.0f + gaussian->weight[g] / (1.0f + gaussian->range2 * distance);
    }
    return product;
}

void gaussian_update(const struct gaussian *gaussian, const float *row,
                     struct gaussian_prediction *prediction)
{
    const size_t last = gaussian->count - 1;
    const float *factor = gaussian->factor + last * ROOM;

    prediction->explained[last] =
        (similarity(gaussian, row, last) - dot(prediction->explained, factor, last)) / factor[last];
    conclude(gaussian, prediction);
}
