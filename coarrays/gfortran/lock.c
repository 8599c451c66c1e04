/* lock.c: LOCK and UNLOCK, as which CRITICAL constructs also come here. */
#include "coarrays/caf/critical.h"
#include "coarrays/caf/error.h"

#include "abi.h"
#include "allocate.h"
#include "image.h"
#include "status.h"
#include "token.h"

void _gfortran_caf_lock(caf_token token, size_t index, int image, int *acquired, int *stat,
                        char *errmsg, size_t errmsg_length)
{
    bool has_it = false;
    struct token of = token_meaning(token);
    size_t offset = of.offset + index * sizeof(struct caf_lock);
    enum dm_status status =
        coarray_is_critical(of.coarray)
            ? critical_enter(of.coarray, offset)
            : caf_lock(of.coarray, image_or_this(image), offset, acquired ? &has_it : NULL);
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
    struct token of = token_meaning(token);
    size_t offset = of.offset + index * sizeof(struct caf_lock);
    enum dm_status status = coarray_is_critical(of.coarray)
                                ? critical_leave(of.coarray, offset)
                                : caf_unlock(of.coarray, image_or_this(image), offset);
    status_report(status, stat, errmsg, errmsg_length);
}
