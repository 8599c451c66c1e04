/* session.h: the tuner's side of a tuner-kernel (server.h), which is started anew when it is gone.
 */
#ifndef TUNER_CUDA_SESSION_H
#define TUNER_CUDA_SESSION_H

#include <stdbool.h>

#include <datamotion/status.h>

enum session_end {
    SESSION_REPLIED,
    SESSION_LATE, /* no reply within the limit */
    SESSION_GONE  /* it ended without one */
};

struct session;

/* Starts `program` in `folder` with the lines of `setup` and reads the reply to them, for which
 * there are 60 s. DM_FAILED: it cannot be started, or does not reply; DM_INVALID: it replied with
 * an error, whose sentence it is. */
enum dm_status session_open(struct session **session, const char *program, const char *folder,
                            const char *setup);
void session_close(struct session *session);

/* "90 NVIDIA H200": what the setup's reply said behind `ready`. */
const char *session_device(const struct session *session);

/* Sends a line and waits for one; after any end but SESSION_REPLIED the process is gone and the
 * next request starts another one. DM_FAILED: that cannot be started. */
enum dm_status session_ask(struct session *session, const char *line, double limit_s, char *reply,
                           int size, enum session_end *end);

/* Kills it; may be called in a signal handler. */
void session_kill(void);

#endif
