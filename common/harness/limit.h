/* limit.h: a program that reaches its time limit (-T) keeps what it measured until then.
 *
 *   time:  0 ........... -T ............ -T + LIMIT_GRACE_S
 *                        |               |
 *                 rows recorded so       whoever still runs (other ranks, a program
 *                 far are written        that hangs while it writes) ends without a
 *                                        file: status_start_limit
 */
#ifndef COMMON_LIMIT_H
#define COMMON_LIMIT_H

struct run;

/* Starts the limit of run->settings. Ends the program with EXIT_TIMEOUT; with EXIT_FAIL if results
 * were wrong by then. Rank 0 has the rows, so the other ranks leave it time to write them. */
void limit_start(struct run *run);

#endif
