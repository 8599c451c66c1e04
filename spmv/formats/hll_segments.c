#include <stdlib.h>

#include "hll.h"

/* Lists the segments behind the first of each hack; with a list of NULL it only counts them. */
static int64_t list_segments(const struct sparse_hll *hll, struct sparse_hll_segment *segments)
{
    int64_t count = 0;
    for (int64_t hack = 0; hack < hll->starts.count; hack++) {
        int64_t width = sparse_hll_width(hll, hack);
        for (int64_t j = SPARSE_HLL_SEGMENT; j < width; j += SPARSE_HLL_SEGMENT, count++)
            if (segments)
                segments[count] = (struct sparse_hll_segment){(int32_t)hack, (int32_t)j};
    }
    return count;
}

enum dm_status sparse_hll_upload_segments(struct sparse_hll *device, const struct sparse_hll *host)
{
    struct sparse_hll_segment *segments;
    device->segment_count = list_segments(host, NULL);
    TRY(sparse_host_memory(&segments, device->segment_count, sizeof *segments));
    list_segments(host, segments);
    enum dm_status status = sparse_device_copy(&device->segments, segments,
                                               (size_t)device->segment_count * sizeof *segments);
    free(segments);
    return status;
}
