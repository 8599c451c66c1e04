#include "judge.h"

#include <ctype.h>
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "decide.h"
#include "tool.h"

/* One statement of a file of queries, and what it reads from. */
struct statement {
    sqlite3 *database;
    const char *path;
    long line;
    char *sql;
    char *reach; /* the SQL with that of all views that it reads */

    int experiments, waived_experiments; /* that it mentions */
    char *waived;                        /* why one of them was waived, NULL if none was */
    char *waived_variant;                /* why a variant that it mentions was waived, or NULL */
    char *missing;                       /* those that were not measured, or NULL */
};

enum { ID, VALUE, LOW, HIGH, WORDS, COLUMNS };

static bool is_word_character(char character)
{
    return isalnum((unsigned char)character) || character == '_';
}

/* Whether the name, or name_median, stands in the text as a whole word. */
static bool mentions(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length) {
        const char *end = at + length;
        if (strncmp(end, "_median", 7) == 0)
            end += 7;
        if ((at == text || !is_word_character(at[-1])) && !is_word_character(*end))
            return true;
    }
    return false;
}

static int give_up(void *nothing)
{
    (void)nothing;
    return 1;
}

/* Puts a temporary table of the view's rows in front of it, once: statements read a view many
 * times. A view that reads what was not measured stays as it is, and fails where it is used; so
 * does one with so many rows that only parts of it can be meant. */
static void keep_rows(sqlite3 *database, const char *view)
{
    enum { STEPS_MAX = 25000000 };
    char *sql = sqlite3_mprintf(
        "CREATE TEMP TABLE IF NOT EXISTS \"%w\" AS SELECT * FROM main.\"%w\"", view, view);
    sqlite3_progress_handler(database, STEPS_MAX, give_up, NULL);
    sqlite3_exec(database, sql, NULL, NULL, NULL);
    sqlite3_progress_handler(database, 0, NULL, NULL);
    sqlite3_free(sql);
}

/* The statement with the text of the views that it names, directly or through another one. */
static char *reach_of(sqlite3 *database, const char *sql)
{
    char *reach = sqlite3_mprintf("%s", sql);
    database_run(database,
                 "CREATE TEMP TABLE IF NOT EXISTS reached(name TEXT); DELETE FROM reached");
    for (bool more = true; more;) {
        more = false;
        sqlite3_stmt *views = database_prepare(
            database,
            "SELECT name, sql FROM main.sqlite_master WHERE type = 'view' AND name NOT IN "
            "(SELECT name FROM reached)");
        while (database_row(views)) {
            if (!mentions(reach, database_text(views, 0)))
                continue;
            reach = sqlite3_mprintf("%z\n%s", reach, database_text(views, 1));
            database_run(database, "INSERT INTO reached VALUES(%Q)", database_text(views, 0));
            more = true;
        }
    }
    return reach;
}

/* Also fills the table mentioned, which tells those that the query itself names from those of its
 * views. */
static void find_experiments(struct statement *statement)
{
    sqlite3 *database = statement->database;
    sqlite3_stmt *query = database_prepare(
        database, "SELECT id, status, coalesce(reason, 'waived') FROM experiments");
    database_run(database, "DELETE FROM mentioned");
    while (database_row(query)) {
        const char *id = database_text(query, 0), *status = database_text(query, 1);
        if (!mentions(statement->reach, id))
            continue;
        statement->experiments++;
        database_run(database, "INSERT INTO mentioned VALUES(%Q, %d)", id,
                     mentions(statement->sql, id));
        if (*status == '\0')
            statement->missing = statement->missing
                                     ? sqlite3_mprintf("%z, %s", statement->missing, id)
                                     : sqlite3_mprintf("%s", id);
        if (strcmp(status, "WAIVED") == 0) {
            statement->waived_experiments++;
            if (!statement->waived)
                statement->waived = sqlite3_mprintf("%s", database_text(query, 2));
        }
        if (!statement->waived_variant)
            statement->waived_variant = database_value(
                database,
                "SELECT 'variant ' || variant || ': ' || reason FROM waived WHERE experiment = %Q "
                "AND variant <> '' AND instr(%Q, '''' || variant || '''') > 0",
                id, statement->reach);
    }
}

