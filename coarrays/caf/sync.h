/* sync.h: what the parts of the library's base tell one another; nobody else needs it. */
#ifndef COARRAYS_CAF_SYNC_H
#define COARRAYS_CAF_SYNC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <datamotion/status.h>

/* Reads the environment's CAF_* into runtime; DM_INVALID if one is wrong. */
enum dm_status runtime_settings(void);

/* Each is called once by caf_start and caf_end, in this order and in reverse. Collective. */
enum dm_status control_start(void);
void control_end(void);
void sync_nodes_start(void);
enum dm_status sync_images_start(void);
void sync_images_end(void);
enum dm_status stop_start(void);
void stop_end(void);
enum dm_status runtime_end(void); /* of the communicators, too */
void runtime_forget(void);        /* of what this image has alone */

/* Of a near image: whether it has come to the sync all of that number, is absent from it because it
 * has stopped, or neither yet. All images that look agree in the end. */
enum arrival { ARRIVAL_MISSING, ARRIVAL_COME, ARRIVAL_ABSENT };
enum arrival arrival_of(int place, uint64_t number);
enum arrival arrival_at(const _Atomic uint64_t *arrived, int image, uint64_t number);

/* Whether all images of the current team run: DM_LOST and a sentence that names one if not, a
 * stopped one before a failed one. */
enum dm_status lost_image(const char *statement);
enum dm_status lost(const char *statement, int image);

/* The loss that was told of last, as that of another statement: who came to a meeting may have
 * stopped since, and is not what it lacked. */
enum dm_status lost_again(const char *statement);

/* A sync all before what is done by all images of the current team: *met is its status, DM_OK or
 * that images have failed. Where MPI has windows its collective calls would wait for these for
 * ever: DM_UNAVAILABLE, on all images alike, as they learn it from the same sync. */
enum dm_status sync_for_windows(const char *statement, enum dm_status *met);

/* Whether an image of the current team has failed that no error of this image and no question has
 * told of. Who waits for an event cannot know from whom it comes: so each failure ends one wait. */
bool failures_unknown(void);
void failures_are_known(void);

/* Takes this node's part in sync all as far as it can be taken now, if this image speaks for the
 * node. Never waits, so that an image that has stopped or waits for something else can call it. */
enum dm_status sync_nodes_serve(void);

/* The cores that the images of this node may use, all together; and tells waits about it. */
void wait_start_policy(int cores);

#endif
