-- The thesis's desktop has a CPU and a GPU of comparable speed. In its place: this machine, where the times of both differ by a factor of 3 at most.
-- Here linear against the better of the other two, all samples.
WITH run AS (SELECT *, max(threads) OVER (PARTITION BY variant) AS most FROM spmv_hybrid_median),
speed AS (
    SELECT median(c.time_s / g.time_s) AS ratio FROM run AS c JOIN run AS g USING (rows)
    WHERE c.variant = 'cpu' AND g.variant = 'gpu' AND c.threads = c.most AND g.threads = g.most),
chosen AS (SELECT ratio, ratio BETWEEN 1.0 / 3 AND 3 AS fits, printf('CPU / GPU %.3g', ratio) AS text FROM speed WHERE ratio > 0),
one AS (SELECT * FROM run WHERE points > 0 AND threads = most),
ratio AS (
    SELECT rows, l.time_s / min(o.time_s) AS mid, l.time_low_s / min(o.time_high_s) AS low, l.time_high_s / min(o.time_low_s) AS high
    FROM one AS l JOIN one AS o USING (points, rows) WHERE points = (SELECT max(points) FROM one) AND l.variant = 'linear' AND o.variant IN ('iterative', 'hybrid') GROUP BY rows)
SELECT 'fanfarillo-c-052' AS id, printf('median linear / better of the others %.3f over %d sizes (%s)', median(mid), count(*), text) AS measured, '<= 1' AS bound,
       CASE WHEN NOT fits THEN 'waived' WHEN median(high) <= 1 THEN 1 WHEN median(low) > 1 THEN 0 END AS ok,
       iif(fits, '', 'CPU and GPU of this machine are not comparable') AS reason
FROM ratio, chosen HAVING count(*) > 0;

-- The lines through its samples.
WITH run AS (SELECT *, max(threads) OVER (PARTITION BY variant) AS most FROM spmv_hybrid_median),
speed AS (
    SELECT median(c.time_s / g.time_s) AS ratio FROM run AS c JOIN run AS g USING (rows)
    WHERE c.variant = 'cpu' AND g.variant = 'gpu' AND c.threads = c.most AND g.threads = g.most),
chosen AS (SELECT ratio, ratio BETWEEN 1.0 / 3 AND 3 AS fits, printf('CPU / GPU %.3g', ratio) AS text FROM speed WHERE ratio > 0),
fits AS (SELECT points, cpu_r2, gpu_r2 FROM spmv_split_median WHERE step = 0)
SELECT 'fanfarillo-c-054' AS id,
       printf('R2 of the CPU %.4f, of the GPU %.4f, %d samples (%s)', max(cpu_r2), max(gpu_r2), points, text) AS measured,
       'both >= 0.98' AS bound,
       CASE WHEN NOT chosen.fits THEN 'waived' ELSE max(cpu_r2) >= 0.98 AND max(gpu_r2) >= 0.98 END AS ok,
       iif(chosen.fits, '', 'CPU and GPU of this machine are not comparable') AS reason
FROM fits, chosen WHERE points = (SELECT max(points) FROM fits) HAVING count(*) > 0;
