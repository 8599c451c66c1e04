-- Products of pde matrices beside a dense product and a copy on the same device: the better of csr and hll, hlg.
WITH run AS (
    SELECT rows, substr(variant, -3) AS side, max(gflops) AS mid, gflops * time_s / time_high_s AS low, gflops * time_s / time_low_s AS high, bandwidth_gbs AS bandwidth
    FROM spmv_formats_median WHERE precision = 'double' AND variant IN ('csr-cpu', 'hll-cpu', 'csr-gpu', 'hlg-gpu') GROUP BY rows, substr(variant, -3)),
dense AS (SELECT substr(variant, -3) AS side, median(gflops) AS peak FROM spmv_formats_median WHERE variant LIKE 'gemm-%' AND precision = 'double' GROUP BY variant),
copy AS (SELECT rows, substr(variant, -3) AS side, bandwidth_gbs AS limit_gbs FROM spmv_formats_median WHERE variant LIKE 'copy-%' AND precision = 'double'),
share AS (SELECT side, median(mid / peak) AS mid, median(low / peak) AS low, median(high / peak) AS high FROM run JOIN dense USING (side) GROUP BY side),
bound AS (
    SELECT side, max(rows) AS rows, bandwidth / limit_gbs AS of_copy, mid / peak AS of_dense
    FROM run JOIN copy USING (rows, side) JOIN dense USING (side) GROUP BY side)
SELECT 'fanfarillo-c-013' AS id,
       group_concat(printf('%s %.4f', upper(side), mid), ', ') || ' of the dense FLOP rate, medians over sizes' AS measured,
       '< 0.5 on CPU and GPU' AS bound,
       CASE WHEN max(high) < 0.5 THEN 1 WHEN max(low) >= 0.5 THEN 0 END AS ok, '' AS reason
FROM share HAVING count(*) = 2
UNION ALL
SELECT 'fanfarillo-c-014',
       group_concat(printf('%s %.2f of a copy''s bandwidth, %.4f of the dense FLOP rate at %d rows', upper(side), of_copy, of_dense, rows), '; '),
       'share of bandwidth > 2 shares of the FLOP rate', min(of_copy > 2 * of_dense), ''
FROM bound HAVING count(*) = 2;

-- Bytes of COO and CSR; and the generator.
WITH size AS (
    SELECT matrix, rows, entries, precision, max(value_bytes + index_bytes) FILTER (WHERE variant = 'coo-cpu') AS coo,
           max(value_bytes + index_bytes) FILTER (WHERE variant = 'csr-cpu') AS csr
    FROM spmv_matrices_median WHERE variant IN ('coo-cpu', 'csr-cpu') GROUP BY matrix, precision HAVING entries > rows + 1)
SELECT 'fanfarillo-c-015' AS id,
       printf('COO / CSR %.3f to %.3f over %d matrices with more entries than rows', min(1.0 * coo / csr), max(1.0 * coo / csr), count(*)) AS measured,
       '> 1 for each' AS bound, min(coo > csr) AS ok, '' AS reason
FROM size WHERE coo > 0 AND csr > 0 HAVING count(*) > 0;

WITH cube AS (SELECT DISTINCT CAST(substr(matrix, 5) AS INTEGER) AS edge, rows, longest_row FROM spmv_formats_median WHERE matrix LIKE 'pde:%' AND longest_row IS NOT NULL)
SELECT 'fanfarillo-c-064' AS id,
       printf('%d sizes from edge %d (%d rows) to %d (%d rows), longest row %d', count(*), min(edge), min(rows), max(edge), max(rows), max(longest_row)) AS measured,
       'edge^3 rows, at most 7 entries each' AS bound, min(rows = edge * edge * edge) = 1 AND max(longest_row) <= 7 AS ok, '' AS reason
FROM cube HAVING count(*) > 0;

