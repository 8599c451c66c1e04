/* answer: holds a data base open and answers the queries that ask sends. Called by plots/draw: a
 * figure has some twenty queries, and to open the data base for each takes longer than the query,
 * for it has hundreds of tables.
 *
 * Usage: answer DATABASE SOCKET
 * Prints an empty line when it listens, and ends when its stdin ends. The data base is not changed.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "database.h"
#include "queries.h"
#include "tool.h"

/* The rows as lines, columns separated by tabs, as `sqlite3 -tabs` prints them. */
static int print_rows(sqlite3_stmt *query, FILE *reply)
{
    int code, columns = sqlite3_column_count(query);
    while ((code = sqlite3_step(query)) == SQLITE_ROW)
        for (int i = 0; i < columns; i++)
            fprintf(reply, "%s%c", database_text(query, i), i < columns - 1 ? '\t' : '\n');
    return code;
}

/* The whole reply to a query, to be freed. */
static char *reply_to(sqlite3 *database, const char *sql, size_t *length)
{
    char *text = NULL;
    FILE *reply = open_memstream(&text, length);
    sqlite3_stmt *query = NULL;
    if (!reply)
        tool_fail("out of memory");
    fputc(ANSWER_ROWS, reply);
    int code = sqlite3_prepare_v2(database, sql, -1, &query, NULL);
    if (code == SQLITE_OK)
        code = print_rows(query, reply);
    if (code != SQLITE_DONE) {
        rewind(reply);
        fprintf(reply, "%c%s, in: %s\n", ANSWER_ERROR,
                code == SQLITE_MISUSE ? "no query" : sqlite3_errmsg(database), sql);
    }
    sqlite3_finalize(query);
    if (fclose(reply) != 0)
        tool_fail("out of memory");
    return text;
}

static void answer_one(sqlite3 *database, int listener)
{
    int connection = accept(listener, NULL, NULL);
    if (connection < 0)
        return;
    /* Who asks and then neither writes nor reads is not waited for. */
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = 10},
               sizeof(struct timeval));
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &(struct timeval){.tv_sec = 10},
               sizeof(struct timeval));
    size_t length;
    char *sql = queries_receive(connection, &length);
    if (sql) {
        char *reply = reply_to(database, sql, &length);
        queries_send(connection, reply, length);
        free(reply);
        free(sql);
    }
    close(connection);
}

/* In the place of what did not run, or was waived, stands an empty table with the columns of
 * another experiment of the same program: a view of several experiments then has the rows of those
 * that ran. Views see other tables only as temporary ones. */
static void stand_in(sqlite3 *database)
{
    char *tables = database_value(
        database,
        "SELECT group_concat('CREATE TEMP TABLE ' || id || suffix || ' AS SELECT * FROM main.' || "
        "other || suffix || ' WHERE false', ';') FROM (SELECT a.id, min(b.id) AS other "
        "FROM experiments AS a JOIN experiments AS b USING (program) WHERE coalesce(a.status, "
        "'WAIVED') = 'WAIVED' AND b.status <> 'WAIVED' GROUP BY a.id), (SELECT '' AS suffix UNION "
        "ALL SELECT '_median')");
    char *views = database_value(
        database, "SELECT group_concat(replace(sql, 'CREATE VIEW', 'CREATE TEMP VIEW'), ';') "
                  "FROM main.sqlite_master WHERE type = 'view'");
    if (tables && views) {
        database_run(database, "%s", tables);
        database_run(database, "%s", views);
    }
    sqlite3_free(tables);
    sqlite3_free(views);
}

static int listen_at(const char *path)
{
    struct sockaddr_un address = queries_address(path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, 64) != 0)
        tool_fail("%s: %s", path, strerror(errno));
    return listener;
}

int main(int count, char **words)
{
    if (count != 3)
        tool_fail("Usage: answer DATABASE SOCKET");
    sqlite3 *database = database_open(words[1], false);
    stand_in(database);
    database_run(database, "PRAGMA query_only = ON");
    enum { LISTENER, END };
    struct pollfd wait_for[] = {
        [LISTENER] = {.fd = listen_at(words[2]), .events = POLLIN},
        [END] = {.fd = STDIN_FILENO, .events = POLLIN},
    };
    puts("");
    fflush(stdout);
    while (wait_for[END].revents == 0) {
        if (poll(wait_for, 2, -1) > 0 && wait_for[LISTENER].revents)
            answer_one(database, wait_for[LISTENER].fd);
    }
    sqlite3_close(database);
    return 0;
}
