-- Lines through the samples of both devices.
WITH fit AS (
    SELECT max(cpu_r2) AS cpu, max(gpu_r2) AS gpu, max(cpu_squared_error) AS cpu_error,
           max(gpu_squared_error) AS gpu_error,
           max(cpu_residual) AS cpu_residual, max(gpu_residual) AS gpu_residual
    FROM spmv_split_median WHERE step = 0 AND points = (SELECT max(points) FROM spmv_split_median) HAVING count(*) > 0)
SELECT 'fanfarillo-c-035' AS id, cpu_error / gpu_error AS value, NULL AS low, NULL AS high,
       'times the squared error on the GPU' AS words FROM fit
UNION ALL SELECT 'fanfarillo-c-036', gpu, NULL, NULL, 'R2 of the GPU' FROM fit
UNION ALL
SELECT 'fanfarillo-c-037', max((1 - cpu) / (1 - gpu), cpu_residual / gpu_residual), NULL, NULL,
       'times what the line misses on the GPU: of the variance, or at the worst size'
FROM fit
UNION ALL
SELECT 'fanfarillo-c-054/' || side, iif(comparable, iif(side = 'cpu', cpu, gpu), NULL), NULL, NULL,
       iif(comparable, 'R2', 'CPU and GPU of this machine are not comparable')
FROM fit, spmv_speeds, (SELECT 'cpu' AS side UNION ALL SELECT 'gpu')
UNION ALL
SELECT 'fanfarillo-c-039', max(formula_residual), NULL, NULL,
       printf('largest relative difference of %d problems, before rounding to rows', count(formula_residual))
FROM spmv_split_median WHERE variant = 'linear' AND step = 0 HAVING count(formula_residual) > 0;

-- Steps of the iterative algorithm, over all sizes and both sets of samples. Each halves a bracket of at most the GPU's
-- time for all rows, down to half a row's: at most log2(2 rows) steps, whatever was measured.
SELECT 'fanfarillo-c-040' AS id, nullif(max(steps), 0) AS value, NULL AS low, NULL AS high,
       iif(max(steps) > 0, printf('steps at most, %d problems', count(*)),
           'one device gets all rows of every problem') AS words
FROM spmv_split_median WHERE variant = 'iterative' AND step = 0 HAVING count(*) > 0;

-- Rows too many or too few that both devices do in a step's time, of all rows. Samples that jump leave a rest that no
-- time removes.
WITH problem AS (
    SELECT points, rows, coalesce(spearman(step, rest), 0) AS rank, max(rest) FILTER (WHERE step = last) AS rest
    FROM (SELECT points, rows, step, abs(imbalance) AS rest, max(step) OVER (PARTITION BY points, rows) AS last
          FROM spmv_split WHERE variant = 'iterative' AND step > 0 AND status = 'pass')
    GROUP BY points, rows HAVING count(*) > 2)
SELECT 'fanfarillo-c-041/rank' AS id, rank AS value, NULL AS low, NULL AS high,
       printf('rank correlation of step and imbalance, %d rows, %d samples', rows, points) AS words FROM problem
UNION ALL
SELECT 'fanfarillo-c-041/rest', rest, NULL, NULL,
       printf('of all rows after the last step, %d rows, %d samples', rows, points)
FROM problem;

-- Whether the program sees where the GPU is slower: the share of sizes at which it is faster, from its answer and from
-- the samples.
WITH line AS (SELECT line_slope(rows, time_s) AS slope FROM spmv_samples_median WHERE variant = 'gpu'),
problem AS (
    SELECT rows, gpu_rows, gpu_s, gpu_faster, steps FROM spmv_split_median
    WHERE variant = 'iterative' AND step = 0 AND points = (SELECT max(points) FROM spmv_split_median)),
seen AS (
    SELECT gpu_faster, steps, avg(s.time_s > p.gpu_s + slope * (s.rows - p.gpu_rows)) AS share
    FROM problem AS p JOIN spmv_samples_median AS s ON s.rows <= p.rows, line
    WHERE s.variant = 'cpu' AND s.threads = (SELECT max(threads) FROM spmv_samples_median) GROUP BY p.rows)
SELECT 'fanfarillo-c-042/wrong' AS id, sum((gpu_faster = 1) <> (share = 1) OR (gpu_faster = 0) <> (share = 0)) AS value,
       NULL AS low, NULL AS high, printf('of %d answers differ from the samples', count(*)) AS words
