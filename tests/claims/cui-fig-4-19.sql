-- The same bound for the second node of the thesis, judged on this machine: blp against the fastest async, larger data sets.
WITH run AS (
    SELECT benchmark, size, variant, min(time_s) AS mid, time_low_s AS low, time_high_s AS high, dense_rank() OVER (PARTITION BY benchmark ORDER BY size) AS place
    FROM blp_datasets_median WHERE time_s > 0 GROUP BY benchmark, size, variant),
ratio AS (
    SELECT benchmark, a.mid / b.mid AS mid, a.low / b.high AS low, a.high / b.low AS high
    FROM run AS a JOIN run AS b USING (benchmark, size) WHERE a.variant = 'async' AND b.variant = 'blp' AND a.place = 2 ORDER BY benchmark)
SELECT 'cui-c-194' AS id, coalesce(group_concat(printf('%s %.2f', benchmark, mid), ', '), 'not measured') AS measured, 'least >= 0.85 (thesis, PCI-E: 0.98..1.1)' AS bound,
       CASE WHEN count(*) = 0 THEN 'waived' WHEN min(low) >= 0.85 THEN 1 WHEN min(high) < 0.85 THEN 0 END AS ok,
       iif(count(*) = 0, 'no second data sets were measured', '') AS reason
FROM ratio WHERE EXISTS (SELECT 1 FROM run);
