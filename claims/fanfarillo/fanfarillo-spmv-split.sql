-- Lines through the samples of both devices.
WITH fit AS (
    SELECT points, max(cpu_r2) AS cpu_r2, max(gpu_r2) AS gpu_r2, max(cpu_squared_error) AS cpu_error, max(gpu_squared_error) AS gpu_error, max(cpu_residual) AS cpu_residual,
           max(gpu_residual) AS gpu_residual
    FROM spmv_split_median WHERE step = 0 AND points = (SELECT max(points) FROM spmv_split_median))
SELECT 'fanfarillo-c-035' AS id, printf('%.3g with %d samples', cpu_error / gpu_error, points) AS measured, '>= 10 (thesis: almost 100)' AS bound,
       cpu_error / gpu_error >= 10 AS ok, '' AS reason
FROM fit WHERE points > 0
UNION ALL
SELECT 'fanfarillo-c-036', printf('R2 %.5f', gpu_r2), '>= 0.98', gpu_r2 >= 0.98, '' FROM fit WHERE points > 0
UNION ALL
SELECT 'fanfarillo-c-037', printf('R2 of the CPU %.5f, of the GPU %.5f; largest relative residual %.2f and %.2f', cpu_r2, gpu_r2, cpu_residual, gpu_residual),
       'less R2 or a larger residual on the CPU', cpu_r2 < gpu_r2 OR cpu_residual > gpu_residual, ''
FROM fit WHERE points > 0
UNION ALL
SELECT 'fanfarillo-c-039', printf('largest relative difference %.2g over %d problems', max(formula_residual), count(formula_residual)), '<= 1e-9',
       max(formula_residual) <= 1e-9, 'before rounding to rows'
FROM spmv_split_median WHERE variant = 'linear' AND step = 0 HAVING count(formula_residual) > 0;

-- Whether the program sees where the GPU is slower: the share of sizes at which it is faster, from its answer and from the samples.
WITH line AS (SELECT line_slope(rows, time_s) AS slope FROM spmv_samples_median WHERE variant = 'gpu'),
problem AS (
    SELECT rows, gpu_rows, gpu_s, gpu_faster, steps FROM spmv_split_median
    WHERE variant = 'iterative' AND step = 0 AND points = (SELECT max(points) FROM spmv_split_median)),
seen AS (
    SELECT p.rows AS rows, gpu_faster, steps, avg(s.time_s > p.gpu_s + slope * (s.rows - p.gpu_rows)) AS share
    FROM problem AS p JOIN spmv_samples_median AS s ON s.rows <= p.rows, line WHERE s.variant = 'cpu' AND s.threads = (SELECT max(threads) FROM spmv_samples_median) GROUP BY p.rows)
SELECT 'fanfarillo-c-042' AS id,
       printf('GPU faster everywhere below %d sizes, nowhere below %d, partly below %d; answers that differ from the samples: %d; at most %d steps where it is faster everywhere',
              sum(gpu_faster = 1), sum(gpu_faster = 0), sum(gpu_faster > 0 AND gpu_faster < 1), sum((gpu_faster = 1) <> (share = 1) OR (gpu_faster = 0) <> (share = 0)),
              max(iif(gpu_faster = 1, steps, 0))) AS measured,
       'no differences; <= 30 steps' AS bound,
       sum((gpu_faster = 1) <> (share = 1) OR (gpu_faster = 0) <> (share = 0)) = 0 AND max(iif(gpu_faster = 1, steps, 0)) <= 30 AS ok, '' AS reason
FROM seen HAVING count(*) > 0;

-- How far apart both devices end with the linear algorithm, all samples and threads, in the smallest and the largest third of the sizes.
WITH size AS (
    SELECT rows, median(abs(cpu_s - gpu_s) / max(cpu_s, gpu_s)) AS mid, interval_low(abs(cpu_s - gpu_s) / max(cpu_s, gpu_s)) AS low,
           interval_high(abs(cpu_s - gpu_s) / max(cpu_s, gpu_s)) AS high
    FROM spmv_hybrid WHERE variant = 'linear' AND status = 'pass'
      AND points = (SELECT max(points) FROM spmv_hybrid) AND threads = (SELECT max(threads) FROM spmv_hybrid)
    GROUP BY rows),
third AS (SELECT *, ntile(3) OVER (ORDER BY rows) AS third FROM size),
side AS (SELECT third, median(mid) AS mid, median(low) AS low, median(high) AS high FROM third GROUP BY third)
SELECT 'fanfarillo-c-038' AS id,
       printf('imbalance %.3f in the smallest third, %.3f in the largest', small.mid, large.mid) AS measured,
       'more in the smallest third' AS bound,
       CASE WHEN small.low > large.high THEN 1 WHEN small.high <= large.low THEN 0 END AS ok, '' AS reason
