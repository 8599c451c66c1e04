/* buffered.h: transfers that go through a buffer without gaps: conversions, vector subscripts, and
 * assignments within one image's memory whose sides overlap. */
#ifndef COARRAYS_GFORTRAN_BUFFERED_H
#define COARRAYS_GFORTRAN_BUFFERED_H

#include "convert.h"
#include "remote.h"

/* Error stop where Fortran has no conversion, which a program that has been
 * compiled cannot request. The side that is read may be a scalar for all elements of the other. */
enum dm_status get_buffered(const struct remote *from, struct element from_element,
                            const struct descriptor *to, struct element to_element);
enum dm_status send_buffered(const struct remote *to, struct element to_element,
                             const struct descriptor *from, struct element from_element);
enum dm_status sendget_buffered(const struct remote *to, struct element to_element,
                                const struct remote *from, struct element from_element);

/* Scalars on both sides: without what only arrays need. */
enum dm_status get_scalar(const struct remote *from, struct element from_element,
                          const struct descriptor *to, struct element to_element);
enum dm_status send_scalar(const struct remote *to, struct element to_element,
                           const struct descriptor *from, struct element from_element);

#endif