FROM seen HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-042/steps', max(iif(gpu_faster = 1, steps, 0)), NULL, NULL,
       'steps at most where the GPU is faster everywhere' FROM seen HAVING count(*) > 0;

-- How far apart both devices end with the linear algorithm, all samples and threads, in the smallest and the largest
-- third of the sizes.
WITH size AS (
    SELECT rows, median(apart) AS mid, interval_low(apart) AS low, interval_high(apart) AS high,
           ntile(3) OVER (ORDER BY rows) AS third
    FROM (SELECT rows, abs(cpu_s - gpu_s) / max(cpu_s, gpu_s) AS apart FROM spmv_hybrid
          WHERE variant = 'linear' AND status = 'pass' AND points = (SELECT max(points) FROM spmv_hybrid)
            AND threads = (SELECT max(threads) FROM spmv_hybrid))
    GROUP BY rows),
side AS (SELECT third, median(mid) AS mid, median(low) AS low, median(high) AS high FROM size GROUP BY third)
SELECT 'fanfarillo-c-038' AS id, small.mid / large.mid AS value, small.low / large.high AS low,
       small.high / large.low AS high, 'times the imbalance of the largest third in the smallest' AS words
FROM side AS small, side AS large WHERE small.third = 1 AND large.third = (SELECT max(third) FROM side)
  AND large.third > 1;

-- The algorithms beside each other, in the median of the sizes.
WITH spread AS (
    SELECT max(mid) AS mid, max(low) AS low, max(high) AS high FROM spmv_algorithms
    WHERE experiment = 'spmv_hybrid' AND samples = 'all'
    GROUP BY rows HAVING count(DISTINCT a) = 3),
other AS (
    SELECT samples, max(mid) AS mid, max(low) AS low, max(high) AS high FROM spmv_algorithms
    WHERE experiment = 'spmv_hybrid' AND a = 'linear' AND b IN ('iterative', 'hybrid') GROUP BY samples, rows)
SELECT 'fanfarillo-c-043' AS id, median(mid) AS value, median(low) AS low, median(high) AS high,
       printf('times as long by iterative as by linear, median of %d sizes', count(*)) AS words
FROM spmv_algorithms
WHERE experiment = 'spmv_hybrid' AND samples = 'all' AND a = 'iterative' AND b = 'linear' HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-048', median(mid), median(low), median(high),
       printf('times as long by the slowest as by the fastest, median of %d sizes', count(*))
FROM spread HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-049', median(few.mid / every.mid), median(few.low / every.high), median(few.high / every.low),
       printf('times as long with few samples, median of %d sizes and algorithms', count(*))
FROM spmv_hybrid_runs AS few JOIN spmv_hybrid_runs AS every USING (variant, rows)
WHERE few.samples = 'few' AND every.samples = 'all' HAVING count(*) > 0
UNION ALL
SELECT iif(claim = '052', 'fanfarillo-c-052', 'fanfarillo-c-053/' || samples), iif(comparable, median(mid), NULL),
       median(low), median(high),
       iif(comparable, printf('times the better of the others by linear, median of %d sizes', count(*)),
           'CPU and GPU of this machine are not comparable')
FROM other, spmv_speeds, (SELECT '052' AS claim UNION ALL SELECT '053')
WHERE claim = '053' OR samples = 'all' GROUP BY claim, samples;

-- Samples of a CPU that other threads disturb on purpose: the median of the sizes, of the most threads.
SELECT iif(every, 'fanfarillo-c-050', 'fanfarillo-c-051') AS id, median(mid) AS value, median(low) AS low,
       median(high) AS high, printf('times as long by iterative as by linear, median of %d sizes', count(*)) AS words
FROM (SELECT points = (SELECT max(points) FROM spmv_hybrid_disturbed_median) AS every, i.time_s / l.time_s AS mid,
             i.time_low_s / l.time_high_s AS low, i.time_high_s / l.time_low_s AS high
      FROM spmv_hybrid_disturbed_median AS i JOIN spmv_hybrid_disturbed_median AS l USING (points, rows, threads)
      WHERE points > 0 AND threads = (SELECT max(threads) FROM spmv_hybrid_disturbed_median)
        AND i.variant = 'iterative' AND l.variant = 'linear')
GROUP BY every;

