-- Copies to the GPU; the published sizes alone where a table has them.
WITH copy AS (
    SELECT variant, block_elements AS n, time_s, time_low_s AS low, time_high_s AS high
    FROM pinning_copy_median WHERE direction = 'h2d'),
pinned AS (
    SELECT *, row_number() OVER (ORDER BY n) AS place, row_number() OVER (ORDER BY n DESC) AS back
    FROM copy WHERE variant = 'pinned')
SELECT 'peshne-c-001/times' AS id, b.time_s / a.time_s AS value, b.low / a.high AS low, b.high / a.low AS high,
       printf('times as long, %d over %d elements', b.n, a.n) AS words
FROM pinned AS a, pinned AS b WHERE a.place = 1 AND b.back = 1
UNION ALL
SELECT 'peshne-c-001/rank', coalesce(spearman(n, time_s), 0), NULL, NULL, 'rank correlation with the size'
FROM pinned WHERE n >= 50625 HAVING count(*) > 1
UNION ALL
SELECT 'peshne-c-009', p.time_s / m.time_s, p.low / m.high, p.high / m.low,
       printf('of the rate of copies, %d elements from mapped memory', m.n)
FROM pinned AS p JOIN copy AS m USING (n) WHERE p.back = 1 AND m.variant = 'mapped'
UNION ALL
SELECT 'peshne-c-058', max(time_s) / min(time_s), NULL, NULL, 'longest over shortest time, ' || variant
FROM copy WHERE variant IN ('pinned', 'pageable') AND n <= 3600 AND n IN (SELECT block_elements FROM peshne_tab_6_5)
GROUP BY variant HAVING count(*) > 1
UNION ALL
SELECT 'peshne-c-059', line_r2(n, time_s), NULL, NULL, 'R2 of time over size, ' || variant
FROM copy WHERE variant IN ('pinned', 'pageable') AND n >= 160000 AND n IN (SELECT block_elements FROM peshne_tab_6_5)
GROUP BY variant HAVING count(*) > 2;

-- Pageable over page-locked. The crossover is the size from which on page-locked is faster by more than a tenth;
-- without any it may lie above all sizes.
WITH own AS (
    SELECT *, block_elements AS n, row_number() OVER (ORDER BY block_elements DESC) AS back,
           max(block_elements * published) OVER () AS largest
    FROM pinning_copy_ratios WHERE direction = 'h2d'),
told AS (
    SELECT *, max(iif(ratio > 1.1, NULL, n)) OVER () AS last, min(n) OVER () AS least FROM own WHERE published),
crossover AS (SELECT min(n) AS n, least FROM told WHERE last IS NULL OR n > last)
SELECT 'peshne-c-008' AS id, ratio AS value, low, high, printf('times as fast, %d elements', n) AS words
FROM own WHERE back = 1
UNION ALL
SELECT 'peshne-c-053/crossover', coalesce(1.0 * n / least, 1), NULL, iif(n, NULL, 9e999),
       coalesce('times the smallest size, ' || n, 'none')
FROM crossover WHERE (SELECT count(*) FROM told) > 1
UNION ALL
SELECT 'peshne-c-053/below', count(*) FILTER (WHERE low > 1.1 AND told.n < crossover.n), NULL, NULL,
       'faster sizes below'
FROM told, crossover HAVING count(*) > 1
UNION ALL
SELECT 'peshne-c-054', median(ratio), NULL, NULL, 'times as long, median of small sizes'
FROM told WHERE n <= 3600 HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-055', ratio, low, high, printf('times as long, %d elements', n) FROM told WHERE n >= 50625
UNION ALL
SELECT 'peshne-c-056', median(ratio), NULL, NULL, 'times as long, median'
FROM told WHERE n >= 50625 HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-057', ratio, NULL, NULL, 'times as long' FROM told WHERE n = 12960000
UNION ALL
SELECT 'peshne-c-060', ratio, low, high, printf('times the bandwidth, %d elements', n) FROM told WHERE n = largest
UNION ALL
SELECT 'peshne-c-061', max(ratio), NULL, NULL, 'times the bandwidth at most' FROM own HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-105', ratio, low, high, printf('times as long, %d elements', n) FROM own WHERE n >= 50625;

