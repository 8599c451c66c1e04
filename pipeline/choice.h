/* choice.h: chunk size and number of streams from measured rates: the version `auto`. */
#ifndef PIPELINE_CHOICE_H
#define PIPELINE_CHOICE_H

#include <datamotion/pipeline.h>

#include "common/regions/link.h"

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As pipeline_choose, with a link that was measured. Measures the kernels on a few sample chunks of
 * the region, whose host memory is read and whose results are not written. */
enum dm_status choice_make(struct pipeline_choice *choice, const struct dm_region *region,
                           const struct link_rates *link, size_t budget_bytes);

/* Of all numbers of streams up to 8 and chunk sizes, by steps of at most a quarter, that fit into
 * so many bytes, the one that takes least memory within 1 % of the shortest time that the model
 * predicts. One iteration on one stream must fit. */
struct pipeline_choice choice_of_model(const struct model *model, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
