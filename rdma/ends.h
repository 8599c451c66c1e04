/* ends.h: ends as programs use them: an error ends the program, and the message of a signal or the
 * time limit says what the program was waiting for. */
#ifndef RDMA_ENDS_H
#define RDMA_ENDS_H

#include <datamotion/rdma.h>

#include "common/harness/program.h"

/* Ends the program unless there are two ranks. */
void need_two_ranks(void);

/* Ends the program because of something that all ranks see; rank 0 reports it. */
void fail_together(const char *sentence) __attribute__((noreturn));

/* Whether `status` is DM_OK. DM_UNAVAILABLE: `variant` is recorded as waived with the sentence,
 * unless *is_waived says that it was before; any other ends the program. */
bool is_possible(struct run *run, enum dm_status status, const char *variant, bool *is_waived);

struct rdma_end *open_end(const struct rdma_config *config);

void start_send(struct rdma_end *end, size_t bytes);
void start_receive(struct rdma_end *end, size_t bytes);
void wait_for_blocks(struct rdma_end *end);

/* The i-th variant is path first + i. */
void name_variants(struct variant *variants, enum rdma_path first, int count);

extern double wait_limit_s;
#define WAIT_LIMIT_OPTION                                                                          \
    {                                                                                              \
        "wait-limit", OPTION_REAL, &wait_limit_s, "SECONDS",                                       \
            "time limit of a wait for the other rank; then the program ends", 0.01, 1e6            \
    }

#endif
