#include "record.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/harness/exit.h"

#include "record_internal.h"

/* Rows come from the program, and a thread may write them out at the time limit. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool closing;

/* ---- files ---- */

static void refuse_existing(const char *file)
{
    if (access(file, F_OK) == 0)
        fail("%s exists and is not overwritten: remove it or choose another name with -o", file);
}

/* FILE.csv -> FILE.json; without the ending, .json is appended. */
static char *json_name(const char *file)
{
    size_t length = strlen(file);
    if (length > 4 && strcmp(file + length - 4, ".csv") == 0)
        length -= 4;
    char *name = allocate_or_fail(length + 6, 1);
    memcpy(name, file, length);
    strcpy(name + length, ".json");
    return name;
}

static char *partial_name(const char *file)
{
    size_t bytes = strlen(file) + 32;
    char *name = allocate_or_fail(bytes, 1);
    snprintf(name, bytes, "%s.partial-%ld", file, (long)getpid());
    return name;
}

static FILE *create(const char *file)
{
    FILE *out = fopen(file, "wx");
    if (!out)
        fail("%s could not be created: %s", file, strerror(errno));
    return out;
}

static void close_or_fail(FILE *out, const char *name)
{
    int failed = ferror(out);
    if ((out == stdout ? fflush(out) : fclose(out)) != 0 || failed)
        fail("%s could not be written: %s", name, strerror(errno ? errno : EIO));
}

/* Gives a complete file its name. link() refuses to replace; where the file system has no links,
 * the earlier test for an existing file has to do. */
static void put_in_place(const char *partial, const char *file)
{
    int linked = link(partial, file);
    if (linked == 0) {
        unlink(partial);
        return;
    }
    if (errno == EEXIST)
        refuse_existing(file);
    if (rename(partial, file) != 0)
        fail("%s could not be put in place: %s", file, strerror(errno));
}

void record_open(struct run *run)
{
    struct recorder *recorder = allocate_or_fail(1, sizeof *recorder);
    const struct settings *settings = &run->settings;
    struct placement *placements =
        placement_gather(run->program->uses_gpu ? run->settings.device : -1);
    pthread_mutex_lock(&lock);
    run->recorder = recorder;
    pthread_mutex_unlock(&lock);
    recorder->run = run;
    recorder->placements = placements;
    recorder->start = time(NULL);
    const char *name = getenv("DATAMOTION_HOST");
    if (name && *name)
        snprintf(recorder->host, sizeof recorder->host, "%s", name);
    else
        gethostname(recorder->host, sizeof recorder->host - 1);
    while (run->program->columns[recorder->column_count].name)
        recorder->column_count++;
    if (ranks.rank != 0)
        return;
    record_check_reference(recorder);
    machine_state_read(&recorder->before);
    recorder->out = stdout;
    if (settings->output) {
        refuse_existing(settings->output);
        if (settings->format == FORMAT_CSV) {
            char *json = json_name(settings->output);
            refuse_existing(json);
            free(json);
        }
        recorder->partial = partial_name(settings->output);
        recorder->out = create(recorder->partial);
        status_unfinished_file(recorder->partial);
    }
    if (settings->format == FORMAT_CSV)
        record_write_csv_header(recorder);
}

/* ---- rows ---- */

static struct row *new_row(struct recorder *recorder)
{
    if (recorder->row_count == recorder->row_capacity) {
        recorder->row_capacity = recorder->row_capacity ? 2 * recorder->row_capacity : 256;
        recorder->rows = realloc(recorder->rows, recorder->row_capacity * sizeof(struct row));
        if (!recorder->rows)
            fail("no host memory for %zu result rows: choose fewer repetitions with -n",
                 recorder->row_capacity);
    }
    return &recorder->rows[recorder->row_count++];
}

static void add(struct recorder *recorder, struct row row)
{
    pthread_mutex_lock(&lock);
    struct row *stored = new_row(recorder);
    *stored = row;
    if (recorder->run->settings.format == FORMAT_CSV)
        record_write_csv_row(recorder, stored);
    pthread_mutex_unlock(&lock);
}

/* ---- cells from a program's row ---- */

