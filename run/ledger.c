#include "ledger.h"

#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bound.h"
#include "csv.h"
#include "database.h"
#include "tool.h"
#include "tsv.h"

/* Calls `load` for each file that matches the pattern below root, in alphabetical order. */
static void each_file(sqlite3 *database, const char *root, const char *pattern,
                      void (*load)(sqlite3 *database, const char *path))
{
    char *whole = tool_text("%s/%s", root, pattern);
    glob_t files;
    int code = glob(whole, 0, NULL, &files);
    if (code != 0 && code != GLOB_NOMATCH)
        tool_fail("%s: the files cannot be listed", whole);
    for (size_t i = 0; code == 0 && i < files.gl_pathc; i++)
        load(database, files.gl_pathv[i]);
    if (code == 0)
        globfree(&files);
    free(whole);
}

/* The name of the directory that holds a file, to be freed. */
static char *directory_of(const char *path)
{
    const char *end = strrchr(path, '/');
    const char *start = end;
    while (start > path && start[-1] != '/')
        start--;
    return tool_text("%.*s", (int)(end - start), start);
}

static bool is_kind(const char *kind)
{
    static const char *const kinds[] = {"exact", "shape", "value", "arithmetic", "quoted"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0)
            return true;
    return false;
}

enum { CLAIM_BOUND = 6, CLAIM_STRICT, CLAIM_MACHINE, CLAIM_KIND = 10 };

static bool is_absent(const char *cell)
{
    return strcmp(cell, "-") == 0;
}

