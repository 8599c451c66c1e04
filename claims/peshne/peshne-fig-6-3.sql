-- How many times prefetching shortens the mean wait, by the length of the index range.
WITH ratio AS (
    SELECT index_length AS length, w.time_s / p.time_s AS mid, w.time_low_s / p.time_high_s AS low,
           w.time_high_s / p.time_low_s AS high
    FROM prefetch_wait_length_median AS p JOIN prefetch_wait_length_median AS w USING (index_length, iteration)
    WHERE p.variant = 'prefetch' AND w.variant = 'no-prefetch' AND iteration = 0),
network AS (SELECT group_concat(DISTINCT network) AS name FROM prefetch_wait_length),
judged AS (
    SELECT 'peshne-c-028' AS id, printf('%.2f times shorter at length 5', mid) AS measured, '>= 1.6 (thesis: 2)' AS bound,
           CASE WHEN low >= 1.6 THEN 1 WHEN high < 1.6 THEN 0 END AS ok, '' AS cause
    FROM ratio WHERE length = 5
    UNION ALL
    SELECT 'peshne-c-029', printf('up to %.2f times shorter above length 9', max(mid)), '>= 2.4 (thesis: up to 3)',
           CASE WHEN max(low) >= 2.4 THEN 1 WHEN max(high) < 2.4 THEN 0 END, ''
    FROM ratio WHERE length > 9 HAVING count(*) > 0
    UNION ALL
    SELECT 'peshne-c-030', printf('ratio %.2f at length 1; rank correlation with the length %.2f', one.mid, (SELECT spearman(length, mid) FROM ratio)),
           '<= 1.1 at length 1, rank correlation >= 0.8',
           CASE WHEN (SELECT spearman(length, mid) FROM ratio) < 0.8 OR one.low > 1.1 THEN 0 WHEN one.high <= 1.1 THEN 1 END, ''
    FROM ratio AS one WHERE one.length = 1 AND (SELECT count(*) FROM ratio) > 2)
SELECT id, measured, bound, ok, 'network: ' || name || CASE WHEN ok THEN '' ELSE cause END AS reason FROM judged, network;
