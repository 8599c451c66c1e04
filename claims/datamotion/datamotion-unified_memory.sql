-- Prefetched managed memory against explicit copies in a pipeline, at the largest size that fits the device.
WITH t AS (SELECT variant, share_of_capacity AS share, footprint_bytes AS bytes, time_s, time_low_s AS low, time_high_s AS high
           FROM unified_memory_ladder_median WHERE footprint_bytes <= capacity_bytes),
best AS (SELECT * FROM t WHERE variant LIKE 'um-%' AND share = (SELECT max(share) FROM t) ORDER BY time_s LIMIT 1)
SELECT 'datamotion-c-029' AS id, printf('%.3f by %s with %.0f MB', p.time_s / b.time_s, b.variant, 1e-6 * b.bytes) AS measured, '>= 0.9' AS bound,
       CASE WHEN NOT EXISTS (SELECT 1 FROM machine WHERE name = 'device0_kind' AND value = 'cuda') THEN 'waived'
            WHEN p.low / b.high >= 0.9 THEN 1 WHEN p.high / b.low < 0.9 THEN 0 END AS ok,
       CASE WHEN EXISTS (SELECT 1 FROM machine WHERE name = 'device0_kind' AND value = 'cuda') THEN ''
            ELSE 'a target for GPU nodes; this is the software GPU' END AS reason
FROM best AS b JOIN t AS p USING (share) WHERE p.variant = 'pipeline';
