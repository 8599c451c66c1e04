/* replay_columns.h: parameters made of columns of text. */
#ifndef TUNER_REPLAY_COLUMNS_H
#define TUNER_REPLAY_COLUMNS_H

#include <datamotion/tuner_space.h>

struct replay_columns {
    struct tuner_parameter parameters[TUNER_PARAMETERS_MAX];
    size_t count;
    uint32_t *indices; /* rows x count, row by row: which value of its parameter a cell is */
};

/* Columns in which all cells are whole numbers make an integer parameter, others a category of the
 * words in the order of their bytes. DM_INVALID: too many or too long words; DM_NO_MEMORY. Released
 * by the caller, after errors too. */
enum dm_status replay_columns_make(struct replay_columns *columns, const char *const *names,
                                   size_t count, const char *const *cells, size_t rows);
void replay_columns_release(struct replay_columns *columns);

#endif
