/* caf.h: the former name of datamotion/coarrays.h, for programs that were written for it. What
 * ended a program then is now a status: check those of caf_start and caf_end. */
#ifndef COARRAYS_CAF_H
#define COARRAYS_CAF_H

#include <datamotion/coarrays.h>

#define CAF_OK            DM_OK
#define CAF_NO_MEMORY     DM_NO_MEMORY
#define CAF_WAIT_LIMIT    DM_TIMEOUT
#define CAF_MPI           DM_FAILED
#define CAF_STOPPED_IMAGE DM_LOST

#define caf_error_text dm_message

#endif