SELECT 'fanfarillo-c-055' AS id, mid AS value, low, high,
       printf('times the best cut; %.1f %% of %d rows on the CPU, best %.1f %%', 100.0 * found_rows / rows, rows,
              100.0 * best_rows / rows) AS words
FROM spmv_cut_found;

-- Few threads beside many, all samples.
WITH run AS (
    SELECT *, max(threads) OVER () AS most, min(threads) OVER () AS least FROM spmv_hybrid_median
    WHERE points = (SELECT max(points) FROM spmv_hybrid_median))
SELECT 'fanfarillo-c-056' AS id, iif(f.least < f.most, median(f.time_s / m.time_s), NULL) AS value,
       median(f.time_low_s / m.time_high_s) AS low, median(f.time_high_s / m.time_low_s) AS high,
       iif(f.least < f.most, printf('times as long with %d threads as with %d, median', f.least, f.most),
           'one number of threads was measured') AS words
FROM run AS f JOIN run AS m USING (variant, rows) WHERE f.threads = f.least AND m.threads = m.most HAVING count(*) > 0;

-- The program's count of what crosses the bus, for each cut that leaves a plane of the cube on both sides.
SELECT 'fanfarillo-c-057/printed' AS id, bytes_per_iteration / (8 * pow(round(pow(matrix_rows, 1.0 / 3)), 2)) AS value,
       NULL AS low, NULL AS high, printf('times the bytes of a plane, %d rows', matrix_rows) AS words
FROM fanfarillo_inline_3_4_2 WHERE (SELECT count(*) FROM spmv_exhaustive_median) > 0
UNION ALL
SELECT 'fanfarillo-c-057/counted', halo_bytes / (8.0 * edge * edge), NULL, NULL,
       printf('times those of a plane, edge %d', edge)
FROM spmv_exhaustive_median WHERE variant = 'exhaustive' AND min(cpu_rows, gpu_rows) >= edge * edge;

SELECT 'fanfarillo-c-058' AS id, a.mid / b.mid AS value, a.low / b.high AS low, a.high / b.low AS high,
       printf('times the bandwidth of %d bytes with %d', b.bytes, a.bytes) AS words
FROM spmv_copies AS a, spmv_copies AS b WHERE a.nth = 1 AND b.nth = 2
UNION ALL
SELECT 'fanfarillo-c-059', c.mid / max(b.mid), c.low / b.high, c.high / b.low,
       printf('of the %.1f GB/s that copies reach, %d bytes', b.mid, c.bytes)
FROM spmv_copies AS b JOIN spmv_copies AS c
WHERE c.bytes = (SELECT max(bytes_per_iteration) FROM fanfarillo_inline_3_4_2) HAVING count(*) > 0;

-- When sharing the product pays off.
SELECT 'fanfarillo-c-060' AS id, median(gain) FILTER (WHERE near) AS value, median(gain_low) FILTER (WHERE near) AS low,
       median(gain_high) FILTER (WHERE near) AS high,
       iif(max(near), printf('times faster than the better device, median of %d sizes of comparable speed',
                             sum(near)), 'the devices are not comparable at any size') AS words
FROM (SELECT *, max(speeds, 1 / speeds) <= 2 AS near FROM spmv_hybrid_gains) HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-061', 1 / median(gpu) FILTER (WHERE far), 1 / median(gpu_high) FILTER (WHERE far),
       1 / median(gpu_low) FILTER (WHERE far),
       iif(max(far), printf('times as long as the GPU alone, median of %d sizes with CPU / GPU > 2', sum(far)),
           printf('the GPU is not twice as fast at any size: CPU / GPU at most %.3g', max(speeds)))
FROM (SELECT *, speeds > 2 AS far FROM spmv_hybrid_gains) HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-062/' || iif(place = 1, 'smallest', 'largest'), gpu, gpu_low, gpu_high,
       printf('times faster than the GPU alone, %d rows', rows)
FROM spmv_hybrid_gains WHERE place IN (1, sizes) AND sizes > 1
UNION ALL
SELECT 'fanfarillo-c-062/back', count(DISTINCT iif(s.gpu <= 1 AND l.gpu > 1, l.rows, NULL)),
       count(DISTINCT iif(s.gpu_high <= 1 AND l.gpu_low > 1, l.rows, NULL)), NULL,
       'sizes faster again after slower ones'
FROM spmv_hybrid_gains AS s JOIN spmv_hybrid_gains AS l ON s.rows < l.rows HAVING count(*) > 0;
