-- Figures 3.3, 3.5 and 3.6: the versions against each other. An id with a part is put together so that it is known alone.
WITH asked(id, benchmark, slow, fast) AS (
    VALUES ('cui-c-043', 'conv3d', 'naive', 'pipeline'), ('cui-c-044', 'conv3d', 'naive', 'framework'),
           ('cui-c-045', 'conv3d', 'framework', 'pipeline'), ('cui-c-063', 'stencil', 'naive', 'pipeline'),
           ('cui-c-081', 'qcd', 'naive', 'framework'), ('cui-c-082', 'qcd', 'framework', 'pipeline'),
           ('cui-c-083', 'qcd', 'naive', 'framework'))
SELECT id, value, low, high, printf('%s / %s, %d streams', slow, fast, streams) AS words
FROM asked JOIN pipeline_speedups USING (benchmark, slow, fast) WHERE largest
UNION ALL
-- What the framework costs beside the hand-coded version, over what it gains; no gain: infinite.
SELECT 'cui-c-046', coalesce(max(0, f.time_s - p.time_s) / nullif(max(0, n.time_s - f.time_s), 0), 9e999),
       coalesce(max(0, f.time_low_s - p.time_high_s) / nullif(max(0, n.time_high_s - f.time_low_s), 0), 9e999),
       coalesce(max(0, f.time_high_s - p.time_low_s) / nullif(max(0, n.time_low_s - f.time_high_s), 0), 9e999),
       'overhead / gain'
FROM pipeline_fastest AS n JOIN pipeline_fastest AS f USING (benchmark, size) JOIN pipeline_fastest AS p USING (benchmark, size)
WHERE benchmark = 'conv3d' AND n.largest AND n.variant = 'naive' AND f.variant = 'framework' AND p.variant = 'pipeline';

-- Lattice QCD by size.
WITH gain AS (
    SELECT *, lag(value) OVER w AS value_before, lag(low) OVER w AS low_before, lag(high) OVER w AS high_before,
           lag(size) OVER w AS size_before, count(*) OVER () AS sizes
    FROM pipeline_speedups WHERE benchmark = 'qcd' AND slow = 'naive' AND fast = 'pipeline' WINDOW w AS (ORDER BY size)),
small AS (SELECT * FROM gain ORDER BY size = 12 DESC, size LIMIT 1)
SELECT 'cui-c-033' AS id, median(share) AS value, interval_low(share) AS low, interval_high(share) AS high,
       'of the time is transfers, n = ' || size AS words
FROM (SELECT size, (to_device_s + from_device_s) / time_s AS share FROM pipeline_versions
      WHERE benchmark = 'qcd' AND variant = 'naive' AND status = 'pass')
GROUP BY size
UNION ALL
SELECT 'cui-c-034', value, low, high, printf('naive / pipeline, %d streams, n = %d', streams, size) FROM small
UNION ALL
SELECT 'cui-c-035', value / value_before, low / high_before, high / low_before,
       iif(sizes = 1, 'only one size was measured', printf('speedup at n = %d / at %d', size, size_before))
FROM gain WHERE sizes = 1 OR value_before IS NOT NULL
UNION ALL
SELECT 'cui-c-036/speedup', value, low, high, 'naive / pipeline, n = ' || size FROM gain
UNION ALL
SELECT 'cui-c-036/overlap', value / most, low / most, high / most, 'of what hiding all kernels or all copies gives, n = ' || size
FROM gain JOIN (SELECT size, time_s / max(to_device_s + from_device_s, kernel_s) AS most FROM pipeline_fastest
                WHERE benchmark = 'qcd' AND variant = 'naive') USING (size);

-- Memory of one version over that of another one. The rest is that of CUDA's context.
WITH ratio AS (
    SELECT benchmark, size, f.largest AS largest, f.variant AS version, o.variant AS other, f.context AS context, f.used AS used,
           1.0 * f.own / o.own AS own_ratio, 1.0 * f.used / o.used AS used_ratio, 1.0 * f.own / o.used AS own_of_used
    FROM pipeline_memory AS f JOIN pipeline_memory AS o USING (benchmark, size)),
asked(id, benchmark, version, other, what) AS (
    VALUES ('cui-c-047', 'conv3d', 'pipeline', 'naive', 'used / used by naive'),
           ('cui-c-048', 'conv3d', 'framework', 'naive', 'buffers / used by naive'),
           ('cui-c-049', 'conv3d', 'framework', 'naive', 'of the buffers saved'),
           ('cui-c-070', 'stencil', 'framework', 'pipeline', 'of the memory used saved'),
           ('cui-c-085', 'qcd', 'framework', 'pipeline', 'of the memory used saved'))
SELECT id, CASE id WHEN 'cui-c-047' THEN used_ratio WHEN 'cui-c-048' THEN own_of_used WHEN 'cui-c-049' THEN 1 - own_ratio
           ELSE 1 - used_ratio END AS value, NULL AS low, NULL AS high,
       what || iif(context > 1e6, printf(', %.3g MB for CUDA''s context', 1e-6 * context), '') AS words
FROM asked JOIN ratio USING (benchmark, version, other) WHERE largest
UNION ALL
SELECT 'cui-c-071', 1.0 * context / used, NULL, NULL,
       iif(context IS NULL, 'the memory in use cannot be told here', 'of the memory used by framework is CUDA''s context')
FROM ratio WHERE benchmark = 'stencil' AND largest AND version = 'framework' AND other = 'pipeline'
UNION ALL
SELECT 'cui-c-084' || '/saving', 1 - used_ratio, NULL, NULL, 'of the memory used, n = ' || size
FROM ratio WHERE benchmark = 'qcd' AND version = 'framework' AND other = 'pipeline'
UNION ALL
SELECT 'cui-c-084' || '/growth', before - used_ratio, NULL, NULL, iif(sizes = 1, 'only one size was measured', 'to n = ' || size)
FROM (SELECT *, lag(used_ratio) OVER (ORDER BY size) AS before, count(*) OVER () AS sizes
      FROM ratio WHERE benchmark = 'qcd' AND version = 'framework' AND other = 'pipeline')
WHERE sizes = 1 OR before IS NOT NULL;
