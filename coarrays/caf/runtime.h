/* runtime.h: what this image knows about the run. Set by caf_start, read by everybody. */
#ifndef COARRAYS_CAF_RUNTIME_H
#define COARRAYS_CAF_RUNTIME_H

#include <limits.h>
#include <stdbool.h>
#include <mpi.h>

#include <datamotion/coarrays.h>

/* How contiguous data travel. */
enum caf_path {
    PATH_DIRECT, /* loads and stores within the node, RMA between nodes */
    PATH_RMA     /* MPI_Put and MPI_Get also within the node, as the thesis's LIBCAF_MPI */
};

/* How sections that are not contiguous travel by RMA. */
enum caf_transfer {
    TRANSFER_BLOCK,    /* packed: one message per section */
    TRANSFER_DATATYPE, /* one RMA call with MPI derived datatypes (LIBCAF_MPI of the thesis, 6.2) */
    TRANSFER_ELEMENT   /* one RMA call per element, even of contiguous data: what the thesis saw of
                          the Intel compiler (chapter 6), and of LIBCAF_MPI without strided support */
};

struct runtime {
    bool running;
    bool owns_mpi; /* caf_end calls MPI_Finalize */
    int image, images;
    int node, nodes;       /* nodes count from 0 */
    const int *node_of;    /* node_of[image] */
    const int *place_of;   /* place_of[image]: index among the images of its node */
    int near_count;        /* images of this node, this one included */
    const int *near;       /* their numbers, ascending; near[place_of[i]] == i */
    const int *first_of;   /* first_of[node]: its lowest image, which speaks for it */
    bool windows;          /* images reach one another by the conduit: several nodes, or PATH_RMA */
    bool by_mpi;           /* and this is MPI, whose collective calls need all images */
    MPI_Comm all, on_node; /* duplicates, for this library alone; rank = image - 1, place */
    enum caf_path path;    /* CAF_PATH=direct|rma */
    bool recovers;         /* the launcher goes on when a process dies */
    enum caf_transfer transfer; /* CAF_TRANSFER=block|datatype|element */
    bool crowded;               /* this node has more images than cores (wait.c) */
    bool parcels;               /* CAF_PARCELS=0: no parcels (parcel.h) */
    bool debug;                 /* CAF_DEBUG=1: also contiguous transfers check their range */
    double wait_limit_s;        /* CAF_WAIT_LIMIT_S, 0: none; default: a day */
    size_t memory_limit;     /* CAF_MEMORY: bytes of coarrays per image at most; 0: what is free */
    size_t component_memory; /* CAF_COMPONENTS: of allocatable components per image; 0: default */
};

extern struct runtime runtime;

/* Reached by loads and stores (image valid). */
static inline bool is_direct(int image)
{
    return runtime.path == PATH_DIRECT && runtime.node_of[image] == runtime.node;
}

static inline bool is_image(int image)
{
    return image >= 1 && image <= runtime.images;
}

/* What stands for an index that no image of a team has, and the index again. */
static inline int image_unknown(int index)
{
    return INT_MIN / 2 + (index < 0 ? 0 : index < (1 << 29) ? index : (1 << 29));
}
static inline int image_index_of_unknown(int image)
{
    return image < INT_MIN / 4 ? image - INT_MIN / 2 : image;
}

/* What stands for an image of a team that may not be named: not the current one or its ancestor. */
enum { IMAGE_OF_OTHER_TEAM = INT_MIN };

#endif