/* What stands between an apostrophe and another one or a slash in the SQL, as a list for SQL: an id
 * of a claim, or of a part of it, is there. To be freed by sqlite3_free. */
static char *quoted_words(const char *sql)
{
    char *words = sqlite3_mprintf("''");
    for (const char *at = sql; (at = strchr(at, '\''));) {
        const size_t length = strcspn(++at, "'/");
        if (length > 0 && at[length] != '\0')
            words = sqlite3_mprintf("%z, '%.*s'", words, (int)length, at);
    }
    return words;
}

/* Gives the claims whose ids stand in the statement, and have no verdict yet, this one. */
static void set_mentioned_claims(const struct statement *statement, const char *verdict,
                                 const char *reason)
{
    char *words = quoted_words(statement->sql);
    database_run(statement->database,
                 "UPDATE verdicts SET verdict = %Q, reason = %Q WHERE id IN (%s) AND verdict = "
                 "'pending' AND reason = 'no query yet'",
                 verdict, reason, words);
    sqlite3_free(words);
}

/* The experiments that a claim rests on: of those that the statement reads, the ones that feed the
 * claim's figure, else those that it names itself, else all. */
static void set_experiments(sqlite3 *database, const char *claim)
{
    database_run(
        database,
        "INSERT OR IGNORE INTO claim_experiments SELECT claim, experiment FROM (SELECT c.id AS "
        "claim, m.id AS experiment, rank, min(rank) OVER () AS best FROM claims c, "
        "(SELECT m.id, directly, ',' || e.figures || ',' AS figures FROM mentioned m JOIN "
        "experiments e ON e.id = m.id) m, "
        "(SELECT 1 AS rank UNION SELECT 2 UNION SELECT 3) WHERE c.id = %Q AND "
        "(rank = 3 OR rank = 2 AND directly OR rank = 1 AND figures LIKE '%%,' || "
        "c.figure || ',%%')) WHERE rank = best",
        claim);
}

/* The claim of an id with or without a part, which stands behind a slash; to be freed. */
static char *claim_of(const char *id)
{
    return tool_text("%.*s", (int)strcspn(id, "/"), id);
}

/* The id becomes known as judged by this statement. */
static void set_judged(const struct statement *statement, const char *id)
{
    sqlite3 *database = statement->database;
    char *at = tool_text("%s:%ld", statement->path, statement->line), *claim = claim_of(id);
    char *judged = database_value(database, "SELECT at FROM judged WHERE id = %Q", id);
    char *known = database_value(database, "SELECT 1 FROM claims WHERE id = %Q", claim);
    if (!known)
        tool_fail_at(statement->path, statement->line, "the ledger has no claim '%s'", id);
    if (judged && strcmp(judged, at) != 0)
        tool_fail_at(statement->path, statement->line, "%s is judged at %s already", id, judged);
    if (!judged) {
        database_run(database, "INSERT INTO judged VALUES(%Q, %Q)", id, at);
        set_experiments(database, claim);
    }
    sqlite3_free(known);
    sqlite3_free(judged);
    free(claim);
    free(at);
}

static bool rests_on_partner(const struct statement *statement)
{
    return strstr(statement->reach, "partner_") != NULL;
}

/* A value may be missing; otherwise it is a number. */
static void check_quantity(const struct statement *statement, sqlite3_stmt *row)
{
    static const char *const names[] = {[VALUE] = "value", [LOW] = "low", [HIGH] = "high"};
    const char *id = database_text(row, ID);
    for (int i = VALUE; i <= HIGH; i++) {
        const int type = sqlite3_column_type(row, i);
        if (type != SQLITE_NULL && type != SQLITE_FLOAT && type != SQLITE_INTEGER)
            tool_fail_at(statement->path, statement->line, "%s: %s '%s' is not a number", id,
                         names[i], database_text(row, i));
    }
}

