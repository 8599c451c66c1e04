-- Copies of blocks with and without knowing the intent of each access, by trace.
WITH pair AS (
    SELECT trace, o.copies AS copies, u.copies AS all_copies, o.errors + u.errors AS errors, o.needed_copies AS needed
    FROM pinning_transfers_median AS o JOIN pinning_transfers_median AS u USING (trace)
    WHERE o.variant = 'optimized' AND u.variant = 'unoptimized')
SELECT 'peshne-c-065' AS id, 1.0 * copies / all_copies AS value, NULL AS low, NULL AS high,
       'of the copies without intents' AS words
FROM pair WHERE trace = 'rccsd_rhf'
UNION ALL
SELECT 'peshne-c-066', abs(copies - needed) + errors, NULL, NULL,
       printf('of %d copies not as needed, %s', needed, trace)
FROM pair;

SELECT 'peshne-c-093' AS id, abs(b.ratio - a.ratio) AS value, NULL AS low, NULL AS high,
       'changed by sizes x 4, ' || trace AS words
FROM pinning_hits AS a JOIN pinning_hits AS b USING (trace) WHERE a.size_factor = 1 AND b.size_factor = 4;

-- Times of the traces: anew each time over cached, cached over malloc.
WITH time AS (
    SELECT trace, uncached_s / cached_s AS mid, uncached_low_s / cached_high_s AS low,
           uncached_high_s / cached_low_s AS high, cached_s / plain_s AS dear, cached_low_s / plain_high_s AS dear_low,
           cached_high_s / plain_low_s AS dear_high, count(*) OVER () AS traces
    FROM pinning_trace_times),
claim(id, trace) AS (VALUES
    ('peshne-c-094', 'scf_rhf_coreh'), ('peshne-c-095', 'tran_rhf_no4v'), ('peshne-c-096', 'rccsd_rhf'),
    ('peshne-c-097', 'rccsdpt_aaa'), ('peshne-c-098', 'rccsdpt_aab'))
SELECT id || '/uncached' AS id, mid AS value, low, high, 'times as long as cached' AS words
FROM claim JOIN time USING (trace)
UNION ALL
SELECT id || '/cached', dear, dear_low, dear_high, 'times as long as malloc' FROM claim JOIN time USING (trace)
UNION ALL
SELECT 'peshne-c-099', median(mid), median(low), median(high), 'times as long as cached, median'
FROM time HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-100', median(dear), NULL, NULL, 'times as long as malloc, median'
FROM time HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-101', mid, low, high, 'times as long as cached, ' || trace FROM time WHERE traces = 5;
