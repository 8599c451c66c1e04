-- Where the time of a get goes: the call, or the first use of its block.
WITH parts AS (
    SELECT block_elements AS n, median(mean_get_s) AS call, interval_low(mean_get_s) AS call_low, interval_high(mean_get_s) AS call_high,
           median(mean_blocked_s) AS use, interval_low(mean_blocked_s) AS use_low, interval_high(mean_blocked_s) AS use_high
    FROM prefetch_wait_size
    WHERE status = 'pass' AND iteration = 0 AND variant = 'no-prefetch' AND block_elements = (SELECT max(block_elements) FROM prefetch_wait_size)
    GROUP BY block_elements)
SELECT 'peshne-c-006' AS id, printf('%.3g s in the get, %.3g s at the first use, %d elements', call, use, n) AS measured,
       'less in the get' AS bound, CASE WHEN call_high < use_low THEN 1 WHEN call_low >= use_high THEN 0 END AS ok,
       'network: ' || (SELECT group_concat(DISTINCT network) FROM prefetch_wait_size) AS reason
FROM parts;

-- Prefetching shortens the wait at the longest index range, and some iteration does not wait at all.
WITH wait AS (
    SELECT variant, index_length AS length, median(mean_wait_s) AS mid, interval_low(mean_wait_s) AS low, interval_high(mean_wait_s) AS high,
           min(least_later_wait_s) AS least
    FROM prefetch_wait_length
    WHERE status = 'pass' AND iteration = 0 AND index_length = (SELECT max(index_length) FROM prefetch_wait_length)
    GROUP BY variant, index_length)
SELECT 'peshne-c-007' AS id,
       printf('%.2f times shorter at length %d; the shortest wait is %.2f %% of the mean without prefetching', w.mid / p.mid, length,
              100 * p.least / w.mid) AS measured,
       '> 1 times, <= 1 %' AS bound,
       CASE WHEN w.low > p.high AND p.least <= 0.01 * w.low THEN 1 WHEN w.high <= p.low OR p.least > 0.01 * w.high THEN 0 END AS ok,
       'network: ' || (SELECT group_concat(DISTINCT network) FROM prefetch_wait_length) AS reason
FROM wait AS p JOIN wait AS w USING (length) WHERE p.variant = 'prefetch' AND w.variant = 'no-prefetch';