-- The best format of each device: csr, and hlg.
WITH size AS (
    SELECT rows, c.time_s / g.time_s AS mid, c.time_low_s / g.time_high_s AS low, c.time_high_s / g.time_low_s AS high, ntile(2) OVER (ORDER BY rows) AS half
    FROM spmv_formats_median AS c JOIN spmv_formats_median AS g USING (matrix, rows, precision) WHERE precision = 'double' AND c.variant = 'csr-cpu' AND g.variant = 'hlg-gpu'),
soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft')
SELECT 'fanfarillo-c-034' AS id,
       printf('median CPU / GPU %.2f over the larger half of the sizes (all: %.2f to %.2f)', median(mid) FILTER (WHERE half = 2), min(mid), max(mid)) AS measured,
       '> 1' AS bound,
       CASE WHEN median(low) FILTER (WHERE half = 2) > 1 THEN 1 WHEN median(high) FILTER (WHERE half = 2) <= 1 THEN 0 END AS ok,
       iif(here, 'the software GPU has no more than this CPU', '') AS reason
FROM size, soft HAVING count(*) > 1;

-- Fused multiply-add. The CPU's product without it is the one to compare with.
WITH random AS (SELECT variant, matrix, different, error_ratio FROM spmv_fma_median WHERE matrix NOT LIKE 'pde%'),
worst AS (SELECT max(error_ratio) AS ratio FROM spmv_fma_median),
soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft')
SELECT 'fanfarillo-c-033' AS id,
       printf('%s: %d entries of the GPU differ, %d of the CPU with FMA; largest error %.2f of the bound', matrix, max(different) FILTER (WHERE variant = 'gpu'),
              max(different) FILTER (WHERE variant = 'cpu-fma'), ratio) AS measured,
       'some differ; error <= (longest row + 1) eps' AS bound,
       CASE WHEN ratio > 1 THEN 0 WHEN max(different) FILTER (WHERE variant = 'gpu') > 0 THEN 1 WHEN here THEN 'waived' ELSE 0 END AS ok,
       iif(here, 'kernels of the software GPU are compiled for this CPU', '') AS reason
FROM random, worst, soft HAVING count(*) FILTER (WHERE variant = 'gpu') > 0;

-- Rows of uneven length: ELL, which computes on padding, against ELL-G, which does not.
WITH run AS (SELECT variant, matrix, deviation, time_s AS mid, time_low_s AS low, time_high_s AS high FROM spmv_varied_median WHERE precision = 'double'),
ratio AS (
    SELECT matrix, e.deviation AS deviation, e.mid / g.mid AS mid, e.low / g.high AS low, e.high / g.low AS high
    FROM run AS e JOIN run AS g USING (matrix) WHERE e.variant = 'ell-gpu' AND g.variant = 'elg-gpu'),
regular AS (SELECT min(deviation) AS deviation, 1 / mid AS mid, 1 / high AS low, 1 / low AS high FROM ratio),
uneven AS (SELECT max(deviation) AS deviation, 1 / mid AS mid, 1 / high AS low, 1 / low AS high FROM ratio)
SELECT 'fanfarillo-c-065' AS id,
       printf('rank correlation %.2f; ELL / ELL-G %s', coalesce(spearman(deviation, mid), 0), group_concat(printf('%.2f at %.2g', mid, deviation), ', ')) AS measured,
       '>= 0.8 with the coefficient of variation' AS bound, iif(count(*) < 3, 'waived', spearman(deviation, mid) >= 0.8) AS ok,
       iif(count(*) < 3, 'too few matrices were measured', '') AS reason
FROM (SELECT * FROM ratio ORDER BY deviation) HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-066',
       printf('ELL-G / ELL %.2f with even rows, %.2f at a coefficient of variation of %.2g', r.mid, u.mid, u.deviation), '0.95..1.15 with even rows, < 1 with uneven ones',
       CASE WHEN r.low >= 0.95 AND r.high <= 1.15 AND u.high < 1 THEN 1 WHEN r.high < 0.95 OR r.low > 1.15 OR u.low >= 1 THEN 0 END, ''
FROM regular AS r, uneven AS u WHERE u.deviation > r.deviation;
