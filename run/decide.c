#include "decide.h"

#include <stdio.h>

#include "database.h"
#include "ledger.h"
#include "tool.h"

/* Whole numbers as such, others with four digits. */
#define NUMBER(value)                                                                              \
    "CASE WHEN " value " = round(" value ") AND abs(" value ") < 1e15 THEN printf('%%d', " value   \
    ") ELSE printf('%%.4g', " value ") END"

void decide_prepare(sqlite3 *database)
{
    database_run(
        database,
        "CREATE TEMP TABLE waived_figures AS "
        "SELECT f.id, min(coalesce(e.reason, 'waived')) AS reason "
        "FROM figures f JOIN experiments e ON ',' || e.figures || ',' LIKE '%%,' || f.id || ',%%' "
        "GROUP BY f.id HAVING sum(e.status IS NOT 'WAIVED') = 0;"
        "CREATE TEMP TABLE quantities(claim TEXT, part TEXT, value REAL, low REAL, high REAL, "
        "words TEXT, rests_on TEXT);"
        "CREATE TEMP TABLE verdicts(id TEXT PRIMARY KEY, figure TEXT, kind TEXT, measured TEXT, "
        "bound TEXT, verdict TEXT, reason TEXT, rests_on TEXT, margin REAL);"
        "INSERT INTO verdicts SELECT c.id, c.figure, c.kind, '', '', "
        "iif(c.bound GLOB %Q OR w.id IS NOT NULL, 'waived', 'pending'), "
        "CASE WHEN c.bound GLOB %Q THEN substr(c.bound, length(%Q) + 1) "
        "ELSE coalesce(w.reason, 'no query yet') END, '', NULL "
        "FROM claims c LEFT JOIN waived_figures w ON w.id = c.figure ORDER BY c.rowid",
        WAIVED_PREFIX "*", WAIVED_PREFIX "*", WAIVED_PREFIX);
}

/* forms: which of a claim's bounds counts here. */
static void choose_forms(sqlite3 *database)
{
    database_run(database,
                 "CREATE TEMP TABLE forms AS SELECT id AS claim, "
                 "iif(machine <> '-' AND EXISTS (SELECT 1 FROM main.machine m, "
                 "json_each('[\"' || replace(c.machine, ' | ', '\",\"') || '\"]') AS part "
                 "WHERE m.name IN ('cpu', 'device0_name') AND instr(m.value, part.value) > 0 OR "
                 "c.machine = 'CUDA' AND m.name = 'device0_kind' AND m.value = 'cuda'), "
                 "'strict', 'judged') AS form FROM claims c");
}

/* The end of a quantity that is closest to a bound over the bound, the other way round for an upper
 * one: above 1 inside, below 1 outside. Only for positive ones. */
#define MARGIN(lower_end, upper_end)                                                               \
    "nullif(min(iif(b.lower > 0 AND b.lower < b.upper AND b.lower < 9e99, " lower_end              \
    " / b.lower, 9e99), iif(b.upper > 0 AND b.lower < b.upper AND b.upper < 9e99 AND " upper_end   \
    " > 0, b.upper / " upper_end ", 9e99)), 9e99)"

/* outcomes: each quantity beside its bound; ok is 1, 0 or NULL, slack how far it lies inside. */
static void compare(sqlite3 *database)
{
    database_run(
        database,
        "CREATE TEMP TABLE outcomes AS SELECT q.*, b.claim IS NOT NULL AS bounded, "
        "CASE WHEN q.value IS NULL THEN NULL "
        "WHEN (q.low > b.lower OR q.low = b.lower AND NOT b.lower_open) AND "
        "(q.high < b.upper OR q.high = b.upper AND NOT b.upper_open) THEN 1 "
        "WHEN q.high < b.lower OR q.high = b.lower AND b.lower_open OR "
        "q.low > b.upper OR q.low = b.upper AND b.upper_open THEN 0 END AS ok, "
        "min(q.low - b.lower, b.upper - q.high) AS slack, " MARGIN("q.low", "q.high") " AS inside, " MARGIN(
            "q.high",
            "q.low") " AS outside, q.rowid AS position "
                     "FROM quantities q JOIN forms f USING (claim) LEFT JOIN bounds b ON b.claim = q.claim AND "
                     "b.form = f.form AND b.part = q.part");
    sqlite3_stmt *unknown = database_prepare(
        database,
        "SELECT DISTINCT o.claim || iif(part = '', '', '/' || part) FROM outcomes o JOIN claims c "
        "ON c.id = o.claim WHERE NOT bounded AND value IS NOT NULL AND c.bound NOT GLOB %Q AND NOT "
        "(c.bound = '-' AND c.machine <> '-')",
        WAIVED_PREFIX "*");
    while (database_row(unknown))
        fprintf(stderr, "%s: measured, but not judged: claims.tsv has no bound for it\n",
                database_text(unknown, 0));
    database_run(
        database,
        "DELETE FROM outcomes WHERE NOT bounded AND value IS NOT NULL AND EXISTS (SELECT 1 "
        "FROM bounds b JOIN forms f USING (claim, form) WHERE b.claim = outcomes.claim)");
}

