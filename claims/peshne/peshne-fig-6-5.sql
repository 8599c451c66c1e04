-- Mean wait by block size. Slopes are fitted in each repetition.
WITH ratio AS (
    SELECT block_elements AS n, p.time_s / w.time_s AS mid, p.time_low_s / w.time_high_s AS low, p.time_high_s / w.time_low_s AS high
    FROM prefetch_wait_size_median AS p JOIN prefetch_wait_size_median AS w USING (block_elements, iteration)
    WHERE p.variant = 'prefetch' AND w.variant = 'no-prefetch' AND iteration = 0),
slopes AS (
    SELECT rep, line_slope(block_elements, mean_wait_s) FILTER (WHERE variant = 'prefetch') AS p,
           line_slope(block_elements, mean_wait_s) FILTER (WHERE variant = 'no-prefetch') AS w,
           line_slope(block_elements, later_wait_s) FILTER (WHERE variant = 'prefetch') AS later_p,
           line_slope(block_elements, later_wait_s) FILTER (WHERE variant = 'no-prefetch') AS later_w
    FROM prefetch_wait_size WHERE status = 'pass' AND iteration = 0 GROUP BY rep),
network AS (SELECT group_concat(DISTINCT network) AS name FROM prefetch_wait_size),
judged AS (
    SELECT 'peshne-c-034' AS id, printf('%.3g s per element without, %.3g s with prefetching', median(w), median(p)) AS measured,
           '>= 1.5 times steeper without' AS bound,
           CASE WHEN interval_low(w - 1.5 * p) >= 0 THEN 1 WHEN interval_high(w - 1.5 * p) < 0 THEN 0 END AS ok,
           '; where the link carries no more, the wait grows with the block in either case' AS cause
    FROM slopes HAVING count(p + w) > 0
    UNION ALL
    SELECT 'peshne-c-035', printf('%.2f to %.2f times the wait without prefetching over %d sizes', min(mid), max(mid), count(*)), '<= 1 at every size',
           CASE WHEN max(high) <= 1 THEN 1 WHEN max(low) > 1 THEN 0 END, ''
    FROM ratio HAVING count(*) > 0
    UNION ALL
    SELECT 'peshne-c-036', printf('after the first iteration %.3g s per element with, %.3g s without prefetching', median(later_p), median(later_w)),
           'at most half as steep with',
           CASE WHEN interval_high(later_p - 0.5 * later_w) <= 0 THEN 1 WHEN interval_low(later_p - 0.5 * later_w) > 0 THEN 0 END,
           '; where the link carries no more, the wait grows with the block in either case'
    FROM slopes HAVING count(later_p + later_w) > 0)
SELECT id, measured, bound, ok, 'network: ' || name || CASE WHEN ok THEN '' ELSE cause END AS reason FROM judged, network;
