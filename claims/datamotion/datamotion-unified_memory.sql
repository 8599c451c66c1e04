-- Prefetched managed memory against explicit copies in a pipeline, at the largest size that fits the device.
WITH t AS (SELECT * FROM unified_memory_ladder_median WHERE footprint_bytes <= capacity_bytes),
best AS (
    SELECT * FROM t WHERE variant LIKE 'um-%' AND share_of_capacity = (SELECT max(share_of_capacity) FROM t)
    ORDER BY time_s LIMIT 1)
SELECT 'datamotion-c-029' AS id, p.time_s / b.time_s AS value, p.time_low_s / b.time_high_s AS low,
       p.time_high_s / b.time_low_s AS high,
       printf('times as fast as copies: %s, %.0f MB', b.variant, 1e-6 * b.footprint_bytes) AS words
FROM best AS b JOIN t AS p USING (share_of_capacity) WHERE p.variant = 'pipeline';
