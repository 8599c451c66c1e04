/* partition_interpose.h: one-GPU programs on several GPUs, unchanged.
 *
 * A program written for one GPU is started with libpartition.so in LD_PRELOAD, or, if it uses
 * CUDA's driver API alone, linked with libinterpose.a. It sees one virtual GPU; its kernels run on
 * all devices, each on a part of the grid. What a kernel reads and writes is known from a data base
 * that partition-analyse made from its source; what cannot be split runs on the first device, with
 * a line that says why.
 *
 * The settings come from the environment (PARTITION_...), or from partition_configure(). These
 * functions are in libpartition.so and libinterpose.a, not in libdatamotion-partition; none may be
 * called while another thread makes CUDA calls. Source: Klein, Automated partitioning of
 * data-parallel programs (Heidelberg University, 2016), chapter 5. */
#ifndef DATAMOTION_PARTITION_INTERPOSE_H
#define DATAMOTION_PARTITION_INTERPOSE_H

#include <datamotion/partition.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* Kernels whose threads update elements together, by atomic operations. */
enum partition_atomics {
    PARTITION_ATOMICS_INTEGERS, /* each device has a copy, which are combined: the same bits */
    PARTITION_ATOMICS_FLOATS,   /* sums of floating-point numbers too, in another order */
    PARTITION_ATOMICS_NONE      /* they run on one device */
};

struct partition_settings {
    bool off;                          /* the program as it is, on the first device */
    int devices;                       /* 0: all */
    bool listed;                       /* `device` names them; otherwise they are 0, 1, ... */
    int device[PARTITION_MAX_DEVICES]; /* CUDA's number of each; the first is 0. One that is named
                                          twice is used as two, which gives the same bits */
    char split[4];                     /* "x", "y", "z", "xy", ...; "": what the data base says */
    enum partition_htod htod;
    enum partition_resolution resolution;
    enum partition_access access;
    enum partition_atomics atomics;
    bool thesis_grid; /* cut two-dimensional grids by the thesis's printed rule, where it is usable
                       */
    bool coalesce;    /* merge adjacent elements to one copy (default true) */
    bool read_whole;  /* assume that every part reads everything */
    bool cache;       /* keep accesses, launches and copies for the next launch (default true) */
    bool spans;       /* wait after each step to measure the spans kernel_s and sync_comm_s */
    int64_t pull_bytes;   /* copies between devices of at most that many bytes are made by a kernel,
                             longer ones by copy engines; 0: all (default 1 MiB) */
    bool quiet;           /* no line about kernels that run on one device */
    char database[1024];  /* "": beside each module, MODULE.db; of modules in memory and of programs
                             that nvcc built: in the folder of data bases */
    char databases[1024]; /* that folder; "": $XDG_CACHE_HOME/datamotion, ~/.cache/datamotion */
    char analyse[1024];   /* what makes data bases there; "": partition-analyse beside this library
                             or on the PATH */
    int analyse_s;        /* its time limit in seconds (default 30) */
    int numbers; /* launches of each kernel that are analysed while a program runs, with the sizes
                    of their grids and the values of their integers, where the kernel by itself
                    cannot be split or reads whole arrays; 0: none (default 8) */
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

/* The settings that the environment names; the defaults otherwise. DM_INVALID: a variable has a
 * value that makes no sense; the setting is then the default. */
DM_API enum dm_status partition_default_settings(struct partition_settings *settings);

/* Takes effect at the next cuCtxCreate, in place of the environment. DM_INVALID: settings that make
 * no sense; those before stay. */
DM_API enum dm_status partition_configure(const struct partition_settings *settings);

DM_API void partition_statistics(struct partition_statistics *statistics);
DM_API void partition_statistics_reset(void);

/* Why the last launch that did not run on all devices did not; "" if there was none. */
DM_API const char *partition_last_reason(void);

#ifdef __cplusplus
}
#endif
#endif
