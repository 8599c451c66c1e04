-- The suite's own targets for pipelines: the framework against the bound of the link and kernels, the automatic choice, the
-- memory. A grid is all configurations of the framework for a workload; the fastest is its best.
WITH grid AS (
    SELECT *, row_number() OVER (PARTITION BY benchmark, dataset ORDER BY time_s) AS nth FROM pipeline_auto_median WHERE variant = 'framework'),
best AS (SELECT *, bound_share * time_s / time_high_s AS share_low, bound_share * time_s / time_low_s AS share_high FROM grid WHERE nth = 1),
pair AS (
    SELECT benchmark, a.time_s / best.time_s AS mid, a.time_low_s / best.time_high_s AS low, a.time_high_s / best.time_low_s AS high
    FROM pipeline_auto_median AS a JOIN best USING (benchmark, dataset) WHERE a.variant = 'auto' ORDER BY benchmark),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda'),
note AS (SELECT iif(real, '', 'a target for GPU nodes; this is the software GPU') AS text FROM gpu)
SELECT 'datamotion-c-022' AS id, group_concat(printf('%s %.3f', benchmark, bound_share), ', ') AS measured, '>= 0.95 with every workload' AS bound,
       CASE WHEN NOT real THEN 'waived' WHEN min(share_low) >= 0.95 THEN 1 WHEN min(share_high) < 0.95 THEN 0 END AS ok, note.text AS reason
FROM best, gpu, note HAVING count(*) > 0
UNION ALL
SELECT 'datamotion-c-023', group_concat(printf('%s %.3f', benchmark, mid), ', '), '<= 1.03 of the best of the grid',
       CASE WHEN NOT real THEN 'waived' WHEN max(high) <= 1.03 THEN 1 WHEN max(low) > 1.03 THEN 0 END, note.text
FROM pair, gpu, note HAVING count(*) > 0;

-- As in the thesis: the smallest chunks, two streams.
WITH ranked AS (
    SELECT *, row_number() OVER (PARTITION BY variant ORDER BY size DESC, chunk_size, streams < 2, streams) AS nth
    FROM pipeline_versions_median WHERE benchmark = 'conv3d' AND variant IN ('naive', 'framework'))
SELECT 'datamotion-c-024' AS id, printf('%.4f (%.3g of %.4g MB)', 1.0 * f.device_bytes / n.device_bytes, 1e-6 * f.device_bytes, 1e-6 * n.device_bytes) AS measured,
       '<= 0.10' AS bound, 1.0 * f.device_bytes / n.device_bytes <= 0.1 AS ok, '' AS reason
FROM ranked AS n JOIN ranked AS f USING (nth, size) WHERE nth = 1 AND n.variant = 'naive' AND f.variant = 'framework';
