/* stop.h: what is known of the ends of images. */
#ifndef COARRAYS_CAF_STOP_H
#define COARRAYS_CAF_STOP_H

#include <stdbool.h>

/* Notes that an image of another node runs no more, if nothing else is known of it; whether that is
 * new. May be called by another thread. */
bool state_failed(int image);

/* Whether all messages of an image that has stopped have come here. */
bool state_is_told(int image);

#endif
