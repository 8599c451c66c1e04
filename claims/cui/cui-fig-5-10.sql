-- gemm: the fastest block whose x is no multiple of 8 against the fastest one of all.
WITH run AS (
    SELECT block_x % 8 > 0 AS off, time_s AS mid, max(time_s - coalesce(spread_s, 0), 0.001 * time_s) AS low, time_s + coalesce(spread_s, 0) AS high
    FROM tuner_sweep_median WHERE variant = 'gemm' AND time_s > 0),
side AS (SELECT off, min(mid) AS mid, low, high FROM run GROUP BY off),
ratio AS (SELECT max(b.mid / o.mid) AS mid, b.low / o.high AS low, b.high / o.low AS high FROM side AS o, side AS b WHERE o.off AND NOT b.off)
SELECT 'cui-c-230' AS id, iif(mid, printf('%.2f off the multiples of 8', mid), 'not measured') AS measured, '< 0.6 of the best on them' AS bound,
       CASE WHEN mid IS NULL THEN 'waived' WHEN high < 0.6 THEN 1 WHEN low >= 0.6 THEN 0 END AS ok,
       iif(mid, '', 'no blocks on and off the multiples were measured') AS reason
FROM ratio WHERE EXISTS (SELECT 1 FROM run);
