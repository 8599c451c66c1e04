#include "tuner_log.h"
#include "status.h"
#include "tuner_complain.h"
#include "tuner_csv.h"
#include "tuner_value.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The columns behind those of the parameters. */
enum { OUTCOME, TIME, SPREAD, COST, SEED, STRATEGY, ORACLE, COLUMNS };
static const char *const columns[COLUMNS] = {"outcome", "time_s",   "spread_s", "cost_s",
                                             "seed",    "strategy", "oracle"};
const char *const tuner_log_ignored[] = {"outcome",  "spread_s", "cost_s", "seed",
                                         "strategy", "oracle",   NULL};

struct tuner_log {
    const char *path;
    const struct tuner_space *space;
    const char *oracle;
    char *header;
    FILE *file;
    bool *known; /* of each configuration */
    struct tuner_trial *trials;
    size_t size;
    bool was_cut;
};

static char *make_header(const struct tuner_space *space)
{
    char *header = NULL;
    size_t length;
    FILE *out = open_memstream(&header, &length);

    check_errno(out);
    for (size_t d = 0; d < tuner_space_dimensions(space); d++)
        tuner_csv_write(out, tuner_space_parameter(space, d)->name, d ? ',' : 0);
    for (size_t c = 0; c < COLUMNS; c++)
        tuner_csv_write(out, columns[c], ',');
    fputc('\n', out);
    check_errno(fclose(out) == 0);
    return header;
}

/* ---- reading ---- */

static bool read_configuration(const struct tuner_log *log, const struct tuner_csv *csv,
                               size_t *configuration)
{
    size_t indices[TUNER_PARAMETERS];

    for (size_t d = 0; d < tuner_space_dimensions(log->space); d++)
        if (!tuner_value_find(tuner_space_parameter(log->space, d), csv->cells[d], &indices[d]))
            return false;
    return tuner_space_find(log->space, indices, configuration);
}

static bool read_trial(char *const *cells, struct tuner_trial *trial)
{
    int outcome = 0;

    while (outcome < TUNER_OUTCOMES && strcmp(cells[OUTCOME], tuner_outcome_names[outcome]) != 0)
        outcome++;
    trial->outcome = (enum tuner_outcome)outcome;
    trial->time_s = NAN;
    trial->spread_s = 0.0;
    if (outcome == TUNER_OUTCOMES || !tuner_csv_number(cells[COST], &trial->cost_s))
        return false;
    if (outcome != TUNER_OK)
        return !*cells[TIME];
    return tuner_csv_number(cells[TIME], &trial->time_s) && trial->time_s > 0.0 &&
           tuner_csv_number(cells[SPREAD], &trial->spread_s);
}

static bool read_row(struct tuner_log *log, const struct tuner_csv *csv, const char **complaint)
{
    char *const *cells = csv->cells + tuner_space_dimensions(log->space);
    struct tuner_trial trial;
    size_t configuration;

    if (csv->count != tuner_space_dimensions(log->space) + COLUMNS || !read_trial(cells, &trial))
        return tuner_complain(complaint, "%s:%zu: this is no trial", log->path, csv->line);
    if (strcmp(cells[ORACLE], log->oracle) != 0)
        return tuner_complain(complaint, "%s:%zu: this is a trial of '%s', not of '%s'", log->path,
                              csv->line, cells[ORACLE], log->oracle);
    if (!read_configuration(log, csv, &configuration))
        return tuner_complain(complaint, "%s:%zu: this configuration is not in the space",
                              log->path, csv->line);
    log->size += !log->known[configuration];
    log->known[configuration] = true;
    log->trials[configuration] = trial;
    return true;
}

/* Cuts the file after its last whole line. */
static bool cut(struct tuner_log *log, size_t length, const char **complaint)
{
    log->was_cut = true;
    return ftruncate(fileno(log->file), (off_t)length) == 0 ||
           tuner_complain(complaint, "%s: %s", log->path, strerror(errno));
}

