-- A grid is all configurations of the framework for a workload, the fastest is its best: beside the bound of the link
-- and kernels, and beside the automatic choice.
WITH best AS (
    SELECT benchmark, dataset, min(time_s) AS mid, time_low_s AS low, time_high_s AS high, bound_share
    FROM pipeline_auto_median WHERE variant = 'framework' GROUP BY benchmark, dataset)
SELECT 'datamotion-c-022' AS id, bound_share AS value, bound_share * mid / high AS low, bound_share * mid / low AS high,
       'of the bound, ' || benchmark AS words
FROM best
UNION ALL
SELECT 'datamotion-c-023', time_s / mid, time_low_s / high, time_high_s / low, 'times the grid''s best, ' || benchmark
FROM best JOIN pipeline_auto_median USING (benchmark, dataset) WHERE variant = 'auto';

-- The smallest chunks, two streams.
WITH ranked AS (
    SELECT *, row_number() OVER (PARTITION BY variant ORDER BY size DESC, chunk_size, streams < 2, streams) AS nth
    FROM pipeline_versions_median WHERE benchmark = 'conv3d' AND variant IN ('naive', 'framework'))
SELECT 'datamotion-c-024' AS id, 1.0 * f.device_bytes / n.device_bytes AS value, NULL AS low, NULL AS high,
       printf('of the %.4g MB of whole arrays', 1e-6 * n.device_bytes) AS words
FROM ranked AS n JOIN ranked AS f USING (nth, size) WHERE nth = 1 AND n.variant = 'naive' AND f.variant = 'framework';
