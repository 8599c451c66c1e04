-- First and mean wait by block size together. Slopes are fitted in each repetition.
WITH slopes AS (
    SELECT rep, line_slope(block_elements, first_wait_s) FILTER (WHERE variant = 'prefetch') AS first_p,
           line_slope(block_elements, first_wait_s) FILTER (WHERE variant = 'no-prefetch') AS first_w,
           line_slope(block_elements, mean_wait_s) FILTER (WHERE variant = 'prefetch') AS mean_p,
           line_slope(block_elements, mean_wait_s) FILTER (WHERE variant = 'no-prefetch') AS mean_w
    FROM prefetch_wait_size WHERE status = 'pass' AND iteration = 0 GROUP BY rep),
largest AS (
    SELECT variant, block_elements AS n, median(mean_wait_s) AS mean, interval_low(mean_wait_s) AS mean_low,
           interval_high(mean_wait_s) AS mean_high, median(first_wait_s) AS first, interval_low(first_wait_s) AS first_low,
           interval_high(first_wait_s) AS first_high
    FROM prefetch_wait_size
    WHERE status = 'pass' AND iteration = 0 AND block_elements = (SELECT max(block_elements) FROM prefetch_wait_size)
    GROUP BY variant),
network AS (SELECT group_concat(DISTINCT network) AS name FROM prefetch_wait_size),
judged AS (
    SELECT 'peshne-c-037' AS id,
           printf('s per element: first %.3g with and %.3g without prefetching, mean %.3g and %.3g', median(first_p), median(first_w),
                  median(mean_p), median(mean_w)) AS measured,
           'the first iteration with prefetching is the steepest' AS bound,
           CASE WHEN interval_low(first_p - max(first_w, mean_p, mean_w)) > 0 THEN 1
                WHEN interval_high(first_p - max(first_w, mean_p, mean_w)) <= 0 THEN 0 END AS ok, '' AS cause
    FROM slopes HAVING count(first_p + first_w) > 0
    UNION ALL
    SELECT 'peshne-c-038',
           printf('at %d elements with / without prefetching: mean %.2f, first %.2f', p.n, p.mean / w.mean, p.first / w.first),
           'mean below 1, first above 1',
           CASE WHEN p.mean_high < w.mean_low AND p.first_low > w.first_high THEN 1
                WHEN p.mean_low >= w.mean_high OR p.first_high <= w.first_low THEN 0 END, ''
    FROM largest AS p, largest AS w WHERE p.variant = 'prefetch' AND w.variant = 'no-prefetch')
SELECT id, measured, bound, ok, 'network: ' || name || CASE WHEN ok THEN '' ELSE cause END AS reason FROM judged, network;
