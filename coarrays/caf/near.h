/* near.h: sections of coarrays in memory that this image can reach. */
#ifndef COARRAYS_CAF_NEAR_H
#define COARRAYS_CAF_NEAR_H

#include "memory.h"
#include "section.h"

/* Within the coarray, which was checked. A put may be on its way afterwards (parcel.h). */
enum dm_status put_near(struct caf_coarray *to, int image, size_t offset,
                        const struct section *section, const void *from);
enum dm_status get_near(void *to, struct caf_coarray *from, int image, size_t offset,
                        const struct section *section);

#endif
