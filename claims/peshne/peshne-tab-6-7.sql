-- Cost of freeing a block, for the sizes of table 6-7.
WITH cost AS (
    SELECT pinned.time_s AS pinned_s, plain.time_s AS plain_s, pinned.time_s / plain.time_s AS mid,
           pinned.time_low_s / plain.time_high_s AS low, pinned.time_high_s / plain.time_low_s AS high
    FROM pinning_alloc_median AS pinned JOIN pinning_alloc_median AS plain USING (block_elements, operation)
    WHERE pinned.variant = 'pinned' AND plain.variant = 'pageable' AND operation = 'free'
      AND block_elements IN (SELECT block_elements FROM peshne_tab_6_7))
SELECT 'peshne-c-071' AS id,
       printf('max / min: pinned %.2f, malloc %.2f', max(pinned_s) / min(pinned_s), max(plain_s) / min(plain_s)) AS measured,
       '<= 4 each' AS bound,
       max(pinned_s) / min(pinned_s) <= 4 AND max(plain_s) / min(plain_s) <= 4 AS ok, '' AS reason
FROM cost HAVING count(*) > 1
UNION ALL
SELECT 'peshne-c-072', printf('median ratio %.1f (%.1f to %.1f)', median(mid), min(mid), max(mid)),
       '>= 10 (thesis: around 100)',
       CASE WHEN median(low) >= 10 THEN 1 WHEN median(high) < 10 THEN 0 END, ''
FROM cost HAVING count(*) > 0;
