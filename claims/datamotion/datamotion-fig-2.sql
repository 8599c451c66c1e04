-- The suite's own targets for the block cache, per size: the first for every pattern (mixed: blocks of many sizes up to that one), those
-- that compare for pair and batch16, whose blocks are of one size.
WITH pair AS (
    SELECT size_bytes, pattern, variant, time_s AS mid, time_low_s AS low, time_high_s AS high
    FROM pinning_hit_median WHERE pattern IN ('pair', 'batch16')),
cache AS (SELECT * FROM pair WHERE variant = 'cache'),
hit AS (SELECT size_bytes, pattern, time_s AS mid, time_low_s AS low, time_high_s AS high FROM pinning_hit_median WHERE variant = 'cache'),
each AS (SELECT group_concat(text, ', ') AS text FROM (
    SELECT printf('%s %.1f to %.1f ns', pattern, 1e9 * min(mid), 1e9 * max(mid)) AS text FROM hit GROUP BY pattern ORDER BY max(mid))),
malloc AS (
    SELECT size_bytes, pattern, min(mid) AS mid, min(low) AS low, min(high) AS high
    FROM pair WHERE variant IN ('malloc', 'jemalloc', 'mimalloc') GROUP BY size_bytes, pattern),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'datamotion-c-001' AS id,
       printf('%s over %d sizes', each.text, count(DISTINCT size_bytes)) AS measured,
       '<= 50 ns with every pattern' AS bound,
       CASE WHEN NOT real THEN 'waived' WHEN max(high) <= 50e-9 THEN 1 WHEN max(low) > 50e-9 THEN 0 END AS ok,
       CASE WHEN real THEN '' ELSE 'a target for GPU nodes; this is the software GPU' END AS reason
FROM hit, each, gpu HAVING count(*) > 0
UNION ALL
SELECT 'datamotion-c-002',
       printf('%.2f to %.2f times the best malloc', min(cache.mid / malloc.mid), max(cache.mid / malloc.mid)), '<= 2',
       CASE WHEN max(cache.high / malloc.low) <= 2 THEN 1 WHEN max(cache.low / malloc.high) > 2 THEN 0 END, ''
FROM cache JOIN malloc USING (size_bytes, pattern) HAVING count(*) > 0
UNION ALL
SELECT 'datamotion-c-003',
       printf('%.0f to %.0f times faster; 20000 times at %d of %d sizes%s', min(uncached.mid / cache.mid), max(uncached.mid / cache.mid),
              sum(uncached.mid / cache.mid >= 20000), count(*),
              coalesce(printf(', the smallest of them %d bytes',
                              min(CASE WHEN uncached.mid / cache.mid >= 20000 THEN size_bytes END)), '')), '>= 20000',
       CASE WHEN NOT real THEN 'waived' WHEN min(uncached.low / cache.high) >= 20000 THEN 1
            WHEN min(uncached.high / cache.low) < 20000 THEN 0 END,
       CASE WHEN real THEN 'the driver serves small blocks from page-locked memory that it keeps, in microseconds'
            ELSE 'a target for GPU nodes; this is the software GPU' END
FROM pair AS uncached JOIN cache USING (size_bytes, pattern), gpu
WHERE uncached.variant = 'uncached' AND pattern = 'pair' HAVING count(*) > 0
UNION ALL
SELECT 'datamotion-c-005', printf('at least %.1f times faster', min(pool.mid / cache.mid)), '>= 3',
       CASE WHEN min(pool.low / cache.high) >= 3 THEN 1 WHEN min(pool.high / cache.low) < 3 THEN 0 END, ''
FROM pair AS pool JOIN cache USING (size_bytes, pattern)
WHERE pool.variant = 'pool' AND pattern = 'pair' HAVING count(*) > 0
UNION ALL
SELECT 'datamotion-c-005', 'no pool to compare with', '>= 3', 'waived', waived.reason
FROM waived WHERE experiment = 'pinning_hit' AND variant = 'pool';