/* One row per part of a bound; `form` tells the judged one from the thesis's own. */
static void load_bound(sqlite3_stmt *insert, const struct tsv *tsv, const char *form,
                       const char *cell)
{
    for (const char *rest = cell; rest;) {
        struct bound bound;
        const char *wrong = bound_read(&rest, &bound);
        if (wrong)
            tool_fail_at(tsv->path, tsv->line, "bound '%s': %s", cell, wrong);
        sqlite3_bind_text(insert, 1, tsv->fields[0], -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(insert, 2, form, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 3, bound.part, -1, SQLITE_TRANSIENT);
        sqlite3_bind_double(insert, 4, bound.lower);
        sqlite3_bind_int(insert, 5, bound.lower_open);
        sqlite3_bind_double(insert, 6, bound.upper);
        sqlite3_bind_int(insert, 7, bound.upper_open);
        if (sqlite3_step(insert) != SQLITE_DONE)
            tool_fail_at(tsv->path, tsv->line, "bound '%s': two parts have the same name", cell);
        sqlite3_reset(insert);
    }
}

static void load_bounds(sqlite3_stmt *insert, const struct tsv *tsv)
{
    const char *bound = tsv->fields[CLAIM_BOUND], *strict = tsv->fields[CLAIM_STRICT];
    if (is_absent(strict) != is_absent(tsv->fields[CLAIM_MACHINE]))
        tool_fail_at(tsv->path, tsv->line, "a strict bound and its machine stand together");
    if (!is_absent(bound) && strncmp(bound, WAIVED_PREFIX, strlen(WAIVED_PREFIX)) != 0)
        load_bound(insert, tsv, "judged", bound);
    if (!is_absent(strict))
        load_bound(insert, tsv, "strict", strict);
}

static void load_claims(sqlite3 *database, const char *path)
{
    static const char *const names[] = {
        "id",     "figure",  "statement", "metric", "thesis_value", "relation", "bound",
        "strict", "machine", "check",     "kind",   "dir",          "section",  NULL};
    char *author = directory_of(path);
    sqlite3_stmt *insert = database_prepare(
        database,
        "INSERT OR IGNORE INTO claims(id, figure, statement, metric, thesis_value, relation, bound, "
        "strict, machine, check_text, kind, dir, section, author) "
        "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,%Q)",
        author);
    sqlite3_stmt *insert_bound =
        database_prepare(database, "INSERT INTO bounds VALUES(?,?,?,?,?,?,?)");
    struct tsv tsv;
    tsv_open(&tsv, path, names);
    while (tsv_read(&tsv)) {
        const char *kind = tsv.fields[CLAIM_KIND];
        if (!is_kind(kind))
            tool_fail_at(path, tsv.line,
                         "kind '%s' is not exact, shape, value, arithmetic or quoted", kind);
        database_insert(insert, tsv.columns, (const char *const *)tsv.fields);
        if (sqlite3_changes(database) == 0)
            tool_fail_at(path, tsv.line, "claim '%s' is there already", tsv.fields[0]);
        load_bounds(insert_bound, &tsv);
    }
    tsv_close(&tsv);
    sqlite3_finalize(insert);
    sqlite3_finalize(insert_bound);
    free(author);
}

static void load_figures(sqlite3 *database, const char *path)
{
    static const char *const names[] = {"id",      "kind",    "title", "dir",      "x",
                                        "y",       "series",  "sweep", "workload", "hardware",
                                        "repeats", "section", NULL};
    char *author = directory_of(path);
    sqlite3_stmt *insert = database_prepare(
        database,
        "INSERT OR IGNORE INTO figures(id, kind, title, dir, x, y, series, sweep, workload, "
        "hardware, repeats, section, author) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,%Q)",
        author);
    struct tsv tsv;
    tsv_open(&tsv, path, names);
    while (tsv_read(&tsv)) {
        database_insert(insert, tsv.columns, (const char *const *)tsv.fields);
        if (sqlite3_changes(database) == 0)
            tool_fail_at(path, tsv.line, "figure '%s' is there already", tsv.fields[0]);
    }
    tsv_close(&tsv);
    sqlite3_finalize(insert);
    free(author);
}

/* The columns used here: 0 id, 1 program, 7 needs, 9 figures, 10 tolerance as lower/upper.
 * run/manifest has checked the rows. */
static void load_manifest(sqlite3 *database, const char *path)
{
    static const char *const names[] = {"id",      "program", "smoke",     "small",
                                        "full",    "ranks",   "gpus",      "needs",
                                        "minutes", "figures", "tolerance", NULL};
    char *dir = directory_of(path);
    sqlite3_stmt *insert =
        database_prepare(database, "INSERT INTO experiments(id, dir, program, needs, figures, "
                                   "tolerance_lower, tolerance_upper) VALUES(?,?,?,?,?,?,?)");
    struct tsv tsv;
    tsv_open(&tsv, path, names);
    while (tsv_read(&tsv)) {
        char *upper = tsv.fields[10];
        const char *lower = strsep(&upper, "/");
        const char *values[] = {tsv.fields[0], dir,   tsv.fields[1], tsv.fields[7],
                                tsv.fields[9], lower, upper};
        database_insert(insert, 7, values);
    }
    tsv_close(&tsv);
    sqlite3_finalize(insert);
    free(dir);
}

/* A transcribed table, named like its file with '-' as '_'. */
static void load_published_table(sqlite3 *database, const char *path)
{
    char *name = tool_text("%s", strrchr(path, '/') + 1);
    *strrchr(name, '.') = '\0';
    for (char *c = name; *c; c++)
        if (*c == '-')
            *c = '_';
    struct csv csv;
    csv_open(&csv, path);
    if (!csv_read(&csv))
        tool_fail("%s: the file is empty", path);
    sqlite3_str *columns = sqlite3_str_new(database), *marks = sqlite3_str_new(database);
    for (size_t i = 0; i < csv.columns; i++) {
        sqlite3_str_appendf(columns, "%s\"%w\" NUMERIC", i ? ", " : "", csv.fields[i]);
        sqlite3_str_appendf(marks, "%snullif(?, '')", i ? ", " : "");
    }
    char *column_text = sqlite3_str_finish(columns), *mark_text = sqlite3_str_finish(marks);
    database_run(database, "CREATE TABLE \"%w\"(%s)", name, column_text);
    sqlite3_stmt *insert =
        database_prepare(database, "INSERT INTO \"%w\" VALUES(%s)", name, mark_text);
    while (csv_read(&csv))
        database_insert(insert, (int)csv.columns, (const char *const *)csv.fields);
    sqlite3_finalize(insert);
    sqlite3_free(column_text);
    sqlite3_free(mark_text);
    csv_close(&csv);
    free(name);
}

void ledger_load(sqlite3 *database, const char *root)
{
    database_run(
        database,
        "CREATE TABLE claims(id TEXT PRIMARY KEY, figure TEXT, dir TEXT, kind TEXT, statement "
        "TEXT, "
        "metric TEXT, thesis_value TEXT, relation TEXT, bound TEXT, strict TEXT, machine TEXT, "
        "check_text TEXT, section TEXT, author TEXT);"
        "CREATE TABLE bounds(claim TEXT, form TEXT, part TEXT, lower REAL, lower_open INTEGER, "
        "upper REAL, upper_open INTEGER, PRIMARY KEY(claim, form, part));"
        "CREATE TABLE figures(id TEXT PRIMARY KEY, kind TEXT, title TEXT, dir TEXT, x TEXT, y "
        "TEXT, "
        "series TEXT, sweep TEXT, workload TEXT, hardware TEXT, repeats TEXT, section TEXT, "
        "author TEXT);"
        "CREATE TABLE experiments(id TEXT PRIMARY KEY, dir TEXT, program TEXT, needs TEXT, "
        "figures TEXT, status TEXT, reason TEXT, gpu TEXT, host TEXT, started_utc TEXT, "
        "ended_utc TEXT, version TEXT, commit_id TEXT, dirty INTEGER, cores INTEGER, "
        "node INTEGER, command TEXT, tolerance_lower REAL, tolerance_upper REAL)");
    each_file(database, root, "claims/*/claims.tsv", load_claims);
    each_file(database, root, "claims/*/figures.tsv", load_figures);
    each_file(database, root, "claims/*/tables/*.csv", load_published_table);
    each_file(database, root, "*/experiments.tsv", load_manifest);
}