static void take_quantity(const struct statement *statement, sqlite3_stmt *row)
{
    check_quantity(statement, row);
    const char *id = database_text(row, ID), *words = database_text(row, WORDS);
    const bool measured = sqlite3_column_type(row, VALUE) != SQLITE_NULL;
    if (!measured && *words == '\0' && statement->waived_variant)
        words = statement->waived_variant;
    set_judged(statement, id);
    char *claim = claim_of(id);
    const char *part = id + strlen(claim);
    sqlite3_stmt *insert = database_prepare(
        statement->database,
        "INSERT INTO quantities VALUES(%Q, %Q, ?1, min(?1, coalesce(?2, ?1)), "
        "max(?1, coalesce(?3, ?1)), %Q, iif(%d, coalesce((SELECT value FROM partner_machine "
        "WHERE name = 'directory'), ''), ''))",
        claim, *part ? part + 1 : part, words, rests_on_partner(statement));
    for (int i = VALUE; i <= HIGH; i++)
        sqlite3_bind_value(insert, i, sqlite3_column_value(row, i));
    database_row(insert);
    free(claim);
}

/* Runs the statement; NULL, or SQLite's message if it fails, to be freed by sqlite3_free. */
static char *run_query(const struct statement *statement)
{
    sqlite3_stmt *query;
    if (sqlite3_prepare_v2(statement->database, statement->sql, -1, &query, NULL) != SQLITE_OK)
        return sqlite3_mprintf("%s", sqlite3_errmsg(statement->database));
    if (!query)
        return NULL; /* only a comment */
    if (!sqlite3_stmt_readonly(query))
        tool_fail_at(statement->path, statement->line, "only queries may stand here");
    if (sqlite3_column_count(query) != COLUMNS)
        tool_fail_at(statement->path, statement->line,
                     "the query has %d columns; they are id, value, low, high, words",
                     sqlite3_column_count(query));
    int code;
    while ((code = sqlite3_step(query)) == SQLITE_ROW)
        take_quantity(statement, query);
    char *message =
        code == SQLITE_DONE ? NULL : sqlite3_mprintf("%s", sqlite3_errmsg(statement->database));
    sqlite3_finalize(query);
    return message;
}

/* What becomes of the claims for which the statement gave no row. */
static void set_without_rows(const struct statement *statement)
{
    if (statement->waived_variant) {
        set_mentioned_claims(statement, "waived", statement->waived_variant);
    } else if (statement->missing) {
        char *reason = sqlite3_mprintf("no data: %s", statement->missing);
        set_mentioned_claims(statement, "pending", reason);
        sqlite3_free(reason);
    } else if (statement->waived) {
        set_mentioned_claims(statement, "waived", statement->waived);
    } else {
        set_mentioned_claims(statement, "pending", "its query returned no row");
    }
}

/* Whether a query is no SQL, whatever was measured. */
static bool is_no_sql(const char *message)
{
    return strstr(message, "syntax error") || strstr(message, "unrecognized token") ||
           strstr(message, "incomplete input");
}

/* The rows of the views that a statement names, unless that was tried before. */
static void keep_views(const struct statement *statement)
{
    sqlite3 *database = statement->database;
    sqlite3_stmt *views = database_prepare(
        database, "SELECT name FROM main.sqlite_master WHERE type = 'view' AND name NOT IN (SELECT "
                  "name FROM kept)");
    sqlite3_str *names = sqlite3_str_new(database);
    while (database_row(views))
        if (mentions(statement->sql, database_text(views, 0)))
            sqlite3_str_appendf(names, "%s ", database_text(views, 0));
    char *list = sqlite3_str_finish(names), *rest = list;
    for (char *name; rest && *(name = strsep(&rest, " "));) {
        database_run(database, "INSERT INTO kept VALUES(%Q)", name);
        keep_rows(database, name);
    }
    sqlite3_free(list);
}

/* A statement fails where a table or column is not there because its experiment did not run; any
 * other failure is the query's own. */
