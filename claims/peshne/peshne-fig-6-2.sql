-- Wait of a loop's first iteration, by the length of the index range: with prefetching (p) and without (w).
WITH first AS (
    SELECT variant, index_length AS length, max(prefetch_blocks) AS blocks, median(first_wait_s) AS mid,
           interval_low(first_wait_s) AS low, interval_high(first_wait_s) AS high, median(later_wait_s) AS later,
           interval_low(later_wait_s) AS later_low, interval_high(later_wait_s) AS later_high
    FROM prefetch_wait_length WHERE status = 'pass' AND iteration = 0 GROUP BY variant, index_length),
p AS (SELECT * FROM first WHERE variant = 'prefetch'),
w AS (SELECT * FROM first WHERE variant = 'no-prefetch'),
longest AS (SELECT * FROM p ORDER BY length DESC LIMIT 1),
rising AS (SELECT spearman(length, mid) AS rank FROM p WHERE length <= blocks + 1),
network AS (SELECT group_concat(DISTINCT network) AS name FROM prefetch_wait_length),
judged AS (
    SELECT 'peshne-c-025' AS id,
           printf('rank correlation %.2f up to length %d; %.3g s at length 1, %.3g s at %d', rising.rank, longest.blocks + 1, one.mid,
                  longest.mid, longest.length) AS measured,
           'rank correlation >= 0.7, longer at the largest length' AS bound,
           CASE WHEN rising.rank >= 0.7 AND longest.low > one.high THEN 1
                WHEN rising.rank < 0.7 OR longest.high <= one.low THEN 0 END AS ok,
           '; requests ahead are sent without waiting, and the first block is answered first' AS cause
    FROM p AS one, longest, rising WHERE one.length = 1 AND longest.length > 1
    UNION ALL
    SELECT 'peshne-c-026', printf('first / later iterations with prefetching %.2f to %.2f from length 5 on', min(mid / later), max(mid / later)),
           '>= 1', CASE WHEN min(low / later_high) >= 1 THEN 1 WHEN min(high / later_low) < 1 THEN 0 END, ''
    FROM p WHERE length >= 5 HAVING count(*) > 0
    UNION ALL
    SELECT 'peshne-c-027', printf('first iteration with / without prefetching %.2f to %.2f from length 5 on', min(p.mid / w.mid), max(p.mid / w.mid)),
           '>= 1', CASE WHEN min(p.low / w.high) >= 1 THEN 1 WHEN min(p.high / w.low) < 1 THEN 0 END, ''
    FROM p JOIN w USING (length) WHERE length >= 5 HAVING count(*) > 0)
SELECT id, measured, bound, ok, 'network: ' || name || CASE WHEN ok THEN '' ELSE cause END AS reason FROM judged, network;
