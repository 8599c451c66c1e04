-- Claims about pipelines that belong to no figure. Kernels against copies, from naive runs.
WITH ratio AS (
    SELECT operation, median(ratio) AS mid, interval_low(ratio) AS low, interval_high(ratio) AS high FROM pipeline_calls
    WHERE variant = 'compute-ratio' AND operation IN ('conv2d', 'pooling', 'transpose') AND status = 'pass' GROUP BY operation ORDER BY operation)
SELECT 'cui-c-010' AS id, group_concat(printf('%s %.2f', operation, mid), ', ') AS measured, '<= 1.25 (kernels / copies)' AS bound,
       CASE WHEN max(high) <= 1.25 THEN 1 WHEN max(low) > 1.25 THEN 0 END AS ok, '' AS reason
FROM ratio HAVING count(*) = 3;

-- Order and overlap, by events.
WITH run AS (SELECT variant, errors, overlap_s, time_s FROM pipeline_calls WHERE variant IN ('order', 'overlap-streams', 'overlap-default')),
told AS (
    SELECT sum(variant = 'order') AS runs, sum(iif(variant = 'order', errors, 0)) AS violations,
           median(CASE WHEN variant = 'overlap-streams' THEN overlap_s END) AS mid,
           interval_low(CASE WHEN variant = 'overlap-streams' THEN overlap_s END) AS low,
           max(CASE WHEN variant = 'overlap-default' THEN overlap_s END) AS most_default FROM run)
SELECT 'cui-c-016' AS id, printf('%d operations out of order in %d runs; two streams overlap for %.3g s', violations, runs, mid) AS measured,
       'none, > 0 s' AS bound, CASE WHEN violations > 0 THEN 0 WHEN low > 0 THEN 1 WHEN mid <= 0 THEN 0 END AS ok, '' AS reason
FROM told WHERE runs > 0 AND mid IS NOT NULL
UNION ALL
SELECT 'cui-c-017', printf('%.3g s on two streams, at most %.3g s on the default stream', mid, most_default), '> 0 s, 0 s',
       CASE WHEN most_default > 0 THEN 0 WHEN low > 0 THEN 1 WHEN mid <= 0 THEN 0 END, ''
FROM told WHERE mid IS NOT NULL AND most_default IS NOT NULL;

-- The four applications: the largest data set of each, the fastest configuration of each version.
WITH ranked AS (
    SELECT *, row_number() OVER (PARTITION BY benchmark, size, variant ORDER BY time_s) AS nth, max(size) OVER (PARTITION BY benchmark) AS largest
    FROM pipeline_versions_median WHERE benchmark IN ('conv3d', 'stencil', 'qcd')),
run AS (
    SELECT benchmark, variant, device_bytes, time_s AS mid, time_low_s AS low, time_high_s AS high FROM ranked WHERE nth = 1 AND size = largest
    UNION ALL
    SELECT 'matmul', iif(variant = 'naive', 'naive', 'framework'), device_bytes, time_s, time_low_s, time_high_s FROM pipeline_matmul_median
    WHERE variant IN ('naive', 'pipeline-buffer') AND size = (SELECT max(size) FROM pipeline_matmul_median WHERE variant = 'naive')),
pair AS (
    SELECT benchmark, 1.0 * f.device_bytes / n.device_bytes AS memory, f.mid / n.mid AS mid, f.low / n.high AS low, f.high / n.low AS high
    FROM run AS n JOIN run AS f USING (benchmark) WHERE n.variant = 'naive' AND f.variant = 'framework' ORDER BY benchmark)
SELECT 'cui-c-025' AS id, group_concat(printf('%s %.3f of the memory, %.3f of the time', benchmark, memory, mid), '; ') AS measured,
       'less memory, <= 1.02 of the time of naive' AS bound,
       CASE WHEN max(memory) >= 1 OR max(low) > 1.02 THEN 0 WHEN max(high) <= 1.02 THEN 1 END AS ok, '' AS reason
FROM pair HAVING count(*) = 4;

-- Slots of the ring buffers, by traces.
SELECT 'cui-c-027' AS id,
       printf('%d copies, %d not at slice mod slots; %d operations met an overwritten slot', sum(operation <> 'kernel'),
              sum(operation <> 'kernel' AND slot <> first_slice % slots), sum(resident_ok = 0)) AS measured,
       'none' AS bound, sum(operation <> 'kernel' AND slot <> first_slice % slots) = 0 AND sum(resident_ok = 0) = 0 AS ok,
       'counted in slices of the split dimension, also where a chunk has several' AS reason
FROM pipeline_timeline WHERE variant = 'framework' AND (operation = 'kernel' OR slots IS NOT NULL)
HAVING sum(operation <> 'kernel') > 0;

-- How far repetitions of one configuration lie apart.
WITH spread AS (
    SELECT max(time_s) / avg(time_s) - 1 AS share, max(time_s) - avg(time_s) AS seconds FROM pipeline_versions
    WHERE status = 'pass' AND time_s IS NOT NULL GROUP BY variant, benchmark, size, rounds, streams, chunk_size HAVING count(*) > 1)
