/* event.c: EVENT POST, EVENT WAIT, EVENT_QUERY. */
#include "abi.h"
#include "image.h"
#include "status.h"

void _gfortran_caf_event_post(caf_token token, size_t index, int image, int *stat, char *errmsg,
                              size_t errmsg_length)
{
    enum dm_status status =
        caf_event_post(token, image_or_this(image), index * sizeof(struct caf_event));
    status_report(status, stat, errmsg, errmsg_length);
}

void _gfortran_caf_event_wait(caf_token token, size_t index, int until_count, int *stat,
                              char *errmsg, size_t errmsg_length)
{
    enum dm_status status = caf_event_wait(token, index * sizeof(struct caf_event), until_count);
    status_report(status, stat, errmsg, errmsg_length);
}

/* The image is always this one. */
void _gfortran_caf_event_query(caf_token token, size_t index, int image, int *count, int *stat)
{
    (void)image;
    enum dm_status status = caf_event_query(token, index * sizeof(struct caf_event), count);
    status_report(status, stat, NULL, 0);
}
