-- The best own format of each matrix and precision on the GPU: against the best of cuSPARSE, and against a copy of as many bytes on regular matrices.
WITH own AS (
    SELECT matrix, precision, variant, min(time_s) AS mid, time_low_s AS low, time_high_s AS high, bandwidth_gbs, convert_products, reformat_products
    FROM spmv_matrices_median WHERE variant IN ('csr-gpu', 'coo-gpu', 'csc-gpu', 'ell-gpu', 'elg-gpu', 'hlg-gpu', 'hyb-gpu') GROUP BY matrix, precision),
peer AS (
    SELECT matrix, precision, variant, min(time_s) AS mid, time_low_s AS low, time_high_s AS high FROM spmv_matrices_median
    WHERE variant IN ('cusparse-csr1', 'cusparse-csr2', 'cusparse-coo', 'cusparse-sell') GROUP BY matrix, precision),
ratio AS (SELECT p.mid / o.mid AS mid, p.low / o.high AS low, p.high / o.low AS high FROM own AS o JOIN peer AS p USING (matrix, precision)),
copy AS (
    SELECT matrix, precision, o.bandwidth_gbs / c.bandwidth_gbs AS mid, o.bandwidth_gbs / c.bandwidth_gbs * o.mid / o.high * c.time_low_s / c.time_s AS low,
           o.bandwidth_gbs / c.bandwidth_gbs * o.mid / o.low * c.time_high_s / c.time_s AS high, o.variant AS variant
    FROM own AS o JOIN spmv_matrices_median AS c USING (matrix, precision) WHERE c.variant = 'copy-gpu'
      AND (matrix LIKE 'pde:%' OR matrix LIKE 'point5:%' OR matrix LIKE 'point7:%' OR matrix LIKE 'point27:%' OR matrix LIKE 'banded:%' OR matrix LIKE 'fem:%')),
-- Conversion on the device. CSR is what it starts from.
slowest AS (SELECT matrix, precision, max(reformat_products) AS products, variant FROM own WHERE variant <> 'csr-gpu'),
host AS (SELECT matrix, precision, max(convert_products) AS products, variant FROM own),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'datamotion-c-040' AS id,
       iif(count(mid), printf('%.3f (%.3f to %.3f) over %d matrices and precisions', exp(avg(ln(mid))), min(mid), max(mid), count(mid)), NULL) AS measured,
       '>= 1.10 in the geometric mean, >= 0.95 in each' AS bound,
       CASE WHEN NOT real OR count(mid) = 0 THEN 'waived' WHEN exp(avg(ln(low))) >= 1.1 AND min(low) >= 0.95 THEN 1
            WHEN exp(avg(ln(high))) < 1.1 OR min(high) < 0.95 THEN 0 END AS ok,
       CASE WHEN NOT real THEN 'a target for GPU nodes; this is the software GPU' WHEN count(mid) = 0 THEN 'cuSPARSE was not measured' ELSE '' END AS reason
FROM gpu LEFT JOIN ratio
UNION ALL
SELECT 'datamotion-c-041', group_concat(printf('%s %s %.2f by %s', substr(matrix, 1, instr(matrix, ':') - 1), precision, mid, variant), ', '), '>= 0.85 for each',
       CASE WHEN NOT real THEN 'waived' WHEN min(low) >= 0.85 THEN 1 WHEN min(high) < 0.85 THEN 0 END, iif(real, '', 'a target for GPU nodes; this is the software GPU')
FROM copy, gpu HAVING count(*) > 0
UNION ALL
SELECT 'datamotion-c-042',
       iif(s.products > 0, printf('at most %.1f products (%s in %s, %s)', s.products, s.matrix, s.precision, s.variant), 'not measured')
           || printf('; on the host, with the upload, at most %.1f (%s in %s, %s)', h.products, h.matrix, h.precision, h.variant),
       '<= 30', iif(real, s.products <= 30, 'waived'), iif(real, '', 'a target for GPU nodes; this is the software GPU')
FROM slowest AS s, host AS h, gpu WHERE h.products > 0 AND (s.products > 0 OR NOT real);