-- Blocks allocated and freed. Independent of the size: neither far apart nor rising or falling with it.
WITH cost AS (
    SELECT variant, operation, median(ratio) AS mid, median(low) AS low, median(high) AS high, max(ratio) AS most,
           max(low) AS most_low, max(high) AS most_high
    FROM pinning_alloc_ratios WHERE published GROUP BY variant, operation),
trend AS (
    SELECT variant, operation, max(time_s) / min(time_s) AS mid, max(time_low_s) / min(time_high_s) AS low,
           max(time_high_s) / min(time_low_s) AS high, coalesce(spearman(block_elements, time_s), 0) AS rank
    FROM pinning_alloc_median
    WHERE variant IN ('pinned', 'pageable') AND block_elements IN (SELECT block_elements FROM peshne_tab_6_6)
    GROUP BY variant, operation HAVING count(*) > 1)
SELECT iif(variant = 'pinned', 'peshne-c-013', 'peshne-c-012') AS id, median(ratio) AS value, median(low) AS low,
       median(high) AS high, 'times as long as malloc, median' AS words
FROM pinning_alloc_ratios WHERE operation = 'allocate' AND variant IN ('pinned', 'device') GROUP BY variant
UNION ALL
SELECT iif(operation = 'allocate', 'peshne-c-070', 'peshne-c-073'), ratio, low, high,
       printf('times as long as pageable, %d elements', block_elements)
FROM pinning_alloc_ratios WHERE variant = 'pinned'
UNION ALL
SELECT iif(operation = 'allocate', 'peshne-c-069', 'peshne-c-072'), mid, low, high, 'times as long, median'
FROM cost WHERE variant = 'pinned'
UNION ALL
SELECT 'peshne-c-074', most, most_low, most_high, 'times as long at most'
FROM cost WHERE variant = 'pinned' AND operation = 'allocate'
UNION ALL
SELECT iif(variant = 'pinned', 'peshne-c-067/spread', 'peshne-c-068/spread'), mid, low, high,
       'longest over shortest time'
FROM trend WHERE operation = 'allocate'
UNION ALL
SELECT iif(variant = 'pinned', 'peshne-c-067/rank', 'peshne-c-068/rank'), rank, NULL, NULL,
       'rank correlation with the size'
FROM trend WHERE operation = 'allocate'
UNION ALL
SELECT 'peshne-c-071', mid, NULL, NULL, 'longest over shortest time, ' || variant FROM trend WHERE operation = 'free';

-- Copies of page-locked memory beside a kernel and beside one another, at the largest size measured.
WITH largest AS (
    SELECT variant, operation, size_bytes >> 20 AS size, median(overlap_ratio) AS mid,
           interval_low(overlap_ratio) AS low, interval_high(overlap_ratio) AS high, median(call_share) AS call,
           interval_low(call_share) AS call_low, interval_high(call_share) AS call_high
    FROM pinning_streams WHERE status = 'pass' AND size_bytes = (SELECT max(size_bytes) FROM pinning_streams)
    GROUP BY variant, operation)
SELECT 'peshne-c-062/overlap' AS id, mid AS value, low, high, printf('of both times, %d MiB', size) AS words
FROM largest WHERE variant = 'two_streams' AND operation = 'copy_and_kernel'
UNION ALL
SELECT 'peshne-c-062/call', call, call_low, call_high, 'of the copy time'
FROM largest WHERE variant = 'separate' AND operation = 'opposite_copies'
UNION ALL
SELECT 'peshne-c-063', mid, low, high, printf('of both times, %d MiB', size)
FROM largest WHERE variant = 'two_streams' AND operation = 'opposite_copies';
