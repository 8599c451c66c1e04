/* team_far.h: how images of a team on several nodes meet, and tell one another, without MPI and
 * also when some fail: what team_meet.c does through shared memory on one node.
 *
 * Each image tells the leader, the first image of the team that runs, that it has come, with its
 * record. When all have come or run no more, the leader tells all what came of it: who came, and
 * their records. If the leader fails, the next one asks the others whether they know the result
 * already; who has replied, or has come to the new leader, takes none from an earlier one. So all
 * that are left learn the same. */
#ifndef COARRAYS_CAF_TEAM_FAR_H
#define COARRAYS_CAF_TEAM_FAR_H

#include <stddef.h>

#include <datamotion/status.h>

struct team;
struct meeting;

/* Names its messages' handlers. */
void team_far_start(void);
void team_far_end(void);

/* What a team needs to meet. */
enum dm_status meeting_create(struct team *team);
void meeting_destroy(struct meeting *meeting);

/* All images of the current team come here. Then team->came tells who did; DM_OK also if not all.
 */
enum dm_status meeting_hold(const char *statement, const void *record, size_t bytes);

/* The record of an image that came, until the meeting after the next. Aligned to 8 bytes. */
const void *meeting_told(const struct team *team, int index);

#endif