SELECT 'cui-c-032' AS id,
       printf('largest - mean at most %.1f %% and %.3g s; within 5 %% in %d of %d configurations', 100 * max(share), max(seconds),
              sum(share <= 0.05), count(*)) AS measured,
       '<= 5 % in all (thesis: 0.2 s)' AS bound, max(share) <= 0.05 AS ok, '' AS reason
FROM spread HAVING count(*) > 0;

-- Size of the lattice.
WITH lattice AS (SELECT DISTINCT size, footprint_bytes AS bytes FROM pipeline_versions_median WHERE benchmark = 'qcd' AND variant = 'naive'),
growth AS (
    SELECT a.size AS small, b.size AS large, 1.0 * b.bytes / a.bytes AS ratio FROM lattice AS a JOIN lattice AS b
    WHERE (a.size = 12 AND b.size = 24) OR (a.size = 24 AND b.size = 36) ORDER BY a.size),
sizes AS (SELECT group_concat(size, ', ') AS text, count(*) AS count FROM (SELECT size FROM lattice ORDER BY size))
SELECT 'cui-c-080' AS id, iif(count(ratio), group_concat(printf('%.2f from %d to %d', ratio, small, large), ', '), 'sizes ' || sizes.text) AS measured,
       '15..17 from 12 to 24, 4.8..5.3 from 24 to 36' AS bound,
       CASE WHEN count(ratio) = 0 THEN 'waived' ELSE min(ratio BETWEEN iif(small = 12, 15, 4.8) AND iif(small = 12, 17, 5.3)) END AS ok,
       iif(count(ratio) = 0, 'sizes 12, 24 and 36 were not measured', '') AS reason
FROM sizes LEFT JOIN growth WHERE sizes.count > 0 GROUP BY sizes.text;

-- Two GPUs of different generations in the thesis: nothing of it can be judged from one machine.
WITH here AS (SELECT (max(time_s) - min(time_s)) / avg(time_s) AS share FROM pipeline_streams_median WHERE benchmark = 'conv3d' AND variant = 'pipeline' AND streams >= 3)
SELECT 'cui-c-098' AS id,
       printf('range / mean %.3f', share) AS measured, 'K40m above P100' AS bound, 'waived' AS ok,
       'it compares two machines, a Tesla K40m and a Tesla P100, and no second one with a CUDA GPU is recorded' AS reason
FROM here WHERE share IS NOT NULL;

WITH run AS (SELECT benchmark, chunks, min(time_s) AS mid, min(time_low_s) AS low, min(time_high_s) AS high FROM pipeline_chunk_count_median
             WHERE variant = 'pipeline' GROUP BY benchmark, chunks),
span AS (SELECT benchmark, max(mid) / min(mid) - 1 AS mid, max(low) / min(high) - 1 AS low, max(high) / min(low) - 1 AS high FROM run GROUP BY benchmark)
SELECT 'cui-c-099' AS id, group_concat(printf('%s %.2f', benchmark, mid), ', ') AS measured, '> 0.2 (range / least time)' AS bound,
       CASE WHEN min(low) > 0.2 THEN 1 WHEN min(high) <= 0.2 THEN 0 END AS ok, 'measured here, not on an AMD Radeon HD 7970' AS reason
FROM span HAVING count(*) > 0;

-- Arrays larger than the device memory that may be used: results, and device memory that the framework's buffers took. The matrices' memory
-- is at least what the largest ones took that fit as a whole; the convolution's is given, and its buffers are those of pipeline_versions,
-- as a share of the arrays. That whole arrays are refused follows from the limit alone and is not judged.
WITH fits AS (SELECT max(device_bytes) AS bytes FROM pipeline_matmul WHERE variant = 'naive' AND outcome = 'ok'),
buffers AS (SELECT max(1.0 * device_bytes / footprint_bytes) AS share FROM pipeline_versions WHERE benchmark = 'conv3d' AND variant = 'framework'),
run AS (
    SELECT 'conv3d' AS name, outcome, errors, share * footprint_bytes / capacity_bytes AS taken, 1.0 * footprint_bytes / capacity_bytes AS arrays
    FROM unified_memory_ladder, buffers WHERE benchmark = 'conv3d' AND footprint_bytes > capacity_bytes AND variant = 'framework'
    UNION ALL
    SELECT 'matmul', outcome, errors, device_bytes / bytes, footprint_bytes / bytes FROM pipeline_matmul AS m, fits
    WHERE variant = 'pipeline-buffer' AND EXISTS (SELECT 1 FROM pipeline_matmul AS n WHERE n.size = m.size AND n.variant = 'naive' AND n.outcome = 'does not fit')),
told AS (
    SELECT name, sum(outcome = 'ok' AND errors = 0) AS ok, sum(outcome <> 'ok') AS refused, sum(errors > 0) AS wrong, max(taken) AS taken, max(arrays) AS arrays
    FROM run GROUP BY name ORDER BY name)
SELECT 'cui-c-308' AS id,
       group_concat(printf('%s: %d runs, %d refused, %d wrong, in %.2f of the memory for arrays of %.2f', name, ok, refused, wrong, taken, arrays), '; ') AS measured,
       'both run, with right results, and in less than the memory' AS bound, min(ok > 0 AND refused = 0 AND wrong = 0 AND taken < 1) AS ok,
       'the size of the device memory is given to the programs; for matmul it is taken as what the largest matrices needed that fit as a whole' AS reason
FROM told HAVING count(*) = 2;
