/* check: which published claims hold here. Called by run/check with the root of the tree, the
 * results directory and how much to print: -q nothing, -n the claims that have a verdict, -v all
 * claims.
 *
 * The verdicts go into the table verdicts of RESULTS/results.db and into RESULTS/verdicts.csv. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "database.h"
#include "judge.h"
#include "tool.h"

enum { VERDICT_COLUMNS = 8 };

static void write_cell(FILE *file, const char *text, char end)
{
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        fputs(text, file);
    } else {
        fputc('"', file);
        for (; *text; text++) {
            if (*text == '"')
                fputc('"', file);
            fputc(*text, file);
        }
        fputc('"', file);
    }
    fputc(end, file);
}

static void write_csv(sqlite3 *database, const char *results)
{
    char *path = tool_text("%s/verdicts.csv", results);
    char *unfinished = tool_text("%s/.verdicts.csv.unfinished", results);
    tool_unfinished_file(unfinished);
    FILE *file = fopen(unfinished, "w");
    if (!file)
        tool_fail("%s: cannot be written: %s", unfinished, strerror(errno));
    fputs("id,figure,kind,measured,bound,verdict,reason,rests_on\n", file);
    sqlite3_stmt *query = database_prepare(
        database,
        "SELECT id, figure, kind, measured, bound, verdict, reason, rests_on FROM verdicts "
        "ORDER BY rowid");
    while (database_row(query))
        for (int i = 0; i < VERDICT_COLUMNS; i++)
            write_cell(file, database_text(query, i), i + 1 < VERDICT_COLUMNS ? ',' : '\n');
    int broken = ferror(file);
    if (fclose(file) != 0 || broken || rename(unfinished, path) != 0)
        tool_fail("%s: cannot be written: %s", path, strerror(errno));
    tool_unfinished_file(NULL);
    free(unfinished);
    free(path);
}

static void print_counts(sqlite3 *database, const char *column, const char *title)
{
    printf("\n%-16s %7s %11s %15s %10s %7s %8s %6s\n", title, "claims", "reproduced",
           "not reproduced", "ambiguous", "waived", "pending", "shown");
    sqlite3_stmt *query = database_prepare(
        database,
        "SELECT %s, count(*), sum(verdict = 'reproduced'), sum(verdict = 'not reproduced'), "
        "sum(verdict = 'ambiguous'), sum(verdict = 'waived'), sum(verdict = 'pending'), "
        "sum(verdict = 'shown') "
        "FROM verdicts JOIN claims USING (id) GROUP BY %s ORDER BY min(verdicts.rowid)",
        column, column);
    while (database_row(query))
        printf("%-16s %7d %11d %15d %10d %7d %8d %6d\n", database_text(query, 0),
               sqlite3_column_int(query, 1), sqlite3_column_int(query, 2),
               sqlite3_column_int(query, 3), sqlite3_column_int(query, 4),
               sqlite3_column_int(query, 5), sqlite3_column_int(query, 6),
               sqlite3_column_int(query, 7));
}

/* Verdicts that another machine's data decide say less about this one. */
static void print_partner(sqlite3 *database)
{
    sqlite3_stmt *query =
        database_prepare(database, "SELECT rests_on, count(*), sum(verdict = 'reproduced') FROM "
                                   "verdicts WHERE rests_on <> '' GROUP BY rests_on");
    while (database_row(query))
        printf("\n%d of these verdicts (%d reproduced) rest on data of %s as well.\n",
               sqlite3_column_int(query, 1), sqlite3_column_int(query, 2), database_text(query, 0));
}

static void print_claims(sqlite3 *database, bool all)
{
    sqlite3_stmt *query = database_prepare(
        database,
        "SELECT c.dir, v.id, v.verdict, c.statement, v.measured, v.bound, v.reason "
        "FROM verdicts v JOIN claims c USING (id) WHERE %d OR v.verdict <> 'pending' "
        "ORDER BY c.dir, v.rowid",
        all);
    char *dir = NULL;
    while (database_row(query)) {
        if (!dir || strcmp(dir, database_text(query, 0)) != 0) {
            free(dir);
            dir = tool_text("%s", database_text(query, 0));
            printf("\n%s\n", dir);
        }
        printf("  %-18s %-15s %s\n", database_text(query, 1), database_text(query, 2),
               database_text(query, 3));
        if (*database_text(query, 4) || *database_text(query, 5))
            printf("  %-18s %-15s   measured %s, bound %s\n", "", "", database_text(query, 4),
                   database_text(query, 5));
        if (*database_text(query, 6) && strcmp(database_text(query, 6), "no query yet") != 0)
            printf("  %-18s %-15s   %s\n", "", "", database_text(query, 6));
    }
    free(dir);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        tool_fail("Usage: check ROOT RESULTS -q|-n|-v; run/check RESULTS calls it");
    const char *root = argv[1], *results = argv[2], *talk = argv[3];
    database_start();
    tool_lock(results);
    char *path = tool_text("%s/results.db", results);
    sqlite3 *database = database_open(path, false);
    judge_claims(database, root);
    database_run(
        database,
        "BEGIN IMMEDIATE; DROP TABLE IF EXISTS main.verdicts;"
        "CREATE TABLE main.verdicts AS SELECT * FROM temp.verdicts ORDER BY rowid;"
        "DROP TABLE IF EXISTS main.claim_experiments;"
        "CREATE TABLE main.claim_experiments AS SELECT * FROM temp.claim_experiments; COMMIT");
    write_csv(database, results);
    if (strcmp(talk, "-q") != 0) {
        print_claims(database, strcmp(talk, "-v") == 0);
        print_counts(database, "author", "thesis");
        print_counts(database, "dir", "directory");
        print_partner(database);
        printf("\nAll verdicts: %s/verdicts.csv\n", results);
    }
    sqlite3_close(database);
    free(path);
    if (fflush(stdout) != 0)
        tool_fail("the output cannot be written: %s", strerror(errno));
    return 0;
}
