#include "replay_columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "allocate.h"
#include "csv.h"

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

static bool are_whole(const struct cells *cells)
{
    int64_t value;

    for (size_t row = 0; row < cells->rows; row++)
        if (!read_whole(cell_of(cells, row), &value))
            return false;
    return true;
}

/* The values of a column in ascending order, each once, and the index of each cell. */
static enum dm_status make_numbers(struct tuner_parameter *parameter, const struct cells *cells,
                                   uint32_t *indices)
{
    int64_t *values = allocate(cells->rows, sizeof *values), value;
    size_t count = 0;

    if (!values)
        return DM_NO_MEMORY;
    for (size_t row = 0; row < cells->rows; row++)
        read_whole(cell_of(cells, row), &values[row]);
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
    return DM_OK;
}

/* ---- reals ---- */

struct real {
    double value;
    const char *text;
};

static int compare_reals(const void *left, const void *right)
{
    double a = ((const struct real *)left)->value, b = ((const struct real *)right)->value;
    return (a > b) - (a < b);
}

/* Whole numbers beyond 64 bits are words: two of them may be the same double. */
static bool is_real(const char *text)
{
    double real;
    int64_t whole;

    return strlen(text) < TUNER_NAME_BYTES && csv_number(text, &real) &&
           (strpbrk(text, ".eE") || read_whole(text, &whole));
}

static bool are_reals(const struct cells *cells)
{
    for (size_t row = 0; row < cells->rows; row++)
        if (!is_real(cell_of(cells, row)))
            return false;
    return true;
}

static enum dm_status copy_reals(struct tuner_parameter *parameter, const struct real *reals,
                                 size_t count)
{
    parameter->kind = TUNER_REALS;
    parameter->count = count;
    parameter->values = allocate(count, sizeof *parameter->values);
    parameter->reals = allocate(count, sizeof *parameter->reals);
    parameter->words = allocate(count, sizeof *parameter->words);
    if (!parameter->values || !parameter->reals || !parameter->words)
        return DM_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        parameter->values[i] = (int64_t)i;
        parameter->reals[i] = reals[i].value;
        strcpy(parameter->words[i], reals[i].text);
    }
    return DM_OK;
}

/* As make_numbers; of several ways to write a number one is kept. */
static enum dm_status make_reals(struct tuner_parameter *parameter, const struct cells *cells,
                                 uint32_t *indices)
{
    struct real *reals = allocate(cells->rows, sizeof *reals), key;
    size_t count = 0;

    if (!reals)
        return DM_NO_MEMORY;
    for (size_t row = 0; row < cells->rows; row++) {
        reals[row].text = cell_of(cells, row);
        csv_number(reals[row].text, &reals[row].value);
    }
    qsort(reals, cells->rows, sizeof *reals, compare_reals);
    for (size_t i = 0; i < cells->rows; i++)
        if (count == 0 || reals[i].value != reals[count - 1].value)
            reals[count++] = reals[i];
    for (size_t row = 0; row < cells->rows; row++) {
        csv_number(cell_of(cells, row), &key.value);
        const struct real *at = bsearch(&key, reals, count, sizeof key, compare_reals);
        indices[row * cells->stride] = (uint32_t)(at - reals);
    }
    enum dm_status status = copy_reals(parameter, reals, count);
    free(reals);
    return status;
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

static enum dm_status add_word(struct tuner_parameter *parameter, const char *word)
{
    if (find_word(parameter, word) < parameter->count)
        return DM_OK;
    if (strlen(word) >= TUNER_NAME_BYTES)
        return dm_fail(DM_INVALID, "the word %.40s... of column %s is longer than %d bytes", word,
                       parameter->name, TUNER_NAME_BYTES - 1);
    if (parameter->count == TUNER_WORDS_MAX)
        return dm_fail(DM_INVALID,
                       "column %s is not made of numbers (%s is none), and has more than the "
                       "%d words that a category can have",
                       parameter->name, word, TUNER_WORDS_MAX);
    strcpy(parameter->words[parameter->count++], word);
    return DM_OK;
}

static enum dm_status make_words(struct tuner_parameter *parameter, const struct cells *cells,
                                 uint32_t *indices)
{
    parameter->kind = TUNER_CATEGORY;
    parameter->words = allocate(TUNER_WORDS_MAX, sizeof *parameter->words);
    parameter->values = allocate(TUNER_WORDS_MAX, sizeof *parameter->values);
    if (!parameter->words || !parameter->values)
        return DM_NO_MEMORY;
    for (size_t row = 0; row < cells->rows; row++)
        TRY(add_word(parameter, cell_of(cells, row)));
    qsort(parameter->words, parameter->count, sizeof *parameter->words, compare_words);
    for (size_t i = 0; i < parameter->count; i++)
        parameter->values[i] = (int64_t)i;
    for (size_t row = 0; row < cells->rows; row++)
        indices[row * cells->stride] = (uint32_t)find_word(parameter, cell_of(cells, row));
    return DM_OK;
}

/* ---- all columns ---- */

enum dm_status replay_columns_make(struct replay_columns *columns, const char *const *names,
                                   size_t count, const char *const *cells, size_t rows)
{
    *columns = (struct replay_columns){.count = count};
    columns->indices = allocate(rows * count, sizeof *columns->indices);
    if (!columns->indices)
        return DM_NO_MEMORY;
    for (size_t p = 0; p < count; p++) {
        struct tuner_parameter *parameter = &columns->parameters[p];
        struct cells column = {cells + p, count, rows};
        strcpy(parameter->name, names[p]);
        TRY((are_whole(&column)   ? make_numbers
             : are_reals(&column) ? make_reals
                                  : make_words)(parameter, &column, columns->indices + p));
    }
    return DM_OK;
}

void replay_columns_release(struct replay_columns *columns)
{
    for (size_t p = 0; p < columns->count; p++) {
        free(columns->parameters[p].values);
        free(columns->parameters[p].words);
        free(columns->parameters[p].reals);
    }
    free(columns->indices);
}
