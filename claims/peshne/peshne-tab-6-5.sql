-- Copy time of one block from pageable and from page-locked memory to the GPU (table 6-5), as the ratio
-- pageable / pinned; low and high follow from the 95 % intervals of both.
WITH ratio AS (
    SELECT pinned.block_elements AS n, pageable.time_s / pinned.time_s AS mid,
           pageable.time_low_s / pinned.time_high_s AS low, pageable.time_high_s / pinned.time_low_s AS high,
           pinned.time_s AS pinned_s, pageable.time_s AS pageable_s,
           pinned.bandwidth_gbs AS pinned_gbs, pageable.bandwidth_gbs AS pageable_gbs
    FROM pinning_copy_median AS pinned JOIN pinning_copy_median AS pageable USING (block_elements, direction)
    WHERE pinned.variant = 'pinned' AND pageable.variant = 'pageable' AND direction = 'h2d'),
published AS (SELECT * FROM ratio WHERE n IN (SELECT block_elements FROM peshne_tab_6_5)),
crossover AS (SELECT min(n) AS n FROM published AS r
              WHERE NOT EXISTS (SELECT 1 FROM published AS later WHERE later.n >= r.n AND later.mid <= 1.1)),
soft AS (
    SELECT CASE WHEN count(*) > 0 THEN 'the software GPU copies in the calling thread: no fixed cost hides the staging of small blocks'
                ELSE '' END AS reason FROM machine WHERE name = 'device0_kind' AND value = 'soft'),
largest AS (SELECT * FROM published ORDER BY n DESC LIMIT 1)
SELECT 'peshne-c-053' AS id,
       printf('crossover at %s elements; %d sizes below it where pinned wins by more than 10 %%',
              coalesce(crossover.n, 'no'),
              (SELECT count(*) FROM published WHERE low > 1.1 AND n < coalesce(crossover.n, 1e18))) AS measured,
       'a crossover, pageable / pinned <= 1.1 below it (thesis: 1600)' AS bound,
       crossover.n > (SELECT min(n) FROM published) AND
       NOT EXISTS (SELECT 1 FROM published WHERE low > 1.1 AND n < crossover.n) AS ok, '' AS reason
FROM crossover WHERE (SELECT count(*) FROM published) > 1
UNION ALL
SELECT 'peshne-c-054', printf('median pageable / pinned %.2f up to 3600 elements', median(mid)), '0.7..1.3',
       median(mid) BETWEEN 0.7 AND 1.3, soft.reason
FROM published, soft WHERE n <= 3600 HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-055', printf('smallest pageable / pinned %.2f from 50625 elements on', min(mid)), '>= 1.2',
       CASE WHEN min(low) >= 1.2 THEN 1 WHEN min(high) < 1.2 THEN 0 END, ''
FROM published WHERE n >= 50625 HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-057', printf('pageable / pinned %.2f at %d elements', mid, n), '1.3..2.0',
       CASE WHEN (SELECT value FROM machine WHERE name = 'device0_name') LIKE '%K80%' THEN mid BETWEEN 1.3 AND 2.0
            ELSE 'waived' END, 'measured on other hardware than the Tesla K80 of the thesis'
FROM largest WHERE n = 12960000
UNION ALL
SELECT 'peshne-c-058',
       printf('largest / smallest time up to 3600 elements: pinned %.2f, pageable %.2f',
              max(pinned_s) / min(pinned_s), max(pageable_s) / min(pageable_s)),
       '<= 2.5 each',
       max(pinned_s) / min(pinned_s) <= 2.5 AND max(pageable_s) / min(pageable_s) <= 2.5, soft.reason
FROM published, soft WHERE n <= 3600 HAVING count(*) > 1
UNION ALL
SELECT 'peshne-c-059',
       printf('R2 from 160000 elements on: pinned %.4f, pageable %.4f', line_r2(n, pinned_s), line_r2(n, pageable_s)),
       '>= 0.99 each', line_r2(n, pinned_s) >= 0.99 AND line_r2(n, pageable_s) >= 0.99, ''
FROM published WHERE n >= 160000 HAVING count(*) > 2
UNION ALL
SELECT 'peshne-c-060',
       printf('%.2f GB/s pinned, %.2f GB/s pageable at %d elements', pinned_gbs, pageable_gbs, n),
       'pinned above pageable (thesis: 10.88 and 6.81 GB/s)',
       CASE WHEN low > 1 THEN 1 WHEN high < 1 THEN 0 END, ''
FROM largest;
