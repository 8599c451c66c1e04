/* call.h: an image asks another one to do something and waits for what it replies: for accesses
 * that only the target's own code can carry out. The target serves it whenever it is inside this
 * library, as all messages (messages.h). */
#ifndef COARRAYS_CAF_CALL_H
#define COARRAYS_CAF_CALL_H

#include <stddef.h>

#include <datamotion/status.h>

/* Serves a request, 16-byte aligned and valid during the call, and makes a reply, which the caller
 * frees. It may send messages, but not wait. */
typedef enum dm_status call_server(int from_image, void *request, size_t bytes, void **reply,
                                   size_t *reply_bytes);

/* Who serves on this image; one for all requests. */
void call_serve(call_server *server);

/* After all earlier puts of this image. *reply is to be freed. DM_LOST if the image has failed. */
enum dm_status call_image(int image, const void *request, size_t bytes, void **reply,
                          size_t *reply_bytes);

void call_start(void);

#endif
