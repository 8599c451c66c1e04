/* device_list.h: how many devices programs are given. */
#ifndef PARTITION_DEVICE_LIST_H
#define PARTITION_DEVICE_LIST_H

#include "common/harness/options.h"

struct run;

/* Numbers of devices from a list, `all`: powers of two up to what is there, and that, or `most`:
 * that. Those that are not there are waived as rows of the variant and left out. Release with
 * free(values). */
struct option_numbers device_list_read(struct run *run, const char *variant, const char *list);

/* struct program's start: the software GPU has 16 devices unless SOFTGPU_DEVICES says otherwise. */
void device_list_start(int argc, char **argv);

#endif
