/* tuner_replay_columns.h: parameters made of columns of text. */
#ifndef TUNER_REPLAY_COLUMNS_H
#define TUNER_REPLAY_COLUMNS_H

#include "tuner_space.h"

struct tuner_replay_columns {
    struct tuner_parameter parameters[TUNER_PARAMETERS];
    size_t count;
    uint32_t *indices; /* rows x count, row by row: which value of its parameter a cell is */
};

/* Columns in which all cells are whole numbers make an integer parameter, others a category of the
 * words in the order of their bytes. False with a sentence: too many or too long words. */
bool tuner_replay_columns_make(struct tuner_replay_columns *columns, const char *const *names,
                               size_t count, const char *const *cells, size_t rows,
                               const char **complaint);
void tuner_replay_columns_release(struct tuner_replay_columns *columns);

#endif
