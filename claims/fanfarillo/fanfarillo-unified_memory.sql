-- When managed and mapped memory cross the bus; the largest array. Mapped memory crosses it at each access: many passes
-- take so many times one pass. Without prefetches pages migrate inside the kernel, when it touches them.
WITH t AS (
    SELECT pattern, variant, time_s, time_low_s, time_high_s, 1.0 * bytes_to_device / bytes AS moved,
           device_faults AS faults
    FROM unified_memory_access_median
    WHERE bytes = (SELECT max(bytes) FROM unified_memory_access_median WHERE pattern = 'read-many'))
SELECT 'fanfarillo-c-022/moved' AS id, moved AS value, NULL AS low, NULL AS high,
       'of the array moved, prefetched' AS words
FROM t WHERE pattern = 'read-once' AND variant = 'prefetch'
UNION ALL
SELECT 'fanfarillo-c-022/faults', faults, NULL, NULL, 'faults of the kernel' FROM t
WHERE pattern = 'read-once' AND variant = 'prefetch'
UNION ALL
SELECT 'fanfarillo-c-022/touch', faults, NULL, NULL, 'faults at first touch' FROM t
WHERE pattern = 'read-once' AND variant = 'first-touch'
UNION ALL
SELECT 'fanfarillo-c-022/passes', many.time_s / once.time_s, many.time_low_s / once.time_high_s,
       many.time_high_s / once.time_low_s, 'times the time of one pass over mapped memory'
FROM t AS many JOIN t AS once USING (variant)
WHERE variant = 'zero-copy' AND many.pattern = 'read-many' AND once.pattern = 'read-once';

-- Which of them is better by pattern. A pattern counts where it says the same at every size.
WITH ratio AS (
    SELECT pattern, zero.time_s / um.time_s AS mid, zero.time_low_s / um.time_high_s AS low,
           zero.time_high_s / um.time_low_s AS high
    FROM unified_memory_access_median AS zero JOIN unified_memory_access_median AS um USING (pattern, bytes)
    WHERE zero.variant = 'zero-copy' AND um.variant = 'first-touch'),
every AS (
    SELECT pattern, max(mid) AS most, max(low) AS most_low, max(high) AS most_high, min(mid) AS least,
           min(low) AS least_low, min(high) AS least_high FROM ratio GROUP BY pattern)
SELECT 'fanfarillo-c-023/worse' AS id, min(most) AS value, min(most_low) AS low, min(most_high) AS high,
       'zero-copy / first touch at every size of a pattern' AS words
FROM every HAVING count(*) > 1
UNION ALL
SELECT 'fanfarillo-c-023/better', max(least), max(least_low), max(least_high), 'at every size of another'
FROM every HAVING count(*) > 1;
