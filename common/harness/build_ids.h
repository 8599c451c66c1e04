/* build_ids.h: which files this process is made of: the program and every shared library, by the
 * build id that the linker gave each. */
#ifndef COMMON_BUILD_IDS_H
#define COMMON_BUILD_IDS_H

#include "json.h"

/* Writes the array "libraries" of objects {"name", "build_id"}, the program first. Names are
 * without folder; build_id is null where the linker gave none. */
void build_ids_write(struct json *json);

#endif
