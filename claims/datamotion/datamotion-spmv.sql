-- The best own format on the GPU against the best of cuSPARSE.
WITH ratio AS (
    SELECT matrix, precision, p.mid / o.mid AS mid, p.low / o.high AS low, p.high / o.low AS high
    FROM spmv_best AS o JOIN spmv_best AS p USING (matrix, precision) WHERE o.maker = 'own' AND p.maker = 'cusparse')
SELECT 'datamotion-c-040/mean' AS id, exp(avg(ln(mid))) AS value, exp(avg(ln(low))) AS low, exp(avg(ln(high))) AS high,
       iif(count(*), printf('times faster, geometric mean of %d matrices and precisions', count(*)),
           'cuSPARSE was not measured') AS words
FROM ratio HAVING (SELECT count(*) FROM spmv_best WHERE maker = 'own') > 0
UNION ALL
SELECT 'datamotion-c-040/each', mid, low, high, printf('times faster, %s in %s', matrix, precision) FROM ratio;

-- The same against a copy of as many bytes, on regular matrices.
SELECT 'datamotion-c-041' AS id, share AS value, share_low AS low, share_high AS high,
       printf('of a copy''s bandwidth, %s in %s by %s', matrix, precision, variant) AS words
FROM (VALUES ('pde'), ('point5'), ('point7'), ('point27'), ('banded'), ('fem')) CROSS JOIN spmv_best
WHERE matrix GLOB column1 || ':*' AND maker = 'own' AND share > 0;

-- Conversion on the device. CSR is what it starts from.
SELECT 'datamotion-c-042' AS id, reformat_products AS value, NULL AS low, NULL AS high,
       printf('products, %s in %s to %s', matrix, precision, variant) AS words
FROM spmv_best JOIN spmv_matrices_median USING (matrix, precision, variant)
WHERE maker = 'own' AND variant <> 'csr-gpu' AND reformat_products > 0;

SELECT 'datamotion-c-043' AS id, mid AS value, low, high,
       printf('times the best cut; %.1f %% of %d rows on the CPU, best %.1f %%', 100.0 * found_rows / rows, rows,
              100.0 * best_rows / rows) AS words
FROM spmv_cut_found;

-- The exchange at the largest edge, beside the fastest of those that pack the halo and stage it in host memory.
WITH run AS (
    SELECT variant, edge, median(exchange_s) AS mid, interval_low(exchange_s) AS low, interval_high(exchange_s) AS high
    FROM spmv_exchange_1_2
    WHERE status = 'pass' AND edge = (SELECT max(edge) FROM spmv_exchange_1_2 WHERE variant = 'sg' AND status = 'pass')
    GROUP BY variant)
SELECT 'datamotion-c-044' AS id, s.mid / b.mid AS value, s.low / b.high AS low, s.high / b.low AS high,
       printf('times faster by %s than by %s, edge %d', b.variant, s.variant, s.edge) AS words
FROM (SELECT * FROM run WHERE variant IN ('sg', 'index-standard', 'pinned', 'index-pinned') ORDER BY mid LIMIT 1) AS s,
     (SELECT * FROM run ORDER BY mid LIMIT 1) AS b;

-- CSR on the CPU beside STREAM's triad, on the largest pde matrix that both were measured with.
WITH run AS (
    SELECT *, bandwidth_gbs * time_s / time_high_s AS low, bandwidth_gbs * time_s / time_low_s AS high
    FROM (SELECT 1 AS run, matrix, rows, variant, precision, bandwidth_gbs, time_s, time_low_s, time_high_s
          FROM spmv_formats_median
          UNION ALL SELECT 2, matrix, rows, variant, precision, bandwidth_gbs, time_s, time_low_s, time_high_s
          FROM spmv_matrices_median)
    WHERE precision = 'double' AND matrix LIKE 'pde:%')
SELECT 'datamotion-c-045' AS id, r.bandwidth_gbs / t.bandwidth_gbs AS value, r.low / t.high AS low,
       r.high / t.low AS high,
       printf('of the %.1f GB/s of a triad, %d rows', t.bandwidth_gbs, rows) AS words
FROM run AS r JOIN run AS t USING (run, rows) WHERE r.variant = 'csr-cpu' AND t.variant = 'triad-cpu'
ORDER BY rows DESC LIMIT 1;
