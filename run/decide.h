/* decide.h: verdicts from measured quantities and the bounds of the ledger. */
#ifndef RUN_DECIDE_H
#define RUN_DECIDE_H

#include <sqlite3.h>

/* Makes the temporary tables verdicts, in which all claims are pending (or waived, where the ledger
 * or all experiments of their figure say so), and quantities(claim, part, value, low, high, words,
 * rests_on), which is empty. */
void decide_prepare(sqlite3 *database);

/* Gives each claim that has quantities its verdict. Every row of every part must lie in the part's
 * bound: reproduced; one surely outside: not reproduced; else ambiguous. A row without a value
 * waives the claim with its words as the reason. The strict bound takes the place of the other one
 * on the machine that it was published for; without any other bound the claim is waived elsewhere.
 * A quantity whose part has no bound is named on stderr and not judged. */
void decide_claims(sqlite3 *database);

#endif