static struct value value_of(const struct column *column, const void *row)
{
    const void *member = (const char *)row + column->offset;
    switch (column->type) {
    case COLUMN_INT:
        return integer(*(const int *)member);
    case COLUMN_INT64:
        return *(const int64_t *)member == NO_VALUE ? none() : integer(*(const int64_t *)member);
    case COLUMN_UINT64:
        return integer((int64_t) * (const uint64_t *)member);
    case COLUMN_BOOL:
        return integer(*(const bool *)member);
    case COLUMN_DOUBLE:
        return real(*(const double *)member);
    case COLUMN_TEXT:
        return *(const char *const *)member ? text(*(const char *const *)member) : none();
    }
    return none();
}

/* Texts are copied: the program may change its own. */
static struct value *read_cells(const struct run *run, const void *row)
{
    const size_t count = run->recorder->column_count;
    struct value *cells = allocate_or_fail(count, sizeof *cells);
    for (size_t i = 0; i < count; i++) {
        cells[i] = value_of(&run->program->columns[i], row);
        if (cells[i].kind == VALUE_TEXT)
            cells[i].as.text = strdup(cells[i].as.text);
    }
    return cells;
}

void record_row(struct run *run, const char *variant, int repetition, const void *row,
                double time_s, long errors)
{
    if (ranks.rank != 0)
        return;
    add(run->recorder, (struct row){.variant = variant,
                                    .repetition = repetition,
                                    .values = read_cells(run, row),
                                    .time_s = time_s,
                                    .errors = errors});
}

void record_waived(struct run *run, const char *variant, const char *reason)
{
    if (ranks.rank != 0)
        return;
    program_note(run, "%s is waived: %s", variant, reason);
    add(run->recorder, (struct row){.variant = variant, .time_s = NAN, .waived = strdup(reason)});
}

const char *record_format(struct value value, char *buffer, size_t bytes)
{
    buffer[0] = '\0';
    switch (value.kind) {
    case VALUE_NONE:
        break;
    case VALUE_INTEGER:
        snprintf(buffer, bytes, "%lld", (long long)value.as.integer);
        break;
    case VALUE_REAL:
        if (isfinite(value.as.real))
            snprintf(buffer, bytes, "%.9g", value.as.real);
        break;
    case VALUE_TEXT:
        return value.as.text;
    }
    return buffer;
}

/* ---- configurations ---- */

static bool same_value(struct value a, struct value b)
{
    char first[64], second[64];
    return strcmp(record_format(a, first, sizeof first), record_format(b, second, sizeof second)) ==
           0;
}

static bool same_configuration(const struct recorder *recorder, const struct row *a,
                               const struct row *b)
{
    if (strcmp(a->variant, b->variant) != 0)
        return false;
    for (size_t i = 0; i < recorder->column_count; i++)
        if (recorder->run->program->columns[i].kind == COLUMN_PARAMETER &&
            !same_value(a->values[i], b->values[i]))
            return false;
    return true;
}

/* Repetitions arrive together or a few variants interleaved, so the search from the end is short.
 */
static struct configuration *find_configuration(const struct recorder *recorder,
                                                struct configuration *all, size_t count,
                                                const struct row *row)
{
    for (size_t i = count; i-- > 0;)
        if (same_configuration(recorder, &recorder->rows[all[i].rows[0]], row))
            return &all[i];
    return NULL;
}

struct configuration *record_configurations(const struct recorder *recorder, size_t *count)
{
    struct configuration *all = allocate_or_fail(recorder->row_count, sizeof *all);
    *count = 0;
    for (size_t i = 0; i < recorder->row_count; i++) {
        const struct row *row = &recorder->rows[i];
        if (row->waived)
            continue;
        struct configuration *found = find_configuration(recorder, all, *count, row);
        if (!found)
            found = &all[(*count)++];
        if ((found->count & (found->count - 1)) == 0) {
            size_t capacity = found->count ? 2 * found->count : 1;
            found->rows = realloc(found->rows, capacity * sizeof *found->rows);
            if (!found->rows)
                fail("no host memory to group %zu rows", recorder->row_count);
        }
        found->rows[found->count++] = i;
    }
    return all;
}

void record_free_configurations(struct configuration *configurations, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(configurations[i].rows);
    free(configurations);
}

/* ---- end ---- */

static size_t measured_rows(const struct recorder *recorder)
{
    size_t measured = 0;
    for (size_t i = 0; i < recorder->row_count; i++)
        measured += !recorder->rows[i].waived;
    return measured;
}