/* shown: one text per part, of the quantity that is closest to the bound or farthest outside. */
static void describe(sqlite3 *database)
{
    database_run(
        database,
        "CREATE TEMP TABLE shown AS SELECT claim, part, min(position) AS position, "
        "iif(part = '', '', part || ': ') || " NUMBER("value") " || iif(low < high, ' (' || " NUMBER("low") " || ' .. ' || " NUMBER(
            "high") " || ')', '') || "
                    "iif(words = '', '', ' ' || words) || "
                    "iif(rows > 1, printf(' (the closest of %%d)', rows), '') AS text "
                    "FROM (SELECT *, count(*) OVER (PARTITION BY claim, part) AS rows, row_number() OVER "
                    "(PARTITION BY claim, part ORDER BY coalesce(2 * ok, 1), slack, position) AS nth "
                    "FROM outcomes WHERE value IS NOT NULL) WHERE nth = 1 GROUP BY claim, part");
}

/* The bound that counts, with the published value behind it. */
static void print_bounds(sqlite3 *database)
{
    database_run(
        database,
        "UPDATE verdicts SET measured = coalesce((SELECT group_concat(text, '; ') FROM "
        "(SELECT text FROM shown WHERE claim = verdicts.id ORDER BY position)), ''), "
        "rests_on = coalesce((SELECT max(rests_on) FROM quantities q WHERE q.claim = verdicts.id), "
        "''), bound = (SELECT CASE WHEN form = 'strict' THEN strict WHEN bound GLOB %Q THEN '-' "
        "ELSE bound END || iif(thesis_value = '-', '', ' (thesis: ' || thesis_value || ')') "
        "FROM claims c JOIN forms f ON f.claim = c.id WHERE c.id = verdicts.id) "
        "WHERE id IN (SELECT claim FROM quantities)",
        WAIVED_PREFIX "*");
}

static void set_verdicts(sqlite3 *database)
{
    database_run(
        database,
        "CREATE TEMP TABLE decided AS SELECT c.id AS id, c.kind AS kind, "
        "CASE WHEN c.bound GLOB %Q THEN NULL "
        "WHEN max(o.value IS NULL AND o.words <> '') THEN 'waived' "
        "WHEN max(o.value IS NULL) THEN 'pending' "
        "WHEN f.form = 'judged' AND c.bound = '-' THEN 'waived' "
        "WHEN (SELECT count(*) FROM bounds b WHERE b.claim = c.id AND b.form = f.form) > "
        "count(DISTINCT o.part) THEN 'pending' "
        "WHEN min(coalesce(o.ok, 1)) = 0 THEN 'not reproduced' "
        "WHEN count(o.ok) < count(*) THEN 'ambiguous' ELSE 'reproduced' END AS verdict, "
        "CASE WHEN max(o.value IS NULL AND o.words <> '') THEN "
        "max(o.words) FILTER (WHERE o.value IS NULL) "
        "WHEN max(o.value IS NULL) THEN 'its query found no data' "
        "WHEN c.machine = 'CUDA' AND (f.form = 'strict' OR c.bound <> '-') THEN '' "
        "WHEN c.machine = 'CUDA' THEN 'judged on CUDA GPUs only' "
        "WHEN f.form = 'strict' THEN 'the bound of the thesis, as this is a ' || replace(c.machine, ' | ', ' or ') "
        "WHEN c.bound = '-' THEN 'a number of the ' || replace(c.machine, ' | ', ' or ') ELSE '' END AS reason, "
        "min(iif(o.ok = 0, o.outside, o.inside)) AS margin "
        "FROM outcomes o JOIN claims c ON c.id = o.claim JOIN forms f ON f.claim = c.id "
        "GROUP BY c.id;"
        "UPDATE decided SET reason = 'a part of it was not measured' "
        "WHERE verdict = 'pending' AND reason = '';"
        "UPDATE decided SET reason = iif(verdict = 'reproduced', 'the numbers agree', "
        "'the numbers differ'), verdict = 'shown' WHERE kind IN ('arithmetic', 'quoted') AND "
        "verdict IN ('reproduced', 'not reproduced', 'ambiguous');"
        "UPDATE verdicts SET (verdict, reason, margin) = (SELECT verdict, reason, margin FROM decided d WHERE "
        "d.id = verdicts.id) WHERE id IN (SELECT id FROM decided WHERE verdict IS NOT NULL);"
        "UPDATE verdicts SET rests_on = '' WHERE verdict IN ('waived', 'pending')",
        WAIVED_PREFIX "*");
}

/* A number of other machines is nothing to wait for here, once it is known which machine this is.
 */
static void waive_elsewhere(sqlite3 *database)
{
    database_run(
        database,
        "UPDATE verdicts SET verdict = 'waived', reason = (SELECT iif(machine = 'CUDA', 'judged "
        "on CUDA GPUs only', 'a number of the ' || replace(machine, ' | ', ' or ')) FROM claims c "
        "WHERE c.id = verdicts.id) WHERE verdict = 'pending' AND id IN (SELECT id FROM claims "
        "JOIN forms ON claim = id WHERE form = 'judged' AND bound = '-') AND EXISTS (SELECT 1 "
        "FROM main.machine WHERE name = 'device0_kind')");
}

void decide_claims(sqlite3 *database)
{
    choose_forms(database);
    compare(database);
    describe(database);
    print_bounds(database);
    set_verdicts(database);
    waive_elsewhere(database);
}
