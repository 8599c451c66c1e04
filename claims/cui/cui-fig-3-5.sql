-- Speedup over naive of the largest data set of each benchmark, the fastest configuration of each version.
WITH ranked AS (
    SELECT *, row_number() OVER (PARTITION BY benchmark, size, variant ORDER BY time_s) AS nth,
           max(size) OVER (PARTITION BY benchmark) AS largest
    FROM pipeline_versions_median),
run AS (SELECT * FROM ranked WHERE nth = 1 AND size = largest),
pair AS (
    SELECT benchmark, b.variant || ' / ' || a.variant AS name, b.streams, a.time_s / b.time_s AS mid, a.time_low_s / b.time_high_s AS low,
           a.time_high_s / b.time_low_s AS high
    FROM run AS a JOIN run AS b USING (benchmark)),
bounds(id, benchmark, name, least, text) AS (
    VALUES ('cui-c-043', 'conv3d', 'pipeline / naive', 1.2, '>= 1.2 (thesis: 1.45)'),
           ('cui-c-044', 'conv3d', 'framework / naive', 1.2, '>= 1.2 (thesis: 1.46)'),
           ('cui-c-063', 'stencil', 'pipeline / naive', 1.2, '>= 1.2 (thesis: 1.57)'),
           ('cui-c-081', 'qcd', 'framework / naive', 1.15, '>= 1.15 (thesis: 1.54)'),
           ('cui-c-083', 'qcd', 'framework / naive', 1.05, '> 1.05'))
SELECT id, printf('%.2f with %d streams', mid, streams) AS measured, text AS bound,
       CASE WHEN low >= least THEN 1 WHEN high < least THEN 0 END AS ok, '' AS reason
FROM bounds JOIN pair USING (benchmark, name)
UNION ALL
SELECT 'cui-c-045', printf('framework / pipeline %.3f', 1 / mid), '0.95..1.05',
       CASE WHEN 1 / high >= 0.95 AND 1 / low <= 1.05 THEN 1 WHEN 1 / low < 0.95 OR 1 / high > 1.05 THEN 0 END,
       iif(1 / low < 0.95, 'the framework is faster', '')
FROM pair WHERE benchmark = 'conv3d' AND name = 'framework / pipeline'
UNION ALL
SELECT 'cui-c-046', printf('gain %.3g s, cost %.3g s', n.time_s - f.time_s, f.time_s - p.time_s), 'gain > 5 * cost',
       CASE WHEN n.time_low_s - f.time_high_s > 5 * max(0, f.time_high_s - p.time_low_s) THEN 1
            WHEN n.time_high_s - f.time_low_s <= 5 * max(0, f.time_low_s - p.time_high_s) THEN 0 END, ''
FROM run AS n JOIN run AS f USING (benchmark) JOIN run AS p USING (benchmark)
WHERE benchmark = 'conv3d' AND n.variant = 'naive' AND f.variant = 'framework' AND p.variant = 'pipeline'
UNION ALL
SELECT 'cui-c-082', printf('framework / pipeline %.3f', 1 / mid), '>= 1', CASE WHEN 1 / high >= 1 THEN 1 WHEN 1 / low < 1 THEN 0 END,
       'a slice is found by one comparison here, not by a division'
FROM pair WHERE benchmark = 'qcd' AND name = 'framework / pipeline';

WITH run AS (
    SELECT *, max(streams) OVER () AS most FROM pipeline_streams_median
    WHERE benchmark = 'stencil' AND size = (SELECT max(size) FROM pipeline_streams_median WHERE benchmark = 'stencil'))
SELECT 'cui-c-064' AS id,
       printf('framework with 2 / pipeline with %d streams %.3f', p.streams, f.time_s / p.time_s) AS measured, '<= 1' AS bound,
       CASE WHEN f.time_high_s <= p.time_low_s THEN 1 WHEN f.time_low_s > p.time_high_s THEN 0 END AS ok, '' AS reason
FROM run AS f JOIN run AS p USING (chunk_size)
WHERE f.variant = 'framework' AND f.streams = 2 AND p.variant = 'pipeline' AND p.streams = min(8, p.most)
  AND chunk_size = (SELECT min(chunk_size) FROM run);
