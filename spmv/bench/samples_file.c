#include "samples_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/statistics.h"

#include "samples_lines.h"

enum { SAMPLES_MAX = 1 << 20 };

enum column { VARIANT, ROWS, BYTES, TIME, STATUS, THREADS, DISTURBED, COLUMNS };
enum { NEEDED_COLUMNS = THREADS };
static const char *const column_names[COLUMNS] = {"variant", "rows",    "bytes",    "time_s",
                                                  "status",  "threads", "disturbed"};

enum kind { CPU, GPU, BUS_IN, BUS_OUT, KINDS };
static const char *const kind_names[KINDS] = {"cpu", "gpu", "bus-in", "bus-out"};

struct sample {
    int kind;
    double size, time_s;
};

struct reader {
    struct split_lines lines;
    size_t header_count;
    size_t place[COLUMNS]; /* cell of a column; SPLIT_CELLS_MAX: there is none */
    char setting[COLUMNS][32];
    int threads; /* 0: any */
    struct sample *samples;
    size_t count, capacity;
};

/* ---- samples ---- */

static enum dm_status read_header(struct reader *reader)
{
    TRY(split_lines_next(&reader->lines));
    if (reader->lines.count == 0)
        return split_lines_invalid(&reader->lines, "the file is empty");
    reader->header_count = reader->lines.count;
    for (int c = 0; c < COLUMNS; c++) {
        size_t place = 0;
        while (place < reader->lines.count &&
               strcmp(reader->lines.cells[place], column_names[c]) != 0)
            place++;
        if (place == reader->lines.count && c < NEEDED_COLUMNS)
            return split_lines_invalid(&reader->lines,
                                       "there is no column %s: it is no file of spmv_samples",
                                       column_names[c]);
        reader->place[c] = place < reader->lines.count ? place : SPLIT_CELLS_MAX;
    }
    return DM_OK;
}

static enum dm_status read_number(struct reader *reader, enum column column, double *number)
{
    const char *text = reader->lines.cells[reader->place[column]];
    char *end;
    *number = strtod(text, &end);
    if (end == text || *end || !isfinite(*number) || *number < 0)
        return split_lines_invalid(&reader->lines,
                                   "column %s has '%.40s', a number from 0 is expected",
                                   column_names[column], text);
    return DM_OK;
}

static bool has_threads(const struct reader *reader)
{
    return reader->threads == 0 || reader->place[THREADS] == SPLIT_CELLS_MAX ||
           atoi(reader->lines.cells[reader->place[THREADS]]) == reader->threads;
}

/* All samples of the CPU are of one setting. */
static enum dm_status same_setting(struct reader *reader, enum column column)
{
    if (reader->place[column] == SPLIT_CELLS_MAX)
        return DM_OK;
    char *setting = reader->setting[column];
    const char *text = reader->lines.cells[reader->place[column]];
    if (!*setting)
        snprintf(setting, sizeof reader->setting[column], "%s", text);
    if (strncmp(setting, text, sizeof reader->setting[column] - 1) == 0)
        return DM_OK;
    return split_lines_invalid(&reader->lines,
                               "column %s has '%.31s' after '%s': use samples of one setting",
                               column_names[column], text, setting);
}

static enum dm_status add_sample(struct reader *reader, struct sample sample)
{
    if (reader->count == SAMPLES_MAX)
        return split_lines_invalid(&reader->lines, "there are more than %d samples", SAMPLES_MAX);
    if (reader->count == reader->capacity) {
        size_t capacity = reader->capacity ? 2 * reader->capacity : 256;
        struct sample *samples = realloc(reader->samples, capacity * sizeof *samples);
        if (!samples)
            return split_lines_invalid(&reader->lines, "there is no memory for %zu samples",
                                       capacity);
        reader->samples = samples;
        reader->capacity = capacity;
    }
    reader->samples[reader->count++] = sample;
    return DM_OK;
}

