-- Wait of a loop's first iteration, by block size. Slopes are fitted in each repetition.
WITH first AS (
    SELECT variant, block_elements AS n, median(first_wait_s) AS mid, interval_low(first_wait_s) AS low,
           interval_high(first_wait_s) AS high
    FROM prefetch_wait_size WHERE status = 'pass' AND iteration = 0 GROUP BY variant, block_elements),
growth AS (
    SELECT variant, spearman(n, mid) AS rank, line_slope(n, mid) AS slope, max(low) FILTER (WHERE n = (SELECT max(n) FROM first)) AS largest_low,
           max(high) FILTER (WHERE n = (SELECT max(n) FROM first)) AS largest_high,
           max(low) FILTER (WHERE n = (SELECT min(n) FROM first)) AS smallest_low,
           max(high) FILTER (WHERE n = (SELECT min(n) FROM first)) AS smallest_high
    FROM first GROUP BY variant HAVING count(*) > 2),
slopes AS (
    SELECT rep, line_slope(block_elements, first_wait_s) FILTER (WHERE variant = 'prefetch') AS p,
           line_slope(block_elements, first_wait_s) FILTER (WHERE variant = 'no-prefetch') AS w
    FROM prefetch_wait_size WHERE status = 'pass' AND iteration = 0 GROUP BY rep),
network AS (SELECT group_concat(DISTINCT network) AS name FROM prefetch_wait_size),
judged AS (
    SELECT 'peshne-c-031' AS id,
           printf('rank correlation with the block size %.2f with and %.2f without prefetching', p.rank, w.rank) AS measured,
           '>= 0.7 each, longer at the largest size' AS bound,
           CASE WHEN min(p.rank, w.rank) < 0.7 OR p.largest_high <= p.smallest_low OR w.largest_high <= w.smallest_low THEN 0
                WHEN p.largest_low > p.smallest_high AND w.largest_low > w.smallest_high THEN 1 END AS ok, '' AS cause
    FROM growth AS p, growth AS w WHERE p.variant = 'prefetch' AND w.variant = 'no-prefetch'
    UNION ALL
    SELECT 'peshne-c-032', printf('%.3g s per element with, %.3g s without prefetching', p.slope, w.slope), '>= 1.5 times steeper',
           CASE WHEN (SELECT interval_low(p - 1.5 * w) FROM slopes) >= 0 THEN 1
                WHEN (SELECT interval_high(p - 1.5 * w) FROM slopes) < 0 THEN 0 END,
           '; in an ordered stream the blocks ahead follow the first one and do not delay it'
    FROM growth AS p, growth AS w WHERE p.variant = 'prefetch' AND w.variant = 'no-prefetch'
    UNION ALL
    SELECT 'peshne-c-033', printf('median ratio with / without prefetching %.2f above 500 elements', median(p.mid / w.mid)),
           '1.5..2.5 (thesis: almost 2)',
           CASE WHEN (SELECT value FROM machine WHERE name = 'cpu') LIKE '%E5-2698 v3%' THEN median(p.mid / w.mid) BETWEEN 1.5 AND 2.5
                ELSE 'waived' END,
           ', where the thesis had InfiniBand'
    FROM first AS p JOIN first AS w USING (n)
    WHERE p.variant = 'prefetch' AND w.variant = 'no-prefetch' AND n > 500 HAVING count(*) > 0)
SELECT id, measured, bound, ok, 'network: ' || name || CASE WHEN ok THEN '' ELSE cause END AS reason FROM judged, network;
