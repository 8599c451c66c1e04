-- Two memories: STREAM's triad on the GPU's, and on the CPU's, as the sparse products have it beside them. Both count 24 bytes for an element.
WITH gpu AS (
    SELECT bandwidth_gbs AS mid, bandwidth_gbs * time_s / time_high_s AS low, bandwidth_gbs * time_s / time_low_s AS high
    FROM common_access_median WHERE variant = 'triad' ORDER BY array_bytes DESC LIMIT 1),
cpu AS (
    SELECT max(bandwidth_gbs) AS mid, bandwidth_gbs * time_s / time_high_s AS low, bandwidth_gbs * time_s / time_low_s AS high
    FROM (SELECT variant, bandwidth_gbs, time_s, time_low_s, time_high_s FROM spmv_formats_median
          UNION ALL SELECT variant, bandwidth_gbs, time_s, time_low_s, time_high_s FROM spmv_matrices_median)
    WHERE variant = 'triad-cpu'),
soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft')
SELECT 'fanfarillo-c-006' AS id, printf('%.3g GB/s', gpu.mid) || iif(cpu.mid > 0, printf(' against %.3g GB/s: %.2f', cpu.mid, gpu.mid / cpu.mid), '') AS measured,
       '>= 4 (thesis: about 5)' AS bound,
       CASE WHEN here THEN 'waived' WHEN gpu.low / cpu.high >= 4 THEN 1 WHEN gpu.high / cpu.low < 4 THEN 0 END AS ok,
       iif(here, 'the software GPU''s memory is the CPU''s', 'the memories of GPU and CPU stand for the two of Knights Landing') AS reason
FROM gpu, cpu, soft WHERE here OR cpu.mid > 0;

WITH soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft')
SELECT 'fanfarillo-c-025' AS id, specification || ' threads' AS measured, '32' AS bound, specification + 0 = 32 AS ok,
       iif(here, 'the software GPU is made to have warps of 32', 'what the device says of itself') AS reason
FROM common_machine, soft WHERE sheet = 'gpu' AND name = 'Threads per warp';

-- Branches within a warp; the work of a thread is the same in each.
WITH run AS (SELECT paths, time_s FROM common_divergence_median ORDER BY paths),
one AS (SELECT time_s FROM run WHERE paths = 1),
soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft')
SELECT 'fanfarillo-c-026' AS id,
       printf('%s; rank correlation %.2f', group_concat(printf('%.2f with %d', run.time_s / one.time_s, paths), ', '), spearman(paths, run.time_s)) AS measured,
       'rank correlation of time and paths >= 0.9' AS bound, iif(here, 'waived', spearman(paths, run.time_s) >= 0.9) AS ok,
       iif(here, 'the software GPU runs the threads of a warp one after the other', 'times the launch with one path per warp') AS reason
FROM run, one, soft HAVING count(*) > 1;

-- Lines at equal distances, beside as many at random places of the same stretches of memory: same range, same bytes, other channels.
-- A stride that leaves out a tenth of the channels would leave out a tenth of the bandwidth.
WITH ratio AS (
    SELECT stride_bytes AS stride, e.time_s / s.time_s AS mid, e.time_low_s / s.time_high_s AS low, e.time_high_s / s.time_low_s AS high
    FROM common_channels_median AS s JOIN common_channels_median AS e USING (stride_bytes, array_bytes, lines) WHERE s.variant = 'strided' AND e.variant = 'spread'),
worst AS (SELECT stride, min(mid) AS mid FROM ratio),
soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft')
SELECT 'fanfarillo-c-027' AS id,
       printf('strided / spread %.3f to %.3f over %d strides, least at %d bytes', min(ratio.mid), max(ratio.mid), count(*), worst.stride) AS measured,
       '<= 0.9 at one stride or more' AS bound, CASE WHEN here THEN 'waived' WHEN min(high) <= 0.9 THEN 1 WHEN min(low) > 0.9 THEN 0 END AS ok,
       iif(here, 'the software GPU has no memory channels', 'lines of 128 bytes; a GPU that hashes addresses spreads every stride over all channels') AS reason
FROM ratio, worst, soft HAVING count(*) > 0;

WITH run AS (SELECT variant, element_bytes AS element, array_bytes, time_s AS mid, time_low_s AS low, time_high_s AS high FROM common_access_median),
ratio AS (
    SELECT o.variant AS variant, element, o.mid / c.mid AS mid, o.low / c.high AS low, o.high / c.low AS high FROM run AS o JOIN run AS c USING (element, array_bytes)
    WHERE c.variant = 'coalesced' AND o.variant IN ('strided', 'random') ORDER BY o.variant DESC, element),
soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft')
SELECT 'fanfarillo-c-028' AS id, 'coalesced / ' || group_concat(printf('%s of %d bytes %.2f', variant, element, mid), ', ') AS measured, '> 1 for each' AS bound,
       CASE WHEN here THEN 'waived' WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END AS ok,
       iif(here, 'the software GPU runs the threads of a warp one after the other', 'bandwidths, each element of the array read once') AS reason
FROM ratio, soft HAVING count(*) = 6;
