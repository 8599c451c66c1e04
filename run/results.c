#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csv.h"
#include "database.h"
#include "rows.h"
#include "tool.h"

void results_prepare(sqlite3 *database)
{
    database_run(database, "CREATE TABLE configurations(experiment TEXT, variant, gpu TEXT, ranks "
                           "INTEGER, gpus INTEGER, "
                           "parameters TEXT, n INTEGER, starts INTEGER, median_s REAL, low_s REAL, "
                           "high_s REAL, n_effective REAL, halves_separate INTEGER, "
                           "starts_differ INTEGER);"
                           "CREATE INDEX configurations_of ON configurations(experiment);"
                           "CREATE TABLE machine(name TEXT, value, UNIQUE(name, value));"
                           "CREATE TABLE nodes(id INTEGER PRIMARY KEY, host TEXT, cpu TEXT, cores "
                           "INTEGER, memory_gib INTEGER, os TEXT, devices TEXT, "
                           "UNIQUE(host, cpu, cores, memory_gib, devices));"
                           "CREATE TABLE waived(experiment TEXT, variant TEXT, reason TEXT);"
                           "CREATE TEMP TABLE node(host, cpu, cores, memory_gib, os, devices);"
                           "CREATE TEMP TABLE own_columns(position INTEGER, name TEXT, kind TEXT)");
}

/* Reads the JSON beside a CSV and checks what every such document must say. */
static char *read_document(sqlite3 *database, const char *directory, const char *id)
{
    char *path = tool_text("%s/%s.json", directory, id);
    char *text = tool_read_file(path);
    if (!text)
        tool_fail("%s: is missing; a result is a CSV and a JSON document. Again: make -B %s", path,
                  id);
    char *valid = database_value(database, "SELECT json_valid(%Q)", text);
    if (!valid || strcmp(valid, "1") != 0)
        tool_fail("%s: is not valid JSON", path);
    char *wrong = database_value(
        database,
        "SELECT CASE WHEN json_extract(d, '$.schema_version') IS NOT 1 THEN 'schema_version must "
        "be 1' "
        "WHEN json_extract(d, '$.meta.experiment') IS NOT %Q THEN 'meta.experiment must be ' || %Q "
        "WHEN coalesce(json_extract(d, '$.status'), '') NOT IN "
        "('PASS', 'FAIL', 'WAIVED', 'OUT_OF_REFERENCE', 'TIMEOUT') "
        "THEN 'status must be PASS, FAIL, WAIVED, OUT_OF_REFERENCE or TIMEOUT' "
        "WHEN json_type(d, '$.columns') IS NOT 'array' THEN 'columns must be an array' END "
        "FROM (SELECT %Q AS d)",
        id, id, text);
    if (wrong)
        tool_fail("%s: %s", path, wrong);
    sqlite3_free(valid);
    free(path);
    return text;
}

/* The node that an experiment ran on: a machine may have been recorded on several. */
static void load_node(sqlite3 *database, const char *id, const char *text)
{
    database_run(
        database,
        "INSERT INTO node SELECT coalesce(json_extract(s, '$.host'), '') AS host, "
        "coalesce(json_extract(s, '$.cpu'), '') AS cpu, "
        "coalesce(json_extract(s, '$.cores_online'), 0) AS cores, "
        "CAST(round(coalesce(json_extract(s, '$.memory_bytes'), 0) / 1073741824.0) AS INTEGER) AS "
        "memory_gib, coalesce(json_extract(s, '$.os'), '') AS os, "
        "coalesce((SELECT group_concat(count || ' ' || name, ', ') FROM (SELECT count(*) AS count, "
        "json_extract(value, '$.name') AS name FROM json_each(d, '$.devices') GROUP BY name)), '') "
        "AS devices FROM (SELECT d, json_extract(d, '$.system') AS s FROM (SELECT %Q AS d)) "
        "WHERE json_extract(s, '$.cores_online') IS NOT NULL;"
        "INSERT OR IGNORE INTO nodes(host, cpu, cores, memory_gib, os, devices) SELECT * FROM node;"
        "UPDATE experiments SET node = (SELECT n.id FROM nodes n JOIN node USING "
        "(host, cpu, cores, memory_gib, devices)) WHERE id = %Q;"
        "DELETE FROM node",
        text, id);
}

static void load_document(sqlite3 *database, const char *id, const char *text)
{
    database_run(
        database,
        "UPDATE experiments SET status = json_extract(d, '$.status'), "
        "reason = coalesce(json_extract(d, '$.reason'), CASE json_extract(d, '$.status') WHEN "
        "'WAIVED' "
        "THEN json_extract(d, '$.waived[0].reason') END), "
        "started_utc = json_extract(d, '$.meta.start_utc'), "
        "ended_utc = json_extract(d, '$.meta.end_utc'), "
        "version = json_extract(d, '$.meta.version'), "
        "commit_id = json_extract(d, '$.meta.commit'), dirty = json_extract(d, '$.meta.dirty'), "
        "cores = json_extract(d, '$.system.cores_online'), "
        "command = (SELECT group_concat(atom, ' ') FROM json_each(d, '$.meta.argv')) "
        "FROM (SELECT %Q AS d) WHERE id = %Q",
        text, id);
    load_node(database, id, text);
    database_run(database,
                 "INSERT INTO waived SELECT %Q, json_extract(value, '$.variant'), "
                 "json_extract(value, '$.reason') FROM json_each(%Q, '$.waived')",
                 id, text);
    database_run(database,
                 "INSERT OR IGNORE INTO machine SELECT key, atom FROM json_each(%Q, '$.system') "
                 "WHERE atom IS NOT NULL",
                 text);
    database_run(database,
                 "INSERT OR IGNORE INTO machine SELECT 'device' || d.key || '_' || f.key, f.atom "
                 "FROM json_each(%Q, '$.devices') d, json_each(d.value) f WHERE f.atom IS NOT NULL "
                 "AND f.key <> 'device'",
                 text);
    database_run(database, "DELETE FROM own_columns");
    database_run(database,
                 "INSERT INTO own_columns SELECT key, json_extract(value, '$.name'), "
                 "json_extract(value, '$.kind') FROM json_each(%Q, '$.columns')",
                 text);
}

