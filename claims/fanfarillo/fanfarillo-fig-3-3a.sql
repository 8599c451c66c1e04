-- The three algorithms with all samples: slowest / fastest at each size.
WITH run AS (SELECT *, max(threads) OVER () AS most, max(points) OVER () AS accurate FROM spmv_hybrid_median WHERE points > 0),
spread AS (
    SELECT rows, accurate, max(time_s) / min(time_s) AS mid, max(time_low_s) / min(time_high_s) AS low, max(time_high_s) / min(time_low_s) AS high
    FROM run WHERE threads = most AND points = accurate GROUP BY rows HAVING count(*) = 3)
SELECT 'fanfarillo-c-048' AS id,
       printf('median %.3f over %d sizes (%.3f to %.3f), %d samples', median(mid), count(*), min(mid), max(mid), accurate) AS measured,
       '<= 1.10' AS bound,
       CASE WHEN median(high) <= 1.1 THEN 1 WHEN median(low) > 1.1 THEN 0 END AS ok, '' AS reason
FROM spread HAVING count(*) > 0;
