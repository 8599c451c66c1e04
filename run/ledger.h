/* ledger.h: what the tree itself says: manifests, claims, figures, published tables. */
#ifndef RUN_LEDGER_H
#define RUN_LEDGER_H

#include <sqlite3.h>

/* A claim whose bound is `waived: REASON` is not judged anywhere. */
#define WAIVED_PREFIX "waived: "

/* Makes the tables claims, bounds (one row per part of a claim's bound, of the form `judged` or
 * `strict`), figures, experiments and one per transcribed table of the theses, from the files below
 * `root`. */
void ledger_load(sqlite3 *database, const char *root);

#endif
