/* lock.c: LOCK and UNLOCK. A CRITICAL construct is a lock of image 1 of the
 * initial team, whatever the current one is: at most one image of all executes it. */
#include "coarrays/caf/error.h"

#include "abi.h"
#include "allocate.h"
#include "image.h"
#include "status.h"

static int image_of_lock(caf_token token, int image)
{
    return coarray_is_critical(token) ? image : image_or_this(image);
}

void _gfortran_caf_lock(caf_token token, size_t index, int image, int *acquired, int *stat,
                        char *errmsg, size_t errmsg_length)
{
    bool has_it = false;
    enum dm_status status = caf_lock(token, image_of_lock(token, image),
                                     index * sizeof(struct caf_lock), acquired ? &has_it : NULL);
    if (acquired)
        *acquired = has_it;
    /* It has been acquired: only who asks is told that its last owner has failed. */
    if (!stat && is_failed_image(status))
        status = DM_OK;
    status_report(status, stat, errmsg, errmsg_length);
}

void _gfortran_caf_unlock(caf_token token, size_t index, int image, int *stat, char *errmsg,
                          size_t errmsg_length)
{
    enum dm_status status =
        caf_unlock(token, image_of_lock(token, image), index * sizeof(struct caf_lock));
    status_report(status, stat, errmsg, errmsg_length);
}
