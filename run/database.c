#include "database.h"

#include <stdarg.h>

#include "tool.h"

static void fail_of(sqlite3 *database, const char *sql) __attribute__((noreturn));

static void fail_of(sqlite3 *database, const char *sql)
{
    const char *path = sqlite3_db_filename(database, "main");
    tool_fail("%s: %s, in: %s", path ? path : "data base", sqlite3_errmsg(database),
              sql ? sql : "");
}

void database_start(void)
{
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* the count of memory has a lock, too */
}

sqlite3 *database_open(const char *path, bool create)
{
    sqlite3 *database;
    int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK)
        tool_fail("%s: %s", path, database ? sqlite3_errmsg(database) : "out of memory");
    sqlite3_busy_timeout(database, 60000);
    sqlite3_exec(database, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
    if (sqlite3_statistics_init(database, NULL, NULL) != SQLITE_OK)
        fail_of(database, "aggregates");
    return database;
}

void database_run(sqlite3 *database, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    if (!sql || sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_of(database, sql);
    sqlite3_free(sql);
}

static sqlite3_stmt *prepare(sqlite3 *database, char *sql)
{
    sqlite3_stmt *statement;
    if (!sql || sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_of(database, sql);
    sqlite3_free(sql);
    return statement;
}

sqlite3_stmt *database_prepare(sqlite3 *database, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    return prepare(database, sql);
}

void database_insert(sqlite3_stmt *statement, int count, const char *const *texts)
{
    for (int i = 0; i < count; i++)
        sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_TRANSIENT);
    if (sqlite3_step(statement) != SQLITE_DONE)
        fail_of(sqlite3_db_handle(statement), sqlite3_sql(statement));
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
}

bool database_row(sqlite3_stmt *statement)
{
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        fail_of(sqlite3_db_handle(statement), sqlite3_sql(statement));
    sqlite3_finalize(statement);
    return false;
}

const char *database_text(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text ? (const char *)text : "";
}

char *database_value(sqlite3 *database, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    sqlite3_stmt *statement = prepare(database, sql);
    char *value = NULL;
    if (!database_row(statement))
        return NULL;
    if (sqlite3_column_type(statement, 0) != SQLITE_NULL)
        value = sqlite3_mprintf("%s", database_text(statement, 0));
    sqlite3_finalize(statement);
    return value;
}
