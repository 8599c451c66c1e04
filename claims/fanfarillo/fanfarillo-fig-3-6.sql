-- The iterative algorithm, all samples, against the best of all cuts. It may give one device all rows, so the cuts at both ends count too.
WITH best AS (
    SELECT min(time_s) AS mid, time_low_s AS low, time_high_s AS high, cpu_rows, gpu_rows, rows FROM spmv_exhaustive_median
    WHERE variant = 'exhaustive'),
found AS (
    SELECT time_s AS mid, time_low_s AS low, time_high_s AS high, cpu_rows FROM spmv_exhaustive_median
    WHERE variant = 'iterative' AND points = (SELECT max(points) FROM spmv_exhaustive_median))
SELECT 'fanfarillo-c-055' AS id,
       printf('%.3f: %.1f us with %.1f %% of the rows on the CPU, best %.1f us with %.1f %%; %d rows', f.mid / b.mid, 1e6 * f.mid, 100.0 * f.cpu_rows / rows, 1e6 * b.mid,
              100.0 * b.cpu_rows / rows, rows) AS measured,
       '<= 1.05' AS bound, CASE WHEN f.high / b.low <= 1.05 THEN 1 WHEN f.low / b.high > 1.05 THEN 0 END AS ok,
       iif(b.cpu_rows = 0 OR b.gpu_rows = 0, 'the best cut gives one device all rows', '') AS reason
FROM best AS b, found AS f WHERE b.mid > 0;
