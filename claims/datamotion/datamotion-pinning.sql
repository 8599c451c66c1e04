-- Hits of the block cache per size and pattern (mixed: blocks of many sizes up to that one), and beside other
-- allocators for the patterns whose blocks are of one size.
WITH hit AS (
    SELECT size_bytes, pattern, variant, time_s AS mid, time_low_s AS low, time_high_s AS high,
           printf('%s, %d bytes', pattern, size_bytes) AS place
    FROM pinning_hit_median),
cache AS (SELECT * FROM hit WHERE variant = 'cache'),
malloc AS (
    SELECT size_bytes, pattern, min(mid) AS mid, min(low) AS low, min(high) AS high
    FROM hit WHERE variant IN ('malloc', 'jemalloc', 'mimalloc') AND pattern <> 'mixed' GROUP BY size_bytes, pattern)
SELECT 'datamotion-c-001' AS id, 1e9 * mid AS value, 1e9 * low AS low, 1e9 * high AS high, 'ns, ' || place AS words
FROM cache
UNION ALL
SELECT 'datamotion-c-002', c.mid / m.mid, c.low / m.high, c.high / m.low, 'times the best malloc, ' || place
FROM cache AS c JOIN malloc AS m USING (size_bytes, pattern)
UNION ALL
SELECT iif(o.variant = 'pool', 'datamotion-c-005', 'datamotion-c-003'), o.mid / c.mid, o.low / c.high, o.high / c.low,
       printf('times faster than %s, %s', o.variant, o.place)
FROM cache AS c JOIN hit AS o USING (size_bytes, pattern)
WHERE pattern = 'pair' AND o.variant IN ('pool', 'uncached');

SELECT 'datamotion-c-004' AS id, 1 + waste AS value, NULL AS low, NULL AS high,
       'times the memory that lives at its peak' AS words
FROM pinning_cache_random_median WHERE variant = 'cache' AND trace = 'random';

-- Pinned against pageable copies at the size next to 64 MiB.
SELECT 'datamotion-c-006' AS id, s.time_s / p.time_s AS value, s.time_low_s / p.time_high_s AS low,
       s.time_high_s / p.time_low_s AS high,
       printf('times as fast with %.2f GB/s, %d bytes', p.bandwidth_gbs, p.size_bytes) AS words
FROM pinning_copy_median AS p JOIN pinning_copy_median AS s USING (size_bytes, direction)
WHERE p.variant = 'pinned' AND s.variant = 'pageable' AND direction = 'h2d'
ORDER BY abs(size_bytes - 67108864) LIMIT 1;
