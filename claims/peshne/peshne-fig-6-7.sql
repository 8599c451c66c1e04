-- Wait of the first iteration by the number of blocks to prefetch, at the longest index range as far as there are
-- blocks to prefetch, and the best number of blocks by index length.
WITH first AS (
    SELECT prefetch_blocks AS k, index_length AS length, median(first_wait_s) AS mid
    FROM prefetch_wait_blocks
    WHERE status = 'pass' AND iteration = 0 AND index_length = (SELECT max(index_length) FROM prefetch_wait_blocks)
      AND prefetch_blocks < index_length
    GROUP BY prefetch_blocks, index_length),
slopes AS (
    SELECT rep, line_slope(prefetch_blocks, first_wait_s) AS slope FROM prefetch_wait_blocks
    WHERE status = 'pass' AND iteration = 0 AND index_length = (SELECT max(index_length) FROM prefetch_wait_blocks)
      AND prefetch_blocks < index_length
    GROUP BY rep),
wait AS (
    SELECT index_length AS length, prefetch_blocks AS k, time_low_s AS low, time_s,
           first_value(prefetch_blocks) OVER best AS best, first_value(time_high_s) OVER best AS best_high
    FROM prefetch_wait_blocks_median WHERE iteration = 0
    WINDOW best AS (PARTITION BY index_length ORDER BY time_s)),
-- The numbers of blocks that are as good as the best one: their intervals reach it.
best AS (
    SELECT length, max(best) AS best, min(k) FILTER (WHERE low <= best_high) AS least, max(k) FILTER (WHERE low <= best_high) AS most
    FROM wait GROUP BY length),
steps AS (SELECT *, lag(best) OVER (ORDER BY length) AS before, max(least) OVER (ORDER BY length ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
                 AS before_least FROM best),
network AS (SELECT group_concat(DISTINCT network) AS name FROM prefetch_wait_blocks),
judged AS (
    SELECT 'peshne-c-039' AS id,
           printf('%.3g s per block at index length %d, R2 %.3f', line_slope(k, mid), max(length), line_r2(k, mid)) AS measured,
           'slope > 0, R2 >= 0.9' AS bound,
           CASE WHEN (SELECT interval_high(slope) FROM slopes) <= 0 OR line_r2(k, mid) < 0.9 THEN 0
                WHEN (SELECT interval_low(slope) FROM slopes) > 0 THEN 1 END AS ok, '' AS cause
    FROM first HAVING count(*) > 2
    UNION ALL
    SELECT 'peshne-c-046', 'least mean wait with ' || group_concat(printf('%d blocks at length %d', best, length), ', '), 'not falling with the length',
           CASE WHEN sum(best < before) = 0 THEN 1 WHEN sum(most < before_least) > 0 THEN 0 END, ''
    FROM (SELECT * FROM steps ORDER BY length) HAVING count(*) > 1)
SELECT id, measured, bound, ok, 'network: ' || name || CASE WHEN ok THEN '' ELSE cause END AS reason FROM judged, network;