static enum exit_code outcome(const struct recorder *recorder, char *reason, size_t bytes)
{
    size_t measured = measured_rows(recorder), wrong = 0;
    for (size_t i = 0; i < recorder->row_count; i++)
        wrong += recorder->rows[i].errors > 0;
    if (wrong) {
        snprintf(reason, bytes, "%zu of %zu samples have wrong results", wrong, measured);
        return EXIT_FAIL;
    }
    if (measured == 0) {
        snprintf(reason, bytes, "%s",
                 recorder->row_count ? recorder->rows[0].waived : "nothing was measured");
        return recorder->row_count ? EXIT_WAIVED : EXIT_FAIL;
    }
    if (recorder->run->settings.reference)
        return record_judge(recorder, reason, bytes);
    snprintf(reason, bytes, "%zu samples%s", measured,
             recorder->run->settings.check ? ", none wrong" : ", not verified (-c 0)");
    return EXIT_PASS;
}

static void free_recorder(struct recorder *recorder)
{
    for (size_t i = 0; i < recorder->row_count; i++) {
        struct row *row = &recorder->rows[i];
        for (size_t c = 0; row->values && c < recorder->column_count; c++)
            if (row->values[c].kind == VALUE_TEXT)
                free((char *)row->values[c].as.text);
        free(row->values);
        free((char *)row->waived);
    }
    free(recorder->rows);
    free(recorder->partial);
    free(recorder->placements);
    free(recorder);
}

/* The CSV goes in place last: whoever sees it sees the document beside it too. */
static void finish_file(const struct recorder *recorder, enum exit_code code, const char *reason)
{
    const struct settings *settings = &recorder->run->settings;
    if (settings->format == FORMAT_CSV) {
        char *name = json_name(settings->output);
        char *partial = partial_name(name);
        FILE *json = create(partial);
        record_write_json(recorder, json, false, code, reason);
        close_or_fail(json, partial);
        put_in_place(partial, name);
        free(partial);
        free(name);
    }
    put_in_place(recorder->partial, settings->output);
    status_unfinished_file(NULL);
}

static void write_all(const struct recorder *recorder, enum exit_code code, const char *reason)
{
    const struct settings *settings = &recorder->run->settings;
    if (settings->format == FORMAT_JSON)
        record_write_json(recorder, recorder->out, true, code, reason);
    if (settings->format == FORMAT_TABLE || settings->output)
        record_write_table(recorder, stdout);
    close_or_fail(recorder->out, recorder->partial ? recorder->partial : "stdout");
    if (recorder->partial)
        finish_file(recorder, code, reason);
    close_or_fail(stdout, "stdout");
    fprintf(stderr, "RESULT: %s %s\n", status_word(code), reason);
}

/* The lock is never given back: the program ends. */
enum record_kept record_keep(struct run *run)
{
    char reason[512];
    pthread_mutex_lock(&lock);
    struct recorder *recorder = run->recorder;
    size_t measured = recorder && !closing ? measured_rows(recorder) : 0;
    if (measured == 0) {
        enum record_kept kept = closing ? RECORD_CLOSING : RECORD_NOTHING;
        pthread_mutex_unlock(&lock);
        return kept;
    }
    bool wrong = outcome(recorder, reason, sizeof reason) == EXIT_FAIL;
    if (!wrong)
        snprintf(reason, sizeof reason,
                 "the time limit of %g s was reached; %zu samples that were complete by then are "
                 "kept: raise it with -T or choose less work",
                 run->settings.time_limit_s, measured);
    write_all(recorder, wrong ? EXIT_FAIL : EXIT_TIMEOUT, reason);
    return wrong ? RECORD_WRONG : RECORD_WRITTEN;
}

int record_close(struct run *run)
{
    struct recorder *recorder = run->recorder;
    enum exit_code code = EXIT_PASS;
    pthread_mutex_lock(&lock);
    closing = true;
    pthread_mutex_unlock(&lock);
    if (ranks.rank == 0) {
        char reason[512];
        code = outcome(recorder, reason, sizeof reason);
        write_all(recorder, code, reason);
    }
    free_recorder(recorder);
    run->recorder = NULL;
    return (int)ranks.max(code);
}
