/* object_chains.h: last-writer maps of random sequences of launches. */
#ifndef OBJECT_CHAINS_H
#define OBJECT_CHAINS_H

#include "object_jobs.h"

/* Sample of object_jobs.h; context: an int64_t, the number of sequences. Each sequence makes random
 * launches out of a few, so that most of them come again; the last-writer map of the chain, which
 * keeps the newest of equal launches, is compared with the device that wrote each element last in
 * the full history. time_s: of one sequence's chain and its map. */
double object_chain_sample(struct object_job *job);

#endif
