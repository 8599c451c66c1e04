/* database.h: the SQLite calls that the tools need, each of which ends the tool when it fails. */
#ifndef RUN_DATABASE_H
#define RUN_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>

/* Before all other calls of SQLite: this tool has one thread, so that nothing has to be locked. */
void database_start(void);

/* Opens a data base, with the aggregates of statistics_sqlite.c. `create` makes it if it is not
 * there. */
sqlite3 *database_open(const char *path, bool create);

/* Runs SQL without results. The format is sqlite3_mprintf's: %w quotes a name inside "", %Q a text.
 */
void database_run(sqlite3 *database, const char *format, ...);

/* Prepares one statement of the same kind of format. */
sqlite3_stmt *database_prepare(sqlite3 *database, const char *format, ...);

/* Binds the texts, NULL among them, to the statement's parameters, runs it once and resets it. */
void database_insert(sqlite3_stmt *statement, int count, const char *const *texts);

/* Next row of a query; false at the end, and then the statement is finalised. */
bool database_row(sqlite3_stmt *statement);

/* Column of the current row as text, "" for NULL. */
const char *database_text(sqlite3_stmt *statement, int column);

/* The first column of the first row of a query, to be freed by sqlite3_free; NULL if there is none.
 */
char *database_value(sqlite3 *database, const char *format, ...);

/* Registers the aggregates of statistics_sqlite.c in a data base opened here. */
int sqlite3_statistics_init(sqlite3 *database, char **message, const void *api);

#endif
