-- The curve of freeing page-locked memory lies above that of free().
WITH cost AS (
    SELECT pinned.time_low_s / plain.time_high_s AS low, pinned.time_high_s / plain.time_low_s AS high,
           pinned.time_s / plain.time_s AS mid
    FROM pinning_alloc_median AS pinned JOIN pinning_alloc_median AS plain USING (block_elements, operation)
    WHERE pinned.variant = 'pinned' AND plain.variant = 'pageable' AND operation = 'free')
SELECT 'peshne-c-073' AS id, printf('smallest ratio pinned / malloc %.1f over %d sizes', min(mid), count(*)) AS measured,
       '> 1 at every size' AS bound, CASE WHEN min(low) > 1 THEN 1 WHEN min(high) < 1 THEN 0 END AS ok, '' AS reason
FROM cost HAVING count(*) > 0;
