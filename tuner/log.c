#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <datamotion/tuner.h>

#include "common/error.h"

#include "allocate.h"
#include "csv.h"
#include "value.h"

/* The columns behind those of the parameters. */
enum { OUTCOME, TIME, SPREAD, COST, SEED, STRATEGY, ORACLE, COLUMNS };
static const char *const columns[COLUMNS] = {"outcome", "time_s",   "spread_s", "cost_s",
                                             "seed",    "strategy", "oracle"};

struct tuner_log {
    char *path;
    const char *const *further; /* ended by NULL */
    size_t further_count;
    const struct tuner_space *space;
    char *oracle;
    char *header;
    FILE *file;
    bool *known; /* of each configuration */
    struct tuner_trial *trials;
    uint32_t *order; /* configurations as they came */
    size_t size;
    bool was_cut;
};

const char *const *tuner_log_ignored(void)
{
    static const char *const ignored[] = {"outcome",  "spread_s", "cost_s", "seed",
                                          "strategy", "oracle",   NULL};
    return ignored;
}

static enum dm_status make_header(struct tuner_log *log)
{
    size_t length;
    FILE *out = open_memstream(&log->header, &length);

    if (!out)
        return error_errno("the header of a log");
    for (size_t d = 0; d < tuner_space_dimensions(log->space); d++)
        csv_write(out, tuner_space_parameter(log->space, d)->name, d ? ',' : 0);
    for (size_t c = 0; c < COLUMNS; c++)
        csv_write(out, columns[c], ',');
    for (size_t f = 0; f < log->further_count; f++)
        fprintf(out, ",objective:%s", log->further[f]);
    fputc('\n', out);
    return fclose(out) == 0 ? DM_OK : error_errno("the header of a log");
}

/* ---- reading ---- */

static bool read_configuration(const struct tuner_log *log, const struct csv *csv,
                               size_t *configuration)
{
    size_t indices[TUNER_PARAMETERS_MAX];

    for (size_t d = 0; d < tuner_space_dimensions(log->space); d++)
        if (!value_find(tuner_space_parameter(log->space, d), csv->cells[d], &indices[d]))
            return false;
    return tuner_space_find(log->space, indices, configuration);
}

static bool read_trial(char *const *cells, size_t further, struct tuner_trial *trial)
{
    int outcome = 0;

    *trial = (struct tuner_trial){0};

    while (outcome < TUNER_OUTCOMES &&
           strcmp(cells[OUTCOME], tuner_outcome_name((enum tuner_outcome)outcome)) != 0)
        outcome++;
    trial->outcome = (enum tuner_outcome)outcome;
    trial->time_s = NAN;
    trial->spread_s = 0.0;
    if (outcome == TUNER_OUTCOMES || !csv_number(cells[COST], &trial->cost_s))
        return false;
    if (outcome != TUNER_OK)
        return !*cells[TIME];
    for (size_t f = 0; f < further; f++)
        if (!csv_number(cells[COLUMNS + f], &trial->further[f]) || !(trial->further[f] > 0.0))
            return false;
    return csv_number(cells[TIME], &trial->time_s) && trial->time_s >= 0.0 &&
           csv_number(cells[SPREAD], &trial->spread_s);
}

static enum dm_status no_trial(const struct tuner_log *log, const struct csv *csv)
{
    return dm_fail(DM_INVALID, "%s:%zu: this is not a trial", log->path, csv->line);
}

static enum dm_status read_row(struct tuner_log *log, const struct csv *csv)
{
    char *const *cells = csv->cells + tuner_space_dimensions(log->space);
    struct tuner_trial trial;
    size_t configuration;

    if (csv->count != tuner_space_dimensions(log->space) + COLUMNS + log->further_count ||
        !read_trial(cells, log->further_count, &trial))
        return no_trial(log, csv);
    if (strcmp(cells[ORACLE], log->oracle) != 0)
        return dm_fail(DM_INVALID, "%s:%zu: this is a trial of '%s', not of '%s'", log->path,
                       csv->line, cells[ORACLE], log->oracle);
    if (!read_configuration(log, csv, &configuration))
        return dm_fail(DM_INVALID, "%s:%zu: this configuration is not in the space", log->path,
                       csv->line);
    if (!log->known[configuration])
        log->order[log->size++] = (uint32_t)configuration;
    log->known[configuration] = true;
    log->trials[configuration] = trial;
    return DM_OK;
}

/* Cuts the file after its last whole line. */
static enum dm_status cut(struct tuner_log *log, size_t length)
{
    log->was_cut = true;
    if (ftruncate(fileno(log->file), (off_t)length) != 0)
        return error_errno("%s", log->path);
    return DM_OK;
}

static enum dm_status read_rows(struct tuner_log *log, struct csv *csv)
{
    enum csv_row row;

    while ((row = csv_next(csv)) == CSV_ROW)
        TRY(read_row(log, csv));
    if (row == CSV_BROKEN)
        return no_trial(log, csv);
    return row == CSV_END ? DM_OK : cut(log, csv->begin);
}

/* The header is compared as a whole, so that a file that is something else is left as it is, even
 * if its last line is not complete. */
static enum dm_status read_file(struct tuner_log *log, struct csv *csv)
{
    size_t length = strlen(log->header);
    size_t common = csv->length < length ? csv->length : length;

