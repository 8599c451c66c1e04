/* object_table.h: what the run time's table of buffers holds for a pointer of the program. */
#ifndef OBJECT_TABLE_H
#define OBJECT_TABLE_H

#include <cuda.h>
#include <stddef.h>

#include <datamotion/partition_interpose.h>

struct object_entry {
    CUdeviceptr on[PARTITION_MAX_DEVICES]; /* the buffer's memory on each device */
    int devices;                           /* 0: the table has no such pointer */
    size_t bytes;
};

/* In the virtual GPU that is current in this thread. */
struct object_entry object_table_find(CUdeviceptr pointer);

#endif
