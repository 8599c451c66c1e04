#include "tuner_replay_columns.h"
#include "status.h"
#include "tuner_complain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One column: its cells are `stride` apart. */
struct cells {
    const char *const *first;
    size_t stride, rows;
};

static const char *cell_of(const struct cells *cells, size_t row)
{
    return cells->first[row * cells->stride];
}

/* ---- whole numbers ---- */

static bool read_whole(const char *text, int64_t *value)
{
    const char *digits = text + (*text == '-');

    errno = 0;
    *value = strtoll(text, NULL, 10);
    return *digits && digits[strspn(digits, "0123456789")] == '\0' && errno == 0;
}

static int compare_values(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The values of a column in ascending order, each once, and the index of each cell. False if a cell
 * is no whole number. */
static bool make_numbers(struct tuner_parameter *parameter, const struct cells *cells,
                         uint32_t *indices)
{
    int64_t *values = allocate_or_fail(cells->rows, sizeof *values), value;
    size_t count = 0;

    for (size_t row = 0; row < cells->rows; row++)
        if (!read_whole(cell_of(cells, row), &values[row])) {
            free(values);
            return false;
        }
    qsort(values, cells->rows, sizeof *values, compare_values);
    for (size_t i = 0; i < cells->rows; i++)
        if (count == 0 || values[i] != values[count - 1])
            values[count++] = values[i];
    for (size_t row = 0; row < cells->rows; row++) {
        read_whole(cell_of(cells, row), &value);
        const int64_t *at = bsearch(&value, values, count, sizeof value, compare_values);
        indices[row * cells->stride] = (uint32_t)(at - values);
    }
    parameter->kind = TUNER_INTEGER;
    parameter->values = values;
    parameter->count = count;
    return true;
}

/* ---- words ---- */

static int compare_words(const void *left, const void *right)
{
    return strcmp(left, right);
}

static size_t find_word(const struct tuner_parameter *parameter, const char *word)
{
    size_t i = 0;

    while (i < parameter->count && strcmp(parameter->words[i], word) != 0)
        i++;
    return i;
}

static bool add_word(struct tuner_parameter *parameter, const char *word, const char **complaint)
{
    if (find_word(parameter, word) < parameter->count)
        return true;
    if (strlen(word) >= TUNER_NAME)
        return tuner_complain(complaint, "the word %.40s... of column %s is longer than %d bytes",
                              word, parameter->name, TUNER_NAME - 1);
    if (parameter->count == TUNER_CATEGORIES)
        return tuner_complain(complaint,
                              "column %s is not made of whole numbers (%s is none), and has more "
                              "than the %d words that a category can have",
                              parameter->name, word, TUNER_CATEGORIES);
    strcpy(parameter->words[parameter->count++], word);
    return true;
}

static bool make_words(struct tuner_parameter *parameter, const struct cells *cells,
                       uint32_t *indices, const char **complaint)
{
    parameter->kind = TUNER_CATEGORY;
    parameter->words = allocate_or_fail(TUNER_CATEGORIES, sizeof *parameter->words);
    parameter->values = allocate_or_fail(TUNER_CATEGORIES, sizeof *parameter->values);
    for (size_t row = 0; row < cells->rows; row++)
        if (!add_word(parameter, cell_of(cells, row), complaint))
            return false;
    qsort(parameter->words, parameter->count, sizeof *parameter->words, compare_words);
    for (size_t i = 0; i < parameter->count; i++)
        parameter->values[i] = (int64_t)i;
    for (size_t row = 0; row < cells->rows; row++)
        indices[row * cells->stride] = (uint32_t)find_word(parameter, cell_of(cells, row));
    return true;
}

/* ---- all columns ---- */

bool tuner_replay_columns_make(struct tuner_replay_columns *columns, const char *const *names,
                               size_t count, const char *const *cells, size_t rows,
                               const char **complaint)
{
    *columns = (struct tuner_replay_columns){.count = count};
    columns->indices = allocate_or_fail(rows * count, sizeof *columns->indices);
    for (size_t p = 0; p < count; p++) {
        struct tuner_parameter *parameter = &columns->parameters[p];
        struct cells column = {cells + p, count, rows};
        strcpy(parameter->name, names[p]);
        if (!make_numbers(parameter, &column, columns->indices + p) &&
            !make_words(parameter, &column, columns->indices + p, complaint))
            return false;
    }
    return true;
}

void tuner_replay_columns_release(struct tuner_replay_columns *columns)
{
    for (size_t p = 0; p < columns->count; p++) {
        free(columns->parameters[p].values);
        free(columns->parameters[p].words);
    }
    free(columns->indices);
}
