/* judge.h: turns the queries of claims/ into verdicts. */
#ifndef RUN_JUDGE_H
#define RUN_JUDGE_H

#include <sqlite3.h>

/* Makes the temporary tables verdicts(id, figure, kind, measured, bound, verdict, reason, rests_on,
 * margin) with one row per claim of the ledger, and claim_experiments(claim, experiment), from the
 * queries in root/claims/. A query selects id (with /part where a bound has several), value, low,
 * high, words; decide.h says what becomes of them. rests_on names the other machine whose data a
 * verdict uses, else it is empty; margin is how far inside (above 1) or outside its bound a claim
 * lies, NULL where that is no ratio. The claims of a query whose experiments were all waived, or
 * not measured, are waived, or pending, with that reason. A query that is wrong, or answers for a
 * claim that is not there or has an answer, ends the tool. */
void judge_claims(sqlite3 *database, const char *root);

#endif