-- The iterative algorithm, all samples, beside all cuts.
WITH best AS (SELECT min(time_s) AS mid, time_low_s AS low, time_high_s AS high, cpu_rows FROM spmv_exhaustive_median WHERE variant = 'exhaustive'),
found AS (
    SELECT time_s AS mid, time_low_s AS low, time_high_s AS high, cpu_rows, rows FROM spmv_exhaustive_median
    WHERE variant = 'iterative' AND points = (SELECT max(points) FROM spmv_exhaustive_median)),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'datamotion-c-043' AS id,
       printf('%.3f; %.1f %% of %d rows on the CPU, best %.1f %%', f.mid / b.mid, 100.0 * f.cpu_rows / rows, rows, 100.0 * b.cpu_rows / rows) AS measured,
       '<= 1.02' AS bound,
       CASE WHEN NOT real THEN 'waived' WHEN f.high / b.low <= 1.02 THEN 1 WHEN f.low / b.high > 1.02 THEN 0 END AS ok,
       iif(real, '', 'a target for GPU nodes; this is the software GPU') AS reason
FROM best AS b, found AS f, gpu WHERE b.mid > 0;

-- The exchange at the largest edge, beside the fastest of those that pack the halo and stage it in host memory.
WITH run AS (
    SELECT variant, edge, median(exchange_s) AS mid, interval_low(exchange_s) AS low, interval_high(exchange_s) AS high FROM spmv_exchange_1_2
    WHERE status = 'pass' AND edge = (SELECT max(edge) FROM spmv_exchange_1_2 WHERE variant = 'sg' AND status = 'pass') GROUP BY variant),
best AS (SELECT * FROM run ORDER BY mid LIMIT 1),
staged AS (SELECT * FROM run WHERE variant IN ('sg', 'index-standard', 'pinned', 'index-pinned') ORDER BY mid LIMIT 1),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'datamotion-c-044' AS id,
       printf('%.2f at edge %d (%.1f us by %s, %.1f us by %s)', s.mid / b.mid, s.edge, 1e6 * b.mid, b.variant, 1e6 * s.mid, s.variant) AS measured,
       '>= 3' AS bound,
       CASE WHEN NOT real THEN 'waived' WHEN s.low / b.high >= 3 THEN 1 WHEN s.high / b.low < 3 THEN 0 END AS ok,
       iif(real, '', 'a target for GPU nodes; this is the software GPU') AS reason
FROM staged AS s, best AS b, gpu;

-- CSR on the CPU beside STREAM's triad, on the largest pde matrix that both were measured with; a copy past the caches is named with it.
WITH products AS (
    SELECT 'formats' AS experiment, matrix, rows, variant, precision, bandwidth_gbs, time_s, time_low_s, time_high_s FROM spmv_formats_median
    UNION ALL SELECT 'matrices', matrix, rows, variant, precision, bandwidth_gbs, time_s, time_low_s, time_high_s FROM spmv_matrices_median),
run AS (
    SELECT experiment, variant, rows, bandwidth_gbs AS mid, bandwidth_gbs * time_s / time_high_s AS low, bandwidth_gbs * time_s / time_low_s AS high
    FROM products WHERE precision = 'double' AND matrix LIKE 'pde:%' AND variant IN ('csr-cpu', 'copy-cpu', 'triad-cpu'))
SELECT 'datamotion-c-045' AS id,
       printf('%.3f (%.1f GB/s of %.1f) at %d rows; %.3f of a copy past the caches (%.1f GB/s)', r.mid / t.mid, r.mid, t.mid, rows, r.mid / c.mid, c.mid) AS measured,
       '>= 0.9' AS bound, CASE WHEN r.low / t.high >= 0.9 THEN 1 WHEN r.high / t.low < 0.9 THEN 0 END AS ok, '' AS reason
FROM run AS r JOIN run AS t USING (experiment, rows) JOIN run AS c USING (experiment, rows)
WHERE r.variant = 'csr-cpu' AND t.variant = 'triad-cpu' AND c.variant = 'copy-cpu' ORDER BY rows DESC LIMIT 1;
