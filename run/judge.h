/* judge.h: turns the queries of tests/claims/ into verdicts. */
#ifndef RUN_JUDGE_H
#define RUN_JUDGE_H

#include <sqlite3.h>

/* Makes the temporary table verdicts(id, figure, kind, measured, bound, verdict, reason,
 * rests_on) with one row per claim of the ledger, from the queries in root/tests/claims/. A query
 * selects id, measured, bound, ok, reason: ok 1 is reproduced, 0 not reproduced, NULL ambiguous
 * (pending where measured is NULL too), 'waived' waived. Claims of the kinds arithmetic and quoted
 * are shown instead. rests_on names the other machine whose data a verdict uses, else it is empty.
 * The claims of a query whose experiments were all waived, or not measured, are waived, or pending,
 * with that reason. A query that is wrong, or answers for a claim that is not there or has an
 * answer, ends the tool. */
void judge_claims(sqlite3 *database, const char *root);

#endif
