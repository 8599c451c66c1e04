/* module_path.h: where the kernels' modules and data bases are. */
#ifndef PARTITION_MODULE_PATH_H
#define PARTITION_MODULE_PATH_H

enum { MODULE_PATH = 4096 };

/* path = DIRECTORY/file. `directory` NULL: the folder `partition` beside that of the program, or,
 * if there is none, that of an installed program (common/install). Ends the program if the
 * path is too long. */
void module_path(char path[MODULE_PATH], const char *directory, const char *file);

#endif
