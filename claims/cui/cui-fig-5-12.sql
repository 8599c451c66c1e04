-- Blocks of 64, 128 and 256 threads, as 32 x 2, 32 x 4 and 32 x 8: the kernel that each suits least.
WITH run AS (
    SELECT variant, block_x, block_y, time_s AS mid, max(time_s - coalesce(spread_s, 0), 0.001 * time_s) AS low, time_s + coalesce(spread_s, 0) AS high
    FROM tuner_sweep_median WHERE time_s > 0),
best AS (SELECT variant, min(mid) AS mid, low, high FROM run GROUP BY variant),
share AS (
    SELECT variant, 32 * block_y AS threads, b.mid / r.mid AS mid, b.low / r.high AS low, b.high / r.low AS high
    FROM run AS r JOIN best AS b USING (variant) WHERE block_x = 32 AND block_y IN (2, 4, 8)),
least AS (SELECT variant, threads, min(mid) AS mid, low, high FROM share GROUP BY threads ORDER BY threads)
SELECT 'cui-c-236' AS id, coalesce(group_concat(printf('%.2f with %d (%s)', mid, threads, variant), ', '), 'not measured') AS measured, '<= 0.8 with each number of threads' AS bound,
       CASE WHEN count(*) < 3 THEN 'waived' WHEN max(high) <= 0.8 THEN 1 WHEN max(low) > 0.8 THEN 0 END AS ok,
       iif(count(*) < 3, 'not all of 32 x 2, 32 x 4 and 32 x 8 were measured', '') AS reason
FROM least WHERE EXISTS (SELECT 1 FROM run);
