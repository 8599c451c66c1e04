/* lock.c: LOCK and UNLOCK. A CRITICAL construct is a lock of image 1. */
#include "abi.h"
#include "image.h"
#include "status.h"

void _gfortran_caf_lock(caf_token token, size_t index, int image, int *acquired, int *stat,
                        char *errmsg, size_t errmsg_length)
{
    bool has_it = false;
    enum dm_status status = caf_lock(token, image_or_this(image), index * sizeof(struct caf_lock),
                                     acquired ? &has_it : NULL);
    if (acquired)
        *acquired = has_it;
    status_report(status, stat, errmsg, errmsg_length);
}

void _gfortran_caf_unlock(caf_token token, size_t index, int image, int *stat, char *errmsg,
                          size_t errmsg_length)
{
    enum dm_status status =
        caf_unlock(token, image_or_this(image), index * sizeof(struct caf_lock));
    status_report(status, stat, errmsg, errmsg_length);
}
