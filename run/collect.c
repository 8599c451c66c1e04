/* collect: loads a machine's results, the published tables and the ledger into RESULTS/results.db.
 *
 * Called by run/collect with the root of the tree and the results directory. The data base is
 * written under a temporary name and renamed when complete. It keeps a description of its inputs,
 * and when these are as they were nothing is done. */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "database.h"
#include "ledger.h"
#include "partner.h"
#include "results.h"
#include "tool.h"
#include "views.h"

/* run/check writes its verdicts among the inputs. */
static bool is_output(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && strcmp(slash, "/verdicts.csv") == 0;
}

/* Path in the folder, size and time of change of each file there that matches the pattern: a copy
 * of the folder with its times needs no other data base. */
static void describe_files(sqlite3_str *description, const char *folder, const char *pattern)
{
    glob_t files;
    char *full = tool_text("%s/%s", folder, pattern);
    int code = glob(full, 0, NULL, &files);
    free(full);
    if (code != 0)
        return;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct stat facts;
        if (!is_output(files.gl_pathv[i]) && stat(files.gl_pathv[i], &facts) == 0)
            sqlite3_str_appendf(description, "%s %lld %lld.%09ld\n",
                                files.gl_pathv[i] + strlen(folder) + 1, (long long)facts.st_size,
                                (long long)facts.st_mtim.tv_sec, (long)facts.st_mtim.tv_nsec);
    }
    globfree(&files);
}

static void describe_results(sqlite3_str *description, const char *results)
{
    static const char *const files[] = {"*.csv", "*.csv.gz", "*.json"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        describe_files(description, results, files[i]);
}

/* What the data base is made from: the tree's lists, this tool, the results and the partner's. */
static char *describe_inputs(const char *root, const char *results, const char *partner)
{
    static const char *const in_tree[] = {"*/experiments.tsv", "claims/*/*.tsv",
                                          "claims/*/tables/*.csv", "claims/views/*.sql"};
    sqlite3_str *description = sqlite3_str_new(NULL);
    describe_files(description, "/proc/self", "exe");
    for (size_t i = 0; i < sizeof in_tree / sizeof *in_tree; i++)
        describe_files(description, root, in_tree[i]);
    describe_results(description, results);
    if (partner) {
        sqlite3_str_appendf(description, "partner %s\n", partner_name(partner));
        describe_results(description, partner);
    }
    char *text = sqlite3_str_finish(description);
    if (!text)
        tool_fail("out of memory");
    return text;
}

/* Whether the data base was made from inputs of this description. A file that is no data base is
 * out of date. */
static bool is_up_to_date(const char *path, const char *inputs)
{
    sqlite3 *database;
    sqlite3_stmt *query = NULL;
    bool same = false;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(database, "SELECT description FROM inputs", -1, &query, NULL) ==
            SQLITE_OK &&
        sqlite3_step(query) == SQLITE_ROW)
        same = strcmp(database_text(query, 0), inputs) == 0;
    sqlite3_finalize(query);
    sqlite3_close(database);
    return same;
}

static void load_all(sqlite3 *database, const char *root, const char *results, const char *partner,
                     const char *inputs)
{
    database_run(database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
    ledger_load(database, root);
    if (partner)
        partner_load(database, partner);
    results_prepare(database);
    sqlite3_stmt *ids = database_prepare(database, "SELECT id FROM experiments ORDER BY rowid");
    while (database_row(ids))
        results_load(database, results, database_text(ids, 0), database_text(ids, 0));
    partner_complete(database);
    views_load(database, root);
    results_warn(database, results);
    database_run(database,
                 "CREATE TABLE inputs(description TEXT); INSERT INTO inputs VALUES(%Q); COMMIT",
                 inputs);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        tool_fail("Usage: collect ROOT RESULTS; run/collect RESULTS calls it");
    const char *root = argv[1], *results = argv[2];
    database_start();
    tool_lock(results);
    char *partner = partner_find(root, results);
    char *inputs = describe_inputs(root, results, partner);
    char *path = tool_text("%s/results.db", results);
    if (!is_up_to_date(path, inputs)) {
        char *unfinished = tool_text("%s/.results.db.unfinished", results);
        unlink(unfinished);
        tool_unfinished_file(unfinished);
        sqlite3 *database = database_open(unfinished, true);
        load_all(database, root, results, partner, inputs);
        sqlite3_close(database);
        char *journal = tool_text("%s-journal", path);
        unlink(journal); /* it belongs to the file that is replaced */
        free(journal);
        if (rename(unfinished, path) != 0)
            tool_fail("%s: cannot be put in place: %s", path, strerror(errno));
        tool_unfinished_file(NULL);
        free(unfinished);
    }
    sqlite3_free(inputs);
    free(partner);
    free(path);
    return 0;
}
