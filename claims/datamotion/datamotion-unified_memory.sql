-- Prefetched managed memory against explicit copies in a pipeline, at the largest size that fits the device.
WITH t AS (SELECT * FROM unified_memory_ladder_median WHERE footprint_bytes <= capacity_bytes),
best AS (
    SELECT * FROM t WHERE variant LIKE 'um-%' AND share_of_capacity = (SELECT max(share_of_capacity) FROM t)
    ORDER BY time_s LIMIT 1)
SELECT 'datamotion-c-029' AS id, p.time_s / b.time_s AS value, p.time_low_s / b.time_high_s AS low,
       p.time_high_s / b.time_low_s AS high,
       printf('times as fast as copies: %s, %.0f MB', b.variant, 1e-6 * b.footprint_bytes) AS words
FROM best AS b JOIN t AS p USING (share_of_capacity) WHERE p.variant = 'pipeline';

-- One array that the host writes once and the device reads once, or the other way round: the fastest way with hints,
-- and on demand, beside an explicit copy; and whether it pays to discard what is overwritten.
WITH hinted AS (
    SELECT pattern, size, variant, min(mid) AS mid, low, high FROM unified_memory_sizes
    WHERE variant NOT IN ('explicit', 'first-touch') GROUP BY pattern, size)
SELECT iif(pattern = 'read-once', 'datamotion-c-090/', 'datamotion-c-091/') || size AS id, e.mid / h.mid AS value,
       e.low / h.high AS low, e.high / h.low AS high, 'times as fast as a copy: ' || h.variant AS words
FROM hinted AS h JOIN unified_memory_sizes AS e USING (pattern, size)
WHERE e.variant = 'explicit'
UNION ALL
SELECT 'datamotion-c-092/' || size, d.mid / e.mid, d.low / e.high, d.high / e.low,
       'times as long on demand as by a copy'
FROM unified_memory_sizes AS d JOIN unified_memory_sizes AS e USING (pattern, size)
WHERE pattern = 'read-once' AND d.variant = 'first-touch' AND e.variant = 'explicit'
UNION ALL
SELECT 'datamotion-c-093/' || size, p.mid / d.mid, p.low / d.high, p.high / d.low, 'times as fast as prefetched'
FROM unified_memory_sizes AS p JOIN unified_memory_sizes AS d USING (pattern, size)
WHERE pattern = 'write-only' AND p.variant = 'prefetch' AND d.variant = 'discard-prefetch';

-- Host updates each round: what the phases explain of the time.
SELECT 'datamotion-c-094/' || variant AS id, 1 - share AS value, 1 - share_high AS low, 1 - share_low AS high,
       'of the time of ' || variant || ' is in phases' AS words
FROM unified_memory_parts WHERE name = 'rest' AND variant LIKE 'um%';
