-- Pinned against pageable copies at the size next to 64 MiB.
WITH near AS (
    SELECT size_bytes FROM pinning_copy_median WHERE variant = 'pinned' AND direction = 'h2d'
    ORDER BY abs(size_bytes - 67108864) LIMIT 1)
SELECT 'datamotion-c-006' AS id,
       printf('%.2f (%.2f against %.2f GB/s at %d bytes)', pageable.time_s / pinned.time_s, pinned.bandwidth_gbs,
              pageable.bandwidth_gbs, size_bytes) AS measured,
       '>= 3' AS bound,
       CASE WHEN NOT EXISTS (SELECT 1 FROM machine WHERE name = 'device0_kind' AND value = 'cuda') THEN 'waived'
            WHEN pageable.time_low_s / pinned.time_high_s >= 3 THEN 1
            WHEN pageable.time_high_s / pinned.time_low_s < 3 THEN 0 END AS ok,
       CASE WHEN EXISTS (SELECT 1 FROM machine WHERE name = 'device0_kind' AND value = 'cuda') THEN ''
            ELSE 'a target for GPU nodes; this is the software GPU' END AS reason
FROM near JOIN pinning_copy_median AS pinned USING (size_bytes) JOIN pinning_copy_median AS pageable USING (size_bytes, direction)
WHERE direction = 'h2d' AND pinned.variant = 'pinned' AND pageable.variant = 'pageable';
