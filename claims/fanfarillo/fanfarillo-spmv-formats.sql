-- Sparse products beside a dense product and a copy on the same device: the better of csr and hll on the CPU, of csr
-- and hlg on the GPU.
WITH run AS (
    SELECT rows, side, max(gflops) AS mid, gflops * mid / high AS low, gflops * mid / low AS high,
           bandwidth_gbs AS bandwidth
    FROM spmv_formats_double WHERE format IN ('csr', iif(side = 'cpu', 'hll', 'hlg')) GROUP BY rows, side),
dense AS (SELECT side, median(gflops) AS peak FROM spmv_formats_double WHERE format = 'gemm' GROUP BY side)
SELECT 'fanfarillo-c-013/' || side AS id, median(mid / peak) AS value, median(low / peak) AS low,
       median(high / peak) AS high, printf('of the dense FLOP rate, median of %d sizes', count(*)) AS words
FROM run JOIN dense USING (side) GROUP BY side
UNION ALL
SELECT 'fanfarillo-c-014/' || side, bandwidth / bandwidth_gbs / (run.mid / peak), NULL, NULL,
       printf('times the share of the dense FLOP rate is that of a copy''s bandwidth, %d rows', max(rows))
FROM run JOIN dense USING (side) JOIN spmv_formats_double AS copy USING (rows, side) WHERE format = 'copy'
GROUP BY side;

-- Bytes of COO and CSR; and the generator.
WITH size AS (
    SELECT matrix, precision, max(value_bytes + index_bytes) FILTER (WHERE variant = 'coo-cpu') AS coo,
           max(value_bytes + index_bytes) FILTER (WHERE variant = 'csr-cpu') AS csr
    FROM spmv_matrices_median WHERE entries > rows + 1 GROUP BY matrix, precision)
SELECT 'fanfarillo-c-015' AS id, 1.0 * coo / csr AS value, NULL AS low, NULL AS high,
       printf('times the bytes of CSR, %s in %s', matrix, precision) AS words
FROM size WHERE coo > 0 AND csr > 0;

WITH cube AS (
    SELECT DISTINCT CAST(substr(matrix, 5) AS INTEGER) AS edge, rows, longest_row FROM spmv_formats_median
    WHERE matrix LIKE 'pde:%' AND longest_row IS NOT NULL)
SELECT 'fanfarillo-c-064/rows' AS id, 1.0 * rows / (edge * edge * edge) AS value, NULL AS low, NULL AS high,
       printf('times the cube of the edge, %d', edge) AS words FROM cube
UNION ALL SELECT 'fanfarillo-c-064/longest', longest_row, NULL, NULL, printf('entries in a row, edge %d', edge)
FROM cube;

-- Which formats are faster, as a share of the sizes. The figures have three on the CPU and four on the GPU; csr, hlg
-- and hll are named there, the others are taken as ell, elg and hyb. The csr is that of this suite, not of cuSPARSE.
WITH duel(id, side, faster, slower) AS (VALUES
    ('fanfarillo-c-044', 'cpu', 'csr', 'ell'), ('fanfarillo-c-044', 'cpu', 'csr', 'hll'),
    ('fanfarillo-c-045', 'gpu', 'elg', 'csr'), ('fanfarillo-c-045', 'gpu', 'hlg', 'csr'),
    ('fanfarillo-c-045', 'gpu', 'hyb', 'csr'), ('fanfarillo-c-046', 'gpu', 'hlg', 'csr'),
    ('fanfarillo-c-046', 'gpu', 'hlg', 'elg'), ('fanfarillo-c-046', 'gpu', 'hlg', 'hyb'),
    ('fanfarillo-c-047', 'cpu', 'csr', 'hll')),
size AS (
    SELECT id, max(a.mid / b.mid) AS mid, max(a.low / b.high) AS low, max(a.high / b.low) AS high,
           printf('of %%d sizes where %s <= %s in time', group_concat(DISTINCT faster),
                  group_concat(DISTINCT slower)) AS words
    FROM duel JOIN spmv_formats_double AS a ON a.side = duel.side AND a.format = faster
    JOIN spmv_formats_double AS b ON b.side = duel.side AND b.format = slower AND b.rows = a.rows GROUP BY id, a.rows)
SELECT id, avg(mid <= 1) AS value, avg(high <= 1) AS low, avg(low <= 1) AS high, printf(words, count(*)) AS words
FROM size GROUP BY id;

-- The best format of each device, csr and hlg, over the larger half of the sizes.
WITH size AS (
    SELECT c.mid / g.mid AS mid, c.low / g.high AS low, c.high / g.low AS high, ntile(2) OVER (ORDER BY rows) AS half
    FROM spmv_formats_double AS c JOIN spmv_formats_double AS g USING (matrix, rows)
    WHERE c.format = 'csr' AND c.side = 'cpu' AND g.format = 'hlg' AND g.side = 'gpu')
SELECT 'fanfarillo-c-034' AS id, median(mid) AS value, median(low) AS low, median(high) AS high,
       printf('times as long on the CPU, median of the %d largest sizes', count(*)) AS words
FROM size WHERE half = 2 HAVING count(*) > 0;

-- Fused multiply-add. The CPU's product without it is the one to compare with; kernels of the software GPU are compiled
-- for this CPU, and need not differ.
WITH differ AS (SELECT matrix, max(different) AS entries FROM spmv_fma_median WHERE matrix NOT LIKE 'pde%'
                AND variant = 'gpu'),
soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft')
SELECT 'fanfarillo-c-033/differ' AS id, iif(here AND entries = 0, NULL, entries) AS value, NULL AS low, NULL AS high,
       iif(here AND entries = 0, 'kernels of the software GPU are compiled for this CPU',
           'entries of the GPU differ, ' || matrix) AS words
FROM differ, soft WHERE entries >= 0
UNION ALL
SELECT 'fanfarillo-c-033/error', max(error_ratio), NULL, NULL, 'of (longest row + 1) eps, the largest error'
FROM spmv_fma_median HAVING count(*) > 0;

-- Rows of uneven length: ELL, which computes on padding, against ELL-G, which does not.
WITH ratio AS (
    SELECT e.deviation AS deviation, g.time_s / e.time_s AS mid, g.time_low_s / e.time_high_s AS low,
           g.time_high_s / e.time_low_s AS high
    FROM spmv_varied_median AS e JOIN spmv_varied_median AS g USING (matrix, precision)
    WHERE precision = 'double' AND e.variant = 'ell-gpu' AND g.variant = 'elg-gpu')
SELECT 'fanfarillo-c-065' AS id, coalesce(spearman(deviation, 1 / mid), 0) AS value, NULL AS low, NULL AS high,
       'rank correlation of ELL / ELL-G with the coefficient of variation' AS words
FROM ratio HAVING count(*) > 2
UNION ALL
SELECT 'fanfarillo-c-066/' || iif(deviation = least, 'even', 'uneven'), mid, low, high,
       printf('times the time of ELL, coefficient of variation %.2g', deviation)
FROM (SELECT *, min(deviation) OVER () AS least, max(deviation) OVER () AS most FROM ratio)
WHERE least < most AND deviation IN (least, most);
