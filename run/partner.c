#include "partner.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "database.h"
#include "results.h"
#include "tool.h"

const char *partner_name(const char *partner)
{
    const char *slash = strrchr(partner, '/');
    return slash ? slash + 1 : partner;
}

/* Whether both paths lead to the same directory. */
static bool is_same(const char *a, const char *b)
{
    char *first = realpath(a, NULL), *second = realpath(b, NULL);
    bool same = first && second && strcmp(first, second) == 0;
    free(first);
    free(second);
    return same;
}

/* A machine is recorded where there is a document in a directory of its name. */
static bool is_recorded(const char *directory)
{
    char *pattern = tool_text("%s/*.json", directory);
    glob_t files;
    bool found = glob(pattern, 0, NULL, &files) == 0;
    if (found)
        globfree(&files);
    free(pattern);
    return found && strcmp(partner_name(directory), "local") != 0;
}

/* The value of the document's config.gpu, "cuda" or "soft"; NULL if it has none (it was waived). */
static const char *class_in(const char *document)
{
    const char *config = strstr(document, "\"config\""),
               *gpu = config ? strstr(config, "\"gpu\"") : NULL;
    if (!gpu)
        return NULL;
    gpu += strlen("\"gpu\"");
    gpu += strspn(gpu, ": \t\n");
    return strncmp(gpu, "\"cuda\"", 6) == 0   ? "cuda"
           : strncmp(gpu, "\"soft\"", 6) == 0 ? "soft"
                                              : NULL;
}

/* What computed the results in a directory; NULL if none of its documents says it. */
static const char *class_of(const char *directory)
{
    const char *class = NULL;
    char *pattern = tool_text("%s/*.json", directory);
    glob_t files;
    int code = glob(pattern, 0, NULL, &files);
    for (size_t i = 0; code == 0 && i < files.gl_pathc && !class; i++) {
        char *document = tool_read_file(files.gl_pathv[i]);
        class = document ? class_in(document) : NULL;
        free(document);
    }
    if (code == 0)
        globfree(&files);
    free(pattern);
    return class;
}

/* Only a machine of the same class is a second machine: the software GPU is no second GPU. */
static bool is_of_class(const char *directory, const char *class)
{
    const char *other = class_of(directory);
    return other && class && strcmp(other, class) == 0;
}

char *partner_find(const char *root, const char *results)
{
    const char *class = class_of(results);
    const char *named = getenv("PARTNER");
    if (named && strcmp(named, "none") == 0)
        return NULL;
    if (named && *named) {
        if (!is_recorded(named))
            tool_fail("PARTNER=%s: it holds no results of a recorded machine", named);
        if (class && !is_of_class(named, class))
            tool_fail("PARTNER=%s: its GPU is not of the same class as that of %s (%s): a second "
                      "machine has a GPU as well, or both have the software GPU",
                      named, results, class);
        return tool_text("%s", named);
    }
    char *pattern = tool_text("%s/results/*", root), *found = NULL;
    glob_t directories;
    int code = glob(pattern, GLOB_ONLYDIR, NULL, &directories);
    for (size_t i = 0; code == 0 && i < directories.gl_pathc; i++) {
        const char *directory = directories.gl_pathv[i];
        if (is_recorded(directory) && !is_same(directory, results) &&
            is_of_class(directory, class)) {
            free(found);
            found = tool_text("%s", directory);
        }
    }
    if (code == 0)
        globfree(&directories);
    free(pattern);
    return found;
}

static bool has_table(sqlite3 *database, const char *name)
{
    char *found = database_value(
        database, "SELECT name FROM sqlite_master WHERE type = 'table' AND name = %Q", name);
    bool has = found != NULL;
    sqlite3_free(found);
    return has;
}

/* The names of the columns as one text, NULL without such a table. */
static char *columns_of(sqlite3 *database, const char *table)
{
    return database_value(database, "SELECT group_concat(name) FROM pragma_table_info(%Q)", table);
}

void partner_load(sqlite3 *database, const char *partner)
{
    results_prepare(database);
    sqlite3_stmt *ids = database_prepare(database, "SELECT id FROM experiments ORDER BY rowid");
    while (database_row(ids)) {
        const char *id = database_text(ids, 0);
        char *table = tool_text("partner_%s", id);
        results_load(database, partner, id, table);
        free(table);
    }
    database_run(database,
                 "INSERT INTO machine VALUES('directory', %Q);"
                 "ALTER TABLE machine RENAME TO partner_machine;"
                 "DROP INDEX configurations_of;"
                 "ALTER TABLE configurations RENAME TO partner_configurations;"
                 "CREATE INDEX partner_configurations_of ON partner_configurations(experiment);"
                 "DROP TABLE waived; DROP TABLE own_columns; DROP TABLE node; DROP TABLE nodes;"
                 "UPDATE experiments SET status = NULL, reason = NULL, gpu = NULL, "
                 "host = NULL, started_utc = NULL, ended_utc = NULL, version = NULL, "
                 "commit_id = NULL, dirty = NULL, cores = NULL, node = NULL, command = NULL",
                 partner_name(partner));
}

static void stand_in(sqlite3 *database, const char *table)
{
    char *name = tool_text("partner_%s", table);
    char *own = columns_of(database, table), *other = columns_of(database, name);
    if (own && (!other || strcmp(own, other) != 0))
        database_run(database,
                     "DROP TABLE IF EXISTS \"%w\";"
                     "CREATE TABLE \"%w\" AS SELECT * FROM \"%w\" WHERE false",
                     name, name, table);
    sqlite3_free(own);
    sqlite3_free(other);
    free(name);
}

/* Tables cannot be dropped while a query is open, so the names are fetched first. */
void partner_complete(sqlite3 *database)
{
    if (!has_table(database, "partner_machine"))
        database_run(database, "CREATE TABLE partner_machine AS SELECT * FROM machine WHERE false");
    if (!has_table(database, "partner_configurations"))
        database_run(database, "CREATE TABLE partner_configurations AS SELECT * FROM "
                               "configurations WHERE false");
    char *ids = database_value(database, "SELECT group_concat(id, ' ') FROM experiments");
    char *rest = NULL;
    for (char *id = ids ? strtok_r(ids, " ", &rest) : NULL; id; id = strtok_r(NULL, " ", &rest)) {
        char *median = tool_text("%s_median", id);
        stand_in(database, id);
        stand_in(database, median);
        free(median);
    }
    sqlite3_free(ids);
}
