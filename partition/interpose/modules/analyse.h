/* analyse.h: runs partition-analyse for a text that was not seen before. */
#ifndef ANALYSE_H
#define ANALYSE_H

#include <datamotion/partition_interpose.h>

/* The tool's name, with a path unless it is looked for on the PATH. */
enum { ANALYSE_PATH_BYTES = 4096 };
void analyse_tool(const struct partition_settings *settings, char path[ANALYSE_PATH_BYTES]);

/* Files: the text, the data base to be made of it, and what the tool says. */
struct analysis {
    const char *ptx;
    const char *launch; /* NULL, or the launch for which alone the data base is */
    const char *database, *log;
};
/* DM_UNAVAILABLE: there is no such tool, and *found is false; or it failed, or reached its time
 * limit. */
enum dm_status analyse(const struct partition_settings *settings, const struct analysis *analysis,
                       bool *found);

#endif
