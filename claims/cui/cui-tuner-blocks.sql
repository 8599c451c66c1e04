-- Claims about thread blocks that belong to no figure. The default is 64 x 4, which the thesis gives for its OpenACC compiler.
WITH run AS (
    SELECT variant, block_x, block_y, time_s AS mid, max(time_s - coalesce(spread_s, 0), 0.001 * time_s) AS low, time_s + coalesce(spread_s, 0) AS high
    FROM tuner_sweep_median WHERE time_s > 0),
best AS (SELECT variant, min(mid) AS mid, low, high FROM run GROUP BY variant),
gain AS (
    SELECT variant, r.mid / b.mid - 1 AS mid, r.low / b.high - 1 AS low, r.high / b.low - 1 AS high
    FROM best AS b JOIN run AS r USING (variant) WHERE block_x = 64 AND block_y = 4),
most AS (SELECT variant, max(mid) AS mid, low, high, count(*) AS kernels, sum(mid >= 0.3) AS many FROM gain),
cavity AS (SELECT max(mid) AS mid, low, high FROM gain WHERE variant = 'ldc'),
verdict(id, measured, bound, ok) AS (
    SELECT 'cui-c-014', iif(kernels, printf('%d of %d kernels gain 0.3 or more; the most: %s %.2f', many, kernels, variant, mid), NULL),
           '>= 0.3 with one kernel (thesis: 0.67..0.95)', CASE WHEN low >= 0.3 THEN 1 WHEN high < 0.3 THEN 0 END
    FROM most
    UNION ALL
    SELECT 'cui-c-218', iif(mid IS NULL, NULL, printf('%.2f', mid)), '>= 0.1 (thesis: 0.50)', CASE WHEN low >= 0.1 THEN 1 WHEN high < 0.1 THEN 0 END FROM cavity)
SELECT id, coalesce(measured, 'not measured') AS measured, bound, iif(measured IS NULL, 'waived', ok) AS ok,
       iif(measured IS NULL, 'the compiler''s default block, 64 x 4, was not measured', '') AS reason
FROM verdict WHERE EXISTS (SELECT 1 FROM best);

WITH whole AS (
    SELECT count(*) AS configurations, count(DISTINCT variant) AS kernels,
           (SELECT (julianday(ended_utc) - julianday(started_utc)) * 86400 FROM experiments WHERE id = 'tuner_sweep') AS wall_s
    FROM tuner_sweep_median)
SELECT 'cui-c-234' AS id, printf('%d configurations of %d kernels in %s', configurations, kernels, coalesce(printf('%.3g s', wall_s), 'an unknown time')) AS measured,
       'days' AS bound, 'waived' AS ok, 'the thesis compiles each block anew; here it is an argument of the launch' AS reason
FROM whole WHERE configurations > 0;
