/* access_conditions.h: what a kernel's analysis assumes of a launch, ready to be looked at at each.
 *
 * The data base has the numbers for which the analysis does not hold as a set of isl. Of a kernel
 * from PTX it names dozens of parameters in as many pieces, and isl takes tens of milliseconds to
 * put numbers into it; its constraints alone, in which the numbers are put here, take microseconds.
 */
#ifndef ACCESS_CONDITIONS_H
#define ACCESS_CONDITIONS_H

#include <isl/map.h>

#include <datamotion/partition.h>

struct access_conditions;

/* Makes them of a map that has only parameters, which it keeps. DM_NO_MEMORY, DM_UNAVAILABLE. */
enum dm_status access_conditions_make(isl_map *map, struct access_conditions **conditions);
isl_map *access_conditions_map(const struct access_conditions *conditions); /* not to be freed */
void access_conditions_free(struct access_conditions *conditions);

/* Whether the launch's numbers are in the map. DM_INVALID: a parameter is not known; what isl
 * says. */
enum dm_status access_conditions_hold(const struct access_conditions *conditions,
                                      const struct partition_launch *launch, bool *hold);

#endif
