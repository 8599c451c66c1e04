-- Bandwidth of one put alone minus that of each of two at once, on one node, in GB/s.
WITH difference AS (
    SELECT variant, elements AS n, 8e-9 * elements / one.time_s AS alone, 8e-9 * elements * (1 / one.time_s - 1 / two.time_s) AS mid,
           8e-9 * elements * (1 / one.time_high_s - 1 / two.time_low_s) AS low, 8e-9 * elements * (1 / one.time_low_s - 1 / two.time_high_s) AS high
    FROM coarrays_put_median AS one JOIN coarrays_put_multi_median AS two USING (variant, elements) WHERE variant IN ('element', 'libcaf-mpi')),
-- How far apart the smallest and the largest difference are: at the least, by the medians, and at the most.
spread AS (
    SELECT max(0, max(low) - min(high)) / median(alone) AS low, (max(mid) - min(mid)) / median(alone) AS mid,
           (max(high) - min(low)) / median(alone) AS high,
           min(mid) AS least, max(mid) AS most
    FROM difference WHERE variant = 'element' HAVING count(*) > 2)
SELECT 'fanfarillo-c-106' AS id, printf('%.2f of element''s bandwidth alone (%.4f to %.4f GB/s)', mid, least, most) AS measured, '<= 0.1' AS bound,
       CASE WHEN high <= 0.1 THEN 1 WHEN low > 0.1 THEN 0 END AS ok, '' AS reason
FROM spread
UNION ALL
SELECT 'fanfarillo-c-107', printf('rank correlation with the size %.2f, %.3f to %.3f GB/s', spearman(n, mid), min(mid), max(mid)), '>= 0.8',
       spearman(n, mid) >= 0.8,
       'within one node: the memory, not a network, is what two puts share'
FROM difference WHERE variant = 'libcaf-mpi' HAVING count(*) > 2;
