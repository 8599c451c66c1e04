/* collective.h: for caf_start and caf_end. */
#ifndef COARRAYS_CAF_COLLECTIVE_H
#define COARRAYS_CAF_COLLECTIVE_H

/* Forgets the shared memory of collectives, which memory_end has freed with all segments. */
void collective_start(void);

#endif
