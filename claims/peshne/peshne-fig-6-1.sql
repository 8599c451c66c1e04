-- Accesses that did not block, by the length of the index range: with prefetching (p) and without (w).
WITH hit AS (
    SELECT variant, index_length AS length, median(hit_ratio) AS mid, interval_low(hit_ratio) AS low,
           interval_high(hit_ratio) AS high
    FROM prefetch_wait_length WHERE status = 'pass' AND iteration = 0 GROUP BY variant, index_length),
p AS (SELECT *, lag(mid) OVER (ORDER BY length) AS before, lag(low) OVER (ORDER BY length) AS before_low,
             lag(high) OVER (ORDER BY length) AS before_high FROM hit WHERE variant = 'prefetch'),
w AS (SELECT * FROM hit WHERE variant = 'no-prefetch'),
longest AS (SELECT * FROM p ORDER BY length DESC LIMIT 1),
network AS (SELECT group_concat(DISTINCT network) AS name FROM prefetch_wait_length),
judged AS (
    -- Each block that the program gets is accessed three times; if only the first waits, two of three do not.
    SELECT 'peshne-c-021' AS id, printf('%.3f to %.3f of the accesses do not wait without prefetching', min(mid), max(mid)) AS measured,
           'two of three at each length, within 0.02' AS bound,
           CASE WHEN min(low) >= 0.6467 AND max(high) <= 0.6867 THEN 1 WHEN max(low) > 0.6867 OR min(high) < 0.6467 THEN 0 END AS ok, '' AS cause
    FROM w HAVING count(*) > 0
    UNION ALL
    SELECT 'peshne-c-022', printf('%.3f with and %.3f without prefetching at length 1', p.mid, w.mid), 'within 0.02',
           CASE WHEN p.high - w.low <= 0.02 AND w.high - p.low <= 0.02 THEN 1
                WHEN p.low - w.high > 0.02 OR w.low - p.high > 0.02 THEN 0 END, ''
    FROM p JOIN w USING (length) WHERE length = 1
    UNION ALL
    SELECT 'peshne-c-023',
           printf('%.3f at length 1, %.3f at 2, %.3f at 6; largest step down %.3f', max(mid) FILTER (WHERE length = 1),
                  max(mid) FILTER (WHERE length = 2), max(mid) FILTER (WHERE length = 6), max(0, max(before - mid))),
           'rising from 1 to 2, no step down by more than 0.02 up to 6',
           CASE WHEN max(before - mid) <= 0.02 AND max(low - before_high) FILTER (WHERE length = 2) > 0 THEN 1
                WHEN max(before_low - high) > 0.02 OR max(high - before_low) FILTER (WHERE length = 2) <= 0 THEN 0 END,
           ''
    FROM p WHERE length <= 6 HAVING max(length) = 6 AND min(length) = 1
    UNION ALL
    SELECT 'peshne-c-024', printf('%+.3f from length 6 to %d, %+.3f from 1 to 6', longest.mid - six.mid, longest.length, six.mid - one.mid),
           'gain beyond 6 at most a quarter of that up to 6',
           CASE WHEN longest.high - six.low <= 0.25 * (six.low - one.high) THEN 1
                WHEN longest.low - six.high > 0.25 * (six.high - one.low) THEN 0 END, ''
    FROM longest, p AS six, p AS one WHERE six.length = 6 AND one.length = 1 AND longest.length > 6)
SELECT id, measured, bound, ok, 'network: ' || name || CASE WHEN ok THEN '' ELSE cause END AS reason FROM judged, network;
