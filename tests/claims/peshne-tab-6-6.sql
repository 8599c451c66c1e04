-- Cost of allocating a block, page-locked against malloc, for the sizes of table 6-6.
WITH cost AS (
    SELECT block_elements AS n, pinned.time_s AS pinned_s, plain.time_s AS plain_s,
           pinned.time_s / plain.time_s AS mid, pinned.time_low_s / plain.time_high_s AS low,
           pinned.time_high_s / plain.time_low_s AS high
    FROM pinning_alloc_median AS pinned JOIN pinning_alloc_median AS plain USING (block_elements, operation)
    WHERE pinned.variant = 'pinned' AND plain.variant = 'pageable' AND operation = 'allocate'
      AND block_elements IN (SELECT block_elements FROM peshne_tab_6_6))
SELECT 'peshne-c-067' AS id,
       printf('max / min %.2f, rank correlation with size %.2f', max(pinned_s) / min(pinned_s),
              coalesce(spearman(n, pinned_s), 0)) AS measured,
       'max / min <= 3 or |rank correlation| <= 0.7' AS bound,
       max(pinned_s) / min(pinned_s) <= 3 OR abs(coalesce(spearman(n, pinned_s), 0)) <= 0.7 AS ok, '' AS reason
FROM cost HAVING count(*) > 1
UNION ALL
SELECT 'peshne-c-068', printf('malloc of 3025 elements takes %.2f times that of 225', big.plain_s / small.plain_s),
       '<= 10', big.plain_s <= 10 * small.plain_s, ''
FROM cost AS small JOIN cost AS big ON small.n = 225 AND big.n = 3025
UNION ALL
SELECT 'peshne-c-069', printf('median ratio %.1f (%.1f to %.1f)', median(mid), min(mid), max(mid)),
       '>= 5 (thesis: 10 to 100)',
       CASE WHEN median(low) >= 5 THEN 1 WHEN median(high) < 5 THEN 0 END, ''
FROM cost HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-074', printf('largest ratio %.1f', max(mid)), '>= 10 (thesis: 100)',
       CASE WHEN max(low) >= 10 THEN 1 WHEN max(high) < 10 THEN 0 END, ''
FROM cost HAVING count(*) > 0;