FROM side AS small, side AS large WHERE small.third = 1 AND large.third = (SELECT max(third) FROM side) AND large.third > 1;

-- Iterative beside linear, all samples and threads, and few threads beside many.
WITH run AS (SELECT *, max(threads) OVER () AS most, min(threads) OVER () AS least, max(points) OVER () AS accurate FROM spmv_hybrid_median WHERE points > 0),
algorithm AS (
    SELECT i.time_s / l.time_s AS mid, i.time_low_s / l.time_high_s AS low, i.time_high_s / l.time_low_s AS high
    FROM run AS i JOIN run AS l USING (points, rows, threads) WHERE points = i.accurate AND threads = i.most AND i.variant = 'iterative' AND l.variant = 'linear'),
cores AS (
    SELECT f.threads AS few, m.threads AS many, f.time_s / m.time_s AS mid, f.time_low_s / m.time_high_s AS low, f.time_high_s / m.time_low_s AS high
    FROM run AS f JOIN run AS m USING (variant, points, rows) WHERE points = f.accurate AND f.threads = f.least AND m.threads = m.most)
SELECT 'fanfarillo-c-043' AS id,
       printf('median iterative / linear %.3f over %d sizes (%.3f to %.3f)', median(mid), count(*), min(mid), max(mid)) AS measured,
       '<= 1.02' AS bound,
       CASE WHEN median(high) <= 1.02 THEN 1 WHEN median(low) > 1.02 THEN 0 END AS ok, '' AS reason
FROM algorithm HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-056', printf('median time with %d threads / with %d: %.3f', few, many, median(mid)), '<= 1.1',
       CASE WHEN few = many THEN 'waived' WHEN median(high) <= 1.1 THEN 1 WHEN median(low) > 1.1 THEN 0 END, iif(few = many, 'one number of threads was measured', '')
FROM cores HAVING count(*) > 0;

-- The program's count of what crosses the bus, for each cut that leaves a plane of the cube on both sides.
WITH cut AS (SELECT edge, halo_bytes FROM spmv_exhaustive_median WHERE variant = 'exhaustive' AND min(cpu_rows, gpu_rows) >= edge * edge),
whole AS (SELECT 8 * pow(round(pow(8000000, 1.0 / 3)), 2) AS bytes)
SELECT 'fanfarillo-c-057' AS id, printf('%d bytes for 8000000 rows; counted %d at %d cuts of edge %d', bytes, max(halo_bytes), count(*), max(edge)) AS measured,
       '320000; 8 edge^2 at each cut' AS bound, bytes = 320000 AND min(halo_bytes = 8 * edge * edge) = 1 AS ok, '' AS reason
FROM cut, whole HAVING count(*) > 0;

-- Copies from page-locked memory to one GPU by size.
WITH copy AS (
    SELECT bytes, bandwidth_gbs AS mid, bandwidth_gbs * time_s / time_high_s AS low, bandwidth_gbs * time_s / time_low_s AS high
    FROM spmv_contention_median WHERE variant = 'pinned' AND active = 1),
last AS (SELECT *, row_number() OVER (ORDER BY bytes DESC) AS nth FROM copy),
best AS (SELECT max(mid) AS mid, low, high FROM copy),
thesis AS (
    SELECT 1.0 * pcie_mb_per_s / pcie_max_mb_per_s AS share, 8 * pow(round(pow(matrix_rows, 1.0 / 3)), 2) AS bytes
    FROM fanfarillo_inline_3_4_2 WHERE matrix_rows = 10648000),
soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft')
SELECT 'fanfarillo-c-058' AS id,
       printf('%d bytes for 10648000 rows', thesis.bytes) || coalesce(printf('; bandwidth of %d bytes / of ', a.bytes) || b.bytes || printf(' %.3f', a.mid / b.mid), '') AS measured,
       '387200; <= 1.05' AS bound,
       CASE WHEN thesis.bytes <> 387200 THEN 0 WHEN here OR b.mid IS NULL THEN 'waived' WHEN a.high / b.low <= 1.05 THEN 1 WHEN a.low / b.high > 1.05 THEN 0 END AS ok,
       CASE WHEN here THEN 'the software GPU has no bus' WHEN b.mid IS NULL THEN 'one size was measured' ELSE '' END AS reason
FROM thesis, soft JOIN last AS a ON a.nth = 1 LEFT JOIN last AS b ON b.nth = 2
UNION ALL
SELECT 'fanfarillo-c-059', iif(c.mid > 0, printf('%.3f of %.1f GB/s (thesis: %.3f of 5.84)', c.mid / b.mid, b.mid, share), NULL), '>= 0.8',
       CASE WHEN here OR c.mid IS NULL THEN 'waived' WHEN c.low / b.high >= 0.8 THEN 1 WHEN c.high / b.low < 0.8 THEN 0 END,
       CASE WHEN here THEN 'the software GPU has no bus' WHEN c.mid IS NULL THEN 'copies of 387200 bytes were not measured' ELSE '' END