static bool read_rows(struct tuner_log *log, struct tuner_csv *csv, const char **complaint)
{
    enum tuner_csv_row row;

    while ((row = tuner_csv_next(csv)) == TUNER_CSV_ROW)
        if (!read_row(log, csv, complaint))
            return false;
    if (row == TUNER_CSV_BROKEN)
        return tuner_complain(complaint, "%s:%zu: this is no trial", log->path, csv->line);
    return row == TUNER_CSV_END || cut(log, csv->begin, complaint);
}

/* The header is compared as a whole, so that a file that is something else is left as it is, even
 * if its last line is not complete. */
static bool read_file(struct tuner_log *log, struct tuner_csv *csv, const char **complaint)
{
    size_t length = strlen(log->header);
    size_t common = csv->length < length ? csv->length : length;

    if (memcmp(csv->text, log->header, common) != 0)
        return tuner_complain(complaint, "%s is no log of this space: it does not begin with %s",
                              log->path, log->header);
    if (common < length)
        return common == 0 || cut(log, 0, complaint);
    csv->next = length;
    csv->next_line = 2;
    return read_rows(log, csv, complaint);
}

static bool read_back(struct tuner_log *log, const char **complaint)
{
    struct tuner_csv csv;

    if (!tuner_csv_load(&csv, log->path, complaint))
        return false;
    bool read = read_file(log, &csv, complaint);
    tuner_csv_release(&csv);
    return read;
}

/* ---- writing ---- */

static void check_written(struct tuner_log *log)
{
    if (fflush(log->file) != 0 || ferror(log->file))
        fail("%s cannot be written: %s", log->path, strerror(errno));
}

void tuner_log_add(struct tuner_log *log, size_t configuration, const struct tuner_trial *trial,
                   uint64_t seed, const char *strategy)
{
    char buffer[TUNER_NAME];

    for (size_t d = 0; d < tuner_space_dimensions(log->space); d++)
        tuner_csv_write(log->file, tuner_value_text(log->space, configuration, d, buffer),
                        d ? ',' : 0);
    fprintf(log->file, ",%s,", tuner_outcome_names[trial->outcome]);
    /* All digits, so that a search that goes on from here is the one that was not interrupted. */
    if (trial->outcome == TUNER_OK)
        fprintf(log->file, "%.17g,%.17g", trial->time_s, trial->spread_s);
    else
        fputc(',', log->file);
    fprintf(log->file, ",%.17g,%" PRIu64, trial->cost_s, seed);
    tuner_csv_write(log->file, strategy, ',');
    tuner_csv_write(log->file, log->oracle, ',');
    fputc('\n', log->file);
    check_written(log);
}

/* ---- opening ---- */

static bool open_file(struct tuner_log *log, const char **complaint)
{
    struct stat status;

    log->file = fopen(log->path, "a+e");
    if (!log->file)
        return tuner_complain(complaint, "%s: %s", log->path, strerror(errno));
    if (fstat(fileno(log->file), &status) != 0 || !S_ISREG(status.st_mode))
        return tuner_complain(complaint, "%s is no regular file", log->path);
    if (flock(fileno(log->file), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return tuner_complain(complaint, "another tuner writes to %s", log->path);
    /* A whole row goes to the file at once. */
    setvbuf(log->file, NULL, _IOFBF, 1 << 16);
    return true;
}

struct tuner_log *tuner_log_open(const char *path, const struct tuner_space *space,
                                 const char *oracle, const char **complaint)
{
    struct tuner_log *log = allocate_or_fail(1, sizeof *log);

    *log = (struct tuner_log){.path = path, .space = space, .oracle = oracle};
    log->header = make_header(space);
    log->known = allocate_or_fail(tuner_space_size(space), sizeof *log->known);
    log->trials = allocate_or_fail(tuner_space_size(space), sizeof *log->trials);
    if (!open_file(log, complaint) || !read_back(log, complaint)) {
        tuner_log_close(log);
        return NULL;
    }
    fseek(log->file, 0, SEEK_END);
    if (ftell(log->file) == 0)
        fputs(log->header, log->file);
    check_written(log);
    return log;
}

void tuner_log_close(struct tuner_log *log)
{
    if (!log)
        return;
    if (log->file)
        fclose(log->file);
    free(log->header);
    free(log->known);
    free(log->trials);
    free(log);
}

size_t tuner_log_size(const struct tuner_log *log)
{
    return log->size;
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
