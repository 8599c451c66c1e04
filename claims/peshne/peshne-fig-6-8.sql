-- Mean wait by the number of blocks to prefetch, at the longest index range.
WITH wait AS (
    SELECT prefetch_blocks AS k, time_s AS mid, time_low_s AS low, time_high_s AS high, hit_ratio, first_wait_s
    FROM prefetch_wait_blocks_median
    WHERE iteration = 0 AND index_length = (SELECT max(index_length) FROM prefetch_wait_blocks)),
none AS (SELECT * FROM wait WHERE k = 0),
best AS (SELECT * FROM wait ORDER BY mid LIMIT 1),
most AS (SELECT * FROM wait ORDER BY k DESC LIMIT 1),
-- From this number of blocks on, the hit ratio stays within 0.02.
critical AS (SELECT min(k) AS k FROM wait AS w WHERE NOT EXISTS (SELECT 1 FROM wait AS l WHERE l.k > w.k AND abs(l.hit_ratio - w.hit_ratio) > 0.02)),
slopes AS (
    SELECT rep, line_slope(prefetch_blocks, first_wait_s) AS first, line_slope(prefetch_blocks, mean_wait_s) AS mean FROM prefetch_wait_blocks, critical
    WHERE status = 'pass' AND iteration = 0 AND index_length = (SELECT max(index_length) FROM prefetch_wait_blocks) AND prefetch_blocks >= k
    GROUP BY rep),
network AS (SELECT group_concat(DISTINCT network) AS name FROM prefetch_wait_blocks),
judged AS (
    SELECT 'peshne-c-040' AS id, printf('%.3g s with 0 blocks, at most %.3g s with more', none.mid, max(wait.mid)) AS measured,
           'highest with 0 blocks' AS bound,
           CASE WHEN none.low >= max(wait.high) THEN 1 WHEN none.high < max(wait.low) THEN 0 END AS ok, '' AS cause
    FROM none, wait WHERE wait.k > 0 HAVING count(*) > 0
    UNION ALL
    SELECT 'peshne-c-041', printf('%.2f times shorter with %d blocks', none.mid / best.mid, best.k), '>= 1.5, with at least 1 block',
           CASE WHEN best.k >= 1 AND none.low / best.high >= 1.5 THEN 1 WHEN none.high / best.low < 1.5 THEN 0 END, ''
    FROM none, best
    UNION ALL
    SELECT 'peshne-c-042', printf('least with %d blocks; with %d blocks %.2f times that', best.k, most.k, most.mid / best.mid),
           'rising after an inner minimum',
           CASE WHEN best.k < most.k AND most.low > best.high AND (SELECT spearman(k, mid) FROM wait WHERE k > best.k) > 0 THEN 1
                WHEN best.k = most.k OR (SELECT spearman(k, mid) FROM wait WHERE k > best.k) <= 0 THEN 0 END,
           '; blocks beyond the end of the index range are not requested'
    FROM best, most WHERE (SELECT count(*) FROM wait) > 2
    UNION ALL
    SELECT 'peshne-c-045', CASE WHEN count(first) = 0 THEN printf('the hit ratio still changes before %d blocks', critical.k) ELSE printf('from %d blocks on, per block: first wait %+.3g s, mean wait %+.3g s, hit ratio within 0.02', critical.k,
                                   median(first), median(mean)) END,
           'both > 0', CASE WHEN count(first) = 0 THEN 0
                            WHEN interval_low(first) > 0 AND interval_low(mean) > 0 THEN 1
                            WHEN interval_high(first) <= 0 OR interval_high(mean) <= 0 THEN 0 END,
           ''
    FROM slopes, critical HAVING count(*) > 0)
SELECT id, measured, bound, ok, 'network: ' || name || CASE WHEN ok THEN '' ELSE cause END AS reason FROM judged, network;
