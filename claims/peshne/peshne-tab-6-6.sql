-- Cost of allocating a block, page-locked against malloc, for the sizes of table 6-6.
WITH cost AS (
    SELECT block_elements AS n, pinned.time_s AS pinned_s, plain.time_s AS plain_s,
           pinned.time_s / plain.time_s AS mid, pinned.time_low_s / plain.time_high_s AS low,
           pinned.time_high_s / plain.time_low_s AS high
    FROM pinning_alloc_median AS pinned JOIN pinning_alloc_median AS plain USING (block_elements, operation)
    WHERE pinned.variant = 'pinned' AND plain.variant = 'pageable' AND operation = 'allocate'
      AND block_elements IN (SELECT block_elements FROM peshne_tab_6_6)),
trend AS ( -- independent of the size: neither far apart nor rising or falling with it
    SELECT variant, max(time_s) / min(time_s) AS spread, max(time_low_s) / min(time_high_s) AS spread_low,
           max(time_high_s) / min(time_low_s) AS spread_high, coalesce(spearman(block_elements, time_s), 0) AS rank, count(*) AS sizes
    FROM pinning_alloc_median
    WHERE operation = 'allocate' AND variant IN ('pinned', 'pageable')
      AND block_elements IN (SELECT block_elements FROM peshne_tab_6_6) GROUP BY variant),
claim(id, variant) AS (VALUES ('peshne-c-067', 'pinned'), ('peshne-c-068', 'pageable'))
SELECT id, printf('max / min %.2f, rank correlation with size %.2f', spread, rank) AS measured,
       'max / min <= 3 and |rank correlation| <= 0.7' AS bound,
       CASE WHEN spread_low > 3 OR abs(rank) > 0.7 THEN 0 WHEN spread_high <= 3 THEN 1 END AS ok,
       CASE variant WHEN 'pageable' THEN 'the thesis''s own table has 7.96 and 0.75' ELSE '' END AS reason
FROM claim JOIN trend USING (variant) WHERE sizes > 1
UNION ALL
SELECT 'peshne-c-069', printf('median ratio %.1f (%.1f to %.1f)', median(mid), min(mid), max(mid)),
       '>= 5 (thesis: 10 to 100)',
       CASE WHEN median(low) >= 5 THEN 1 WHEN median(high) < 5 THEN 0 END, ''
FROM cost HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-074', printf('largest ratio %.1f', max(mid)), '>= 10 (thesis: 100)',
       CASE WHEN max(low) >= 10 THEN 1 WHEN max(high) < 10 THEN 0 END, ''
FROM cost HAVING count(*) > 0;
