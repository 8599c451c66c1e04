#include "views.h"

#include <ctype.h>
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "tool.h"

/* Views hold no data and cannot change any. */
static int allow_views(void *none, int action, const char *first, const char *second,
                       const char *where, const char *view)
{
    (void)none, (void)second, (void)where, (void)view;
    const bool schema = first && strcmp(first, "sqlite_master") == 0;
    switch (action) {
    case SQLITE_CREATE_VIEW:
    case SQLITE_READ:
    case SQLITE_SELECT:
    case SQLITE_FUNCTION:
        return SQLITE_OK;
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
        return schema ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

/* A view may read from tables of experiments that did not run: it then fails where it is used. */
static void load_file(sqlite3 *database, const char *path)
{
    char *text = tool_read_file(path);
    if (!text)
        tool_fail("%s: cannot be read", path);
    sqlite3_set_authorizer(database, allow_views, NULL);
    char *message = NULL;
    if (sqlite3_exec(database, text, NULL, NULL, &message) != SQLITE_OK)
        tool_fail("%s: %s (only CREATE VIEW may stand here)", path, message);
    sqlite3_set_authorizer(database, NULL, NULL);
    free(text);
}

static bool starts_name(char character)
{
    return isalpha((unsigned char)character) || character == '_';
}

/* Length of the comment, text, name or single character at the start of the SQL. */
static size_t token_length(const char *sql)
{
    if (strncmp(sql, "--", 2) == 0)
        return strcspn(sql, "\n");
    if (*sql == '\'')
        return strcspn(sql + 1, "'") + 2;
    size_t length = 1;
    while (starts_name(*sql) && (isalnum((unsigned char)sql[length]) || sql[length] == '_'))
        length++;
    return length;
}

/* Whether the second machine has a table, or is to have a view, in the place of the one named. */
static bool has_twin(sqlite3_stmt *names, const char *name, size_t length)
{
    sqlite3_bind_text(names, 1, name, (int)length, SQLITE_STATIC);
    const bool found = sqlite3_step(names) == SQLITE_ROW;
    sqlite3_reset(names);
    return found;
}

/* The SQL of a view as that of the second machine, to be freed by sqlite3_free: such names outside
 * texts get the prefix. */
static char *sql_of_partner(sqlite3 *database, const char *sql)
{
    sqlite3_stmt *names = database_prepare(
        database, "SELECT 1 FROM main.sqlite_master WHERE name = 'partner_' || ?1 OR "
                  "type = 'view' AND name = ?1");
    sqlite3_str *text = sqlite3_str_new(database);
    for (size_t length; *sql; sql += length) {
        length = token_length(sql);
        if (starts_name(*sql) && has_twin(names, sql, length))
            sqlite3_str_appendall(text, "partner_");
        sqlite3_str_append(text, sql, (int)length);
    }
    sqlite3_finalize(names);
    return sqlite3_str_finish(text);
}

static void add_those_of_partner(sqlite3 *database)
{
    sqlite3_stmt *views =
        database_prepare(database, "SELECT sql FROM main.sqlite_master WHERE type = 'view'");
    sqlite3_str *all = sqlite3_str_new(database);
    while (database_row(views)) {
        char *sql = sql_of_partner(database, database_text(views, 0));
        sqlite3_str_appendf(all, "%s;\n", sql);
        sqlite3_free(sql);
    }
    char *text = sqlite3_str_finish(all);
    if (text)
        database_run(database, "%s", text);
    sqlite3_free(text);
}

void views_load(sqlite3 *database, const char *root)
{
    char *pattern = tool_text("%s/claims/views/*.sql", root);
    glob_t files;
    int code = glob(pattern, 0, NULL, &files);
    if (code != 0 && code != GLOB_NOMATCH)
        tool_fail("%s: the files cannot be listed", pattern);
    for (size_t i = 0; code == 0 && i < files.gl_pathc; i++)
        load_file(database, files.gl_pathv[i]);
    if (code == 0)
        globfree(&files);
    free(pattern);
    add_those_of_partner(database);
}
