-- Device memory when the data is larger than what may be used: rings and flags, and of managed memory the most in use during a run,
-- less CUDA's context (what sync uses beyond its arrays). As in the thesis the rings have about 14 % of the data's size for the 2D
-- convolution, and 25 % for ATAX.
WITH context AS (SELECT coalesce(min(used_bytes - device_bytes), 0) AS bytes FROM blp_oversubscribed_median WHERE variant = 'sync'),
memory AS (
    SELECT benchmark, 1e-6 * max(iif(variant = 'um-prefetch', used_bytes - bytes, NULL)) AS um,
           1e-6 * max(iif(variant = 'blp-buffer', device_bytes, NULL)) AS buffer
    FROM blp_oversubscribed_median, context
    WHERE variant = 'um-prefetch' OR (variant = 'blp-buffer' AND abs(1.0 * budget_bytes / footprint_bytes - iif(benchmark = 'atax', 0.25, 0.14)) < 0.05)
    GROUP BY benchmark),
bounds(id, benchmark, least, bound) AS (
    VALUES ('cui-c-202', 'conv2d', 0.6, '>= 0.6 (thesis: 0.86, 0.80..0.90)'), ('cui-c-203', 'atax', 0.5, '>= 0.5 (thesis: 0.75, 0.68..0.82)'))
SELECT id, printf('%.2f saved (%.3g of %.3g MB)', 1 - buffer / um, buffer, um) AS measured, bound, 1 - buffer / um >= least AS ok, '' AS reason
FROM bounds JOIN memory USING (benchmark) WHERE um > 0;

WITH run AS (
    SELECT variant, min(outcome) AS least, max(outcome) AS most, count(*) AS n FROM blp_oversubscribed AS o
    WHERE EXISTS (SELECT 1 FROM blp_oversubscribed AS b WHERE b.variant = 'blp-buffer' AND b.benchmark = o.benchmark AND b.size = o.size)
    GROUP BY variant)
SELECT 'cui-c-204' AS id, group_concat(variant || ': ' || iif(least = most, most, 'not always the same'), ', ') AS measured,
       'sync and async do not fit, blp-buffer and um-prefetch do' AS bound,
       min(least = most AND most = iif(variant IN ('sync', 'async'), 'does not fit', 'ok')) AS ok, '' AS reason
FROM run WHERE variant IN ('sync', 'async', 'blp-buffer', 'um-prefetch') HAVING count(*) = 4;
