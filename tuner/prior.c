/* What measurements of something similar say about a space: another GPU, another size, an older
 * version. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/tuner.h>

#include "common/error.h"
#include "common/random.h"

#include "allocate.h"
#include "encoding.h"
#include "ensemble.h"
#include "value.h"

enum { LEARNED_MAX = 1000, PREDICTED_MAX = 200000, NOT_THERE = UINT32_MAX };

struct transfer {
    const struct tuner_space *space, *source;
    struct tuner_replay *replay;
    size_t dimension[TUNER_PARAMETERS_MAX]; /* ours, of each parameter of the source */
    uint32_t *index[TUNER_PARAMETERS_MAX];  /* the source's, of each value of ours */
    float *prior;
    size_t known;
};

static bool is_same_value(const struct tuner_parameter *ours, size_t i,
                          const struct tuner_parameter *theirs, size_t j)
{
    bool words = ours->kind == TUNER_CATEGORY, their_words = theirs->kind == TUNER_CATEGORY;

    if (words != their_words)
        return false;
    return words ? strcmp(ours->words[i], theirs->words[j]) == 0
                 : encoding_number(ours, i) == encoding_number(theirs, j);
}

static enum dm_status match_parameter(struct transfer *transfer, size_t d)
{
    const struct tuner_parameter *theirs = tuner_space_parameter(transfer->source, d);

    if (!tuner_space_dimension_of(transfer->space, theirs->name, &transfer->dimension[d]))
        return dm_fail(DM_INVALID, "its parameter %s is not in the space", theirs->name);
    const struct tuner_parameter *ours =
        tuner_space_parameter(transfer->space, transfer->dimension[d]);
    transfer->index[d] = allocate(ours->count, sizeof *transfer->index[d]);
    if (!transfer->index[d])
        return DM_NO_MEMORY;
    for (size_t i = 0; i < ours->count; i++) {
        size_t j = 0;
        while (j < theirs->count && !is_same_value(ours, i, theirs, j))
            j++;
        transfer->index[d][i] = j < theirs->count ? (uint32_t)j : NOT_THERE;
    }
    return DM_OK;
}

/* NaN if it was not measured there. */
static float measured(const struct transfer *transfer, size_t configuration)
{
    size_t indices[TUNER_PARAMETERS_MAX], there;
    struct tuner_trial trial;

    for (size_t d = 0; d < tuner_space_dimensions(transfer->source); d++) {
        size_t ours = tuner_space_index(transfer->space, configuration, transfer->dimension[d]);
        indices[d] = transfer->index[d][ours];
        if (indices[d] == NOT_THERE)
            return NAN;
    }
    if (!tuner_space_find(transfer->source, indices, &there))
        return NAN;
    if (tuner_objective_measure(tuner_replay_objective(transfer->replay), there, &trial) != DM_OK ||
        trial.outcome != TUNER_OK)
        return 0.0f;
    return (float)(tuner_replay_best_s(transfer->replay) / trial.time_s);
}

/* The known ones in random order, at most LEARNED_MAX; returns how many. */
static size_t choose_learned(const struct transfer *transfer, uint32_t *learned)
{
    size_t size = tuner_space_size(transfer->space), seen = 0;

    for (size_t i = 0; i < size; i++) {
        if (isnan(transfer->prior[i]))
            continue;
        size_t place = seen < LEARNED_MAX ? seen : random_below(1, seen, seen + 1);
        if (place < LEARNED_MAX)
            learned[place] = (uint32_t)i;
        seen++;
    }
    return seen < LEARNED_MAX ? seen : LEARNED_MAX;
}

static enum dm_status fit(const struct transfer *transfer, const struct encoding *encoding,
                          struct ensemble **ensemble)
{
    uint32_t *learned = allocate(LEARNED_MAX, sizeof *learned);
    float *rows = allocate(LEARNED_MAX * encoding->features, sizeof *rows);
    float *targets = allocate(LEARNED_MAX, sizeof *targets);
    enum dm_status status = learned && rows && targets ? DM_OK : DM_NO_MEMORY;

    if (status == DM_OK) {
        size_t count = choose_learned(transfer, learned);
        for (size_t i = 0; i < count; i++) {
            encode(encoding, learned[i], rows + i * encoding->features);
            targets[i] = transfer->prior[learned[i]];
        }
        status = ensemble_fit(ensemble, rows, targets, count, encoding->features, 1);
    }
    free(learned);
    free(rows);
    free(targets);
    return status;
}

/* What was not measured there is predicted from what was; in a very large space it is 0. */
static enum dm_status fill_gaps(const struct transfer *transfer, const struct encoding *encoding)
{
    size_t size = tuner_space_size(transfer->space);
    struct ensemble *ensemble = NULL;
    float *row = allocate(encoding->features, sizeof *row), spread;
    enum dm_status status = row ? DM_OK : DM_NO_MEMORY;

    if (status == DM_OK && size <= PREDICTED_MAX)
        status = fit(transfer, encoding, &ensemble);
    for (size_t i = 0; i < size && status == DM_OK; i++) {
        if (!isnan(transfer->prior[i]))
            continue;
        transfer->prior[i] = 0.0f;
        encode(encoding, i, row);
        if (ensemble)
            status = ensemble_predict(ensemble, row, 1, &transfer->prior[i], &spread);
    }
    ensemble_free(ensemble);
    free(row);
    return status;
}

static enum dm_status fill(struct transfer *transfer)
{
    size_t size = tuner_space_size(transfer->space);
    struct encoding encoding;

    for (size_t d = 0; d < tuner_space_dimensions(transfer->source); d++)
        TRY(match_parameter(transfer, d));
    transfer->prior = allocate(size, sizeof *transfer->prior);
    if (!transfer->prior)
        return DM_NO_MEMORY;
    for (size_t i = 0; i < size; i++) {
        transfer->prior[i] = measured(transfer, i);
        transfer->known += !isnan(transfer->prior[i]);
    }
    if (transfer->known == 0)
        return dm_fail(DM_INVALID, "it has no configuration of the space");
    if (transfer->known == size)
        return DM_OK;
    TRY(encoding_open(&encoding, transfer->space));
    enum dm_status status = fill_gaps(transfer, &encoding);
    encoding_close(&encoding);
    return status;
}

enum dm_status tuner_prior_load(float **prior, size_t *known, const struct tuner_space *space,
                                const char *path, const char *const *ignored,
                                const char *filter_column, const char *filter_value)
{
    struct transfer transfer = {.space = space};

    *prior = NULL;
    *known = 0;
    TRY(tuner_replay_load(&transfer.replay, path, ignored, filter_column, filter_value));
    transfer.source = tuner_replay_space(transfer.replay);
    enum dm_status status = fill(&transfer);
    if (status == DM_OK) {
        *prior = transfer.prior;
        *known = transfer.known;
    } else {
        free(transfer.prior);
    }
    for (size_t d = 0; d < TUNER_PARAMETERS_MAX; d++)
        free(transfer.index[d]);
    tuner_replay_free(transfer.replay);
    return status == DM_OK ? DM_OK : error_within(status, "%s", path);
}