FROM thesis, soft, best AS b LEFT JOIN copy AS c ON c.bytes = 387200 WHERE b.mid > 0;

-- When the hybrid pays off: at each size the best algorithm (all samples and threads) beside each device alone.
WITH run AS (SELECT *, max(threads) OVER () AS most, max(points) OVER () AS accurate FROM spmv_hybrid_median),
both AS (SELECT rows, min(time_s) AS mid, time_low_s AS low, time_high_s AS high FROM run WHERE threads = most AND points = accurate GROUP BY rows),
alone AS (SELECT variant, rows, time_s AS mid, time_low_s AS low, time_high_s AS high FROM run WHERE threads = most AND points = 0),
size AS (
    SELECT rows, c.mid / g.mid AS speeds, min(c.mid, g.mid) / b.mid AS gain, min(c.low, g.low) / b.high AS gain_low, min(c.high, g.high) / b.low AS gain_high,
           g.mid / b.mid AS over_gpu, g.low / b.high AS over_gpu_low, g.high / b.low AS over_gpu_high, row_number() OVER (ORDER BY rows) AS place, count(*) OVER () AS sizes
    FROM both AS b JOIN alone AS c USING (rows) JOIN alone AS g USING (rows) WHERE c.variant = 'cpu' AND g.variant = 'gpu'),
soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft')
SELECT 'fanfarillo-c-060' AS id,
       iif(sum(speeds BETWEEN 0.5 AND 2), printf('median gain %.3f over %d sizes; ', median(gain) FILTER (WHERE speeds BETWEEN 0.5 AND 2), sum(speeds BETWEEN 0.5 AND 2)), '')
           || printf('CPU / GPU %.3g to %.3g', min(speeds), max(speeds)) AS measured,
       '> 1.1 where CPU / GPU is 0.5 to 2' AS bound,
       CASE WHEN sum(speeds BETWEEN 0.5 AND 2) = 0 THEN 'waived' WHEN median(gain_low) FILTER (WHERE speeds BETWEEN 0.5 AND 2) > 1.1 THEN 1
            WHEN median(gain_high) FILTER (WHERE speeds BETWEEN 0.5 AND 2) <= 1.1 THEN 0 END AS ok,
       CASE WHEN sum(speeds BETWEEN 0.5 AND 2) = 0 THEN 'the devices are not comparable at any size' WHEN here THEN 'CPU and software GPU share the cores' ELSE '' END AS reason
FROM size, soft HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-061',
       printf('median hybrid / GPU %.3f over %d sizes with CPU / GPU > 2; hybrid faster at %s',
              1 / coalesce(median(over_gpu) FILTER (WHERE speeds > 2), median(over_gpu)), sum(speeds > 2),
              iif(max(over_gpu) > 1, printf('up to CPU / GPU %.3g', max(speeds) FILTER (WHERE over_gpu > 1)), 'no ratio')),
       '>= 1 where CPU / GPU > 2',
       CASE WHEN sum(speeds > 2) = 0 THEN 'waived' WHEN 1 / median(over_gpu_high) FILTER (WHERE speeds > 2) >= 1 THEN 1
            WHEN 1 / median(over_gpu_low) FILTER (WHERE speeds > 2) < 1 THEN 0 END,
       iif(sum(speeds > 2) = 0, printf('the GPU is not twice as fast at any size: CPU / GPU at most %.3g', max(speeds)), '')
FROM size, soft HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-062',
       'GPU / hybrid ' || group_concat(printf('%.3f at %d rows', over_gpu, rows), ', '), '> 1 at the smallest size, <= 1 at the largest, one change',
       CASE WHEN max(over_gpu_low > 1 AND place = 1) AND max(over_gpu_high <= 1 AND place = sizes) THEN
                CASE WHEN max(rows) FILTER (WHERE over_gpu > 1) < min(rows) FILTER (WHERE over_gpu <= 1) THEN 1 ELSE 0 END
            WHEN max((over_gpu_high <= 1 AND place = 1) OR (over_gpu_low > 1 AND place = sizes)) THEN 0 END,
       'measured here, not on a node of PLX'
FROM (SELECT * FROM size ORDER BY rows) HAVING count(*) > 1;

-- Two cards of the thesis; here the one of this machine is shown.
WITH card AS (SELECT (SELECT max(value) FROM machine WHERE name = 'device0_name') AS name, max(gflops) AS gflops FROM spmv_hybrid_median WHERE variant = 'gpu')
SELECT 'fanfarillo-c-063' AS id, group_concat(printf('%s %.3g GFLOP/s', coalesce(name, 'software GPU'), gflops), ', ') AS measured, '> 1' AS bound, 'waived' AS ok,
       'needs both cards of the thesis, Tesla M2050 and M2070' AS reason
FROM card WHERE gflops > 0;
