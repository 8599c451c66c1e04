/* late_driver.h: a driver that does what it is given as late and in as strange an order as it may.
 *
 * Behind the run time, it keeps all calls that put work in streams, and makes them one by one only
 * when somebody waits. Which stream goes on next is chosen from a seed, within what streams and
 * events allow: an order that is not asked for by an event is broken sooner or later, and in the
 * same way each time. */
#ifndef LATE_DRIVER_H
#define LATE_DRIVER_H

#include <cuda.h>
#include <stdbool.h>
#include <stdint.h>

/* Between these two, calls of the run time are late. None may be waiting at the end: false if one
 * is, or if one failed, with a line on stderr. */
void late_driver_begin(uint64_t seed);
bool late_driver_end(void);

/* Before the program waits for an event by a call that is not interposed. */
void late_driver_reach(CUevent event);

#endif
