/* sync.c: SYNC ALL, SYNC IMAGES, SYNC MEMORY. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "coarrays/caf/error.h"

#include "abi.h"
#include "allocate.h"
#include "image.h"
#include "status.h"

/* GNU Fortran 12 passes, for these three statements alone, the address of a pointer to the variable
 * of ERRMSG=. Should another one pass the variable itself, its text is no address: those have zeros
 * in the upper 16 bits, but not in all others. */
static char *errmsg_variable(char *errmsg)
{
    uintptr_t content;
    if (!errmsg || (uintptr_t)errmsg % sizeof content != 0)
        return errmsg;
    memcpy(&content, errmsg, sizeof content);
    return content >> 48 == 0 && content >> 12 != 0 ? (char *)content : errmsg;
}

void _gfortran_caf_sync_all(int *stat, char *errmsg, size_t errmsg_length)
{
    enum dm_status status = caf_sync_all();
    /* The compiler's own one after ALLOCATE, without its STAT=: the next statement tells of a
     * failure. */
    bool is_own = allocate_sync_follows();
    if (!stat && is_own && is_failed_image(status))
        status = DM_OK;
    status_report(status, stat, errmsg_variable(errmsg), errmsg_length);
}

/* count -1: SYNC IMAGES (*) */
void _gfortran_caf_sync_images(int count, int *images, int *stat, char *errmsg,
                               size_t errmsg_length)
{
    enum dm_status status;
    int *numbers = count > 0 ? malloc((size_t)count * sizeof *numbers) : NULL;
    if (count > 0 && !numbers)
        status_fatal("SYNC IMAGES: no memory for a list of %d images", count);
    for (int i = 0; i < count; i++)
        numbers[i] = image_number(images[i]);
    status = caf_sync_images(count, numbers);
    free(numbers);
    status_report(status, stat, errmsg_variable(errmsg), errmsg_length);
}

void _gfortran_caf_sync_memory(int *stat, char *errmsg, size_t errmsg_length)
{
    status_report(caf_sync_memory(), stat, errmsg_variable(errmsg), errmsg_length);
}
