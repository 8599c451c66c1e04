/* partition.h: one-GPU programs on several GPUs.
 *
 * A program written for one GPU on CUDA's driver API is linked with libinterpose.a (or started with
 * libpartition.so in LD_PRELOAD). It sees one virtual GPU; its kernels run on all devices, each on
 * a part of the grid. What a kernel reads and writes is known from a data base that
 * partition-analyse made from its source; what cannot be split runs on the first device, with a
 * line that says why.
 *
 * The settings come from the environment (PARTITION_...), or from partition_configure(). */
#ifndef PARTITION_H
#define PARTITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PARTITION_MAX_DEVICES = 64, PARTITION_REASON = 256 };

/* What happens at a copy from the host. */
enum partition_htod {
    PARTITION_SCATTER,   /* each device gets an equal share; readers fetch the rest from it */
    PARTITION_BROADCAST, /* everything to every device: the thesis */
    PARTITION_LAZY       /* kept on the host; each device gets what its next launch reads */
};

/* What a launch makes of the elements written before. */
enum partition_resolution {
    PARTITION_EXACT,       /* every byte is followed to the device that wrote it last */
    PARTITION_LAST_WRITER, /* the launch that wrote a buffer last wrote all of it: the thesis */
    PARTITION_NONE /* no copies between devices: wrong results, to show that they are needed */
};

/* How the accessed elements of a part are found. */
enum partition_access {
    PARTITION_BOXES, /* each access's image is a box or a strided set of runs */
    PARTITION_ROWS,  /* first and last column of a row as functions of the row */
    PARTITION_POINTS /* minimum and maximum of each row by an integer program: the thesis */
};

struct partition_settings {
    bool off;      /* the program as it is, on the first device */
    int devices;   /* 0: all */
    char split[4]; /* "x", "y", "z", "xy", ...; "": what the data base says */
    enum partition_htod htod;
    enum partition_resolution resolution;
    enum partition_access access;
    bool thesis_grid; /* cut two-dimensional grids by the thesis's printed rule, where it is usable
                       */
    bool coalesce;    /* merge adjacent elements to one copy (default true) */
    bool read_whole;  /* assume that every part reads everything */
    bool cache;       /* keep accesses, launches and copies for the next launch (default true) */
    bool spans;       /* wait after each step to measure the spans kernel_s and sync_comm_s */
    int64_t pull_bytes;  /* copies between devices of at most that many bytes are made by a kernel,
                            longer ones by copy engines; 0: all (default 1 MiB) */
    bool quiet;          /* no line about kernels that run on one device */
    char database[1024]; /* "": beside each module, MODULE.db */
};

/* Sums since partition_statistics_reset(). Seconds, bytes, counts. */
struct partition_statistics {
    double kernel_s;    /* kernels, slowest device of each launch; only with spans */
    double sync_comm_s; /* copies between devices and waiting for them; only with spans */
    double dep_calc_s;  /* finding out what has to be copied; holds interval_s unless it was for a
                           gather */
    double interval_s;  /* accessed intervals, delin_s included */
    double delin_s;     /* ... their linearisation to runs of elements */
    double dr_create_s; /* building of copy lists */
    double partition_s; /* cutting grids */
    double gather_interval_s; /* part of interval_s inside copies to the host: 0, as what a launch
                                 wrote is known when it is made */
    uint64_t htod_bytes, dtoh_bytes, d2d_bytes;
    uint64_t htod_copies, dtoh_copies, d2d_copies;
    uint64_t allocated_bytes;                    /* on all devices */
    uint64_t requested_bytes;                    /* by the program */
    uint64_t launches, one_device;               /* launches; of these on one device */
    uint64_t kl_created, aa_created, dr_created; /* launch, access, dependency objects created */
    uint64_t pair_bytes[16][16]; /* device to device, from and to; only the first 16 devices */
};

/* None of these functions may be called while another thread makes CUDA calls. */

/* The settings that the environment names; the defaults otherwise. */
struct partition_settings partition_default_settings(void);

/* Takes effect at the next cuCtxCreate. Returns false, with the reason, for settings that make no
 * sense. */
bool partition_configure(const struct partition_settings *settings, char reason[PARTITION_REASON]);

void partition_statistics(struct partition_statistics *statistics);
void partition_statistics_reset(void);

/* Why the last launch that did not run on all devices did not; "" if there was none. */
const char *partition_last_reason(void);

#endif
