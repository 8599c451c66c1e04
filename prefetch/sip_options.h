/* sip_options.h: what programs that run SIAL programs share: their options, finding and compiling
 * the program, and running it.
 *
 *     static const struct program_option options[] = {
 *         SIP_PROGRAM_OPTIONS, SIP_JOB_OPTIONS, SIP_PREFETCH_OPTIONS, {0},
 *     };
 *
 * A program that chooses a value itself leaves the group out, or overwrites the member of the
 * configuration. Its defaults are set in `sip_options` before program_main. Everything here ends
 * the program with a sentence if it fails. */
#ifndef PREFETCH_SIP_OPTIONS_H
#define PREFETCH_SIP_OPTIONS_H

#include <datamotion/prefetch.h>

#include "common/harness/options.h"
#include "common/harness/program.h"

#include "gather.h"

struct sip_options {
    const char *program;      /* a SIAL file, or the bare name of one in prefetch/sialx */
    const char *set;          /* NAME=VALUE,NAME=VALUE: predefined ints and scalars; NULL: none */
    const char *segment;      /* NUMBER, or KIND=NUMBER,...; NULL: as in the program */
    int64_t workers, servers; /* 0: the default split of the ranks */
    struct option_choice transport, pardo, device, policy;
    size_t worker_memory, server_memory; /* bytes, each; 0: the run time's default */
    const char *spill;                   /* folder; NULL: $TMPDIR or /tmp */
    size_t spill_limit;                  /* bytes per server; 0: none */
    double wait_limit_s;
    int64_t prefetch;          /* blocks ahead */
    const char *site_prefetch; /* LINE:BLOCKS,...; NULL: none */
};
extern struct sip_options sip_options;

/* `member` of sip_options; bounds as in struct program_option. */
#define SIP_NUMBER(name, kind, member, value, meaning, smallest, largest)                          \
    {                                                                                              \
        name, kind, &sip_options.member, value, meaning, smallest, largest                         \
    }
#define SIP_OPTION(name, kind, member, value, meaning)                                             \
    SIP_NUMBER(name, kind, member, value, meaning, 0, 0)

#define SIP_PROGRAM_OPTIONS                                                                        \
    SIP_OPTION("program", OPTION_TEXT, program, "FILE",                                            \
               "SIAL program: a file, or the bare name of one in prefetch/sialx"),                 \
        SIP_OPTION("set", OPTION_TEXT, set, "NAME=VALUE,...",                                      \
                   "values of the program's predefined ints and scalars"),                         \
        SIP_SEGMENT_OPTION

#define SIP_SEGMENT_OPTION                                                                         \
    SIP_OPTION(                                                                                    \
        "segment", OPTION_TEXT, segment, "N|KIND=N,...",                                           \
        "length of segments, in numbers: of all indices, or by kind (ao, mo, moa, mob, la)")

#define SIP_JOB_OPTIONS SIP_RANKS_OPTIONS, SIP_RUN_OPTIONS

#define SIP_RANKS_OPTIONS                                                                          \
    SIP_NUMBER("workers", OPTION_INTEGER, workers, "N",                                            \
               "ranks that compute; 0: what the servers leave, 3 of 4", 0, 1 << 20),               \
        SIP_NUMBER("servers", OPTION_INTEGER, servers, "N",                                        \
                   "ranks that store blocks; 0: one for each 3 workers", 0, 1 << 20)

#define SIP_RUN_OPTIONS                                                                            \
    SIP_OPTION("transport", OPTION_CHOICE, transport, "NAME",                                      \
               "how gets travel: messages, or window (one-sided)"),                                \
        SIP_OPTION("pardo", OPTION_CHOICE, pardo, "NAME",                                          \
                   "how pardo deals index sets: auto, sequential, static, balanced, fragmented"),  \
        SIP_OPTION("compute", OPTION_CHOICE, device, "NAME",                                       \
                   "where blocks are computed within gpu_on: host, gpu, auto (by measured cost)"), \
        SIP_OPTION("policy", OPTION_CHOICE, policy, "NAME",                                        \
                   "copies between host and GPU: optimized, or unoptimized (even if the block\n"   \
                   "is to be overwritten)"),                                                       \
        SIP_OPTION("worker-memory", OPTION_SIZE, worker_memory, "BYTES",                           \
                   "block memory of each worker; 0: chosen by the run time"),                      \
        SIP_OPTION("server-memory", OPTION_SIZE, server_memory, "BYTES",                           \
                   "block memory of each server, more goes to disk; 0: chosen by the run time"),   \
        SIP_OPTION("spill", OPTION_TEXT, spill, "FOLDER",                                          \
                   "where servers keep blocks on disk; without it $TMPDIR or /tmp"),               \
        SIP_OPTION("spill-limit", OPTION_SIZE, spill_limit, "BYTES",                               \
                   "maximum number of bytes on disk per server; 0: no limit"),                     \
        SIP_NUMBER("wait-limit", OPTION_REAL, wait_limit_s, "S",                                   \
                   "longest wait for a block or a barrier, in seconds; then the run is an error",  \
                   0.01, 1e6)

#define SIP_PREFETCH_OPTIONS                                                                       \
    SIP_NUMBER("prefetch", OPTION_INTEGER, prefetch, "K",                                          \
               "blocks that each get or request statement is ahead; 0: none", 0, 1 << 20),         \
        SIP_OPTION("site-prefetch", OPTION_TEXT, site_prefetch, "LINE:K,...",                      \
                   "blocks ahead of the get or request in that line of the program")

/* The configuration from the options: split of the ranks, names, memory, segments, K of all
 * statements, seed. MPI has been started. Fails if there are fewer than 2 ranks or than the split
 * needs. */
struct prefetch_config sip_options_config(const struct run *run);

/* Adds --site-prefetch; the caller frees config->distances. */
void sip_options_distances(struct prefetch_config *config);

/* Compiles a program (NULL: refused) with `set`, as of --set (NULL: nothing). The file is searched
 * as given, with .sialx appended, and both in prefetch/sialx of the current folder and of the tree
 * that this binary was built in. Collective over all ranks, of which one reports an error.
 * prefetch_free() it. */
struct prefetch_program *sip_compile(const char *name, const char *set);

const char *sip_transport_name(enum prefetch_transport transport);
const char *sip_pardo_name(enum prefetch_pardo pardo);
const char *sip_device_name(enum prefetch_device device);

/* prefetch_run, ending the job with the error's sentence if it fails. What prefetch_check finds is
 * reported by rank 0 alone. */
struct prefetch_result sip_run(const struct prefetch_program *program,
                               const struct prefetch_config *config);

#endif
