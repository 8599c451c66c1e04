-- Against OpenCoarrays between nodes: slower is a median more than 5 % longer, and certainly so where the intervals separate.
WITH run AS (
    SELECT 'put' AS what, variant, elements AS size, 1 AS stride, time_s, time_low_s, time_high_s FROM coarrays_put_nodes_median
    UNION ALL SELECT 'get', variant, elements, 1, time_s, time_low_s, time_high_s FROM coarrays_get_nodes_median
    UNION ALL SELECT 'strided ' || operation, variant, elements, stride, time_s, time_low_s, time_high_s FROM coarrays_strided_nodes_median
    UNION ALL SELECT operation, variant, '', 1, time_s, time_low_s, time_high_s FROM coarrays_sync_nodes_median),
pair AS (
    SELECT what, size, stride, own.time_s / other.time_s AS ratio, own.time_low_s > other.time_high_s AS apart
    FROM run AS own JOIN run AS other USING (what, size, stride) WHERE own.variant = 'datamotion' AND other.variant = 'opencoarrays'),
slower AS (SELECT group_concat(printf('%s %s %.2f', what, CASE WHEN stride > 1 THEN size || '/' || stride ELSE size END, ratio), ', ') AS text
           FROM (SELECT * FROM pair WHERE ratio > 1.05 ORDER BY ratio DESC LIMIT 5))
SELECT 'datamotion-c-018' AS id,
       printf('%.4f to %.2f times the time over %d configurations, median %.2f; slower at %d, certainly at %d%s', min(ratio), max(ratio),
           count(*), median(ratio),
              sum(ratio > 1.05), sum(apart AND ratio > 1.05), coalesce(': ' || text, '')) AS measured,
       'slower at none' AS bound, CASE WHEN sum(apart AND ratio > 1.05) > 0 THEN 0 WHEN sum(ratio > 1.05) = 0 THEN 1 END AS ok, '' AS reason
FROM pair, slower HAVING count(*) > 0;

-- The applications on one node, with 2 and with 4 images.
WITH run AS (
    SELECT 'Burgers -' || optimization AS what, ranks, scaling, cells AS size, variant, time_s, time_low_s, time_high_s FROM coarrays_burgers_2_median
    UNION ALL SELECT 'Burgers -' || optimization, ranks, scaling, cells, variant, time_s, time_low_s, time_high_s FROM coarrays_burgers_4_median
    UNION ALL SELECT 'Himeno', ranks, scaling, grid, variant, time_s, time_low_s, time_high_s FROM coarrays_himeno_2_median
    UNION ALL SELECT 'Himeno', ranks, scaling, grid, variant, time_s, time_low_s, time_high_s FROM coarrays_himeno_4_median
    UNION ALL SELECT 'transpose', ranks, scaling, grid, variant, time_s, time_low_s, time_high_s FROM coarrays_transpose_2_median
    UNION ALL SELECT 'transpose', ranks, scaling, grid, variant, time_s, time_low_s, time_high_s FROM coarrays_transpose_4_median),
pair AS (
    SELECT what, ranks, own.time_s / other.time_s AS ratio, own.time_low_s > other.time_high_s AS apart
    FROM run AS own JOIN run AS other USING (what, ranks, scaling, size) WHERE own.variant = 'datamotion' AND other.variant = 'opencoarrays'),
texts AS (SELECT group_concat(text, ', ') AS text FROM (SELECT printf('%s with %d images %.2f', what, ranks, max(ratio)) AS text FROM pair
    GROUP BY what, ranks))
SELECT 'datamotion-c-019' AS id, printf('at most: %s; slower at %d of %d configurations, certainly at %d', text, sum(ratio > 1.05), count(*),
       sum(apart AND ratio > 1.05)) AS measured,
       'slower at none' AS bound, CASE WHEN sum(apart AND ratio > 1.05) > 0 THEN 0 WHEN sum(ratio > 1.05) = 0 THEN 1 END AS ok, '' AS reason
FROM pair, texts HAVING count(*) > 0;

-- The same on two nodes.
WITH run AS (
    SELECT 'Burgers -' || optimization AS what, ranks, scaling, cells AS size, variant, time_s, time_low_s, time_high_s
           FROM coarrays_burgers_nodes_median
    UNION ALL SELECT 'Himeno', ranks, scaling, grid, variant, time_s, time_low_s, time_high_s FROM coarrays_himeno_nodes_median
    UNION ALL SELECT 'transpose', ranks, scaling, grid, variant, time_s, time_low_s, time_high_s FROM coarrays_transpose_nodes_median),
pair AS (
    SELECT what, own.time_s / other.time_s AS ratio, own.time_low_s > other.time_high_s AS apart
    FROM run AS own JOIN run AS other USING (what, ranks, scaling, size) WHERE own.variant = 'datamotion' AND other.variant = 'opencoarrays'),
texts AS (SELECT group_concat(text, ', ') AS text FROM (SELECT printf('%s %.2f', what, max(ratio)) AS text FROM pair GROUP BY what))
SELECT 'datamotion-c-020' AS id, printf('at most: %s; slower at %d of %d configurations, certainly at %d', text, sum(ratio > 1.05), count(*),
       sum(apart AND ratio > 1.05)) AS measured,
       'slower at none' AS bound, CASE WHEN sum(apart AND ratio > 1.05) > 0 THEN 0 WHEN sum(ratio > 1.05) = 0 THEN 1 END AS ok, '' AS reason
FROM pair, texts HAVING count(*) > 0;

-- Himeno with 2 images on one node, strong scaling.
SELECT 'datamotion-c-021' AS id, printf('%.2f times (%.0f against %.0f MFLOPS)', own.mflops / other.mflops, own.mflops,
       other.mflops) AS measured, '>= 2' AS bound,
       CASE WHEN other.time_low_s / own.time_high_s >= 2 THEN 1 WHEN other.time_high_s / own.time_low_s < 2 THEN 0 END AS ok, '' AS reason
FROM coarrays_himeno_2_median AS own JOIN coarrays_himeno_2_median AS other USING (ranks, scaling, grid, iterations)
WHERE own.variant = 'datamotion' AND other.variant = 'opencoarrays' AND scaling = 'strong';
