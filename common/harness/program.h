/* program.h: what a benchmark program has to say about itself; everything else is shared.
 *
 *     const struct program program = {.name = "pinning_copy", ..., .run = run};
 *
 * main() is in main.c, which is linked to whoever defines `program`. It parses the options, starts
 * the time limit (and MPI), chooses the device, calls run, and writes the records. run() loops over
 * its configurations and has each compared (compare.h). */
#ifndef COMMON_PROGRAM_H
#define COMMON_PROGRAM_H

#include <stdbool.h>

#include "common/gpu.h"

#include "exit.h"
#include "measure.h"
#include "options.h"
#include "ranks.h"
#include "record.h"

struct variant {
    const char *name;
    const char *meaning; /* one sentence, for -l */
};

struct run;

struct program {
    const char *name;               /* <directory>_<operation> */
    const char *summary;            /* one sentence: what is measured */
    const char *details;            /* for -h: definitions of the metrics, method; may be NULL */
    const struct variant *variants; /* ended by {0} */
    const struct program_option *options; /* own options, ended by {0}; NULL: none */
    const struct column *columns;         /* own columns, ended by {0} */
    const char *size_unit; /* unit of -b -e -i --sizes: "bytes" or "elements"; NULL: no sizes */
    const size_t *default_sizes; /* ended by 0; NULL: default_begin to default_end by factor 2 */
    size_t default_begin, default_end;            /* 0: the first and the last of default_sizes */
    size_t default_size;                          /* of -s; 0: the program has none */
    bool uses_gpu;                                /* needs a device: waived where there is none */
    void (*start)(int argc, char **argv);         /* called before all else; may be NULL */
    void (*start_ranks)(int *argc, char ***argv); /* ranks_start for an MPI program, else NULL */
    void (*run)(struct run *run);
};

struct run {
    const struct program *program;
    struct settings settings;
    int argc;
    char **argv;
    int gpus; /* devices this process uses: 0 or 1, set by program_main; run() may raise it */
    struct recorder *recorder;
};

/* Each program defines this one. */
extern const struct program program;

int program_main(const struct program *program, int argc, char **argv);

/* Chooses the device: -d, or that of the rank on its host. program_main does so on all ranks of a
 * program that uses_gpu; other programs do on the ranks that need one, in run(). Waives if there is
 * no GPU. */
void program_choose_device(struct run *run);

/* Where each rank of this host has a GPU of its own, this one is bound near it, whoever started it;
 * not with DATAMOTION_BIND=none. devices: the GPUs of the host. */
void program_bind(int device, int devices);

/* Whether --variants left the variant of that name on. Ends the program if there is none of that
 * name. */
bool program_wants(const struct run *run, const char *variant);

/* The same of a variant by its index. */
bool program_wants_variant(const struct run *run, int variant);

/* A line of talk on stderr, unless -q; `program_debug` only with -v. */
void program_note(const struct run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void program_debug(const struct run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
