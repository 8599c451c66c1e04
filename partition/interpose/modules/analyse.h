/* analyse.h: runs partition-analyse for a text that was not seen before. */
#ifndef ANALYSE_H
#define ANALYSE_H

#include <datamotion/partition_interpose.h>

/* The tool's name, with a path unless it is looked for on the PATH. */
enum { ANALYSE_PATH_BYTES = 4096 };
void analyse_tool(const struct partition_settings *settings, char path[ANALYSE_PATH_BYTES]);

/* Makes `database` from the text in `ptx`; what the tool says goes to `log`. DM_UNAVAILABLE: there
 * is no such tool, and *found is false; or it failed, or reached its time limit. */
enum dm_status analyse(const struct partition_settings *settings, const char *ptx,
                       const char *database, const char *log, bool *found);

#endif