static void judge_statement(struct statement *statement)
{
    keep_views(statement);
    statement->reach = reach_of(statement->database, statement->sql);
    find_experiments(statement);
    bool all_waived = statement->waived && statement->waived_experiments == statement->experiments;
    char *message = all_waived ? NULL : run_query(statement);
    if (all_waived)
        set_mentioned_claims(statement, "waived", statement->waived);
    else if (!message)
        set_without_rows(statement);
    else if (!is_no_sql(message) && (statement->missing || statement->waived))
        set_without_rows(statement);
    else
        tool_fail_at(statement->path, statement->line, "%s", message);
    sqlite3_free(message);
    sqlite3_free(statement->reach);
    sqlite3_free(statement->waived);
    sqlite3_free(statement->waived_variant);
    sqlite3_free(statement->missing);
}

/* The end of the statement that starts here: behind the first semicolon that is in no text or
 * comment, or the end of the file. */
static char *statement_end(char *start)
{
    for (char *at = start; (at = strchr(at, ';')); at++) {
        char after = at[1];
        at[1] = '\0';
        int complete = sqlite3_complete(start);
        at[1] = after;
        if (complete)
            return at + 1;
    }
    return start + strlen(start);
}

static void judge_file(sqlite3 *database, const char *path)
{
    char *text = tool_read_file(path);
    if (!text)
        tool_fail("%s: cannot be read", path);
    long line = 1;
    for (char *start = text; *start;) {
        if (isspace((unsigned char)*start)) {
            line += *start++ == '\n';
            continue;
        }
        char *end = statement_end(start);
        char *sql = tool_text("%.*s", (int)(end - start), start);
        struct statement statement = {.database = database, .path = path, .line = line, .sql = sql};
        judge_statement(&statement);
        free(sql);
        while (start < end)
            line += *start++ == '\n';
    }
    free(text);
}

/* A file is named like a figure, or starts with an author for claims without a figure. */
static void judge_named_file(sqlite3 *database, const char *path)
{
    const char *file = strrchr(path, '/') + 1;
    char *name = tool_text("%.*s", (int)(strlen(file) - strlen(".sql")), file);
    char *known = database_value(database,
                                 "SELECT 1 WHERE %Q IN (SELECT id FROM figures UNION ALL SELECT "
                                 "figure FROM claims) UNION ALL "
                                 "SELECT 1 FROM claims WHERE %Q GLOB author || '-*' AND %Q NOT "
                                 "GLOB '*-fig-*' AND %Q NOT GLOB "
                                 "'*-tab-*'",
                                 name, name, name, name);
    if (!known)
        tool_fail_at(path, 1, "'%s' is neither a figure of the ledger nor starts with an author",
                     name);
    char *waived = database_value(database, "SELECT 1 FROM waived_figures WHERE id = %Q", name);
    if (!waived)
        judge_file(database, path);
    sqlite3_free(waived);
    sqlite3_free(known);
    free(name);
}

void judge_claims(sqlite3 *database, const char *root)
{
    decide_prepare(database);
    database_run(database, "CREATE TEMP TABLE judged(id TEXT PRIMARY KEY, at TEXT);"
                           "CREATE TEMP TABLE kept(name TEXT);"
                           "CREATE TEMP TABLE mentioned(id TEXT, directly INTEGER);"
                           "CREATE TEMP TABLE claim_experiments(claim TEXT, experiment TEXT, "
                           "PRIMARY KEY(claim, experiment))");
    sqlite3_stmt *authors = database_prepare(database, "SELECT DISTINCT author FROM claims");
    while (database_row(authors)) {
        char *pattern = tool_text("%s/claims/%s/*.sql", root, database_text(authors, 0));
        glob_t files;
        int code = glob(pattern, 0, NULL, &files);
        if (code != 0 && code != GLOB_NOMATCH)
            tool_fail("%s: the files cannot be listed", pattern);
        for (size_t i = 0; code == 0 && i < files.gl_pathc; i++)
            judge_named_file(database, files.gl_pathv[i]);
        if (code == 0)
            globfree(&files);
        free(pattern);
    }
    decide_claims(database);
}
