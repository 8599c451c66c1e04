-- A grid is all configurations of the framework for a workload, the fastest is its best: beside the bound of the link
-- and kernels, and beside the automatic choice.
SELECT 'datamotion-c-022' AS id, mid AS value, low, high, 'of the bound, ' || benchmark AS words
FROM pipeline_bounds WHERE variant = 'framework'
UNION ALL
SELECT 'datamotion-c-023', a.time_s / b.time_s, a.time_low_s / b.time_high_s, a.time_high_s / b.time_low_s,
       'times the grid''s best, ' || benchmark
FROM pipeline_auto_median AS a CROSS JOIN pipeline_bounds AS b USING (benchmark, size)
WHERE b.variant = 'framework' AND a.variant = 'auto';

-- The smallest chunks, two streams.
WITH ranked AS (
    SELECT *, row_number() OVER (PARTITION BY variant ORDER BY size DESC, chunk_size, streams < 2, streams) AS nth
    FROM pipeline_versions_median WHERE benchmark = 'conv3d' AND variant IN ('naive', 'framework'))
SELECT 'datamotion-c-024' AS id, 1.0 * f.device_bytes / n.device_bytes AS value, NULL AS low, NULL AS high,
       printf('of the %.4g MB of whole arrays', 1e-6 * n.device_bytes) AS words
FROM ranked AS n JOIN ranked AS f USING (nth, size) WHERE nth = 1 AND n.variant = 'naive' AND f.variant = 'framework';

-- The stencil with little data, as a graph.
WITH fastest AS (
    SELECT variant LIKE '%graph' AS is_graph, min(time_s) AS mid, time_low_s AS low, time_high_s AS high
    FROM pipeline_graph_median WHERE variant = 'naive' OR variant LIKE '%graph' GROUP BY is_graph)
SELECT 'datamotion-c-069' AS id, n.mid / g.mid AS value, n.low / g.high AS low, n.high / g.low AS high,
       'times as fast as naive' AS words
FROM fastest AS n, fastest AS g WHERE NOT n.is_graph AND g.is_graph;

-- Loops of 1 GiB on two GPUs beside one.
SELECT 'datamotion-c-087/' || benchmark AS id, mid AS value, low, high, 'times as fast as on one GPU' AS words
FROM pipeline_gpu_speedups WHERE devices = 2 AND dataset = 'gib'
UNION ALL
SELECT 'datamotion-c-087', NULL, NULL, NULL, 'no data sets of 1 GiB were measured on two GPUs'
FROM pipeline_gpu_speedups GROUP BY 1 HAVING NOT max(devices = 2 AND dataset = 'gib');

-- The same beside what both links and the kernels allow; older results have no such bound.
SELECT 'datamotion-c-074/' || benchmark AS id, mid AS value, low, high, iif(mid > 0, 'of the bound', '') AS words
FROM pipeline_gpu_bounds WHERE devices = 2 AND dataset = 'gib'
UNION ALL
SELECT 'datamotion-c-074', NULL, NULL, NULL, 'no data sets of 1 GiB were measured on two GPUs'
FROM pipeline_gpu_bounds GROUP BY 1 HAVING NOT max(devices = 2 AND dataset = 'gib');

-- The loops of a compiler with offload, with their fastest chunks, beside the automatic choice.
WITH fastest AS (
    SELECT benchmark, variant, min(time_s) AS mid, time_low_s AS low, time_high_s AS high
    FROM pipeline_offload_median WHERE time_s > 0 GROUP BY benchmark, variant)
SELECT iif(o.variant = 'openacc', 'datamotion-c-095/', 'datamotion-c-096/') || benchmark AS id, o.mid / a.mid AS value,
       o.low / a.high AS low, o.high / a.low AS high, 'times as long as auto: ' || o.variant AS words
FROM fastest AS o JOIN fastest AS a USING (benchmark)
WHERE o.variant IN ('openacc', 'openmp') AND a.variant = 'auto';
