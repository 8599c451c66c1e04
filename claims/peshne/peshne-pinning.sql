-- Claims about page-locked memory that belong to no figure.
WITH copy AS (
    SELECT variant, direction, block_elements AS n, time_s, time_low_s AS low, time_high_s AS high, bandwidth_gbs
    FROM pinning_copy_median WHERE direction = 'h2d'),
largest AS (SELECT * FROM copy WHERE n = (SELECT max(n) FROM copy WHERE variant = 'pageable')),
ratio AS (
    SELECT pinned.n AS n, pageable.time_s / pinned.time_s AS mid, pageable.low / pinned.high AS low,
           pageable.high / pinned.low AS high, pinned.bandwidth_gbs AS pinned_gbs, pageable.bandwidth_gbs AS pageable_gbs
    FROM copy AS pinned JOIN copy AS pageable USING (n)
    WHERE pinned.variant = 'pinned' AND pageable.variant = 'pageable'),
cost AS (
    SELECT other.variant AS variant, median(other.time_s / plain.time_s) AS mid,
           median(other.time_low_s / plain.time_high_s) AS low, median(other.time_high_s / plain.time_low_s) AS high
    FROM pinning_alloc_median AS other JOIN pinning_alloc_median AS plain USING (block_elements, operation)
    WHERE plain.variant = 'pageable' AND operation = 'allocate' GROUP BY other.variant)
SELECT 'peshne-c-001' AS id,
       printf('%.3g s at %d elements, %.3g s at %d; rank correlation %.3f', smallest.time_s, smallest.n, largest.time_s,
              largest.n, (SELECT spearman(n, time_s) FROM copy WHERE variant = 'pinned' AND n >= 50625)) AS measured,
       'longer, rank correlation >= 0.9 from 50625 elements on' AS bound,
       largest.low > smallest.high
           AND (SELECT spearman(n, time_s) FROM copy WHERE variant = 'pinned' AND n >= 50625) >= 0.9 AS ok, '' AS reason
FROM copy AS smallest JOIN copy AS largest USING (variant)
WHERE variant = 'pinned' AND smallest.n = (SELECT min(n) FROM copy) AND largest.n = (SELECT max(n) FROM copy WHERE variant = 'pinned')
UNION ALL
SELECT 'peshne-c-008', printf('%.2f GB/s pinned, %.2f GB/s pageable at %d elements: ratio %.2f', pinned_gbs, pageable_gbs, n, mid),
       '>= 1.3 (cited: 2.5)', CASE WHEN low >= 1.3 THEN 1 WHEN high < 1.3 THEN 0 END, ''
FROM ratio WHERE n = (SELECT max(n) FROM ratio)
UNION ALL
SELECT 'peshne-c-009', printf('%.2f GB/s by kernel from mapped memory, %.2f GB/s by copy', mapped.bandwidth_gbs, pinned.bandwidth_gbs),
       'at least half of the copy rate (cited: 6.2 GB/s)',
       CASE WHEN pinned.low / mapped.high >= 0.5 THEN 1 WHEN pinned.high / mapped.low < 0.5 THEN 0 END,
       CASE WHEN EXISTS (SELECT 1 FROM machine WHERE name = 'device0_kind' AND value = 'soft')
            THEN 'on the software GPU threads that share a cache line run one after the other' ELSE '' END
FROM largest AS mapped JOIN largest AS pinned USING (n) WHERE mapped.variant = 'mapped' AND pinned.variant = 'pinned'
UNION ALL
SELECT 'peshne-c-012', printf('median cudaMalloc / malloc %.1f', mid), '> 1 (cited: 1.3 to 1.4)',
       CASE WHEN low > 1 THEN 1 WHEN high < 1 THEN 0 END, ''
FROM cost WHERE variant = 'device'
UNION ALL
SELECT 'peshne-c-013', printf('median cudaMallocHost / malloc %.1f', mid), '>= 10 (cited: 100)',
       CASE WHEN low >= 10 THEN 1 WHEN high < 10 THEN 0 END, ''
FROM cost WHERE variant = 'pinned'
UNION ALL
SELECT 'peshne-c-061', printf('largest pinned / pageable bandwidth ratio %.2f', max(pinned_gbs / pageable_gbs)), '1.4..2.6',
       CASE WHEN (SELECT value FROM machine WHERE name = 'device0_name') LIKE '%K80%'
            THEN max(pinned_gbs / pageable_gbs) BETWEEN 1.4 AND 2.6 ELSE 'waived' END,
       'measured on other hardware than the Tesla K80 of the thesis'
FROM ratio HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-105', printf('smallest pageable / pinned %.2f from 50625 elements on', min(mid)), '>= 1',
       CASE WHEN min(low) >= 1 THEN 1 WHEN min(high) < 1 THEN 0 END, ''
FROM ratio WHERE n >= 50625 HAVING count(*) > 0;

SELECT 'peshne-c-102' AS id, printf('mean hit ratio %.4f over %d traces', avg(1.0 * hits / (hits + misses)), count(*)) AS measured,
       '>= 0.8' AS bound, 'waived' AS ok, 'the traces are stand-ins sized after the published misses' AS reason
FROM pinning_cache_median
WHERE variant = 'thesis' AND size_factor = 1 AND trace IN (SELECT program FROM peshne_tab_6_8) HAVING count(*) = 5;
