-- Two memories: STREAM's triad on the GPU's at the largest array, and on the CPU's, as the sparse products have it
-- beside them. Both count 24 bytes for an element.
WITH gpu AS (
    SELECT bandwidth_gbs AS mid, bandwidth_gbs * time_s / time_high_s AS low,
           bandwidth_gbs * time_s / time_low_s AS high
    FROM common_access_median WHERE variant = 'triad' ORDER BY array_bytes DESC LIMIT 1),
cpu AS (
    SELECT max(bandwidth_gbs) AS mid, bandwidth_gbs * time_s / time_high_s AS low,
           bandwidth_gbs * time_s / time_low_s AS high
    FROM (SELECT variant, bandwidth_gbs, time_s, time_low_s, time_high_s FROM spmv_formats_median
          UNION ALL SELECT variant, bandwidth_gbs, time_s, time_low_s, time_high_s FROM spmv_matrices_median)
    WHERE variant = 'triad-cpu')
SELECT 'fanfarillo-c-006' AS id, gpu.mid / cpu.mid AS value, gpu.low / cpu.high AS low, gpu.high / cpu.low AS high,
       printf('times the bandwidth of the CPU''s memory, which has %.3g GB/s', cpu.mid) AS words
FROM gpu, cpu WHERE cpu.mid > 0;

SELECT 'fanfarillo-c-025' AS id, specification + 0 AS value, NULL AS low, NULL AS high, 'threads per warp' AS words
FROM common_machine WHERE sheet = 'gpu' AND name = 'Threads per warp';

-- Branches within a warp; the work of a thread is the same in each.
SELECT 'fanfarillo-c-026' AS id, coalesce(spearman(paths, time_s), 0) AS value, NULL AS low, NULL AS high,
       printf('rank correlation of time and paths up to %d', max(paths)) AS words
FROM common_divergence_median HAVING count(*) > 1;

-- Lines at equal distances, beside as many at random places of the same stretches of memory: same range, same bytes,
-- other channels. A stride that leaves out a tenth of the channels would leave out a tenth of the bandwidth.
SELECT 'fanfarillo-c-027' AS id, min(e.time_s / s.time_s) AS value, min(e.time_low_s / s.time_high_s) AS low,
       min(e.time_high_s / s.time_low_s) AS high,
       printf('of the bandwidth of spread lines, the least of %d strides', count(*)) AS words
FROM common_channels_median AS s JOIN common_channels_median AS e USING (stride_bytes, array_bytes, lines)
WHERE s.variant = 'strided' AND e.variant = 'spread' HAVING count(*) > 0;

SELECT 'fanfarillo-c-028/' || o.variant AS id, o.time_s / c.time_s AS value, o.time_low_s / c.time_high_s AS low,
       o.time_high_s / c.time_low_s AS high,
       printf('times as long as coalesced, elements of %d bytes', element_bytes) AS words
FROM common_access_median AS o JOIN common_access_median AS c USING (element_bytes, array_bytes)
WHERE c.variant = 'coalesced' AND o.variant IN ('strided', 'random');