    if (memcmp(csv->text, log->header, common) != 0)
        return dm_fail(DM_INVALID, "%s is not a log of this space: it does not begin with %s",
                       log->path, log->header);
    if (common < length)
        return common == 0 ? DM_OK : cut(log, 0);
    csv->next = length;
    csv->next_line = 2;
    return read_rows(log, csv);
}

static enum dm_status read_back(struct tuner_log *log)
{
    struct csv csv;

    TRY(csv_load(&csv, log->path));
    enum dm_status status = read_file(log, &csv);
    csv_release(&csv);
    return status;
}

/* ---- writing ---- */

static enum dm_status flush(struct tuner_log *log)
{
    if (fflush(log->file) != 0 || ferror(log->file))
        return error_errno("%s cannot be written", log->path);
    return DM_OK;
}

enum dm_status tuner_log_add(struct tuner_log *log, size_t configuration,
                             const struct tuner_trial *trial, uint64_t seed, const char *strategy)
{
    char buffer[TUNER_NAME_BYTES];

    for (size_t d = 0; d < tuner_space_dimensions(log->space); d++)
        csv_write(log->file, value_text(log->space, configuration, d, buffer), d ? ',' : 0);
    fprintf(log->file, ",%s,", tuner_outcome_name(trial->outcome));
    /* All digits, so that a search that goes on from here is the one that was not interrupted. */
    if (trial->outcome == TUNER_OK)
        fprintf(log->file, "%.17g,%.17g", trial->time_s, trial->spread_s);
    else
        fputc(',', log->file);
    fprintf(log->file, ",%.17g,%" PRIu64, trial->cost_s, seed);
    csv_write(log->file, strategy, ',');
    csv_write(log->file, log->oracle, ',');
    for (size_t f = 0; f < log->further_count; f++)
        if (trial->outcome == TUNER_OK)
            fprintf(log->file, ",%.17g", trial->further[f]);
        else
            fputc(',', log->file);
    fputc('\n', log->file);
    return flush(log);
}

/* ---- opening ---- */

static enum dm_status open_file(struct tuner_log *log)
{
    struct stat status;

    log->file = fopen(log->path, "a+e");
    if (!log->file)
        return error_errno("%s", log->path);
    if (fstat(fileno(log->file), &status) != 0 || !S_ISREG(status.st_mode))
        return dm_fail(DM_INVALID, "%s is not a regular file", log->path);
    if (flock(fileno(log->file), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return dm_fail(DM_FAILED, "another tuner writes to %s", log->path);
    /* A whole row goes to the file at once. */
    setvbuf(log->file, NULL, _IOFBF, 1 << 16);
    return DM_OK;
}

static enum dm_status open_log(struct tuner_log *log)
{
    TRY(make_header(log));
    TRY(open_file(log));
    TRY(read_back(log));
    fseek(log->file, 0, SEEK_END);
    if (ftell(log->file) == 0)
        fputs(log->header, log->file);
    return flush(log);
}

static struct tuner_log *allocate_log(const char *path, const struct tuner_space *space,
                                      const char *oracle)
{
    struct tuner_log *log = allocate(1, sizeof *log);
    if (!log)
        return NULL;
    *log = (struct tuner_log){
        .path = allocate_copy(path, strlen(path) + 1, 1),
        .space = space,
        .oracle = allocate_copy(oracle, strlen(oracle) + 1, 1),
        .known = allocate(tuner_space_size(space), sizeof *log->known),
        .trials = allocate(tuner_space_size(space), sizeof *log->trials),
        .order = allocate(tuner_space_size(space), sizeof *log->order),
    };
    if (log->path && log->oracle && log->known && log->trials && log->order)
        return log;
    tuner_log_close(log);
    return NULL;
}

enum dm_status tuner_log_open(struct tuner_log **log, const char *path,
                              const struct tuner_space *space, const char *oracle)
{
    static const char *const none[] = {NULL};

    return tuner_log_open_further(log, path, space, oracle, none);
}

enum dm_status tuner_log_open_further(struct tuner_log **log, const char *path,
                                      const struct tuner_space *space, const char *oracle,
                                      const char *const *further)
{
    *log = NULL;
    struct tuner_log *opened = allocate_log(path, space, oracle);
    if (!opened)
        return DM_NO_MEMORY;
    opened->further = further;
    while (further[opened->further_count])
        opened->further_count++;
    enum dm_status status = open_log(opened);
    if (status == DM_OK)
        *log = opened;
    else
        tuner_log_close(opened);
    return status;
}

void tuner_log_close(struct tuner_log *log)
{
    if (!log)
        return;
    if (log->file)
        fclose(log->file);
    free(log->path);
    free(log->oracle);
    free(log->header);
    free(log->known);
    free(log->trials);
    free(log->order);
    free(log);
}

size_t tuner_log_size(const struct tuner_log *log)
{
    return log->size;
}

size_t tuner_log_at(const struct tuner_log *log, size_t place)
{
    return log->order[place];
}

bool tuner_log_was_cut(const struct tuner_log *log)
{
    return log->was_cut;
}

bool tuner_log_find(const struct tuner_log *log, size_t configuration, struct tuner_trial *trial)
{
    if (log->known[configuration])
        *trial = log->trials[configuration];
    return log->known[configuration];
}