/* The program's own columns as a list in SQL; %%w in `each` is the name. A kind of NULL means both
 * kinds. */
static char *own_columns(sqlite3 *database, const char *kind, const char *each)
{
    sqlite3_str *list = sqlite3_str_new(database);
    sqlite3_stmt *query = database_prepare(
        database,
        "SELECT replace(%Q, '@', name) FROM own_columns WHERE kind = coalesce(%Q, kind) "
        "ORDER BY position",
        each, kind);
    while (database_row(query))
        sqlite3_str_appendall(list, database_text(query, 0));
    char *text = sqlite3_str_finish(list);
    return text ? text : sqlite3_mprintf("");
}

/* TABLE_median and the experiment's configurations: one row per configuration over its passed
 * repetitions. */
static void summarise(sqlite3 *database, const char *id, const char *table)
{
    char *parameters = own_columns(database, "parameter", "\"@\", ");
    char *group = own_columns(database, "parameter", ", \"@\"");
    char *metrics =
        own_columns(database, "metric", "coalesce(median(\"@\"), max(\"@\")) AS \"@\", ");
    char *texts = own_columns(database, "parameter", " || coalesce('@=' || \"@\" || ' ', '')");
    database_run(
        database,
        "CREATE TABLE \"%w_median\" AS SELECT variant, gpu, ranks, gpus, %s count(*) AS n, "
        "count(DISTINCT rep / %d) AS starts, %s"
        "median(time_s) AS time_s, interval_low(time_s, rep) AS time_low_s, "
        "interval_high(time_s, rep) AS time_high_s, "
        "round(n_effective(time_s, rep), 1) AS n_effective, "
        "CAST(halves_separate(time_s, rep) AS INTEGER) AS halves_separate, "
        "CAST(starts_differ(time_s, rep) AS INTEGER) AS starts_differ, "
        "sum(errors) AS errors FROM \"%w\" "
        "WHERE status = 'pass' AND time_s IS NOT NULL GROUP BY variant, gpu, ranks, gpus%s "
        "ORDER BY min(rowid)",
        table, parameters, STARTS_APART, metrics, table, group);
    database_run(
        database,
        "INSERT INTO configurations SELECT %Q, variant, gpu, ranks, gpus, trim(''%s), n, starts, "
        "time_s, time_low_s, time_high_s, n_effective, halves_separate, starts_differ FROM \"%w_median\"",
        id, texts, table);
    sqlite3_free(parameters);
    sqlite3_free(group);
    sqlite3_free(metrics);
    sqlite3_free(texts);
}

void results_load(sqlite3 *database, const char *directory, const char *id, const char *table)
{
    char *path = tool_text("%s/%s.csv", directory, id);
    if (access(path, F_OK) != 0) {
        free(path);
        path = tool_text("%s/%s.csv.gz", directory, id);
    }
    if (access(path, F_OK) == 0) {
        char *document = read_document(database, directory, id);
        load_document(database, id, document);
        rows_load(database, path, id, table);
        summarise(database, id, table);
        free(document);
    }
    free(path);
}

static void warn(sqlite3 *database, const char *directory, const char *query)
{
    char *warning = database_value(database, "%s", query);
    if (warning)
        fprintf(stderr, "%s: warning: %s\n", directory, warning);
    sqlite3_free(warning);
}

void results_warn(sqlite3 *database, const char *directory)
{
    warn(
        database, directory,
        "SELECT printf('%d of the %d configurations with at least 20 repetitions drifted, most "
        "of them in %s: the intervals of their two halves separate', sum(drifted), sum(counted), "
        "experiment) FROM (SELECT experiment, sum(halves_separate) AS drifted, count(*) AS counted "
        "FROM configurations WHERE n >= 20 GROUP BY experiment ORDER BY drifted DESC) "
        "HAVING sum(drifted) > 0");
    warn(database, directory,
         "SELECT printf('%d of the %d configurations that were measured in several starts differ "
         "from start to start, most of them in %s: their intervals count that, and more starts "
         "make them narrower', sum(differ), sum(counted), experiment) FROM (SELECT experiment, "
         "sum(starts_differ) AS differ, count(*) AS counted FROM configurations WHERE starts > 1 "
         "GROUP BY experiment ORDER BY differ DESC) HAVING sum(differ) > 0");
}
