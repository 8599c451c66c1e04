/* block_way.h: one block from a server, rank 1, to a worker, rank 0, by one of several ways. */
#ifndef PREFETCH_BLOCK_WAY_H
#define PREFETCH_BLOCK_WAY_H

#include <mpi.h>

#include "prefetch/sip/transport.h"

enum way_kind { MEMCPY, RECV, ISEND, MESSAGES, PROGRESS, WINDOW, WAYS };
enum { BUFFERS_MIN = 2, BUFFERS_MAX = 8 };

/* Blocks of one size. All functions end the program with a sentence if something fails. */
struct block_way {
    enum way_kind kind;
    size_t bytes;
    int buffers;                                     /* blocks that are used in turn */
    char *source[BUFFERS_MAX], *target[BUFFERS_MAX]; /* memory of the open scope */
    struct transport_array array;
    struct transport *transport;
    struct transfer *transfer;
    MPI_Request arriving;
};

/* Random blocks; the kind is still to be chosen. */
struct block_way way_prepare(size_t bytes, int buffers, uint64_t seed);

/* The server's side of a worker's open, so many gets, and close. */
void way_serve(const struct block_way *way, int gets);

/* The worker's side. */
void way_open(struct block_way *way);
void way_start_get(struct block_way *way, int i);
void way_end_get(struct block_way *way, int i);
/* Gives MPI some time; for PROGRESS. */
void way_progress(struct block_way *way);
void way_close(struct block_way *way);

/* On both ranks: whether MPI can make a window between them; DM_UNAVAILABLE if not. */
enum dm_status way_try_window(void);

#endif
