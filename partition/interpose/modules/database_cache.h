/* database_cache.h: data bases of PTX texts that the run time has seen, in a folder of the user's.
 *
 *     ~/.cache/datamotion/0123456789abcdef.db       by the text's hash
 *     ~/.cache/datamotion/0123456789abcdef.failed   a sentence: there can be none
 *     ~/.cache/datamotion/0123456789abcdef-fedcba9876543210.db   for one launch, by that one's hash
 */
#ifndef DATABASE_CACHE_H
#define DATABASE_CACHE_H

#include <datamotion/partition_interpose.h>

/* The name of the text's data base (the caller frees it), which partition-analyse makes if it is
 * not there, within a time limit. Several processes may do so at once. `launch`: NULL, or as for
 * partition-analyse --launch. DM_UNAVAILABLE: there is none and none can be made; DM_NO_MEMORY. */
enum dm_status database_cache_get(const struct partition_settings *settings, const char *ptx,
                                  const char *launch, char **name);
/* Whether it is there already. */
bool database_cache_has(const struct partition_settings *settings, const char *ptx,
                        const char *launch);

#endif
