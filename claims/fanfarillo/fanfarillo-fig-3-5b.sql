-- The condition of figure 3-5a again: linear against the better of the other two, with all and with few samples.
WITH run AS (SELECT *, max(threads) OVER (PARTITION BY variant) AS most FROM spmv_hybrid_median),
speed AS (
    SELECT median(c.time_s / g.time_s) AS ratio FROM run AS c JOIN run AS g USING (rows)
    WHERE c.variant = 'cpu' AND g.variant = 'gpu' AND c.threads = c.most AND g.threads = g.most),
chosen AS (SELECT ratio, ratio BETWEEN 1.0 / 3 AND 3 AS fits, printf('CPU / GPU %.3g', ratio) AS text FROM speed WHERE ratio > 0),
one AS (SELECT * FROM run WHERE points > 0 AND threads = most),
size AS (
    SELECT points, rows, l.time_s / min(o.time_s) AS mid, l.time_low_s / min(o.time_high_s) AS low, l.time_high_s / min(o.time_low_s) AS high
    FROM one AS l JOIN one AS o USING (points, rows) WHERE l.variant = 'linear' AND o.variant IN ('iterative', 'hybrid') GROUP BY points, rows),
ratio AS (SELECT points, median(mid) AS mid, median(low) AS low, median(high) AS high FROM size GROUP BY points)
SELECT 'fanfarillo-c-053' AS id,
       printf('median linear / better of the others %s (%s)', group_concat(printf('%.3f with %d samples', mid, points), ', '), text) AS measured,
       '<= 1 with all and with few' AS bound,
       CASE WHEN NOT fits THEN 'waived' WHEN max(high) <= 1 THEN 1 WHEN max(low) > 1 THEN 0 END AS ok,
       iif(fits, '', 'CPU and GPU of this machine are not comparable') AS reason
FROM ratio, chosen HAVING count(*) = 2;
