-- Figures 3.3, 3.5 and 3.6: the versions against each other.
WITH asked(id, benchmark, pair) AS (
    VALUES ('cui-c-043', 'conv3d', 'naive / pipeline'), ('cui-c-044', 'conv3d', 'naive / framework'),
           ('cui-c-045', 'conv3d', 'framework / pipeline'), ('cui-c-063', 'stencil', 'naive / pipeline'),
           ('cui-c-081', 'qcd', 'naive / framework'), ('cui-c-082', 'qcd', 'framework / pipeline'),
           ('cui-c-083', 'qcd', 'naive / framework'))
SELECT id, value, low, high, printf('%s with %d streams', pair, streams)
FROM asked JOIN pipeline_speedups USING (benchmark, pair) WHERE largest
UNION ALL -- infinite where nothing is gained
SELECT 'cui-c-046', coalesce(max(0, f.time_s - p.time_s) / nullif(max(0, n.time_s - f.time_s), 0), 9e999),
       coalesce(max(0, f.time_low_s - p.time_high_s) / nullif(max(0, n.time_high_s - f.time_low_s), 0), 9e999),
       coalesce(max(0, f.time_high_s - p.time_low_s) / nullif(max(0, n.time_low_s - f.time_high_s), 0), 9e999),
       'time beyond pipeline''s / gain over naive'
FROM pipeline_fastest AS n JOIN pipeline_fastest AS f USING (benchmark, size)
JOIN pipeline_fastest AS p USING (benchmark, size)
WHERE benchmark = 'conv3d' AND n.largest AND n.variant = 'naive' AND f.variant = 'framework' AND p.variant = 'pipeline';

-- Lattice QCD by size.
WITH gain AS (
    SELECT *, 'n = ' || size AS at, count(*) OVER () AS sizes, lag(value) OVER w AS value_before,
           lag(low) OVER w AS low_before, lag(high) OVER w AS high_before
    FROM pipeline_speedups WHERE benchmark = 'qcd' AND pair = 'naive / pipeline' WINDOW w AS (ORDER BY size)),
naive AS (SELECT *, (to_device_s + from_device_s) / time_s AS share FROM pipeline_versions
          WHERE benchmark = 'qcd' AND variant = 'naive' AND status = 'pass')
SELECT 'cui-c-033', median(share), interval_low(share), interval_high(share), 'of the time is transfers, n = ' || size
FROM naive GROUP BY size
UNION ALL
SELECT 'cui-c-034', value, low, high, pair || ', ' || at FROM (SELECT * FROM gain ORDER BY size = 12 DESC, size LIMIT 1)
UNION ALL
SELECT 'cui-c-035', value / value_before, low / high_before, high / low_before,
       iif(sizes = 1, 'only one size was measured', 'speedup over that before, ' || at)
FROM gain WHERE sizes = 1 OR value_before IS NOT NULL
UNION ALL
SELECT 'cui-c-036/speedup', value, low, high, pair || ', ' || at FROM gain
UNION ALL
SELECT 'cui-c-036/overlap', value / most, low / most, high / most,
       'of what hiding all kernels or all copies gives, ' || at
FROM gain JOIN (SELECT size, time_s / max(to_device_s + from_device_s, kernel_s) AS most FROM pipeline_fastest
                WHERE benchmark = 'qcd' AND variant = 'naive') USING (size);

-- Memory.
WITH ratio AS (
    SELECT benchmark, size, f.largest, f.variant || ' / ' || o.variant AS pair, f.context, f.used AS bytes,
           1.0 * f.own / o.own AS own, 1.0 * f.used / o.used AS used, 1.0 * f.own / o.used AS own_of_used
    FROM pipeline_memory AS f JOIN pipeline_memory AS o USING (benchmark, size)),
qcd AS (SELECT *, used - lag(used) OVER (ORDER BY size) AS growth, count(*) OVER () AS sizes
        FROM ratio WHERE benchmark = 'qcd' AND pair = 'framework / pipeline')
SELECT 'cui-c-047', used, NULL, NULL, pair || ', all that is used'
FROM ratio WHERE benchmark = 'conv3d' AND largest AND pair = 'pipeline / naive'
UNION ALL
SELECT 'cui-c-048', own_of_used, NULL, NULL, 'buffers / all that naive uses'
FROM ratio WHERE benchmark = 'conv3d' AND largest AND pair = 'framework / naive'
UNION ALL
SELECT 'cui-c-049', 1 - own, NULL, NULL, 'of the buffers saved'
FROM ratio WHERE benchmark = 'conv3d' AND largest AND pair = 'framework / naive'
UNION ALL
SELECT iif(benchmark = 'qcd', 'cui-c-085', 'cui-c-070'), 1 - used, NULL, NULL, 'of all that is used saved'
FROM ratio WHERE benchmark IN ('qcd', 'stencil') AND largest AND pair = 'framework / pipeline'
UNION ALL
SELECT 'cui-c-071', 1.0 * context / bytes, NULL, NULL,
       iif(context IS NULL, 'the memory in use cannot be told here', 'of all that framework uses is CUDA''s context')
FROM ratio WHERE benchmark = 'stencil' AND largest AND pair = 'framework / pipeline'
UNION ALL
SELECT 'cui-c-084/saving', 1 - used, NULL, NULL, 'of all that is used, n = ' || size FROM qcd
UNION ALL
SELECT 'cui-c-084/growth', -growth, NULL, NULL, iif(sizes = 1, 'only one size was measured', 'to n = ' || size)
FROM qcd WHERE sizes = 1 OR growth IS NOT NULL;