static enum dm_status read_sample(struct reader *reader)
{
    if (reader->lines.count != reader->header_count)
        return split_lines_invalid(&reader->lines, "there are %zu cells, the header has %zu",
                                   reader->lines.count, reader->header_count);
    struct sample sample = {.kind = 0};
    const char *status = reader->lines.cells[reader->place[STATUS]];
    const char *variant = reader->lines.cells[reader->place[VARIANT]];
    if (strcmp(status, "waived") == 0)
        return DM_OK;
    if (strcmp(status, "pass") != 0)
        return split_lines_invalid(&reader->lines, "the status of the sample is '%.40s', not pass",
                                   status);
    while (sample.kind < KINDS && strcmp(variant, kind_names[sample.kind]) != 0)
        sample.kind++;
    if (sample.kind == KINDS)
        return split_lines_invalid(&reader->lines, "'%.40s' is no variant of spmv_samples",
                                   variant);
    if (sample.kind == CPU && !has_threads(reader))
        return DM_OK;
    if (sample.kind == CPU) {
        TRY(same_setting(reader, THREADS));
        TRY(same_setting(reader, DISTURBED));
    }
    TRY(read_number(reader, sample.kind < BUS_IN ? ROWS : BYTES, &sample.size));
    TRY(read_number(reader, TIME, &sample.time_s));
    return add_sample(reader, sample);
}

static enum dm_status read_all(struct reader *reader)
{
    TRY(read_header(reader));
    for (;;) {
        TRY(split_lines_next(&reader->lines));
        if (reader->lines.count == 0)
            return DM_OK;
        TRY(read_sample(reader));
    }
}

/* ---- medians ---- */

static int by_kind_size_time(const void *a, const void *b)
{
    const struct sample *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind - y->kind;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return (x->time_s > y->time_s) - (x->time_s < y->time_s);
}

static enum dm_status refuse_absence(const struct reader *reader, int kind)
{
    if (kind == CPU && reader->threads > 0)
        return dm_fail(DM_INVALID,
                       "%.120s: there are no samples of %d threads of the CPU: make them with "
                       "spmv_samples --threads",
                       reader->lines.path, reader->threads);
    return dm_fail(DM_INVALID, "%.120s: there are no samples of variant %s", reader->lines.path,
                   kind_names[kind]);
}

/* Makes medians of what was read; file->memory has three numbers for each sample. */
static enum dm_status make_medians(struct split_samples_file *file, struct reader *reader)
{
    struct spmv_split_samples *targets[KINDS] = {&file->cpu, &file->gpu, &file->to_device,
                                                 &file->from_device};
    double *sizes = file->memory, *medians = sizes + reader->count,
           *times = medians + reader->count;
    size_t made = 0;
    if (reader->count > 0)
        qsort(reader->samples, reader->count, sizeof *reader->samples, by_kind_size_time);
    for (size_t i = 0; i < reader->count; i++)
        times[i] = reader->samples[i].time_s;
    for (size_t first = 0, next; first < reader->count; first = next, made++) {
        struct sample of = reader->samples[first];
        for (next = first; next < reader->count && reader->samples[next].kind == of.kind &&
                           reader->samples[next].size == of.size;)
            next++;
        sizes[made] = of.size;
        medians[made] = statistics_quantile(times + first, next - first, 0.5);
        struct spmv_split_samples *target = targets[of.kind];
        if (target->count++ == 0)
            *target = (struct spmv_split_samples){1, &sizes[made], &medians[made]};
    }
    for (int kind = 0; kind < KINDS; kind++)
        if (targets[kind]->count == 0)
            return refuse_absence(reader, kind);
    return DM_OK;
}

static enum dm_status read_medians(struct split_samples_file *file, const char *path,
                                   struct reader *reader)
{
    TRY(split_lines_open(&reader->lines, path));
    TRY(read_all(reader));
    file->memory = calloc(3 * reader->count + 1, sizeof *file->memory);
    if (!file->memory)
        return dm_fail(DM_NO_MEMORY, "there is no memory for %zu samples", reader->count);
    return make_medians(file, reader);
}

enum dm_status split_samples_read(struct split_samples_file *file, const char *path, int threads)
{
    *file = (struct split_samples_file){.memory = NULL};
    struct reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return dm_fail(DM_NO_MEMORY, "there is no memory to read %.120s", path);
    reader->threads = threads;
    enum dm_status status = read_medians(file, path, reader);
    split_lines_close(&reader->lines);
    free(reader->samples);
    free(reader);
    if (status != DM_OK)
        split_samples_close(file);
    return status;
}

void split_samples_close(struct split_samples_file *file)
{
    free(file->memory);
    *file = (struct split_samples_file){.memory = NULL};
}
