-- Accesses that did not block by the number of blocks to prefetch, at the longest index range.
WITH hit AS (
    SELECT prefetch_blocks AS k, median(hit_ratio) AS mid, interval_low(hit_ratio) AS low, interval_high(hit_ratio) AS high
    FROM prefetch_wait_blocks
    WHERE status = 'pass' AND iteration = 0 AND index_length = (SELECT max(index_length) FROM prefetch_wait_blocks)
    GROUP BY prefetch_blocks),
-- From this number of blocks on, the hit ratio stays within 0.02.
critical AS (
    SELECT * FROM hit AS h
    WHERE NOT EXISTS (SELECT 1 FROM hit AS later WHERE later.k > h.k AND abs(later.mid - h.mid) > 0.02) ORDER BY k LIMIT 1),
steps AS (SELECT k, mid, lag(mid) OVER (ORDER BY k) - mid AS down, lag(low) OVER (ORDER BY k) - high AS surely_down FROM hit),
network AS (SELECT group_concat(DISTINCT network) AS name FROM prefetch_wait_blocks),
judged AS (
    SELECT 'peshne-c-043' AS id,
           printf('%.3f with 0 blocks, %.3f with %d; largest step down %.3f', none.mid, critical.mid, critical.k, max(0, max(down))) AS measured,
           'rising, no step down by more than 0.02' AS bound,
           CASE WHEN max(down) <= 0.02 AND critical.low > none.high THEN 1
                WHEN max(surely_down) > 0.02 OR critical.high <= none.low THEN 0 END AS ok, '' AS cause
    FROM hit AS none, critical, steps WHERE none.k = 0 AND steps.k <= critical.k HAVING count(down) > 0
    UNION ALL
    SELECT 'peshne-c-044', printf('%.3f with %d blocks, within 0.02 of it up to %d', critical.mid, critical.k, max(hit.k)),
           'saturated before the largest number of blocks', critical.k < max(hit.k), ''
    FROM critical, hit HAVING count(*) > 2)
SELECT id, measured, bound, ok, 'network: ' || name || CASE WHEN ok THEN '' ELSE cause END AS reason FROM judged, network;
