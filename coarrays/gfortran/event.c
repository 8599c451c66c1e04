/* event.c: EVENT POST, EVENT WAIT, EVENT_QUERY. */
#include "abi.h"
#include "image.h"
#include "status.h"
#include "token.h"

static size_t place_of(const struct token *of, size_t index)
{
    return of->offset + index * sizeof(struct caf_event);
}

void _gfortran_caf_event_post(caf_token token, size_t index, int image, int *stat, char *errmsg,
                              size_t errmsg_length)
{
    struct token of = token_meaning(token);
    enum dm_status status = caf_event_post(of.coarray, image_or_this(image), place_of(&of, index));
    status_report(status, stat, errmsg, errmsg_length);
}

void _gfortran_caf_event_wait(caf_token token, size_t index, int until_count, int *stat,
                              char *errmsg, size_t errmsg_length)
{
    struct token of = token_meaning(token);
    enum dm_status status = caf_event_wait(of.coarray, place_of(&of, index), until_count);
    status_report(status, stat, errmsg, errmsg_length);
}

/* The image is always this one. */
void _gfortran_caf_event_query(caf_token token, size_t index, int image, int *count, int *stat)
{
    struct token of = token_meaning(token);
    (void)image;
    enum dm_status status = caf_event_query(of.coarray, place_of(&of, index), count);
    status_report(status, stat, NULL, 0);
}
